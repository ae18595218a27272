// The job list with more workers and jobs than in models/jobs/job_list.cc.
#include "models/jobs/job_list_scenario.h"
#include "models/kit/scenario/model.h"

namespace nowait {
namespace {

using model::Scenario;

const Scenario<RunUntilDone<4, 2>> four_by_two({
    .name = "job_list/4x2",
    .promise = "four workers run two jobs once each",
});
const Scenario<RunUntilDone<4, 3>> four_by_three({
    .name = "job_list/4x3",
    .promise = "four workers run three jobs once each",
});
const Scenario<RunUntilDone<3, 4>> three_by_four({
    .name = "job_list/3x4",
    .promise = "three workers run four jobs once each",
});

}  // namespace
}  // namespace nowait

// The scenarios for the C++ checker, which AArch64 is compared with, and for load buffering.
#include "models/arm/float_scenario.h"
#include "models/arm/scenario.h"
#include "models/kit/scenario/model.h"

namespace nowait {
namespace {

template <template <class> class S>
struct Checked : S<ModelSync> {
  static constexpr int kThreads = S<ModelSync>::kThreads;
  void Thread(int t) { S<ModelSync>::Thread(t); }
  void After() { model::Check(this->Holds(), S<ModelSync>::kPromise); }
};

#define NOWAIT_ARM_MODEL(S)                            \
  const model::Scenario<Checked<arm::S>> S##_scenario( \
      {.name = arm::S<ModelSync>::kName, .promise = arm::S<ModelSync>::kPromise, .searches = {}});
NOWAIT_ARM_SCENARIOS(NOWAIT_ARM_MODEL)
NOWAIT_ARM_FLOATS(NOWAIT_ARM_MODEL)

}  // namespace
}  // namespace nowait

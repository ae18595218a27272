// The demo's results as a table for people and as JSON for programs (docs/demo-json.md).
#ifndef NOWAIT_SRC_APPS_DEMO_REPORT_H_
#define NOWAIT_SRC_APPS_DEMO_REPORT_H_

#include <string>

#include "src/apps/demo/event_summary.h"
#include "src/apps/demo/options.h"
#include "src/apps/demo/run.h"
#include "src/base/report.h"

namespace nowait {

std::string Table(const DemoOptions& options, const Ground& ground, const RunRecord& record);

// The events alone, as they stand in the table.
std::string EventTable(const EventSummary& events);

Json ToJson(const DemoOptions& options, const Ground& ground, const RunRecord& record);

}  // namespace nowait

#endif  // NOWAIT_SRC_APPS_DEMO_REPORT_H_

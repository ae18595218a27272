#include "models/kit/trace.h"

#include <fmt/format.h>

#include <string>
#include <vector>

namespace nowait::model {
namespace {

std::string ThreadName(int thread) {
  if (thread == kSetUp) return "set-up";
  if (thread == kAfter) return "after";
  return fmt::format("thread {}", thread);
}

const char* ObjectName(OperationKind kind) {
  switch (kind) {
    case OperationKind::kPlainRead:
    case OperationKind::kPlainWrite:
      return "plain";
    case OperationKind::kLock:
    case OperationKind::kTryLock:
    case OperationKind::kUnlock:
      return "mutex";
    case OperationKind::kWaitCondition:
    case OperationKind::kWakeUp:
    case OperationKind::kNotifyCondition:
      return "condition";
    case OperationKind::kNew:
    case OperationKind::kDelete:
      return "block";
    default:
      return "atomic";
  }
}

bool HasOrder(OperationKind kind) {
  switch (kind) {
    case OperationKind::kSleep:
    case OperationKind::kNotify:
    case OperationKind::kYield:
      return false;
    default:
      return std::string_view(ObjectName(kind)) == "atomic";
  }
}

}  // namespace

std::string Trace::FormatEvent(EventNumber number) const {
  const Event& event = (*this)[number];
  std::string what = Name(event.kind);
  if (event.failed) what += " fails";
  if (event.spurious) what += " spuriously";
  if (event.deferred) what += " (late)";
  std::string object;
  if (event.object != 0) object = fmt::format("{} {}", ObjectName(event.kind), event.object);
  std::string values;
  if (event.reads) values += fmt::format("reads {}", nowait::model::Format(event.read, event.type));
  if (event.from != kNoEvent) {
    const char* verb = event.kind == OperationKind::kLateStore ? "of" : "from";
    values += fmt::format("{}{} [{}]", values.empty() ? "" : " ", verb, event.from);
    if (event.stale) values += " (stale)";
  }
  if (event.writes) {
    values += fmt::format("{}writes {}", values.empty() ? "" : ", ",
                          nowait::model::Format(event.written, event.type));
  }
  return fmt::format("  [{:>3}] {:<9} {:<28} {:<10} {:<8} {:<40} {}\n", number,
                     ThreadName(event.thread), what, object,
                     HasOrder(event.kind) ? Name(event.order) : "", values,
                     nowait::model::Format(event.site));
}

std::string Trace::Format() const {
  std::vector<bool> is_read(events_.size() + 1, false);
  for (const Event& event : events_) {
    if (event.thread != kSetUp) is_read[event.from] = true;
  }
  std::string text;
  for (EventNumber number = 1; number <= last(); ++number) {
    if ((*this)[number].thread != kSetUp || is_read[number]) text += FormatEvent(number);
  }
  return text;
}

}  // namespace nowait::model

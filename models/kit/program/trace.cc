#include "models/kit/program/trace.h"

#include <fmt/format.h>

#include <string>
#include <string_view>
#include <utility>
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
    case OperationKind::kEndPlain:
      return "plain";
    case OperationKind::kLock:
    case OperationKind::kTryLock:
    case OperationKind::kUnlock:
    case OperationKind::kEndMutex:
      return "mutex";
    case OperationKind::kWaitCondition:
    case OperationKind::kWakeUp:
    case OperationKind::kNotifyCondition:
    case OperationKind::kEndCondition:
      return "condition";
    case OperationKind::kNew:
    case OperationKind::kDelete:
    case OperationKind::kUse:
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
    case OperationKind::kEndAtomic:
      return false;
    default:
      return std::string_view(ObjectName(kind)) == "atomic";
  }
}

}  // namespace

void Trace::BeginCall(int thread, std::string name) {
  RecordedCall& call = calls_.emplace_back();
  call.thread = thread;
  call.name = std::move(name);
  call.outer = std::exchange(open_[Index(thread)], last_call());
}

void Trace::EndCall(int thread) {
  CallNumber& open = open_[Index(thread)];
  if (open == kNoCall) return;
  RecordedCall& call = calls_[open - 1];
  call.returned = true;
  open = call.outer;
}

void Trace::AddNote(int thread, std::string note) {
  const CallNumber open = open_[Index(thread)];
  if (open != kNoCall) calls_[open - 1].notes.push_back(std::move(note));
}

Trace Trace::Take(const std::vector<EventNumber>& order) const {
  std::vector<EventNumber> renumbered(events_.size() + 1, kNoEvent);
  for (std::size_t i = 0; i < order.size(); ++i) {
    renumbered[order[i]] = static_cast<EventNumber>(i) + 1;
  }
  Trace part;
  part.calls_ = calls_;
  for (const EventNumber number : order) {
    Event& event = part.events_.emplace_back((*this)[number]);
    event.from = renumbered[event.from];
  }
  return part;
}

std::string Trace::FormatEvent(EventNumber number) const {
  const Event& event = (*this)[number];
  std::string what = Name(event.kind);
  if (event.failed) what += " fails";
  if (event.spurious) what += " spuriously";
  if (event.deferred) what += " (late)";
  if (event.blocks) what += " for ever";
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

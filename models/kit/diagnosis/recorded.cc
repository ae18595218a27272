#include "models/kit/diagnosis/recorded.h"

#include <fmt/format.h>

#include <cmath>
#include <map>
#include <memory>
#include <tuple>
#include <utility>

#include "models/kit/exhaustive/run/exploration.h"
#include "models/kit/process/count.h"
#include "models/kit/program/site_table.h"

namespace nowait::model {
namespace {

// The two kinds of failure: a thread waits in vain, or something is wrong.
Recorded::Verdict VerdictOf(const std::optional<Failure>& failure) {
  if (!failure) return Recorded::Verdict::kPasses;
  const bool blocks =
      failure->kind == FailureKind::kDeadlock || failure->kind == FailureKind::kLivelock;
  return blocks ? Recorded::Verdict::kBlocks : Recorded::Verdict::kFails;
}

bool Same(const Site& a, const Site& b) {
  return a.line() == b.line() && a.column() == b.column() && FileOf(a) == FileOf(b);
}

bool Same(const Recorded::Operation& a, const Recorded::Operation& b) {
  const auto parts = [](const Recorded::Operation& operation) {
    const Event& e = operation.event;
    return std::tie(operation.call, e.thread, e.kind, e.object, e.type, e.order, e.success,
                    e.failure, e.reads, e.writes, e.stale, e.failed, e.spurious, e.deferred,
                    e.blocks, e.read, e.written);
  };
  return parts(a) == parts(b) && Same(a.event.site, b.event.site);
}

// Rounds to two digits, because the number is an estimate.
std::uint64_t TwoDigits(double number) {
  double unit = 1;
  while (number / unit >= 100) unit *= 10;
  return static_cast<std::uint64_t>(std::round(number / unit) * unit);
}

class Recorder {
 public:
  void Add(const Trace& trace, const std::optional<Failure>& failure) {
    Recorded::Execution& execution = recorded_.executions.emplace_back();
    execution.verdict = VerdictOf(failure);
    if (failure) execution.words = failure->Label();
    std::vector<std::int32_t> step_of(trace.last() + 1u, Recorded::kFirstValue);
    for (EventNumber number = 1; number <= trace.last(); ++number) {
      const Event& event = trace[number];
      if (event.thread < 0) continue;
      step_of[number] = static_cast<std::int32_t>(execution.steps.size());
      execution.steps.push_back({IndexOf(OperationOf(trace, event)), step_of[event.from]});
    }
    steps_ += execution.steps.size();
  }

  Recorded Take(bool complete, double about, const RecordedLimits& limits) {
    recorded_.complete = complete;
    const std::string count = FormatCount(recorded_.executions.size());
    recorded_.words =
        complete ? fmt::format("all {} executions", count)
                 : fmt::format("{} of about {} executions", count, FormatCount(TwoDigits(about)));
    if (!complete && steps_ >= limits.steps) {
      recorded_.words += fmt::format(", as many as {} steps hold", FormatCount(limits.steps));
    }
    return std::move(recorded_);
  }

  std::size_t size() const { return recorded_.executions.size(); }
  std::size_t steps() const { return steps_; }

 private:
  static Recorded::Operation OperationOf(const Trace& trace, Event event) {
    Recorded::Operation operation;
    if (event.call != kNoCall) operation.call = trace.call(event.call).name;
    event.from = kNoEvent;
    event.place = kUnplaced;
    event.call = kNoCall;
    operation.event = event;
    return operation;
  }

  std::uint32_t IndexOf(Recorded::Operation operation) {
    const Event& event = operation.event;
    const Key key{event.thread,      event.kind, event.object,
                  event.site.line(), event.read, event.written};
    std::vector<std::uint32_t>& alike = by_key_[key];
    for (const std::uint32_t index : alike) {
      if (Same(recorded_.operations[index], operation)) return index;
    }
    const auto index = static_cast<std::uint32_t>(recorded_.operations.size());
    alike.push_back(index);
    recorded_.operations.push_back(std::move(operation));
    return index;
  }

  // Few distinct operations agree in all of these.
  using Key = std::tuple<int, OperationKind, std::uint32_t, std::uint32_t, Word, Word>;
  std::map<Key, std::vector<std::uint32_t>> by_key_;
  Recorded recorded_;
  std::size_t steps_ = 0;
};

}  // namespace

const char* Name(Recorded::Verdict verdict) {
  switch (verdict) {
    case Recorded::Verdict::kPasses:
      return "passes";
    case Recorded::Verdict::kFails:
      return "fails";
    case Recorded::Verdict::kBlocks:
      return "blocks";
  }
  return "?";
}

Recorded RecordExecutions(const ScenarioEntry& scenario, const RecordedLimits& limits) {
  SiteTable unwanted;
  const auto exploration = std::make_unique<Exploration>(scenario, unwanted);
  Recorder recorder;
  bool understood = true;
  const bool whole = exploration->Survey([&](ExhaustiveMachine::Outcome outcome) {
    if (outcome == ExhaustiveMachine::Outcome::kBlocked) return true;
    const std::optional<Failure>& failure = exploration->Retrace();
    // After a failure that is not a verdict, nothing is known about the steps that follow.
    understood = understood && (!failure || IsVerdict(failure->kind));
    if (understood) recorder.Add(exploration->machine().trace(), failure);
    return recorder.size() < limits.executions && recorder.steps() < limits.steps;
  });
  SetCurrentMachine(nullptr);
  const double done = exploration->done();
  return recorder.Take(whole && understood,
                       static_cast<double>(recorder.size()) / (done > 0 ? done : 1), limits);
}

}  // namespace nowait::model

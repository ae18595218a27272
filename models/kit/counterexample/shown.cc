#include "models/kit/counterexample/shown.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <tuple>
#include <vector>

#include "models/kit/counterexample/causal_past.h"
#include "models/kit/counterexample/schedule.h"
#include "models/kit/program/operation.h"

namespace nowait::model::counterexample {
namespace {

constexpr EventNumber kFewestTurns = 3;
constexpr EventNumber kMostSteps = 256;  // of a turn; threads that go in circles come around sooner

// Also, their reads are from the same place of the record: from the same store, or from the one of
// the previous turn.
bool IsAgain(const Trace& trace, EventNumber number, EventNumber later) {
  const auto parts = [](const model::Event& e) {
    return std::tie(e.thread, e.kind, e.object, e.order, e.reads, e.writes, e.read, e.written,
                    e.failed, e.spurious);
  };
  const model::Event& a = trace[number];
  const model::Event& b = trace[later];
  const bool same_source =
      a.from == b.from || (a.from != kNoEvent && b.from == a.from + (later - number));
  return parts(a) == parts(b) && same_source && a.site.line() == b.site.line() &&
         a.site.column() == b.site.column();
}

Trace Beginning(const Trace& trace, EventNumber last) {
  std::vector<EventNumber> order(last);
  std::iota(order.begin(), order.end(), EventNumber{1});
  return trace.Take(order);
}

std::string Steps(EventNumber count) {
  return count == 1 ? "1 step" : fmt::format("{} steps", count);
}

// Events other than those of set-up, which are never shown, and moments of deferred stores.
EventNumber CountOf(const Trace& trace) {
  EventNumber count = 0;
  for (EventNumber number = 1; number <= trace.last(); ++number) {
    const model::Event& event = trace[number];
    count += event.thread != kSetUp && event.kind != OperationKind::kLateStore ? 1 : 0;
  }
  return count;
}

}  // namespace

std::optional<Repetition> FindRepetition(const Trace& trace) {
  std::optional<Repetition> best;
  const auto covered = [](const Repetition& it) { return it.steps * it.turns; };
  for (EventNumber steps = 1; steps <= std::min(kMostSteps, trace.last() / kFewestTurns); ++steps) {
    EventNumber alike = 0;  // the number of pairs of equal events, one turn apart, so far
    for (EventNumber number = 1; number + steps <= trace.last() + 1; ++number) {
      const bool goes_on = number + steps <= trace.last() && IsAgain(trace, number, number + steps);
      if (goes_on) {
        ++alike;
        continue;
      }
      const Repetition found{number - alike, steps, alike / steps + 1};
      const bool is_more = !best || covered(found) > covered(*best);
      if (found.turns >= kFewestTurns && is_more) best = found;
      alike = 0;
    }
  }
  return best;
}

Shown Show(const Trace& trace, const model::Failure& failure) {
  Trace shown = Schedule(CausalPast(trace, failure));
  if (failure.kind == FailureKind::kLivelock) {
    const auto circle = FindRepetition(shown);
    if (!circle) return {std::move(shown), ""};
    const EventNumber one_turn = circle->first + circle->steps - 1;
    const EventNumber end = one_turn + circle->steps * (circle->turns - 1);
    std::string words = fmt::format(
        "the last {}: {} more turns of {} are left out",
        circle->steps == 1 ? "step repeats" : fmt::format("{} steps repeat", circle->steps),
        circle->turns - 1, circle->steps == 1 ? "it" : "them");
    if (end < shown.last()) words += fmt::format(", and {} after that", Steps(shown.last() - end));
    return {Beginning(shown, one_turn), std::move(words)};
  }
  const EventNumber all = CountOf(trace);
  if (failure.thread == kSetUp || all <= shown.last()) return {std::move(shown), ""};
  const EventNumber left_out = all - shown.last();
  return {std::move(shown), fmt::format("{} that this failure does not need {} left out",
                                        Steps(left_out), left_out == 1 ? "is" : "are")};
}

}  // namespace nowait::model::counterexample

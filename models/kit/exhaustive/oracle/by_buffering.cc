#include "models/kit/exhaustive/oracle/by_buffering.h"

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "models/kit/buffering/explore.h"
#include "models/kit/exhaustive/oracle/generator.h"
#include "models/kit/exhaustive/oracle/straight_line_program.h"

namespace nowait::model::oracle {
namespace {

using buffering::Event;
using buffering::Events;
using buffering::Judged;

// The statements that the events of a thread are of: plain accesses may be left out.
std::vector<std::size_t> StatementsOf(const std::vector<Statement>& thread, const Events& events) {
  std::vector<std::size_t> statements;
  std::size_t s = 0;
  for (const Event& event : events) {
    while (thread[s].IsPlain() != event.IsPlain()) ++s;
    statements.push_back(s++);
  }
  return statements;
}

class Painter {
 public:
  Painter(const StraightLine& program, const std::vector<const Events*>& threads,
          const Judged& judged)
      : program_(program), threads_(threads), judged_(judged) {}

  Picture Paint() {
    Picture picture;
    for (std::size_t t = 0; t < threads_.size(); ++t) {
      picture.threads.emplace_back(program_.threads[t].size());
      for (const std::size_t s : StatementsOf(program_.threads[t], *threads_[t])) {
        where_.push_back({static_cast<int>(t), s});
      }
    }
    std::array<std::vector<std::pair<std::size_t, Where>>, kMaxLocations> writes;
    std::size_t number = 0;
    for (std::size_t t = 0; t < threads_.size(); ++t) {
      for (const Event& event : *threads_[t]) {
        const axioms::Event& judged = judged_.execution[judged_.initials + number];
        const Where where = where_[number++];
        if (!judged.Atomic()) continue;
        picture.threads[t][where.statement] = OutcomeOf(event, judged, where);
        if (event.Writes()) writes[event.object - 1].emplace_back(judged.place, where);
      }
    }
    for (std::size_t location = 0; location < kMaxLocations; ++location) {
      std::ranges::sort(writes[location], {}, [](const auto& write) { return write.first; });
      for (const auto& [place, where] : writes[location]) {
        picture.modifications[location].push_back(where);
      }
    }
    return picture;
  }

 private:
  Outcome OutcomeOf(const Event& event, const axioms::Event& judged, const Where& where) const {
    Outcome outcome;
    if (!event.Reads()) return outcome;
    outcome.from =
        judged.from < judged_.initials ? Where{} : where_[judged.from - judged_.initials];
    const Statement& statement =
        program_.threads[static_cast<std::size_t>(where.thread)][where.statement];
    if (event.Writes()) {
      outcome.result = Outcome::Result::kExchanged;
    } else if (statement.IsCompareExchange() &&
               event.read == static_cast<Word>(statement.expected)) {
      outcome.result = Outcome::Result::kSpuriousFailure;
    }
    return outcome;
  }

  const StraightLine& program_;
  const std::vector<const Events*>& threads_;
  const Judged& judged_;
  std::vector<Where> where_;  // of the events, through all threads
};

}  // namespace

Buffered FindByBuffering(const StraightLine& program) {
  Buffered found;
  const auto explored = buffering::ExploreBuffering(
      ScenarioOf(program), {.rounds = kMaxOperations}, {}, [&](const buffering::Visited& visited) {
        const Judged& judged = visited.judged;
        found.all.race |= judged.races;
        if (!judged.buffers) found.without.race |= judged.races;
        const std::string signature = Signature(Painter(program, visited.threads, judged).Paint());
        found.all.executions.push_back(signature);
        if (!judged.buffers) found.without.executions.push_back(signature);
      });
  found.all.complaint = explored.refused;
  return found;
}

}  // namespace nowait::model::oracle

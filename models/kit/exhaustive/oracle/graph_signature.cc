#include "models/kit/exhaustive/oracle/graph_signature.h"

#include <algorithm>
#include <cstddef>
#include <vector>

#include "models/kit/exhaustive/oracle/findings.h"

namespace nowait::model::oracle {
namespace {

class Painter {
 public:
  Painter(const Graph& graph, const StraightLine& program) : graph_(graph), program_(program) {}

  Picture Paint() {
    Picture picture;
    for (std::size_t t = 0; t < program_.threads.size(); ++t) {
      auto& outcomes = picture.threads.emplace_back();
      std::vector<std::size_t>& statements = statement_of_.emplace_back();
      for (std::size_t s = 0; s < program_.threads[t].size(); ++s) {
        if (!program_.threads[t][s].IsPlain()) statements.push_back(s);
      }
      outcomes.resize(program_.threads[t].size());
    }
    for (int slot = 0; slot < graph_.size(); ++slot) {
      const GraphEvent& event = graph_[static_cast<Slot>(slot)];
      const Where where = WhereIs(static_cast<Slot>(slot));
      picture.threads[event.thread][where.statement] = OutcomeOf(event);
    }
    for (int l = 0; l < graph_.locations(); ++l) {
      const Location& location = graph_.location(static_cast<LocationIndex>(l));
      auto& order = picture.modifications[NumberOf(location.name)];
      for (Slot slot = location.newest; slot != kNoSlot; slot = graph_[slot].older) {
        order.push_back(WhereIs(slot));
      }
      std::ranges::reverse(order);
    }
    return picture;
  }

 private:
  Where WhereIs(Slot slot) const {
    const GraphEvent& event = graph_[slot];
    return {event.thread, statement_of_[event.thread][event.index]};
  }

  Outcome OutcomeOf(const GraphEvent& event) const {
    Outcome outcome;
    if (!event.reads) return outcome;
    outcome.from = event.source == kInitial ? Where{} : WhereIs(event.source);
    if (event.writes) outcome.result = Outcome::Result::kExchanged;
    if (event.variant != 0) outcome.result = Outcome::Result::kSpuriousFailure;
    return outcome;
  }

  const Graph& graph_;
  const StraightLine& program_;
  std::vector<std::vector<std::size_t>> statement_of_;  // by thread and index of the event
};

}  // namespace

std::string SignatureOf(const Graph& graph, const StraightLine& program) {
  return Signature(Painter(graph, program).Paint());
}

}  // namespace nowait::model::oracle

#include "models/kit/exhaustive/oracle/brute_force.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "models/kit/axioms/axioms.h"
#include "models/kit/axioms/relation.h"
#include "models/kit/exhaustive/oracle/schedule.h"

namespace nowait::model::oracle {
namespace {

using axioms::kNothing;
using Kind = Statement::Kind;
using Result = Outcome::Result;

// The first kMaxLocations events of every execution are the atomics' initial values.
constexpr std::size_t kFirstStatement = kMaxLocations;

axioms::Event EventOf(const Statement& statement, int thread) {
  axioms::Event event{.thread = thread,
                      .object = static_cast<std::uint32_t>(statement.location),
                      .order = statement.order};
  switch (statement.kind) {
    case Kind::kLoad:
    case Kind::kStrong:  // until it is known to succeed
    case Kind::kWeak:
      event.reads = true;
      break;
    case Kind::kStore:
      event.writes = true;
      break;
    case Kind::kAdd:
    case Kind::kExchange:
      event.reads = event.writes = true;
      break;
    case Kind::kFence:
      event.kind = axioms::Event::Kind::kFence;
      break;
    case Kind::kRead:
      event.kind = axioms::Event::Kind::kPlain;
      event.reads = true;
      break;
    case Kind::kWrite:
      event.kind = axioms::Event::Kind::kPlain;
      event.writes = true;
      break;
  }
  return event;
}

class Enumeration {
 public:
  Enumeration(const StraightLine& program, Visitor visitor, LoadBuffering load_buffering)
      : threads_(program.threads.size()),
        visitor_(std::move(visitor)),
        load_buffering_(load_buffering),
        reads_from_(kMaxLocations + program.Size()) {
    for (std::size_t location = 0; location < kMaxLocations; ++location) {
      events_.push_back({.object = static_cast<std::uint32_t>(location), .writes = true});
      steps_.push_back({});
    }
    for (std::size_t t = 0; t < threads_; ++t) {
      for (std::size_t s = 0; s < program.threads[t].size(); ++s) {
        const Statement& statement = program.threads[t][s];
        for (std::size_t earlier = 0; earlier < events_.size(); ++earlier) {
          const int thread = events_[earlier].thread;
          if (thread == axioms::kBeforeThreads || thread == static_cast<int>(t)) {
            reads_from_.AddClosed(earlier, events_.size());
          }
        }
        events_.push_back(EventOf(statement, static_cast<int>(t)));
        steps_.push_back({statement, {static_cast<int>(t), s}});
      }
    }
  }

  // Returns whether there is a race.
  bool VisitAll() {
    ChooseResult(kFirstStatement);
    return race_;
  }

 private:
  struct Step {
    Statement statement;
    Where where;
    Result result = Result::kPlain;
  };
  using ModificationOrder = std::vector<std::size_t>;

  // The outcomes of the compare-exchanges.
  void ChooseResult(std::size_t e) {
    if (race_) return;
    while (e < events_.size() && !steps_[e].statement.IsCompareExchange()) ++e;
    if (e == events_.size()) {
      ChooseSource(kFirstStatement);
      return;
    }
    const Statement& statement = steps_[e].statement;
    const axioms::Event failed{.thread = events_[e].thread,
                               .object = events_[e].object,
                               .order = statement.failure,
                               .reads = true};
    events_[e] = failed;
    ChooseResult(e + 1);
    if (statement.kind == Kind::kWeak && MayFailSpuriously(e)) {
      steps_[e].result = Result::kSpuriousFailure;
      ChooseResult(e + 1);
    }
    events_[e].order = statement.order;
    events_[e].writes = true;
    steps_[e].result = Result::kExchanged;
    ChooseResult(e + 1);
    events_[e] = failed;
    steps_[e].result = Result::kPlain;
  }

  bool MayFailSpuriously(std::size_t e) const {
    for (std::size_t earlier = kFirstStatement; earlier < e; ++earlier) {
      if (steps_[earlier].result == Result::kSpuriousFailure &&
          events_[earlier].thread == events_[e].thread) {
        return false;
      }
    }
    return true;
  }

  // Chooses the store that each read reads from.
  void ChooseSource(std::size_t r) {
    while (r < events_.size() && !(events_[r].Atomic() && events_[r].reads)) ++r;
    if (r == events_.size()) {
      Judge();
      return;
    }
    for (std::size_t w = 0; w < events_.size(); ++w) {
      const bool readable =
          events_[w].Atomic() && events_[w].writes && events_[w].object == events_[r].object;
      if (!readable || w == r) continue;
      if (load_buffering_ == LoadBuffering::kLeftOut && reads_from_.Has(r, w)) continue;
      if (events_[r].writes && IsTaken(w)) continue;
      if (!ValueFits(r, w)) continue;
      const axioms::Relation before = reads_from_;
      reads_from_.AddClosed(w, r);
      events_[r].from = w;
      if (CanBeCoherent(events_[r].object)) ChooseSource(r + 1);
      events_[r].from = kNothing;
      reads_from_ = before;
      if (race_) return;
    }
  }

  // Whether some modification order remains for the chosen reads: program order alone determines
  // which of some stores is the later one. Other coherence rules wait until all reads are known.
  bool CanBeCoherent(std::uint32_t object) const {
    axioms::Relation earlier(events_.size());
    const auto add = [&](std::size_t a, std::size_t b) {
      if (a != b) earlier.Add(a, b);
    };
    for (std::size_t b = 0; b < events_.size(); ++b) {
      const axioms::Event& second = events_[b];
      if (!second.Atomic() || second.object != object) continue;
      if (second.reads && second.from == kNothing) continue;
      if (second.reads && second.writes) earlier.Add(second.from, b);
      for (std::size_t a = 0; a < b; ++a) {
        const axioms::Event& first = events_[a];
        const bool before = first.thread == axioms::kBeforeThreads || first.thread == second.thread;
        if (!before || !first.Atomic() || first.object != object) continue;
        const std::size_t known = first.writes ? a : first.from;
        if (known == kNothing) continue;
        add(known, second.reads ? second.from : b);
      }
    }
    return earlier.Closed().IsIrreflexive();
  }

  // Whether a read-modify-write reads from it: only one fits directly behind a store.
  bool IsTaken(std::size_t w) const {
    for (const axioms::Event& event : events_) {
      if (event.Atomic() && event.writes && event.from == w) return true;
    }
    return false;
  }

  // The value that a store writes, as soon as it is known.
  std::optional<int> ValueOf(std::size_t w) const {
    if (w < kFirstStatement) return 0;
    const Statement& statement = steps_[w].statement;
    if (statement.kind != Kind::kAdd) return statement.value;
    if (events_[w].from == kNothing) return std::nullopt;
    const std::optional<int> old = ValueOf(events_[w].from);
    if (!old) return std::nullopt;
    return *old + statement.value;
  }

  // Whether the read, which finds this value, ends a round that equals the preceding one. The reads
  // before it must have their sources.
  bool IsRoundRepeated(std::size_t r, int value) const {
    const std::size_t round = steps_[r].statement.unlike_round;
    if (round == 0) return false;
    for (std::size_t i = 0; i < round; ++i) {
      const std::optional<int> now = i == 0 ? value : ValueOf(events_[r - i].from);
      if (!now || now != ValueOf(events_[r - i - round].from)) return false;
    }
    return true;
  }

  bool ValueFits(std::size_t r, std::size_t w) const {
    const std::optional<int> value = ValueOf(w);
    if (value && (steps_[r].statement.may_find >> *value & 1) == 0) return false;
    if (value && IsRoundRepeated(r, *value)) return false;
    if (!steps_[r].statement.IsCompareExchange()) return true;
    return !value ||
           (*value == steps_[r].statement.expected) == (steps_[r].result != Result::kPlain);
  }

  // Every read has its store. First checks the relations that depend on that alone, then tries the
  // modification orders.
  void Judge() {
    for (std::size_t r = kFirstStatement; r < events_.size(); ++r) {
      if (events_[r].from != kNothing && !ValueFits(r, events_[r].from)) return;
    }
    for (std::size_t e = kFirstStatement; e < events_.size(); ++e) {
      if (steps_[e].statement.IsPlain()) SetPlain(e);
    }
    if (load_buffering_ == LoadBuffering::kAllowed && !HasSchedule(events_, kFirstStatement))
      return;
    const axioms::Orders orders = axioms::OrdersOf(events_);
    if (!axioms::HappensBeforeIsAcyclic(orders)) return;
    std::array<std::vector<ModificationOrder>, kMaxLocations> coherent;
    for (std::uint32_t location = 0; location < kMaxLocations; ++location) {
      ModificationOrder order = {location};
      ExtendOrder(location, orders, order, coherent[location]);
      if (coherent[location].empty()) return;
    }
    Combine(0, orders, coherent);
  }

  // A plain access that its guard forbids has no effect, like a relaxed fence.
  void SetPlain(std::size_t e) {
    const Statement& statement = steps_[e].statement;
    int found = 0;
    for (std::size_t earlier = kFirstStatement; earlier < e; ++earlier) {
      if (events_[earlier].thread == events_[e].thread && events_[earlier].from != kNothing) {
        found = ValueOf(events_[earlier].from).value();
      }
    }
    const bool executed = !statement.only_if || *statement.only_if == found;
    events_[e] = EventOf(statement, events_[e].thread);
    if (!executed) events_[e] = {.thread = events_[e].thread, .kind = axioms::Event::Kind::kFence};
  }

  // Extends the order by one store, for each store that can come next.
  void ExtendOrder(std::uint32_t location, const axioms::Orders& orders, ModificationOrder& order,
                   std::vector<ModificationOrder>& coherent) {
    std::vector<std::size_t> rest;
    std::size_t forced = kNothing;
    for (std::size_t w = kFirstStatement; w < events_.size(); ++w) {
      if (!events_[w].Atomic() || !events_[w].writes || events_[w].object != location) continue;
      if (IsIn(order, w)) continue;
      rest.push_back(w);
      if (events_[w].from == order.back()) forced = w;
    }
    if (rest.empty()) {
      SetPlaces(order);
      if (axioms::IsCoherent(orders, axioms::CoherenceOrderOf(events_, location))) {
        coherent.push_back(order);
      }
      return;
    }
    for (const std::size_t next : rest) {
      if (forced != kNothing ? next != forced : events_[next].reads) continue;
      bool first = true;
      for (const std::size_t other : rest) first &= !orders.happens_before.Has(other, next);
      if (!first) continue;
      order.push_back(next);
      ExtendOrder(location, orders, order, coherent);
      order.pop_back();
    }
  }

  static bool IsIn(const ModificationOrder& order, std::size_t w) {
    for (const std::size_t member : order) {
      if (member == w) return true;
    }
    return false;
  }

  void SetPlaces(const ModificationOrder& order) {
    for (std::size_t place = 0; place < order.size(); ++place) events_[order[place]].place = place;
  }

  // Tries every combination of one modification order per atomic. S concerns all of them together.
  void Combine(std::uint32_t location, const axioms::Orders& orders,
               const std::array<std::vector<ModificationOrder>, kMaxLocations>& coherent) {
    if (location < kMaxLocations) {
      for (const ModificationOrder& order : coherent[location]) {
        SetPlaces(order);
        chosen_[location] = &order;
        Combine(location + 1, orders, coherent);
        if (race_) return;
      }
      return;
    }
    if (!axioms::HasOrderS(events_, orders, axioms::CoherenceOrderOf(events_))) return;
    if (axioms::HasDataRace(events_, orders)) race_ = true;
    Keep(orders);
  }

  void Keep(const axioms::Orders& orders) {
    Picture picture;
    picture.threads.resize(threads_);
    for (std::size_t e = kFirstStatement; e < events_.size(); ++e) {
      Outcome outcome{.from = std::nullopt, .result = steps_[e].result};
      if (events_[e].from != kNothing) outcome.from = steps_[events_[e].from].where;
      if (outcome.from && events_[e].writes) outcome.result = Result::kExchanged;
      picture.threads[static_cast<std::size_t>(events_[e].thread)].push_back(outcome);
    }
    for (std::size_t location = 0; location < kMaxLocations; ++location) {
      for (const std::size_t w : *chosen_[location]) {
        if (w >= kFirstStatement) picture.modifications[location].push_back(steps_[w].where);
      }
    }
    const auto index_of = [&](const Where& where) {
      const auto is_there = [&](const Step& step) {
        return step.where.thread == where.thread && step.where.statement == where.statement;
      };
      return static_cast<std::size_t>(std::ranges::find_if(steps_, is_there) - steps_.begin());
    };
    visitor_(picture, [&](const Where& a, const Where& b) {
      return orders.happens_before.Has(index_of(a), index_of(b));
    });
  }

  std::size_t threads_;
  Visitor visitor_;
  LoadBuffering load_buffering_;
  axioms::Execution events_;
  std::vector<Step> steps_;      // parallel to events_
  axioms::Relation reads_from_;  // together with program order, transitively closed
  std::array<const ModificationOrder*, kMaxLocations> chosen_{};
  bool race_ = false;
};

}  // namespace

bool VisitByBruteForce(const StraightLine& program, const Visitor& visitor,
                       LoadBuffering load_buffering) {
  return Enumeration(program, visitor, load_buffering).VisitAll();
}

Findings BruteForce(const StraightLine& program, LoadBuffering load_buffering) {
  Findings findings;
  const auto keep = [&](const Picture& picture, const HappensBefore&) {
    findings.executions.push_back(Signature(picture));
  };
  findings.race = VisitByBruteForce(program, keep, load_buffering);
  return findings;
}

}  // namespace nowait::model::oracle

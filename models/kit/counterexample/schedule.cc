#include "models/kit/counterexample/schedule.h"

#include <algorithm>
#include <array>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <queue>
#include <unordered_map>
#include <utility>

#include "models/kit/counterexample/causal_past.h"
#include "models/kit/counterexample/kinds.h"
#include "models/kit/counterexample/orders.h"
#include "models/kit/scenario/scenario.h"

namespace nowait::model::counterexample {
namespace {

constexpr std::size_t kMaxStates = 1'000'000;

// The position of each thread, and the thread that ran last: the rest of an order depends on
// nothing else.
struct State {
  std::array<std::uint16_t, kMaxThreads> done{};
  std::int8_t last = -1;

  bool operator==(const State&) const = default;
};
struct HashOfState {
  std::size_t operator()(const State& state) const {
    std::size_t hash = static_cast<std::size_t>(state.last + 1);
    for (const std::uint16_t done : state.done) hash = hash * 1'000'003 + done;
    return hash;
  }
};

struct Cost {
  int surprises = 0;
  int switches = 0;
  auto operator<=>(const Cost&) const = default;
};

class Scheduler {
 public:
  explicit Scheduler(const Trace& trace)
      : trace_(trace), needs_(Needs(trace, Orders(trace))), rank_(trace.last() + 1u) {
    for (EventNumber number = 1; number <= trace.last(); ++number) {
      const int thread = trace[number].thread;
      if (thread < 0) continue;
      auto& events = events_[static_cast<std::size_t>(thread)];
      events.push_back(number);
      rank_[number] = events.size();
      if (trace[number].place != kUnplaced) stores_[trace[number].object].push_back(number);
    }
  }

  std::vector<EventNumber> Order() {
    std::vector<EventNumber> order;
    for (EventNumber number = 1; number <= trace_.last(); ++number) {
      if (trace_[number].thread == kSetUp) order.push_back(number);
    }
    for (const std::size_t thread : CountStates() <= kMaxStates ? Shortest() : Greedy()) {
      order.push_back(events_[thread][taken_[thread]++]);
    }
    for (EventNumber number = 1; number <= trace_.last(); ++number) {
      if (trace_[number].thread == kAfter) order.push_back(number);
    }
    return order;
  }

 private:
  struct Reached {
    Cost cost;
    State from;
    bool done = false;
  };

  std::size_t CountStates() const {
    std::size_t states = kMaxThreads;
    for (const auto& events : events_) {
      if (events.size() >= std::numeric_limits<std::uint16_t>::max()) return kMaxStates + 1;
      states *= events.size() + 1;
      if (states > kMaxStates) break;
    }
    return states;
  }

  bool IsDone(const State& state, EventNumber event) const {
    const int thread = trace_[event].thread;
    return thread < 0 || rank_[event] <= state.done[static_cast<std::size_t>(thread)];
  }

  bool CanRun(const State& state, std::size_t thread) const {
    if (state.done[thread] == events_[thread].size()) return false;
    const auto& needs = needs_[events_[thread][state.done[thread]]];
    return std::ranges::all_of(needs, [&](EventNumber need) { return IsDone(state, need); });
  }

  // Whether a store newer than the one that the thread now reads or makes has already taken effect.
  bool IsSurprise(const State& state, std::size_t thread) const {
    const model::Event& event = trace_[events_[thread][state.done[thread]]];
    const auto stores = stores_.find(event.object);
    if (stores == stores_.end()) return false;
    std::int64_t place = -1;
    if (event.place != kUnplaced) {
      place = event.place;
    } else if (event.reads && IsAtomicAccess(event.kind)) {
      if (event.from != kNoEvent) place = trace_[event.from].place;
    } else {
      return false;
    }
    return std::ranges::any_of(stores->second, [&](EventNumber store) {
      return std::int64_t{trace_[store].place} > place && IsDone(state, store);
    });
  }
  State After(State state, std::size_t thread) const {
    ++state.done[thread];
    state.last = static_cast<std::int8_t>(thread);
    return state;
  }
  Cost CostOf(const State& state, std::size_t thread) const {
    return {IsSurprise(state, thread) ? 1 : 0,
            state.last >= 0 && state.last != static_cast<int>(thread) ? 1 : 0};
  }

  // Dijkstra's algorithm.
  std::vector<std::size_t> Shortest() {
    std::unordered_map<State, Reached, HashOfState> reached;
    using Entry = std::pair<Cost, State>;
    const auto is_later = [](const Entry& a, const Entry& b) { return a.first > b.first; };
    std::priority_queue<Entry, std::vector<Entry>, decltype(is_later)> queue(is_later);
    std::size_t events = 0;
    for (const auto& thread : events_) events += thread.size();
    reached[State()] = {};
    queue.push({Cost(), State()});
    while (!queue.empty()) {
      const auto [cost, state] = queue.top();
      queue.pop();
      Reached& entry = reached[state];
      if (std::exchange(entry.done, true)) continue;
      std::size_t done = 0;
      for (const std::uint16_t count : state.done) done += count;
      if (done == events) return Path(reached, state);
      for (std::size_t t = 0; t < events_.size(); ++t) {
        if (!CanRun(state, t)) continue;
        const State next = After(state, t);
        const Cost more = CostOf(state, t);
        const Cost total = {cost.surprises + more.surprises, cost.switches + more.switches};
        const auto [old, is_new] = reached.try_emplace(next, Reached{total, state});
        if (!is_new && (old->second.done || old->second.cost <= total)) continue;
        old->second = {total, state};
        queue.push({total, next});
      }
    }
    return Greedy();
  }
  static std::vector<std::size_t> Path(
      const std::unordered_map<State, Reached, HashOfState>& reached, State state) {
    std::vector<std::size_t> path;
    while (state.last >= 0) {
      path.push_back(static_cast<std::size_t>(state.last));
      state = reached.at(state).from;
    }
    std::ranges::reverse(path);
    return path;
  }

  // Repeatedly takes the cheapest next step.
  std::vector<std::size_t> Greedy() const {
    std::vector<std::size_t> path;
    for (State state;;) {
      std::size_t best = events_.size();
      for (std::size_t t = 0; t < events_.size(); ++t) {
        if (!CanRun(state, t)) continue;
        if (best == events_.size() || CostOf(state, t) < CostOf(state, best)) best = t;
      }
      if (best == events_.size()) return path;
      path.push_back(best);
      state = After(state, best);
    }
  }

  const Trace& trace_;
  const std::vector<std::vector<EventNumber>> needs_;
  std::vector<std::size_t> rank_;  // the rank in its thread, from 1
  std::array<std::vector<EventNumber>, kMaxThreads> events_;
  std::array<std::size_t, kMaxThreads> taken_{};
  std::unordered_map<std::uint32_t, std::vector<EventNumber>> stores_;
};

}  // namespace

Trace Schedule(const Trace& trace) { return trace.Take(Scheduler(trace).Order()); }

int Switches(const Trace& trace) {
  int switches = 0;
  for (EventNumber number = 2; number <= trace.last(); ++number) {
    const int thread = trace[number].thread;
    const int before = trace[number - 1].thread;
    switches += thread >= 0 && before >= 0 && thread != before ? 1 : 0;
  }
  return switches;
}

}  // namespace nowait::model::counterexample

#include "src/profile/schedule.h"

#include <algorithm>
#include <compare>
#include <map>
#include <queue>
#include <set>

#include "src/base/assert.h"

namespace nowait {
namespace {

constexpr std::uint32_t kNone = WorkGraph::kNone;

// A node that comes after another one, when so much of the other one's work is done.
struct Effect {
  std::uint32_t node;
  std::uint64_t work;
};

std::vector<std::vector<Effect>> EffectsOf(const WorkGraph& graph) {
  std::vector<std::vector<Effect>> effects(graph.nodes.size());
  for (std::uint32_t node = 0; node < graph.nodes.size(); ++node) {
    for (const auto& [cause, work] : graph.nodes[node].causes) {
      effects[cause].push_back({node, work});
    }
  }
  return effects;
}

// The nodes, each one behind its causes.
std::vector<std::uint32_t> InOrder(const WorkGraph& graph,
                                   const std::vector<std::vector<Effect>>& effects) {
  std::vector<std::size_t> missing;
  std::vector<std::uint32_t> order;
  for (std::uint32_t node = 0; node < graph.nodes.size(); ++node) {
    missing.push_back(graph.nodes[node].causes.size());
    if (missing.back() == 0) order.push_back(node);
  }
  for (std::size_t i = 0; i < order.size(); ++i) {
    for (const auto& [effect, work] : effects[order[i]]) {
      if (--missing[effect] == 0) order.push_back(effect);
    }
  }
  NOWAIT_ASSERT(order.size() == graph.nodes.size(), "a cause ends before what comes after it");
  return order;
}

// By node: the longest chain that begins with it.
std::vector<std::uint64_t> ChainsOf(const WorkGraph& graph,
                                    const std::vector<std::vector<Effect>>& effects) {
  std::vector<std::uint64_t> chains(graph.nodes.size());
  const std::vector<std::uint32_t> order = InOrder(graph, effects);
  for (std::size_t i = order.size(); i-- > 0;) {
    const std::uint32_t node = order[i];
    chains[node] = graph.nodes[node].work;
    for (const auto& [effect, work] : effects[node]) {
      chains[node] = std::max(chains[node], work + chains[effect]);
    }
  }
  return chains;
}

class Simulation {
 public:
  Simulation(const WorkGraph& graph, const SimulationDef& def)
      : graph_(graph),
        priorities_(def.priorities),
        effects_(EffectsOf(graph)),
        chains_(ChainsOf(graph, effects_)),
        bound_ready_(def.threads),
        idle_(def.threads, true) {
    for (const WorkGraph::Node& node : graph.nodes) {
      missing_.push_back(node.causes.size());
      if (node.is_step && node.bound) thread_of_lane_[node.lane] = 0;
    }
    std::uint32_t rank = 0;
    for (auto& [lane, thread] : thread_of_lane_) thread = rank++ % def.threads;
    schedule_.begins.resize(graph.nodes.size());
    schedule_.threads.resize(graph.nodes.size());
  }

  Schedule Run() && {
    for (std::uint32_t node = 0; node < graph_.nodes.size(); ++node) {
      if (graph_.nodes[node].causes.empty()) Ready(node);
    }
    Assign();
    while (!events_.empty()) {
      now_ = events_.top().time;
      while (!events_.empty() && events_.top().time == now_) {
        const Event event = events_.top();
        events_.pop();
        if (event.is_thread) {
          idle_[event.index] = true;
        } else {
          Caused(event.index);
        }
      }
      Assign();
    }
    return std::move(schedule_);
  }

 private:
  struct Event {
    std::uint64_t time;
    bool is_thread;  // that is free again, or a node of which a cause is there
    std::uint32_t index;
    friend auto operator<=>(const Event&, const Event&) = default;
  };
  // The most urgent one first.
  struct Waiting {
    std::uint64_t rank;
    std::uint64_t ready;
    std::uint64_t made;
    std::uint32_t node;
    friend auto operator<=>(const Waiting&, const Waiting&) = default;
  };

  void Caused(std::uint32_t node) {
    if (--missing_[node] == 0) Ready(node);
  }

  // A join takes no time: the nodes that come after it may be ready at once, too.
  void Ready(std::uint32_t number) {
    std::vector<std::uint32_t> ready = {number};
    while (!ready.empty()) {
      const std::uint32_t node = ready.back();
      ready.pop_back();
      if (graph_.nodes[node].is_step) {
        AddReady(node);
        continue;
      }
      schedule_.begins[node] = now_;
      for (const auto& [effect, work] : effects_[node]) {
        if (--missing_[effect] == 0) ready.push_back(effect);
      }
    }
  }

  void AddReady(std::uint32_t number) {
    const WorkGraph::Node& node = graph_.nodes[number];
    const Waiting waiting{RankOf(number), now_, node.made, number};
    if (node.follows != kNone) {
      bound_ready_[schedule_.threads[node.follows]].insert(waiting);
    } else if (node.bound) {
      bound_ready_[thread_of_lane_[node.lane]].insert(waiting);
    } else {
      ready_.insert(waiting);
    }
  }

  std::uint64_t RankOf(std::uint32_t node) const {
    switch (priorities_) {
      case SimulatedPriorities::kAsSet:
        return graph_.nodes[node].priority;
      case SimulatedPriorities::kByPath:
        return ~chains_[node];
      case SimulatedPriorities::kOne:
        break;
    }
    return 0;
  }

  void Assign() {
    for (std::uint32_t thread = 0; thread < idle_.size(); ++thread) {
      auto& from = bound_ready_[thread].empty() ? ready_ : bound_ready_[thread];
      if (!idle_[thread] || from.empty()) continue;
      const std::uint32_t node = from.begin()->node;
      from.erase(from.begin());
      Begin(node, thread);
    }
  }

  void Begin(std::uint32_t node, std::uint32_t thread) {
    const std::uint64_t end = now_ + graph_.nodes[node].work;
    schedule_.begins[node] = now_;
    schedule_.threads[node] = thread;
    schedule_.length = std::max(schedule_.length, end);
    idle_[thread] = false;
    events_.push({end, true, thread});
    for (const auto& [effect, work] : effects_[node]) events_.push({now_ + work, false, effect});
  }

  const WorkGraph& graph_;
  const SimulatedPriorities priorities_;
  const std::vector<std::vector<Effect>> effects_;
  const std::vector<std::uint64_t> chains_;
  std::vector<std::size_t> missing_;                     // by node: causes
  std::map<std::size_t, std::uint32_t> thread_of_lane_;  // of lanes that have bound steps
  std::set<Waiting> ready_;                              // for any thread
  std::vector<std::set<Waiting>> bound_ready_;           // by thread
  std::vector<bool> idle_;                               // likewise
  std::priority_queue<Event, std::vector<Event>, std::greater<>> events_;
  std::uint64_t now_ = 0;
  Schedule schedule_;
};

}  // namespace

Schedule Simulate(const WorkGraph& graph, const SimulationDef& def) {
  NOWAIT_ASSERT(def.threads > 0, "work needs a thread");
  return Simulation(graph, def).Run();
}

std::uint64_t LongestChain(const WorkGraph& graph) {
  const std::vector<std::uint64_t> chains = ChainsOf(graph, EffectsOf(graph));
  return chains.empty() ? 0 : std::ranges::max(chains);
}

}  // namespace nowait

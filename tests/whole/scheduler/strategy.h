// Strategy: which thread goes on.
//
// Before each step of the policy the scheduler asks which of the threads that can go on is to do
// its next step. A strategy's answer depends on its seed and on what it was asked, on nothing else.
//
//   random walk   each candidate with the same probability
//   sticky walk   as that, but the running thread goes on with probability 7/8: longer stretches
//   PCT           probabilistic concurrency testing: threads have random priorities, the highest
//                 one runs, and at depth - 1 random steps the running one gets the lowest. A bug
//                 that needs `depth` orderings is found in one run with probability at least
//                 1 / (n k^(depth - 1)), for n threads and k steps.
//   POS           partial order sampling: each pending step has a random priority, the highest one
//                 is done, and those that it conflicts with get new ones.
//
// Sources: S. Burckhardt, P. Kothari, M. Musuvathi, S. Nagarakatte, "A Randomized Scheduler with
// Probabilistic Guarantees of Finding Bugs", ASPLOS 2010. X. Yuan, J. Yang, R. Gu, "Partial Order
// Aware Concurrency Sampling", CAV 2018. To take turns among strategies: Microsoft's Coyote.
#ifndef NOWAIT_TESTS_WHOLE_SCHEDULER_STRATEGY_H_
#define NOWAIT_TESTS_WHOLE_SCHEDULER_STRATEGY_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "tests/whole/scheduler/step.h"

namespace nowait::whole {

class Strategy {
 public:
  virtual ~Strategy() = default;

  // candidates: threads, by number, ascending; at least two. current: the thread that asks, which
  // is not always among them.
  virtual std::uint32_t Choose(std::span<const std::uint32_t> candidates,
                               std::uint32_t current) = 0;

  // The next step of a thread, not done yet; and that it is done.
  virtual void Announce(std::uint32_t /*thread*/, const Step& /*step*/) {}
  virtual void Done(std::uint32_t /*thread*/, const Step& /*step*/) {}
};

enum class StrategyKind : std::uint8_t { kRandomWalk, kStickyWalk, kPct, kPos };

// A run depends on this besides the program: printed and read as "pct3-1200-77", "walk-77".
struct StrategyDef {
  StrategyKind kind = StrategyKind::kRandomWalk;
  std::uint64_t seed = 1;
  std::uint32_t depth = 3;      // of PCT
  std::uint64_t length = 1000;  // of PCT: how many steps are expected

  friend bool operator==(const StrategyDef&, const StrategyDef&) = default;
};

std::unique_ptr<Strategy> MakeStrategy(const StrategyDef& def);
std::string ToString(const StrategyDef& def);
std::optional<StrategyDef> ParseStrategy(std::string_view text);

}  // namespace nowait::whole

#endif  // NOWAIT_TESTS_WHOLE_SCHEDULER_STRATEGY_H_

// CoreClocks: simulated cores, one for each thread of a controlled program, each with its own
// clock. The thread whose next step is due first does it, and the step is charged to its core.
//
//   CoreClocks cores(costs, 8);                      // costs that CoreCosts::Check accepts
//   const auto steps = RunOnCores(cores, program);   // simulate.h
//   cores.counts().elapsed                           // picoseconds, and where they went
//
// Causality: steps are done in the order of their times, so a thread sees no later one. A thread
// that was woken goes on after the step that woke it; a new one begins after the step that started
// it. An assertion watches the order.
//
// A store does not hold up its core: the line comes while the core goes on. A read-modify-write,
// and a store that is sequentially consistent, waits until the core's stores have their lines. A
// notification wakes its threads one after another, and that takes the notifying thread its time.
//
// Left out: what cache_lines.h lists; plain data, which costs nothing; interruptions. Each thread
// has a core of its own.
//
// Thread safety: as Machine. Complexity of a step: linear in the threads.
// Test: core_clocks_test.cc.
#ifndef NOWAIT_TESTS_WHOLE_CORES_CORE_CLOCKS_H_
#define NOWAIT_TESTS_WHOLE_CORES_CORE_CLOCKS_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "tests/whole/cores/cache_lines.h"
#include "tests/whole/cores/core_costs.h"
#include "tests/whole/scheduler/step.h"
#include "tests/whole/scheduler/timing.h"

namespace nowait::whole {

// Picoseconds of all cores, between Begin and End.
struct CoreTimes {
  std::uint64_t elapsed = 0;    // on the first thread's clock
  std::uint64_t computes = 0;   // tasks' own work
  std::uint64_t transfers = 0;  // of lines that a core waits for
  std::uint64_t queues = 0;     // before the line's turn came
  std::uint64_t pauses = 0;
  std::uint64_t notifies = 0;
  std::uint64_t moved = 0;  // lines, and how many threads were woken
  std::uint64_t woken = 0;
};

// The requests that a line has served.
struct LineUse {
  std::size_t line = 0;
  Site site = {};            // of the operation that moved it most often
  std::uint64_t moved = 0;   // times
  std::uint64_t busy = 0;    // picoseconds
  std::uint64_t waited = 0;  // likewise, of all cores for their turn
};

class CoreClocks final : public Timing {
 public:
  // cores: at most CacheLines::kMostCores.
  CoreClocks(const CoreCosts& costs, std::uint32_t cores);

  std::uint32_t Next() override;
  void Done(std::uint32_t thread, const Step& step) override;
  void Waits(std::uint32_t thread, std::uint64_t until) override;
  void Wakes(std::uint32_t thread, std::uint32_t by) override;
  void Computes(std::uint32_t thread, std::uint64_t nanoseconds) override;
  std::uint64_t Now(std::uint32_t thread) const override;
  std::uint32_t most_threads() const override { return cores_; }
  std::uint32_t spins() const override;

  // The first thread begins what is counted, and ends it; and again.
  void Begin();
  void End();
  const CoreTimes& counts() const { return counts_; }
  // The lines that were moved, the busiest first; equals in the order of first touches.
  std::vector<LineUse> Lines() const;

 private:
  static constexpr std::uint64_t kNever = ~std::uint64_t{0};
  using Times = std::array<std::uint64_t, CacheLines::kMostCores>;  // picoseconds

  void Touch(std::uint32_t thread, const Step& step, Access access);
  void Count(const Step& step, const Served& served, std::uint64_t asked);

  const std::uint32_t cores_;
  const std::uint64_t step_;
  const std::uint64_t hit_;
  const std::uint64_t pause_;
  const std::uint64_t notify_;
  const std::uint64_t further_;
  const std::uint64_t wake_;
  CacheLines lines_;
  Times due_;                                        // of the next step, or kNever
  Times clock_{};                                    // when the last one was done
  Times stored_{};                                   // when the core's stores have their lines
  std::array<bool, CacheLines::kMostCores> woke_{};  // a thread, since its last step
  std::uint64_t now_ = 0;
  std::uint32_t threads_ = 0;
  bool counting_ = false;
  std::uint64_t began_ = 0;
  CoreTimes counts_;
  std::vector<std::vector<LineUse>> uses_;  // by line, for each place in the source
};

}  // namespace nowait::whole

#endif  // NOWAIT_TESTS_WHOLE_CORES_CORE_CLOCKS_H_

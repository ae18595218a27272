// CoreClocks: simulated cores, one for each thread of a controlled program, each with its own clock.
// The thread whose clock shows the least does the next step, and the step is charged to its core.
//
//   CoreClocks cores(costs, 8);                      // costs that CoreCosts::Check accepts
//   const auto run = RunOnCores(cores, [] { ... });  // simulate.h
//   cores.counts().elapsed                           // picoseconds, and where they went
//
// Causality: steps are done in the order of their times, so none sees a later one. A thread that was
// woken goes on after the step that woke it; a new one begins after the step that started it.
//
// Pictures of the real machine that are not here: cache_lines.h lists those of memory; plain data
// costs nothing; each thread has a core for itself, of the same speed, without interruptions; a
// notification wakes its threads one after another, and each takes the notifier a system call.
//
// Thread safety: as Machine. Complexity of a step: linear in the threads.
// Test: core_clocks_test.cc.
#ifndef NOWAIT_TESTS_WHOLE_CORES_CORE_CLOCKS_H_
#define NOWAIT_TESTS_WHOLE_CORES_CORE_CLOCKS_H_

#include <array>
#include <cstdint>
#include <vector>

#include "tests/whole/cores/cache_lines.h"
#include "tests/whole/cores/core_costs.h"
#include "tests/whole/scheduler/step.h"
#include "tests/whole/scheduler/timing.h"

namespace nowait::whole {

// Picoseconds of all cores, since Begin.
struct CoreTimes {
  std::uint64_t elapsed = 0;    // on the first thread's clock
  std::uint64_t computes = 0;   // tasks' own work
  std::uint64_t transfers = 0;  // lines on their way
  std::uint64_t queues = 0;     // requests that wait for their line
  std::uint64_t pauses = 0;
  std::uint64_t notifies = 0;
  // And how often.
  std::uint64_t steps = 0;
  std::uint64_t updates = 0;
  std::uint64_t moved = 0;  // lines
  std::uint64_t paused = 0;
  std::uint64_t woken = 0;
};

// The transfers of a line that operations at one place of the source have made.
struct LineUse {
  std::size_t line;
  Site site;
  std::uint64_t moved = 0;
  std::uint64_t time = 0;  // picoseconds, of transfers and of the wait for them
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

  // The first thread begins and ends what is counted. Outside, counts() is empty or the last.
  void Begin();
  void End();
  const CoreTimes& counts() const { return counts_; }
  // What the lines have cost, the dearest first; equals in the order of first touches.
  std::vector<LineUse> Uses() const;

 private:
  static constexpr std::uint64_t kWaits = ~std::uint64_t{0};

  void Touch(std::uint32_t thread, const Step& step, Access access);

  const std::uint32_t cores_;
  const std::uint64_t step_;
  const std::uint64_t pause_;
  const std::uint64_t notify_;
  const std::uint64_t wake_;
  CacheLines lines_;
  // Picoseconds. due_: of the next step, kWaits if there is none; clock_: when the last was done.
  std::array<std::uint64_t, CacheLines::kMostCores> due_;
  std::array<std::uint64_t, CacheLines::kMostCores> clock_{};
  std::uint32_t threads_ = 0;
  bool counting_ = false;
  std::uint64_t began_ = 0;
  CoreTimes counts_;
  std::vector<std::vector<LineUse>> uses_;  // by line
};

}  // namespace nowait::whole

#endif  // NOWAIT_TESTS_WHOLE_CORES_CORE_CLOCKS_H_

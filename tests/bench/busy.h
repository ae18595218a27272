// Busy: work of a length that does not depend on memory or on other threads.
#ifndef NOWAIT_TESTS_BENCH_BUSY_H_
#define NOWAIT_TESTS_BENCH_BUSY_H_

#include <benchmark/benchmark.h>

#include <cstdint>

namespace nowait {

// A row of multiplications, each of which waits for the one before: about so many microseconds at
// 3 GHz.
inline void Busy(std::uint32_t microseconds) {
  constexpr std::uint32_t kRounds = 750;  // of four cycles
  std::uint64_t value = microseconds;
  for (std::uint32_t i = 0; i < microseconds * kRounds; ++i) value = value * 0x9e3779b97f4a7c15 + 1;
  benchmark::DoNotOptimize(value);
}

}  // namespace nowait

#endif  // NOWAIT_TESTS_BENCH_BUSY_H_

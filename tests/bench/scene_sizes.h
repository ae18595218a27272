// What bodies cost as there are more of them: time a step, and memory.
#ifndef NOWAIT_TESTS_BENCH_SCENE_SIZES_H_
#define NOWAIT_TESTS_BENCH_SCENE_SIZES_H_

#include <cstdint>
#include <vector>

#include "src/base/result.h"

namespace nowait {

struct SizeResult {
  std::uint32_t bodies = 0;
  double us_a_body = 0.0;  // of a step; the median of the rounds
};

// many_pyramids with about 1,000, 10,000 and 100,000 bodies, `rounds` times in turn, by so many
// threads. Ends early, without a result, when the program is interrupted. Errors: RunScene's.
Result<std::vector<SizeResult>> TimeBySize(std::uint32_t rounds, std::uint32_t threads);

struct MemoryResult {
  double bytes_a_body = 0.0;
  double bytes_a_contact = 0.0;
};

// What the allocator gives to worlds of many_pyramids, by difference: of a world of twice as many
// bodies that touch nothing; and of one with as many bodies that touch. Their capacities are what they
// need; with a larger one a body or a contact costs so much before it is there. A pool has one
// thread, so that the allocator counts everything (mallinfo2). Errors: World's.
Result<MemoryResult> MemoryOfParts();

}  // namespace nowait

#endif  // NOWAIT_TESTS_BENCH_SCENE_SIZES_H_

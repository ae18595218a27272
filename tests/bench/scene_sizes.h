// The cost of a body as there are more of them, in time a step, and its memory.
#ifndef NOWAIT_TESTS_BENCH_SCENE_SIZES_H_
#define NOWAIT_TESTS_BENCH_SCENE_SIZES_H_

#include <cstdint>
#include <vector>

#include "src/apps/peer_scenes/peer_scene.h"
#include "src/base/result.h"

namespace nowait {

struct SizeResult {
  std::uint32_t bodies = 0;
  double us_a_body = 0.0;  // of a step; the median of the rounds
};

// many_pyramids with about 1,000, 10,000 and 100,000 bodies, `rounds` times in turn, by so many
// threads. An empty list when the program is interrupted. Errors: RunScene's.
Result<std::vector<SizeResult>> TimeBySize(const PeerShapes& shapes, std::uint32_t rounds,
                                           std::uint32_t threads);

struct MemoryResult {
  double bytes_a_body = 0.0;
  double bytes_a_contact = 0.0;
};

// The allocator's memory of worlds of many_pyramids, by difference: four times as many bodies that
// touch nothing, and as many that do touch. Their capacities are what they need; a larger one costs
// so much before a body or a contact is there. The pool has one thread. Errors: World's.
Result<MemoryResult> MemoryOfParts(const PeerShapes& shapes);

}  // namespace nowait

#endif  // NOWAIT_TESTS_BENCH_SCENE_SIZES_H_

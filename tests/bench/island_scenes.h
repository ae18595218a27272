// The input of the island benchmark: the bodies and contacts of one physics step.
#ifndef NOWAIT_TESTS_BENCH_ISLAND_SCENES_H_
#define NOWAIT_TESTS_BENCH_ISLAND_SCENES_H_

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "src/base/result.h"

namespace nowait {

struct IslandScene {
  // By body; bodies that are asleep at the start have a contact, and so are woken.
  std::vector<std::uint8_t> awake_at_start;
  // In the order of their lower body, as the broad phase finds them.
  std::vector<std::pair<std::uint32_t, std::uint32_t>> contacts;

  std::uint32_t bodies() const { return static_cast<std::uint32_t>(awake_at_start.size()); }
};

// Heaps of 1 to 300 bodies; each body touches three of the next eight in its heap, so a heap is one
// island or a few. Every other body sleeps at the start.
IslandScene MakeHeaps(std::uint32_t bodies);

// The demo's bodies on the demo's ground, without its game threads: of the first 600 steps of 1/60
// s the one with the most contacts between bodies that move; in it, those that were awake or woken.
// Errors as from the demo's scene and World::Update.
Result<IslandScene> RecordDemo(const std::string& terrain, std::uint32_t bodies);

}  // namespace nowait

#endif  // NOWAIT_TESTS_BENCH_ISLAND_SCENES_H_

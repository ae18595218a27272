// Planted: a game update with a problem in it, to be found in the viewer (the lecture "Reading a
// frame").
//
//   serial    one thread sums scores that all could sum, and the others have nothing to do
//   convoy    each job needs one and the same mutex most of its time
//   starved   a long task has the lowest priority, and the frame waits for it at its end
//
// The work is arithmetic of a fixed length, and changes nothing in the world: a scene has the same
// states with it and without.
//
// Thread safety: one thread, registered with the pool. Blocking: waits for its tasks, and helps.
#ifndef NOWAIT_SRC_APPS_PLAYER_PLANTED_H_
#define NOWAIT_SRC_APPS_PLAYER_PLANTED_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "src/base/result.h"
#include "src/jobs/task_pool.h"

namespace nowait {

enum class Planted : std::uint8_t { kNone, kSerial, kConvoy, kStarved };

// All but kNone, by name.
std::vector<std::string> PlantedNames();
// kNone: there is no such name.
Planted PlantedOf(std::string_view name);

// The game update of one frame. Returns the sum of its results, the same for any number of threads.
// Errors of the pool.
Result<std::uint64_t> RunPlanted(Planted planted, TaskPool& pool);

}  // namespace nowait

#endif  // NOWAIT_SRC_APPS_PLAYER_PLANTED_H_

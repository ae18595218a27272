// OpenWorld: a world in which everything is on at once, for as long as a soak lasts.
//
//   loader        prepares the bodies of tiles, ahead of the player, and aborts some
//   game threads  finalise what is ready, remove tiles that are behind, add, move, push, wake and
//                 remove bodies of their own
//   reader        queries throughout; keeps each view for some updates
//   tasks         queries on the update's own pool while it runs
//   main          the first game thread; updates
//
// Bounds, in steps and not in seconds, since a busy machine may stop any thread for long:
//   - a tile that is ready is in the world after the next game update;
//   - a view is held for at most kViewSteps updates after the reader has seen that many go by, and
//   then
//     no old nodes wait for it;
//   - no rebuild fails for nodes, and no call for capacity;
//   - each task beside an update is done when that frame is over.
#ifndef NOWAIT_TESTS_WHOLE_SOAK_OPEN_WORLD_H_
#define NOWAIT_TESTS_WHOLE_SOAK_OPEN_WORLD_H_

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace nowait::whole {

struct SoakCounts {
  std::uint64_t frames = 0;
  std::uint64_t tiles = 0;    // that came into the world
  std::uint64_t changes = 0;  // of single bodies
  std::uint64_t queries = 0;
  std::uint32_t bodies = 0;         // in the last frame
  std::uint32_t waiting_nodes = 0;  // the most in a frame
};

class OpenWorld {
 public:
  // workers: of the pool.
  OpenWorld(std::uint64_t seed, std::uint32_t workers);
  ~OpenWorld();

  // So many frames. What broke a promise, in words; empty if nothing did.
  std::string Run(std::uint32_t frames);

  const SoakCounts& counts() const;

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace nowait::whole

#endif  // NOWAIT_TESTS_WHOLE_SOAK_OPEN_WORLD_H_

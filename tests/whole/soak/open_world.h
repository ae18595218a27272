// OpenWorld: a world in which everything is on at once, for as long as a soak lasts.
//
//   loader        prepares the bodies of tiles, ahead of the player, and aborts some
//   game threads  finalise what is ready, remove tiles that are behind, add, move, push, wake and
//                 remove bodies of their own
//   reader        queries throughout; keeps each view for some updates
//   tasks         queries on the update's own pool while it runs
//   main          the first game thread; updates
//
// Bounds, in frames, steps and counts and not in seconds, since a busy machine may stop any thread
// for long:
//   - a tile that is ready is finalised within the frames in which the player passes kAhead tiles;
//     then each of its bodies is there, and after each update the world has the bodies that the
//     game has put there, and no others;
//   - old nodes wait for no longer than the reader may keep a view, kViewFrames; there are no more
//     of them than the steps of that time can have made, and none at all when no view is held;
//   - an update takes a body's lock as often as it writes one, so it stands behind readers no more
//     often;
//   - no rebuild fails for nodes, and no call for capacity;
//   - each task beside an update runs once.
// How many readers pass a thread that waits for a lock cannot be seen from here; under the
// scheduler it can (tests/whole/scheduler/world_test.cc).
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
  std::uint32_t bodies = 0;  // in the last frame
  // The most in a frame.
  std::uint32_t frames_ready = 0;  // that a tile waited
  std::uint32_t steps_held = 0;    // that old nodes waited
  std::uint32_t waiting_nodes = 0;
  std::uint64_t update_locks = 0;  // of bodies
};

class OpenWorld {
 public:
  // workers: of the pool.
  OpenWorld(std::uint64_t seed, std::uint32_t workers);
  ~OpenWorld();

  // Runs so many frames. Returns the promise that was broken, in words; empty if all were kept.
  std::string Run(std::uint32_t frames);

  const SoakCounts& counts() const;

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace nowait::whole

#endif  // NOWAIT_TESTS_WHOLE_SOAK_OPEN_WORLD_H_

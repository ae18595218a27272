// Run: frames of the valley, as tasks of one pool without a main thread.
//
//   frame    gates move, the builder takes finished cells and begins builds, walkers walk,
//            and the physics update of the frame runs; each on all threads
//   beside   builds of cells, on threads that no frame waits for
//
// Frames are as long as in a game: a frame that is done early leaves the rest of its 1/30 s to the
// builds.
//
// Thread safety: one thread, a main thread of the pool that it makes.
#ifndef NOWAIT_SRC_APPS_NAVIGATION_RUN_H_
#define NOWAIT_SRC_APPS_NAVIGATION_RUN_H_

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "src/apps/navigation/valley.h"
#include "src/apps/navigation/walkers.h"
#include "src/base/result.h"
#include "src/navigation/nav_builder.h"

namespace nowait {

struct NavigationRunDef {
  ValleyDef valley;
  std::uint32_t walkers = 24;
  std::uint32_t frames = 600;
  std::uint32_t threads = 2;
  NavPace pace = NavPace::kBackground;
  std::function<bool()> is_interrupted;
};

// The two sizes of walkers: of a person, and of a machine.
std::vector<NavSettings> WalkerSizes();

struct NavigationReport {
  NavBuilderStats cells;
  WalkerCounts walkers;
  std::vector<std::chrono::nanoseconds> frames;  // the time of each
  std::chrono::nanoseconds longest_update{0};    // of the builder in a frame
  std::uint64_t frames_of_builds = 0;            // frames in which a build was under way
  WaitTime update_wait;                          // of the builder's updates
  std::uint64_t gate_moves = 0;
  std::size_t gates = 0;
  // At the end.
  std::vector<NavPolygon> polygons;  // of the first size
  std::vector<BodySnapshot> bodies;
  std::vector<Walkers::Track> tracks;
  std::unique_ptr<Valley> valley;  // the shapes of the bodies are its
};

Result<NavigationReport> RunNavigation(const NavigationRunDef& def);

}  // namespace nowait

#endif  // NOWAIT_SRC_APPS_NAVIGATION_RUN_H_

// RideProgram: a ride through a small open world, drawn at random, and its judge.
//
// A program says how the ride is run: how many workers, frames and steps, whether it is a replay,
// which reads fail or are slow, which scripts the scenes have. All of the assembled program takes
// part: frames, streaming, scripts, characters, arrows, navigation, the survey, devices.
//
// Thread safety: Check by one thread, which becomes the pool's main thread; under the scheduler.
#ifndef NOWAIT_TESTS_WHOLE_RIDES_RIDE_PROGRAM_H_
#define NOWAIT_TESTS_WHOLE_RIDES_RIDE_PROGRAM_H_

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "src/streaming/world_index.h"

namespace nowait::ride_programs {

enum class Scripts : std::uint8_t { kWork, kStop, kCannotBeLoaded };
inline constexpr std::size_t kScripts = 3;

struct RideProgram {
  std::uint64_t seed = 1;  // of the ride
  std::uint32_t workers = 2;
  std::uint32_t frames = 10;
  std::uint32_t steps = 1;  // of the physics, in a frame
  bool paced = false;
  std::optional<std::uint32_t> replay = {};
  Scripts scripts = Scripts::kWork;
  std::uint32_t fails_every = 0;     // reads; 0: no read fails
  std::uint32_t slow_every = 0;      // reads, that take 50 ms
  std::uint32_t interrupted_at = 0;  // the frame; 0: the ride goes on to its end
};

RideProgram MakeProgram(std::uint64_t seed);
std::string Print(const RideProgram& program);
// The smallest program for which `fails` is still true.
RideProgram Shorten(const RideProgram& program,
                    const std::function<bool(const RideProgram&)>& fails);

// Folders with the tiles of a world for each kind of scripts; made before any program runs.
class Worlds {
 public:
  // folder: exists, and is empty. Ends the process with a message on an error.
  explicit Worlds(const std::string& folder);
  const std::string& folder(Scripts scripts) const {
    return folders_[static_cast<std::size_t>(scripts)];
  }
  const WorldIndex& index() const { return index_; }

 private:
  std::array<std::string, kScripts> folders_;
  WorldIndex index_;
};

// How far rides have come, added up: a check of nothing passes, too.
struct Reached {
  std::uint64_t tiles = 0;
  std::uint64_t scripts = 0;  // loaded
  std::uint64_t failed = 0;   // scripts, at their load
  std::uint64_t stopped = 0;  // scripts, by an error
  std::uint64_t machines = 0;
  std::uint64_t moves = 0;  // of folk
  std::uint64_t gates = 0;  // opened
  std::uint64_t arrows = 0;
  std::uint64_t cells = 0;   // of the navigation mesh
  std::uint64_t places = 0;  // of the survey
  std::uint64_t missing = 0;
  std::uint64_t interrupted = 0;
};

// Runs the ride; a replay is also run by one thread. Returns a broken promise, if there is one.
std::optional<std::string> Check(const RideProgram& program, const Worlds& worlds,
                                 Reached& reached);

}  // namespace nowait::ride_programs

#endif  // NOWAIT_TESTS_WHOLE_RIDES_RIDE_PROGRAM_H_

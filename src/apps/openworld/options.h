// Options: the open world's command line.
#ifndef NOWAIT_SRC_APPS_OPENWORLD_OPTIONS_H_
#define NOWAIT_SRC_APPS_OPENWORLD_OPTIONS_H_

#include <cstdint>
#include <expected>
#include <string>

namespace nowait {

struct OpenWorldOptions {
  static constexpr std::uint32_t kMaxThreads = 64;
  static constexpr std::uint32_t kMaxSeconds = 24 * 3600;
  static constexpr std::uint32_t kNoReplay = 0;

  std::uint32_t seconds = 60;  // of the ride: 30 frames each
  std::uint32_t threads = 2;   // ParseOptions sets the machine's number
  std::uint32_t steps = 2;     // of the physics, in a frame
  std::uint64_t seed = 1;
  std::uint32_t replay = kNoReplay;  // StreamerDef::replay
  std::uint32_t slow_disk = 0;       // milliseconds that each read takes longer
  bool unpaced = false;
  bool park_worker = false;  // from the ride's beginning to its end
  bool make_tiles = false;   // and no ride
  std::string terrain = "assets/terrain/jacksboro.elevation";
  std::string world = "src/apps/openworld/world";
  std::string tiles = "out/open-world";
  std::string map = "out/open-world.svg";  // empty: none
  std::string before;                      // picture of the ride before and after; empty: no such
  std::string scaling;                     // picture of more threads; empty: no such
};

// The options, or the program's exit code: 0 after --help, 2 after a mistake, which has been
// reported in one line on stderr.
std::expected<OpenWorldOptions, int> ParseOptions(int argc, char** argv);

}  // namespace nowait

#endif  // NOWAIT_SRC_APPS_OPENWORLD_OPTIONS_H_

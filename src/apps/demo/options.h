// Options: the demo's command line.
#ifndef NOWAIT_SRC_APPS_DEMO_OPTIONS_H_
#define NOWAIT_SRC_APPS_DEMO_OPTIONS_H_

#include <cstdint>
#include <expected>
#include <string>

namespace nowait {

struct DemoOptions {
  static constexpr std::uint32_t kMaxThreads = 256;
  static constexpr std::uint32_t kMaxGameThreads = 64;
  static constexpr std::uint32_t kMaxRiders = 100'000;
  static constexpr std::uint32_t kMaxFrames = 100'000;
  static constexpr std::uint32_t kMaxBodies = 20'000;
  static constexpr std::uint32_t kMaxFigures = 1'000;

  std::uint32_t threads = 2;  // for the physics update; ParseOptions sets the machine's number
  std::uint32_t game_threads = 2;
  std::uint32_t riders = 0;    // game objects on the pool: a horse each, and one more object
  std::uint32_t frames = 750;  // of 1/30 s: 25 s
  std::uint32_t bodies = 2'000;
  std::uint32_t figures = 0;
  std::uint64_t seed = 1;
  std::string terrain = "assets/terrain/jacksboro.elevation";
  std::string pictures = "out";
  std::string json;    // empty: none
  std::string trace;   // empty: none
  std::string events;  // empty: none
  std::string replay;  // empty: a run
};

// The options, or the program's exit code: 0 after --help, 2 after a mistake, which has been
// reported in one line on stderr.
std::expected<DemoOptions, int> ParseOptions(int argc, char** argv);

}  // namespace nowait

#endif  // NOWAIT_SRC_APPS_DEMO_OPTIONS_H_

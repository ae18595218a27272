// PlayerOptions: the player's command line.
#ifndef NOWAIT_SRC_APPS_PLAYER_OPTIONS_H_
#define NOWAIT_SRC_APPS_PLAYER_OPTIONS_H_

#include <cstdint>
#include <expected>
#include <optional>
#include <string>
#include <vector>

#include "src/apps/player/planted.h"
#include "src/live/light.h"

namespace nowait {

struct PlayerOptions {
  static constexpr std::uint32_t kMaxThreads = 256;
  static constexpr std::uint32_t kMaxBodies = 20'000;
  static constexpr std::uint32_t kMaxSeconds = 3600;
  static constexpr std::uint32_t kMaxRecordMib = 1024;
  static constexpr std::uint32_t kMaxLamps = static_cast<std::uint32_t>(kMostLights);

  std::string scene = "pile";           // of SceneNames()
  std::optional<std::uint32_t> bodies;  // not given: as the scene has it
  std::uint64_t seed = 1;
  std::uint32_t lamps = 0;
  std::uint32_t threads = 2;  // ParseOptions sets the machine's number
  std::uint32_t seconds = 0;  // of the scene; 0: until Ctrl-C
  std::uint16_t port = 0;     // 0: one that is free
  bool headless = false;      // no server, no clock
  Planted planted = Planted::kNone;
  std::string terrain = "assets/terrain/jacksboro.elevation";
  std::uint32_t record_mib = kMaxRecordMib;  // then a recording ends, and the run goes on
  bool structures = false;                   // are in the recording, too
  std::string record;                        // empty: none of these files
  std::string export_page;
  std::string proofs = "out";  // the folder of what ./nowait gallery and ./nowait check write
  std::string state;
  std::string from;
  std::string watch;  // the address of a program that runs
  std::string paths;  // with `from` alone
  std::string trace;
  std::string save;
  std::string load;                  // then scene, bodies and seed are those of this file
  std::vector<std::string> compare;  // two traces, if there are any
};

// The options, or the program's exit code: 0 after --help, 2 after a mistake, which has been
// reported in one line on stderr.
std::expected<PlayerOptions, int> ParsePlayerOptions(int argc, char** argv);

}  // namespace nowait

#endif  // NOWAIT_SRC_APPS_PLAYER_OPTIONS_H_

// TerminalOptions: the program's command line.
#ifndef NOWAIT_SRC_APPS_TERMINAL_OPTIONS_H_
#define NOWAIT_SRC_APPS_TERMINAL_OPTIONS_H_

#include <cstdint>
#include <expected>
#include <optional>
#include <string>

namespace nowait {

struct TerminalOptions {
  static constexpr std::uint32_t kMaxThreads = 64;
  static constexpr std::uint32_t kMaxBodies = 20'000;
  static constexpr std::uint32_t kMaxFrames = 1'000'000;

  std::string scene = "pile";           // of SceneNames()
  std::optional<std::uint32_t> bodies;  // not given: as the scene has it
  std::uint64_t seed = 1;
  std::uint32_t threads = 2;    // ParseTerminalOptions sets the machine's number
  std::uint32_t frames = 0;     // 0: until it is quit
  std::uint32_t columns = 100;  // of a picture that no terminal shows
  std::uint32_t rows = 30;
  bool painter = false;  // one worker paints all
  bool through = false;  // bodies are counted, not seen
  std::string terrain = "assets/terrain/jacksboro.elevation";
};

// The options, or the program's exit code: 0 after --help, 2 after a mistake, which has been
// reported in one line on stderr. shows: whether a terminal shows the scene.
std::expected<TerminalOptions, int> ParseTerminalOptions(int argc, char** argv, bool shows);

}  // namespace nowait

#endif  // NOWAIT_SRC_APPS_TERMINAL_OPTIONS_H_

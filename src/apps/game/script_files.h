// ScriptFiles: a folder of scripts, loaded into a ScriptSystem, and again when a file changes.
//
//   ScriptFiles files(folder, compiled);
//   const auto horse = files.Load(system, "horse");    // horse.lua or horse.so
//   if (!horse) Say(horse.error().text);
//   for (const std::string& line : files.Poll(system)) Say(line);   // between two ticks
//
// A script in Lua lies in the folder. A compiled one lies there or, if it does not, in the second
// folder. Poll looks at the time and the length of each file. It reads files that differ and loads
// them; an error of a new version, which is a line of the answer, leaves the one before in place.
//
// Thread safety: one thread. Blocking: the file system.
// Test: tests/apps/game/cli_test.sh.
#ifndef NOWAIT_SRC_APPS_GAME_SCRIPT_FILES_H_
#define NOWAIT_SRC_APPS_GAME_SCRIPT_FILES_H_

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "src/script/language.h"
#include "src/script/system.h"

namespace nowait {

class ScriptFiles {
 public:
  ScriptFiles(std::string folder, std::string compiled)
      : folder_(std::move(folder)), compiled_(std::move(compiled)) {}

  // The script's number. Fails also if there are two files of this name, or no file.
  ScriptResult<std::uint32_t> Load(ScriptSystem& system, const std::string& name);

  // A line for each file that was loaded again or could not be.
  std::vector<std::string> Poll(ScriptSystem& system);

 private:
  struct State {
    std::filesystem::file_time_type time;
    std::uintmax_t bytes = 0;
    friend bool operator==(const State&, const State&) = default;
  };
  struct File {
    std::string path;
    std::string name;  // without folders
    State seen;
  };
  // Of a file that is not there, the default.
  static State StateOf(const std::string& path);
  static ScriptResult<std::uint32_t> LoadFile(ScriptSystem& system, const File& file);

  const std::string folder_;
  const std::string compiled_;
  std::vector<File> files_;
};

}  // namespace nowait

#endif  // NOWAIT_SRC_APPS_GAME_SCRIPT_FILES_H_

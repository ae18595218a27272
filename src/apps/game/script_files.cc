#include "src/apps/game/script_files.h"

#include <system_error>

#include "src/resource/file.h"

namespace nowait {
namespace {

constexpr std::int64_t kMostBytes = 1 << 24;

bool IsThere(const std::string& path) {
  std::error_code error;
  return std::filesystem::exists(path, error);
}

}  // namespace

ScriptFiles::State ScriptFiles::StateOf(const std::string& path) {
  std::error_code error;
  State state{std::filesystem::last_write_time(path, error), 0};
  if (!error) state.bytes = std::filesystem::file_size(path, error);
  return error ? State{} : state;
}

ScriptResult<std::uint32_t> ScriptFiles::LoadFile(ScriptSystem& system, const File& file) {
  const auto source = ReadFile(file.path, kMostBytes);
  if (!source) return std::unexpected(ScriptError{ToString(source.error())});
  return system.Load(file.name, *source);
}

ScriptResult<std::uint32_t> ScriptFiles::Load(ScriptSystem& system, const std::string& name) {
  const std::string text = folder_ + "/" + name + ".lua";
  std::string shared = folder_ + "/" + name + ".so";
  if (IsThere(text) && IsThere(shared)) {
    return std::unexpected(ScriptError{text + ": there is also " + name + ".so"});
  }
  if (!IsThere(text) && !IsThere(shared)) shared = compiled_ + "/" + name + ".so";
  const bool is_text = IsThere(text);
  if (!is_text && !IsThere(shared)) {
    return std::unexpected(ScriptError{text + ": not found, nor " + name + ".so"});
  }
  File file{is_text ? text : shared, name + (is_text ? ".lua" : ".so"), {}};
  file.seen = StateOf(file.path);
  auto number = LoadFile(system, file);
  if (number) files_.push_back(std::move(file));
  return number;
}

std::vector<std::string> ScriptFiles::Poll(ScriptSystem& system) {
  std::vector<std::string> lines;
  for (File& file : files_) {
    const State now = StateOf(file.path);
    // A file may be gone while an editor replaces it.
    if (now == State{} || now == file.seen) continue;
    file.seen = now;
    const auto loaded = LoadFile(system, file);
    lines.push_back(loaded ? file.name + ": loaded again"
                           : loaded.error().text + "; the version before stays");
  }
  return lines;
}

}  // namespace nowait

#include "models/kit/saved_run.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>

namespace nowait::model {
namespace {

using Json = nlohmann::ordered_json;

constexpr char kKind[] = "nowait search";
constexpr int kVersion = 2;
constexpr char kNoChecksum[] = "00000000";

std::uint32_t Checksum(const std::string& bytes) {
  return static_cast<std::uint32_t>(
      crc32_z(0, reinterpret_cast<const Bytef*>(bytes.data()), bytes.size()));
}

// The text of a file with these contents: with the checksum of the text that has none.
std::string Seal(Json json) {
  json["checksum"] = kNoChecksum;
  json["checksum"] = fmt::format("{:08x}", Checksum(json.dump(1)));
  return json.dump(1) + "\n";
}

template <class T>
void Put(Json& json, const char* name, const std::optional<T>& value) {
  if (value) json[name] = *value;
}

template <class T>
std::optional<T> Get(const Json& json, const char* name) {
  return json.contains(name) ? std::optional<T>(json.at(name).get<T>()) : std::nullopt;
}

Json ToJson(const SavedSearch& search) {
  Json json = {{"executions", search.executions},
               {"seconds", search.seconds},
               {"fraction", search.fraction},
               {"exhausted", search.exhausted}};
  Put(json, "goes_on_at", search.state);
  if (search.failed) {
    json["failed"] = {{"seed", search.failed->seed}, {"state", search.failed->state}};
  }
  return json;
}

SavedSearch ToSearch(const Json& json) {
  SavedSearch search{.executions = json.at("executions"),
                     .seconds = json.at("seconds"),
                     .fraction = json.at("fraction"),
                     .exhausted = json.at("exhausted"),
                     .state = Get<std::string>(json, "goes_on_at"),
                     .failed = {}};
  if (json.contains("failed")) {
    search.failed = Start{json.at("failed").at("seed"), json.at("failed").at("state")};
  }
  return search;
}

Json ToJson(const SiteCount& site) {
  return {site.file, site.line, site.column, site.kind, site.order, site.failure, site.hits};
}

SiteCount ToSite(const Json& json) {
  return {json.at(0), json.at(1), json.at(2), json.at(3), json.at(4), json.at(5), json.at(6)};
}

SavedRun FromJson(const Json& json) {
  SavedRun run;
  run.structure = json.at("structure");
  run.build = json.at("build");
  const Json& options = json.at("options");
  run.scenario = Get<std::string>(options, "scenario");
  run.with = options.at("with");
  run.search = Get<std::string>(options, "search");
  run.seed = options.at("seed");
  run.shard = {options.at("shard").at(0), options.at("shard").at(1)};
  run.expected_failure = options.at("expected_failure");
  run.mutation = options.at("mutation");
  run.notes = options.at("notes");
  for (const Json& entry : json.at("scenarios")) {
    SavedScenario& scenario = run.scenarios.emplace_back();
    scenario.name = entry.at("name");
    for (const Json& search : entry.at("searches")) scenario.searches.push_back(ToSearch(search));
  }
  for (const Json& site : json.at("sites")) run.sites.push_back(ToSite(site));
  return run;
}

// Nothing: errno says why.
std::optional<std::string> ReadAll(const std::string& path) {
  const int file = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) return std::nullopt;
  std::string text;
  char piece[1 << 16];
  ssize_t size;
  while ((size = read(file, piece, sizeof piece)) > 0) text.append(piece, piece + size);
  const int why = errno;
  close(file);
  errno = why;
  if (size < 0) return std::nullopt;
  return text;
}

std::string Beside(const std::string& path) { return path + ".new"; }

// A new file in place of what an earlier attempt left behind.
int OpenBeside(const std::string& path) {
  return open(Beside(path).c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
}

bool WriteAll(int file, const std::string& text) {
  std::size_t done = 0;
  while (done < text.size()) {
    const ssize_t written = write(file, text.data() + done, text.size() - done);
    if (written < 0 && errno != EINTR) return false;
    if (written > 0) done += static_cast<std::size_t>(written);
  }
  return fsync(file) == 0;
}

}  // namespace

const SavedSearch* SavedRun::Find(const std::string& scenario_name, std::size_t index) const {
  for (const SavedScenario& entry : scenarios) {
    if (entry.name == scenario_name && index < entry.searches.size()) return &entry.searches[index];
  }
  return nullptr;
}

std::string Serialise(const SavedRun& run) {
  Json json = {
      {"file", kKind}, {"version", kVersion}, {"structure", run.structure}, {"build", run.build}};
  Json options = {{"with", run.with},
                  {"seed", run.seed},
                  {"shard", {run.shard.index, run.shard.count}},
                  {"expected_failure", run.expected_failure},
                  {"mutation", run.mutation},
                  {"notes", run.notes}};
  Put(options, "scenario", run.scenario);
  Put(options, "search", run.search);
  json["options"] = std::move(options);
  json["scenarios"] = Json::array();
  for (const SavedScenario& entry : run.scenarios) {
    Json scenario = {{"name", entry.name}, {"searches", Json::array()}};
    for (const SavedSearch& search : entry.searches) scenario["searches"].push_back(ToJson(search));
    json["scenarios"].push_back(std::move(scenario));
  }
  json["sites"] = Json::array();
  for (const SiteCount& site : run.sites) json["sites"].push_back(ToJson(site));
  return Seal(std::move(json));
}

std::expected<SavedRun, std::string> Parse(const std::string& text) {
  const Json json = Json::parse(text, nullptr, false);
  if (!json.is_object() || json.value("file", Json()) != kKind) {
    return std::unexpected("is damaged, or was not saved by a search");
  }
  if (Seal(json) != text)
    return std::unexpected("is damaged: its checksum is not that of its text");
  if (json.value("version", Json()) != kVersion) {
    return std::unexpected("has a format that this build does not know");
  }
  try {
    return FromJson(json);
  } catch (const Json::exception& error) {
    return std::unexpected(fmt::format("makes no sense: {}", error.what()));
  }
}

std::string BuildIdentity() {
  const std::string program = ReadAll("/proc/self/exe").value_or("");
  return fmt::format("{}-{:08x}", program.size(), Checksum(program));
}

std::expected<SavedRun, std::string> LoadRun(const std::string& path, const std::string& structure,
                                             const std::string& build) {
  const auto text = ReadAll(path);
  if (!text) return std::unexpected(fmt::format("{}: {}", path, std::strerror(errno)));
  auto run = Parse(*text);
  if (!run) return std::unexpected(fmt::format("{} {}", path, run.error()));
  if (run->structure != structure) {
    return std::unexpected(
        fmt::format("{} was saved by a search of {}, not of {}", path, run->structure, structure));
  }
  if (run->build != build) {
    return std::unexpected(
        fmt::format("{} was saved by another build of {}; begin again", path, structure));
  }
  return run;
}

bool WriteWhole(const std::string& path, const std::string& text) {
  const int file = OpenBeside(path);
  if (file < 0) return false;
  const bool written = WriteAll(file, text);
  const bool closed = close(file) == 0;
  if (written && closed && std::rename(Beside(path).c_str(), path.c_str()) == 0) return true;
  const int why = errno;
  unlink(Beside(path).c_str());
  errno = why;
  return false;
}

bool CanWrite(const std::string& path) {
  struct stat status;
  if (stat(path.c_str(), &status) == 0 && S_ISDIR(status.st_mode)) {
    errno = EISDIR;
    return false;
  }
  const int file = OpenBeside(path);
  if (file < 0) return false;
  close(file);
  unlink(Beside(path).c_str());
  return true;
}

}  // namespace nowait::model

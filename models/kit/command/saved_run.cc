#include "models/kit/command/saved_run.h"

#include <fmt/format.h>
#include <zlib.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>

#include "models/kit/process/files.h"

namespace nowait::model {
namespace {

using Json = nlohmann::ordered_json;

constexpr char kKind[] = "nowait search";
constexpr int kVersion = 2;
constexpr int kDeepest = 8;  // nesting levels of lists and objects
constexpr char kNoChecksum[] = "00000000";

std::uint32_t Checksum(const std::string& bytes) {
  return static_cast<std::uint32_t>(
      crc32_z(0, reinterpret_cast<const Bytef*>(bytes.data()), bytes.size()));
}

// The text of a file with these contents, including the checksum of the text without a checksum.
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

// A count: a number without sign or decimal point. The library would convert any number, with
// undefined behaviour where it does not fit.
std::uint64_t Count(const Json& json) { return json.get_ref<const Json::number_unsigned_t&>(); }

// A count that must fit into 32 bits. Otherwise, writing the contents again gives another text.
std::uint32_t SmallCount(const Json& json) { return static_cast<std::uint32_t>(Count(json)); }

Json ToJson(const SavedSearch& search) {
  Json json = {{"executions", search.executions},
               {"seconds", search.seconds},
               {"fraction", search.fraction},
               {"exhausted", search.exhausted}};
  const Omitted& omitted = search.omitted;
  // For an unfinished search this is a part of the state.
  if (!search.state && (omitted.blocked > 0 || !omitted.gaps.empty())) {
    json["omitted"] = {{"blocked", omitted.blocked},
                       {"rounds", omitted.rounds},
                       {"tries", omitted.tries},
                       {"gaps", omitted.gaps.Names()}};
  }
  Put(json, "goes_on_at", search.state);
  if (search.failed) {
    json["failed"] = {{"seed", search.failed->seed}, {"state", search.failed->state}};
  }
  return json;
}

// An unknown name of a gap is dropped, and is therefore missing when the text is written again.
Omitted ToOmitted(const Json& json) {
  Omitted omitted{.blocked = Count(json.at("blocked")),
                  .rounds = Count(json.at("rounds")),
                  .tries = Count(json.at("tries")),
                  .gaps = {}};
  for (const Gap gap : kGaps) {
    const auto is_named = [&](const Json& name) { return name == Name(gap); };
    if (std::ranges::any_of(json.at("gaps"), is_named)) omitted.gaps.Add(gap);
  }
  return omitted;
}

SavedSearch ToSearch(const Json& json) {
  SavedSearch search{
      .executions = Count(json.at("executions")),
      .seconds = json.at("seconds"),
      .fraction = json.at("fraction"),
      .exhausted = json.at("exhausted"),
      .omitted = json.contains("omitted") ? ToOmitted(json.at("omitted")) : Omitted(),
      .state = Get<std::string>(json, "goes_on_at"),
      .failed = {}};
  if (json.contains("failed")) {
    search.failed = Start{Count(json.at("failed").at("seed")), json.at("failed").at("state")};
  }
  return search;
}

Json ToJson(const SiteCount& site) {
  return {site.file, site.line, site.column, site.kind, site.order, site.failure, site.hits};
}

SiteCount ToSite(const Json& json) {
  return {json.at(0), SmallCount(json.at(1)), SmallCount(json.at(2)), json.at(3), json.at(4),
          json.at(5), Count(json.at(6))};
}

SavedRun FromJson(const Json& json) {
  SavedRun run;
  run.structure = json.at("structure");
  run.build = json.at("build");
  const Json& options = json.at("options");
  run.scenario = Get<std::string>(options, "scenario");
  run.with = options.at("with");
  run.search = Get<std::string>(options, "search");
  run.seed = Count(options.at("seed"));
  run.shard = {SmallCount(options.at("shard").at(0)), SmallCount(options.at("shard").at(1))};
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
  // Deeper than any saved run. The library recurses once per level when it writes nested values.
  bool too_deep = false;
  const auto look = [&](int depth, Json::parse_event_t, Json&) {
    too_deep = too_deep || depth > kDeepest;
    return !too_deep;
  };
  const Json json = Json::parse(text, look, false);
  if (too_deep || !json.is_object() || json.value("file", Json()) != kKind) {
    return std::unexpected("is damaged, or was not saved by a search");
  }
  if (Seal(json) != text)
    return std::unexpected("is damaged: its checksum is not that of its text");
  if (json.value("version", Json()) != kVersion) {
    return std::unexpected("has a format that this build does not know");
  }
  try {
    SavedRun run = FromJson(json);
    // The reader skips a superfluous field or a number that does not fit, and the comparison here
    // notices that it is missing.
    if (Serialise(run) != text) return std::unexpected("makes no sense: it says more than is read");
    return run;
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

}  // namespace nowait::model

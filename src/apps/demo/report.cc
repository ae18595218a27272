#include "src/apps/demo/report.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <string_view>
#include <utility>

#include "src/apps/demo/frame_stats.h"

namespace nowait {
namespace {

double Milliseconds(std::chrono::nanoseconds time) {
  return static_cast<double>(time.count()) * 1e-6;
}

double Percent(std::uint64_t part, std::uint64_t whole) {
  return whole == 0 ? 0.0 : 100.0 * static_cast<double>(part) / static_cast<double>(whole);
}

// 12345678 as 12,345,678.
std::string Grouped(std::uint64_t number) {
  std::string digits = std::to_string(number);
  for (std::size_t place = digits.size(); place > 3; place -= 3) digits.insert(place - 3, 1, ',');
  return digits;
}

class TableText {
 public:
  std::string Take() { return std::move(text_); }

  void Section(std::string_view title) { text_ += fmt::format("\n{}\n", title); }

  void Row(std::string_view name, std::string_view value, std::string_view remark = {}) {
    text_ += fmt::format("  {:<24}{:>14}{}{}\n", name, value, remark.empty() ? "" : "   ", remark);
  }

  void Line(std::string_view line) { text_ += fmt::format("  {}\n", line); }

 private:
  std::string text_;
};

void AddBodies(const Ground& ground, const RunRecord& record, TableText& table) {
  const FrameRecord& busiest = record.frames[record.busiest_frame];
  table.Section("Bodies");
  table.Row("fell", Grouped(record.scene_bodies),
            fmt::format("on {:.0f} m x {:.0f} m of ground with {:.0f} m of relief",
                        2.0 * ground.terrain.half_size(), 2.0 * ground.terrain.half_size(),
                        ground.field->max_height()));
  table.Row("  of them asleep", Grouped(record.scene_asleep),
            fmt::format("{:.1f}% at the end", Percent(record.scene_asleep, record.scene_bodies)));
  if (record.joints > 0) {
    table.Row("of figures", Grouped(record.figure_bodies),
              fmt::format("on {} joints; {:.1f}% asleep at the end", Grouped(record.joints),
                          Percent(record.figure_bodies_asleep, record.figure_bodies)));
  }
  if (!record.game.empty()) {
    table.Row("of the game threads", Grouped(record.game_bodies),
              "a population of their own: moved, added and removed all the time");
  }
  table.Section(
      fmt::format("Busiest frame ({} of {})", record.busiest_frame + 1, record.frames.size()));
  table.Row("awake bodies", Grouped(busiest.awake),
            record.game.empty() ? "" : "those of the game threads included");
  table.Row("pairs looked at", Grouped(busiest.pairs));
  table.Row("contacts", Grouped(busiest.contacts), "pairs of bodies that touch, one of them awake");
  table.Row("islands", Grouped(busiest.islands),
            fmt::format("of awake bodies; {} bodies in the largest", busiest.largest_island));
}

void AddPhases(const RunRecord& record, TableText& table) {
  table.Section("Time a frame, in ms");
  table.Line(fmt::format("{:<24}{:>10}{:>10}{:>10}", "", "mean", "p99", "max"));
  for (const PhaseStats& phase : PhasesOf(record)) {
    std::string name = phase.name;
    std::replace(name.begin(), name.end(), '_', ' ');
    table.Line(fmt::format("{:<24}{:>10.3f}{:>10.3f}{:>10.3f}", name, phase.stats.mean,
                           phase.stats.p99, phase.stats.max));
  }
}

void AddFinds(const FindStats& find, TableText& table) {
  constexpr double kBar = 40.0;
  table.Section("Union-find");
  table.Row("unions", Grouped(find.unions));
  table.Row("finds", Grouped(find.finds));
  table.Row("links a find followed", fmt::format("{:.3f}", find.mean_steps()), "mean");
  std::uint32_t last = 0;
  for (std::uint32_t i = 0; i < FindStats::kBuckets; ++i) {
    if (find.histogram[i] > 0) last = i;
  }
  for (std::uint32_t i = 0; find.finds > 0 && i <= last; ++i) {
    const double part = Percent(find.histogram[i], find.finds);
    const auto length = static_cast<std::size_t>(part / 100.0 * kBar + 0.5);
    table.Line(fmt::format("  {:>3}{} {:>14} {:>7.3f}%  {}", i,
                           i + 1 == FindStats::kBuckets ? "+" : " ", Grouped(find.histogram[i]),
                           part, std::string(length, '#')));
  }
}

// Every thread that takes body locks. The workers of the physics update are not among them: the
// update holds all locks for them.
std::vector<std::pair<std::string, WaitTime>> LockUsers(const RunRecord& record) {
  std::vector<std::pair<std::string, WaitTime>> users;
  users.emplace_back("physics update", record.update_locks);
  for (const GameReport& game : record.game) users.emplace_back(game.name, game.wait);
  if (record.background) users.emplace_back("background", record.background->wait);
  return users;
}

void AddLocks(const RunRecord& record, TableText& table) {
  table.Section("Body locks");
  table.Line(fmt::format("{:<24}{:>14}{:>12}{:>14}", "", "taken", "waited for", "waited, ms"));
  for (const auto& [name, wait] : LockUsers(record)) {
    table.Line(fmt::format("{:<24}{:>14}{:>12}{:>14.3f}", name, Grouped(wait.acquisitions),
                           Grouped(wait.contended), Milliseconds(wait.waited)));
  }
}

// Of all game threads.
GameReport Objects(const RunRecord& record) {
  GameReport sum;
  for (const GameReport& game : record.game) {
    sum.views += game.views;
    sum.near += game.near;
    sum.commits += game.commits;
    sum.commits_in_vain += game.commits_in_vain;
  }
  return sum;
}

void AddObjects(const RunRecord& record, TableText& table) {
  const GameReport sum = Objects(record);
  table.Section("Game objects");
  table.Row("views", Grouped(sum.views), "of other threads' movers, without a lock");
  table.Row("  of them near", Grouped(sum.near));
  table.Row("commits", Grouped(sum.commits));
  table.Row("  in vain before", Grouped(sum.commits_in_vain), "another thread's came first");
  table.Row("score", Grouped(record.score.hits), "rays that hit, which all threads have added up");
}

void AddGame(const RunRecord& record, TableText& table) {
  if (record.game.empty()) return;
  table.Section("Game threads");
  table.Line(fmt::format("{:<12}{:>12}{:>12}{:>12}{:>12}{:>12}{:>12}", "", "rays", "hits", "moved",
                         "added", "removed", "put off"));
  for (const GameReport& game : record.game) {
    table.Line(fmt::format("{:<12}{:>12}{:>12}{:>12}{:>12}{:>12}{:>12}", game.name,
                           Grouped(game.rays), Grouped(game.hits), Grouped(game.moved),
                           Grouped(game.added), Grouped(game.removed), Grouped(game.deferred)));
  }
  AddObjects(record, table);
  if (!record.background) return;
  const BackgroundReport& query = *record.background;
  table.Section("Background query");
  table.Row("passes", Grouped(query.passes),
            query.passes == 0 ? "no pass was finished"
                              : fmt::format("each over {:.1f} frames on average, {} at most",
                                            static_cast<double>(query.frames_of_passes) /
                                                static_cast<double>(query.passes),
                                            query.longest_pass));
  if (query.passes > 0) {
    table.Row("walkable ground", fmt::format("{:.1f}%", Percent(query.walkable, query.cells)),
              fmt::format("of {} cells, in the last pass", Grouped(query.cells)));
  }
  table.Row("rebuilds put off", Grouped(record.failed_rebuilds),
            "for want of tree nodes that a view still holds");
}

void AddHerd(const HerdReport& herd, TableText& table) {
  table.Section("Herd");
  table.Row("riders", Grouped(herd.riders), "with a horse each");
  table.Row("transactions", Grouped(herd.transactions.commits), "on all threads of the pool");
  table.Row("  begun again", Grouped(herd.transactions.restarts + herd.transactions.conflicts));
  table.Row("  alone in the end", Grouped(herd.transactions.last_resorts));
  table.Row("crossings", Grouped(herd.crossings), "of the middle line, counted in one object");
  table.Row("swaps", Grouped(herd.swaps), "of two riders' horses");
  table.Row("looks", Grouped(herd.looks),
            fmt::format("at pairs, of them whole: {}", Grouped(herd.whole)));
  table.Row("checksum", fmt::format("{:08x}", herd.checksum),
            "of all its objects, the same for every number of threads");
}

void AddEvents(const EventSummary& events, TableText& table) {
  table.Section("Events");
  table.Row("contacts began", Grouped(events.contacts_began));
  table.Row("contacts ended", Grouped(events.contacts_ended));
  table.Row("bodies woke", Grouped(events.woke));
  table.Row("bodies fell asleep", Grouped(events.fell_asleep));
  table.Row("rays hit", Grouped(events.rays_hit));
  table.Row("batches added", Grouped(events.batches_added));
  table.Row("batches removed", Grouped(events.batches_removed));
  table.Row("horses swapped", Grouped(events.horses_swapped));
  table.Row("of other types", Grouped(events.unknown));
  table.Row("without room", Grouped(events.lost), "in the stream of their frame");
  table.Row("bytes", Grouped(events.bytes), fmt::format("in {} streams", events.frames));
  table.Row("checksum", fmt::format("{:08x}", events.checksum), "of all streams");
}

Json EventsJson(const EventSummary& events) {
  Json json = Json::object();
  json["contacts_began"] = events.contacts_began;
  json["contacts_ended"] = events.contacts_ended;
  json["woke"] = events.woke;
  json["fell_asleep"] = events.fell_asleep;
  json["rays_hit"] = events.rays_hit;
  json["batches_added"] = events.batches_added;
  json["batches_removed"] = events.batches_removed;
  json["horses_swapped"] = events.horses_swapped;
  json["unknown"] = events.unknown;
  json["lost"] = events.lost;
  json["bytes"] = events.bytes;
  json["checksum"] = fmt::format("{:08x}", events.checksum);
  return json;
}

Json WaitJson(const WaitTime& wait) {
  Json json = Json::object();
  json["taken"] = wait.acquisitions;
  json["contended"] = wait.contended;
  json["waited_ms"] = Milliseconds(wait.waited);
  return json;
}

Json GameJson(const RunRecord& record) {
  Json threads = Json::array();
  for (const GameReport& game : record.game) {
    Json json = Json::object();
    json["name"] = game.name;
    json["rays"] = game.rays;
    json["ray_hits"] = game.hits;
    json["moved"] = game.moved;
    json["added"] = game.added;
    json["removed"] = game.removed;
    json["deferred"] = game.deferred;
    threads.push_back(std::move(json));
  }
  return threads;
}

Json ObjectsJson(const RunRecord& record) {
  const GameReport sum = Objects(record);
  Json json = Json::object();
  json["views"] = sum.views;
  json["near"] = sum.near;
  json["commits"] = sum.commits;
  json["commits_in_vain"] = sum.commits_in_vain;
  json["score"] = record.score.hits;
  json["score_updates"] = record.score.updates;
  return json;
}

Json HerdJson(const HerdReport& herd) {
  Json json = Json::object();
  json["riders"] = herd.riders;
  json["mounted"] = herd.mounted;
  json["crossings"] = herd.crossings;
  json["swaps"] = herd.swaps;
  json["looks"] = herd.looks;
  json["whole"] = herd.whole;
  json["commits"] = herd.transactions.commits;
  json["restarts"] = herd.transactions.restarts;
  json["conflicts"] = herd.transactions.conflicts;
  json["last_resorts"] = herd.transactions.last_resorts;
  json["checksum"] = fmt::format("{:08x}", herd.checksum);
  return json;
}

Json BackgroundJson(const BackgroundReport& report) {
  Json json = Json::object();
  json["passes"] = report.passes;
  json["frames_of_passes"] = report.frames_of_passes;
  json["longest_pass_frames"] = report.longest_pass;
  json["cells"] = report.cells;
  json["walkable_cells"] = report.walkable;
  return json;
}

}  // namespace

std::string Table(const DemoOptions& options, const Ground& ground, const RunRecord& record) {
  TableText table;
  table.Line(fmt::format("{} of {} frames of 1/30 s{}, {} physics {}, {} game {}, seed {}",
                         record.frames.size(), options.frames,
                         record.interrupted ? " (interrupted)" : "", options.threads,
                         options.threads == 1 ? "thread" : "threads", options.game_threads,
                         options.game_threads == 1 ? "thread" : "threads", options.seed));
  AddBodies(ground, record, table);
  AddPhases(record, table);
  AddFinds(record.find, table);
  AddLocks(record, table);
  AddGame(record, table);
  if (record.herd) AddHerd(*record.herd, table);
  AddEvents(record.events, table);
  table.Section("State");
  table.Row("hash", HashString(record.state_hash),
            options.game_threads == 0 ? "the same for every number of threads"
                                      : "depends on the game threads; --game-threads 0 does not");
  return table.Take();
}

std::string EventTable(const EventSummary& events) {
  TableText table;
  AddEvents(events, table);
  return table.Take();
}

Json ToJson(const DemoOptions& options, const Ground& ground, const RunRecord& record) {
  Json json = NewReport("demo", 1);
  json["threads"] = options.threads;
  json["game_threads"] = options.game_threads;
  json["frames_asked"] = options.frames;
  json["frames"] = record.frames.size();
  json["interrupted"] = record.interrupted;
  json["seed"] = options.seed;
  json["terrain"] = {{"file", options.terrain},
                     {"latitude", ground.terrain.north},
                     {"longitude", ground.terrain.west},
                     {"side_m", 2.0 * ground.terrain.half_size()},
                     {"cell_m", ground.terrain.cell_size},
                     {"relief_m", ground.field->max_height()}};
  json["bodies"] = record.scene_bodies;
  json["asleep"] = record.scene_asleep;
  json["figures"] = {{"bodies", record.figure_bodies},
                     {"asleep", record.figure_bodies_asleep},
                     {"joints", record.joints}};
  json["game_bodies"] = record.game_bodies;
  const FrameRecord& busiest = record.frames[record.busiest_frame];
  json["busiest"] = {{"frame", record.busiest_frame}, {"awake", busiest.awake},
                     {"pairs", busiest.pairs},        {"contacts", busiest.contacts},
                     {"islands", busiest.islands},    {"largest_island", busiest.largest_island}};
  Json phases = Json::object();
  for (const PhaseStats& phase : PhasesOf(record)) {
    phases[phase.name] = {
        {"mean_ms", phase.stats.mean}, {"p99_ms", phase.stats.p99}, {"max_ms", phase.stats.max}};
  }
  json["phases"] = std::move(phases);
  json["union_find"] = {{"unions", record.find.unions},
                        {"finds", record.find.finds},
                        {"mean_find_steps", record.find.mean_steps()},
                        {"find_histogram", record.find.histogram}};
  Json locks = Json::object();
  for (const auto& [name, wait] : LockUsers(record)) locks[name] = WaitJson(wait);
  json["locks"] = std::move(locks);
  json["game"] = GameJson(record);
  json["objects"] = record.game.empty() ? Json() : ObjectsJson(record);
  json["herd"] = record.herd ? HerdJson(*record.herd) : Json();
  json["background"] = record.background ? BackgroundJson(*record.background) : Json();
  json["events"] = EventsJson(record.events);
  json["failed_rebuilds"] = record.failed_rebuilds;
  json["state_hash"] = HashString(record.state_hash);
  return json;
}

}  // namespace nowait

// player: a scene in the browser; see --help.
#include <fmt/format.h>

#include <chrono>
#include <cstddef>
#include <cstdio>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "src/apps/command_line/interruption.h"
#include "src/apps/command_line/print.h"
#include "src/apps/player/export.h"
#include "src/apps/player/options.h"
#include "src/apps/player/run.h"
#include "src/apps/player/saved_play.h"
#include "src/apps/player/scenes.h"
#include "src/apps/player/trace.h"
#include "src/apps/player/watch.h"
#include "src/base/cpu.h"
#include "src/base/report.h"
#include "src/live/place.h"
#include "src/math/bounds.h"
#include "src/resource/file.h"
#include "src/sync/policy.h"

namespace nowait {
namespace {

constexpr int kSuccess = 0;
constexpr int kFailure = 1;

int Complain(const std::string& what) {
  PrintError("play", what);
  return kFailure;
}

// Whether the page draws the box of a node. One without a child is inside out, an old root's is
// everywhere, and one with a plane in it has no end.
bool HasEnds(const Bounds<3>& box) {
  for (std::size_t axis = 0; axis < 3; ++axis) {
    if (!(box.min[axis] <= box.max[axis])) return false;
    if (!(box.min[axis] > -kLiveFarthest && box.max[axis] < kLiveFarthest)) return false;
  }
  return true;
}

Json ContactOf(const ContactSnapshot& contact) {
  Json points = Json::array();
  std::size_t number = 0;
  for (const ContactPoint& point : contact.manifold.points()) {
    points.push_back({{"position_m", {point.position.x, point.position.y, point.position.z}},
                      {"normal", {point.normal.x, point.normal.y, point.normal.z}},
                      {"separation_m", point.separation},
                      {"impulse_ns", contact.impulses[number++]}});
  }
  return {{"a", contact.a.slot()},
          {"b", contact.b.slot()},
          {"sensor", contact.sensor},
          {"points", std::move(points)}};
}

Json StateOf(const PlayRecord& record) {
  Json json = NewReport("player_state", 4);
  json["frames"] = record.frames;
  json["state_hash"] = HashString(record.state_hash);
  Json bodies = Json::array();
  for (const BodySnapshot& body : record.last) {
    bodies.push_back(
        {{"slot", body.id.slot()},
         {"asleep", body.asleep},
         {"position_m", {body.position.x, body.position.y, body.position.z}},
         {"rotation", {body.rotation.x, body.rotation.y, body.rotation.z, body.rotation.w}},
         {"lane", body.lane == BodySnapshot::kNoLane ? Json() : Json(body.lane)}});
  }
  json["bodies"] = std::move(bodies);
  Json boxes = Json::array();
  for (const TreeBox& box : record.tree.boxes) {
    if (!HasEnds(box.box)) continue;
    boxes.push_back({{"node", box.node},
                     {"layer", IndexOf(box.layer)},
                     {"level", box.level},
                     {"min_m", box.box.min},
                     {"max_m", box.box.max}});
  }
  json["tree"] = std::move(boxes);
  Json links = Json::array();
  for (const BodyLink& link : record.links.links) links.push_back({link.a, link.b});
  json["links"] = std::move(links);
  Json contacts = Json::array();
  for (const ContactSnapshot& contact : record.contacts) contacts.push_back(ContactOf(contact));
  json["contacts"] = std::move(contacts);
  return json;
}

std::string_view TextOf(const std::vector<std::byte>& bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

// The error of the file's writing, or an empty text; says what was written.
std::string Write(const std::string& path, std::string_view text) {
  if (const auto written = WriteFileWhole(path, text); !written) {
    return path + ": " + ToString(written.error());
  }
  fmt::print("  wrote {}: {} bytes\n", path, text.size());
  return {};
}

int FromRecording(const PlayerOptions& options) {
  const auto file = ReadFile(options.from);
  if (!file) return Complain(ToString(file.error()));
  const auto complain = [&](const Error& error) {
    return Complain(fmt::format("{}: byte {}: {}", options.from, error.amount, ToString(error)));
  };
  if (!options.paths.empty()) {
    const auto paths = PathsOfRecording(*file);
    if (!paths) return complain(paths.error());
    if (const auto error = Write(options.paths, *paths); !error.empty()) return Complain(error);
    if (options.export_page.empty()) return kSuccess;
  }
  if (options.export_page.empty()) {
    const auto text = DescribeRecording(*file);
    if (!text) return complain(text.error());
    fmt::print("{}", *text);
    return kSuccess;
  }
  const auto page = PageOfRecording(*file);
  if (!page) return complain(page.error());
  const std::string error = Write(options.export_page, *page);
  return error.empty() ? kSuccess : Complain(error);
}

std::string WriteFiles(const PlayerOptions& options, const PlayRecord& record);

// The recording of another program, which goes on.
int WatchAnother(const PlayerOptions& options) {
  CatchInterrupts();
  using Clock = EngineSync::clock;
  const Clock::time_point end = Clock::now() + std::chrono::seconds(options.seconds);
  WatchDef def;
  def.go_on = [&] { return !IsInterrupted() && (options.seconds == 0 || Clock::now() < end); };
  if (options.structures) def.parts.bits = LiveParts::kAll;
  def.most_bytes = std::size_t{options.record_mib} << 20;
  auto watched = WatchProgram(options.watch, def);
  if (!watched) return Complain(ToString(watched.error()));
  fmt::print("{} messages, {} frames missed\n", watched->messages, watched->missed);
  if (!watched->recorded) {
    fmt::print("  the recording ends early: {}\n", ToString(watched->recorded.error()));
  }
  PlayRecord record;
  record.recording = std::move(watched->recording);
  record.recorded = watched->recorded;
  const std::string error = WriteFiles(options, record);
  return error.empty() ? kSuccess : Complain(error);
}

// 1 if the runs differ, as a comparison of files has it.
int CompareTraces(const PlayerOptions& options) {
  std::vector<std::vector<std::byte>> files;
  std::vector<Trace> traces;
  for (const std::string& path : options.compare) {
    auto file = ReadFile(path);
    if (!file) return Complain(path + ": " + ToString(file.error()));
    files.push_back(std::move(*file));
    const auto trace = Trace::Open(files.back());
    if (!trace) return Complain(path + ": " + ToString(trace.error()));
    traces.push_back(*trace);
  }
  const auto divergence = FirstDivergence(traces[0], traces[1]);
  if (divergence) {
    fmt::print("{}\n", ToString(*divergence));
    return kFailure;
  }
  fmt::print("the same in all {} frames\n", traces[0].frames().size());
  return kSuccess;
}

std::string WriteFiles(const PlayerOptions& options, const PlayRecord& record) {
  const bool records = !options.record.empty() || !options.export_page.empty();
  if (records && record.recording.empty() && !record.recorded) {
    return "no frame has room in the recording";
  }
  if (!options.record.empty()) {
    if (auto error = Write(options.record, TextOf(record.recording)); !error.empty()) return error;
  }
  if (!options.export_page.empty()) {
    const auto page = PageOfRecording(record.recording);
    if (!page) return options.export_page + ": " + ToString(page.error());
    if (auto error = Write(options.export_page, *page); !error.empty()) return error;
  }
  if (!options.trace.empty()) {
    if (auto error = Write(options.trace, TextOf(record.trace)); !error.empty()) return error;
  }
  if (!options.save.empty()) {
    if (auto error = Write(options.save, TextOf(record.saved)); !error.empty()) return error;
  }
  if (!options.state.empty()) return Write(options.state, StateOf(record).dump() + "\n");
  return {};
}

// The saved run that this one continues, if there is one; the options are of its scene then.
Result<std::optional<SavedPlay>> LoadPlay(PlayerOptions& options) {
  if (options.load.empty()) return std::nullopt;
  const auto file = ReadFile(options.load);
  if (!file) return std::unexpected(file.error());
  auto saved = ReadSavedPlay(*file);
  if (!saved) return std::unexpected(saved.error());
  options.scene = saved->scene;
  options.bodies = saved->bodies;
  options.seed = saved->seed;
  return std::move(*saved);
}

int Player(PlayerOptions options) {
  if (!options.from.empty()) return FromRecording(options);
  if (!options.watch.empty()) return WatchAnother(options);
  if (!options.compare.empty()) return CompareTraces(options);
  const auto saved = LoadPlay(options);
  if (!saved) return Complain(options.load + ": " + ToString(saved.error()));
  const auto scene = PlayerScene::Load(options.scene, options.terrain);
  if (!scene) return Complain(options.terrain + ": " + ToString(scene.error()));
  CatchInterrupts();
  const auto record = Play(
      options, *scene, *saved ? &**saved : nullptr,
      [](const std::string& address) {
        fmt::print("page: {}\n", address);
        std::fflush(stdout);
      },
      [] { return !IsInterrupted(); });
  if (!record) {
    const std::string file = options.load.empty() ? "" : options.load + ": ";
    return Complain(file + ToString(record.error()));
  }
  fmt::print("{}: {} frames, {} bodies, state {}\n", options.scene, record->frames,
             record->last.size(), HashString(record->state_hash));
  fmt::print("  a frame's work {:.3f} ms, and for viewers and recording {:.3f} ms\n",
             static_cast<double>(record->mean_frame) / 1e6,
             static_cast<double>(record->mean_offer) / 1e6);
  if (!options.headless) {
    const LiveCounts& counts = record->counts;
    fmt::print(
        "  viewers {}, messages {} of {} bytes, frames that passed a slow viewer by {}, "
        "commands {}, requests refused {}, bad messages {}\n",
        counts.viewers, counts.messages, counts.bytes, counts.passed_by, counts.commands,
        counts.refused, counts.bad_messages);
  }
  if (options.planted != Planted::kNone) {
    fmt::print("  planted work: {}\n", HashString(record->planted_sum));
  }
  if (!record->recorded) {
    fmt::print("  the recording ends {} frames before the run: {}\n", record->after_end,
               ToString(record->recorded.error()));
  }
  if (record->dropped > 0) fmt::print("  {} frames are not in the recording\n", record->dropped);
  const std::string error = WriteFiles(options, *record);
  return error.empty() ? kSuccess : Complain(error);
}

}  // namespace
}  // namespace nowait

int main(int argc, char** argv) {
  if (!nowait::CpuIsSufficient()) return nowait::Complain(nowait::kCpuMessage);
  const auto options = nowait::ParsePlayerOptions(argc, argv);
  return options ? nowait::Player(*options) : options.error();
}

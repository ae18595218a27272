// demo: bodies fall on measured terrain; see --help.
#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <string>
#include <string_view>

#include "src/apps/command_line/interruption.h"
#include "src/apps/command_line/print.h"
#include "src/apps/demo/event_summary.h"
#include "src/apps/demo/map_picture.h"
#include "src/apps/demo/options.h"
#include "src/apps/demo/outputs.h"
#include "src/apps/demo/progress.h"
#include "src/apps/demo/report.h"
#include "src/apps/demo/run.h"
#include "src/apps/demo/scene.h"
#include "src/apps/svg/timeline.h"
#include "src/base/cpu.h"
#include "src/base/report.h"
#include "src/profile/chrome_trace.h"
#include "src/profile/profile.h"
#include "src/resource/file.h"

namespace nowait {
namespace {

constexpr int kSuccess = 0;
constexpr int kFailure = 1;
constexpr int kInterrupted = 130;  // as shells have it: 128 and SIGINT

int Complain(const std::string& what) {
  PrintError("demo", what);
  return kFailure;
}

// Only written spans use memory; this bounds the memory of a long run of many threads.
std::uint32_t SpansPerLane(std::uint32_t lanes) {
  constexpr std::uint32_t kAll = 8u << 20;
  return std::min(kAll / lanes, 1u << 20);
}

// Prints one line for each file written, or the error of the first failure.
class Writing {
 public:
  void Write(const std::string& path, std::string_view text) {
    if (!error_.empty()) return;
    if (const auto written = WriteFileWhole(path, text); !written) {
      error_ = path + ": " + ToString(written.error());
    } else {
      fmt::print("  wrote {}\n", path);
    }
  }
  const std::string& error() const { return error_; }

 private:
  std::string error_;
};

void WritePictures(const DemoOptions& options, const Ground& ground, const RunRecord& record,
                   const Profile& profile, Writing& files) {
  const FrameRecord& busiest = record.frames[record.busiest_frame];
  files.Write(options.pictures + "/terrain.svg",
              DrawMap(ground.terrain, record.last,
                      fmt::format("{} bodies after {:.1f} s: {:.1f}% asleep", record.scene_bodies,
                                  static_cast<double>(record.frames.size()) / 30.0,
                                  100.0 * record.scene_asleep / record.scene_bodies)));
  files.Write(
      options.pictures + "/terrain-busiest.svg",
      DrawMap(ground.terrain, record.busiest,
              fmt::format("{} bodies after {:.1f} s, in the frame with the most contacts: "
                          "{} awake, {} islands",
                          record.scene_bodies, static_cast<double>(record.busiest_frame + 1) / 30.0,
                          busiest.awake, busiest.islands)));
  files.Write(options.pictures + "/timeline.svg",
              DrawTimeline(profile, busiest.begin, busiest.end,
                           fmt::format("frame {}: a game update and two physics steps; {} awake "
                                       "bodies, {} contacts, {} islands",
                                       record.busiest_frame + 1, busiest.awake, busiest.contacts,
                                       busiest.islands)));
}

int Replay(const std::string& path) {
  const auto file = ReadFile(path);
  if (!file) return Complain(ToString(file.error()));
  const auto events = SummariseEvents(*file);
  if (!events) {
    return Complain(
        fmt::format("{}: byte {}: {}", path, events.error().amount, ToString(events.error())));
  }
  fmt::print("{}\n", EventTable(*events));
  return kSuccess;
}

int Demo(const DemoOptions& options) {
  if (!options.replay.empty()) return Replay(options.replay);
  const auto ground = LoadGround(options.terrain);
  if (!ground) return Complain(options.terrain + ": " + ToString(ground.error()));
  if (const auto wrong = CheckOutputs(options)) return Complain(*wrong);

  const bool measure = !options.pictures.empty() || !options.trace.empty();
  Profile profile({.lanes = LanesOf(options), .spans_per_lane = SpansPerLane(LanesOf(options))});
  Progress progress(options.frames);
  CatchInterrupts();
  const auto record = Run(options, *ground, profile, measure,
                          [&progress](std::uint32_t frame, const FrameRecord& done) {
                            progress.Show(frame, done);
                            return !IsInterrupted();
                          });
  progress.Finish();
  if (!record) return Complain(ToString(record.error()));

  fmt::print("{}\n", Table(options, *ground, *record));
  Writing files;
  if (!options.pictures.empty()) WritePictures(options, *ground, *record, profile, files);
  if (!options.json.empty()) {
    files.Write(options.json, ToJson(options, *ground, *record).dump(2) + "\n");
  }
  if (!options.trace.empty()) files.Write(options.trace, ChromeTrace(profile));
  if (!options.events.empty()) {
    files.Write(options.events,
                std::string_view(reinterpret_cast<const char*>(record->event_file.data()),
                                 record->event_file.size()));
  }
  if (profile.lost() > 0) {
    fmt::print("  {} spans of the profile found no room and are missing\n", profile.lost());
  }
  if (!files.error().empty()) return Complain(files.error());
  return record->interrupted ? kInterrupted : kSuccess;
}

}  // namespace
}  // namespace nowait

int main(int argc, char** argv) {
  if (!nowait::CpuIsSufficient()) return nowait::Complain(nowait::kCpuMessage);
  const auto options = nowait::ParseOptions(argc, argv);
  return options ? nowait::Demo(*options) : options.error();
}

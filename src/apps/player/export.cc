#include "src/apps/player/export.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <utility>

#include "src/base/or_no_memory.h"
#include "src/base/report.h"
#include "src/live/frame_paths.h"
#include "src/live/page/live_page.h"
#include "src/live/reader.h"
#include "src/live/recording.h"

namespace nowait {
namespace {

struct Read {
  std::string name;
  std::string text;
};

Result<Read> ReadWhole(std::span<const std::byte> recording) {
  LiveReader reader;
  FramePaths paths;
  FramePath longest;
  std::uint64_t spans = 0;
  const auto messages = ReadRecording(recording, reader, [&](const EventStream&) {
    const LiveScene& scene = reader.scene();
    spans += scene.spans.size();
    paths.Add(scene);
    const auto& frame = scene.frame;
    if (!frame || frame->end <= frame->begin || scene.spans.empty()) return;
    if (frame->end - frame->begin > longest.length) longest = paths.Last();
  });
  if (!messages) return std::unexpected(messages.error());
  const LiveScene& scene = reader.scene();
  const auto asleep =
      std::ranges::count_if(scene.bodies, [](const auto& entry) { return entry.second.asleep; });
  std::string text =
      fmt::format("{}: {} frames, {:.1f} s; {} threads, {} spans\n", scene.name, *messages,
                  static_cast<double>(*messages) * scene.frame_seconds, scene.lanes.size(), spans);
  text += fmt::format("at the end: {} bodies, {} asleep", scene.bodies.size(), asleep);
  if (const auto& frame = scene.frame) {
    text += fmt::format(", {} contacts, {} islands; {} frames missed, {} spans lost",
                        frame->contacts, frame->islands, frame->dropped, frame->lost_spans);
  }
  text += "\n";
  if (longest.length > 0) text += "longest " + ToString(longest) + "\n";
  return Read{scene.name, std::move(text)};
}

}  // namespace

Result<std::string> DescribeRecording(std::span<const std::byte> recording) {
  return OrNoMemory([&]() -> Result<std::string> {
    auto read = ReadWhole(recording);
    if (!read) return std::unexpected(read.error());
    return read->text;
  });
}

Result<std::string> PathsOfRecording(std::span<const std::byte> recording) {
  return OrNoMemory([&]() -> Result<std::string> {
    LiveReader reader;
    FramePaths paths;
    Json frames = Json::array();
    const auto messages = ReadRecording(recording, reader, [&](const EventStream&) {
      paths.Add(reader.scene());
      const FramePath path = paths.Last();
      frames.push_back({{"step", path.step},
                        {"length_ns", path.length},
                        {"work_ns", path.work},
                        {"between_ns", path.between},
                        {"pieces", path.pieces},
                        {"threads", path.threads},
                        {"as_set_ns", path.as_set},
                        {"by_path_ns", path.by_path},
                        {"one_priority_ns", path.one_priority},
                        {"longest_chain_ns", path.longest_chain},
                        {"steps", path.steps},
                        {"recorded_steps", path.recorded}});
    });
    if (!messages) return std::unexpected(messages.error());
    Json json = NewReport("frame_paths", 1);
    json["frames"] = std::move(frames);
    return json.dump() + "\n";
  });
}

Result<std::string> PageOfRecording(std::span<const std::byte> recording) {
  return OrNoMemory([&]() -> Result<std::string> {
    const auto read = ReadWhole(recording);
    if (!read) return std::unexpected(read.error());
    auto packed = PackRecording(recording);
    if (!packed) return std::unexpected(packed.error());
    return LivePageOf({.title = read->name, .recording = std::move(*packed), .text = read->text});
  });
}

}  // namespace nowait

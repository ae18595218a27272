#include "src/apps/player/export.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>

#include "src/base/or_no_memory.h"
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
  std::uint64_t spans = 0;
  const auto messages = ReadRecording(
      recording, reader, [&](const EventStream&) { spans += reader.scene().spans.size(); });
  if (!messages) return std::unexpected(messages.error());
  const LiveScene& scene = reader.scene();
  const auto asleep =
      std::ranges::count_if(scene.bodies, [](const auto& entry) { return entry.second.asleep; });
  std::string text =
      fmt::format("{}: {} frames, {:.1f} s; {} threads, {} spans\n", scene.name, *messages,
                  static_cast<double>(*messages) * scene.frame_seconds, scene.lanes.size(), spans);
  text += fmt::format("at the end: {} bodies, {} asleep", scene.bodies.size(), asleep);
  if (const auto& frame = scene.frame) {
    text += fmt::format(", {} contacts, {} islands; {} frames missed", frame->contacts,
                        frame->islands, frame->dropped);
  }
  return Read{scene.name, text + "\n"};
}

}  // namespace

Result<std::string> DescribeRecording(std::span<const std::byte> recording) {
  return OrNoMemory([&]() -> Result<std::string> {
    auto read = ReadWhole(recording);
    if (!read) return std::unexpected(read.error());
    return read->text;
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

#include "tests/world/reel.h"

#include <fmt/format.h>

#include <cstdlib>
#include <fstream>
#include <string_view>

#include "src/apps/player/export.h"

namespace nowait {
namespace {

constexpr float kStep = 1.0f / 60.0f;

LiveHello HelloOf(const World& world, const std::string& name) {
  LiveHello hello{.scene = name, .frame_seconds = kStep};
  for (const LayerDef& layer : world.def().user_layers) hello.layers.push_back(layer.name);
  hello.body_locks = world.def().body_locks;
  return hello;
}

// Bazel keeps the outputs, and deletes the sandbox: from the repository's folder.
std::string Kept(const std::string& file) {
  constexpr std::string_view kKept = "/bazel-out/";
  const std::size_t kept = file.rfind(kKept);
  return kept == file.npos ? file : ".bazel/out/" + file.substr(kept + kKept.size());
}

}  // namespace

Reel::Reel(const World& world, const std::string& name, LiveFeed& feed, std::size_t most_bytes)
    : feed_(feed), encoder_(HelloOf(world, name)), recorder_(most_bytes) {}

bool Reel::Add(const World& world, std::uint64_t step) {
  constexpr auto kNanoseconds = static_cast<std::uint64_t>(1e9 / 60);
  LiveMoment moment;
  moment.step = step;
  moment.begin = step * kNanoseconds;
  moment.end = moment.begin + kNanoseconds;
  LiveFrame* frame = nullptr;
  const auto offered = feed_.Offer(world, moment, WhenFull::kDrop);
  if (!offered || !*offered || !feed_.TryTake(&frame)) return false;
  const auto message = encoder_.Encode(*frame);
  const bool added = message && recorder_.Add(frame->number, *message);
  feed_.Release();
  frames_ += added ? 1 : 0;
  return added;
}

std::string WriteFilm(std::span<const std::byte> recording, const std::string& number,
                      std::uint64_t frame) {
  const auto page = PageOfRecording(recording);
  const char* outputs = std::getenv("TEST_UNDECLARED_OUTPUTS_DIR");
  const std::string file =
      fmt::format("{}/film-{}.html", outputs != nullptr ? outputs : ".", number);
  if (!page || !(std::ofstream(file) << *page)) {
    return file + " cannot be written";
  }
  return fmt::format("{}#frame={}", Kept(file), frame);
}

}  // namespace nowait

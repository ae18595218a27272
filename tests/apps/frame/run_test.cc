#include "src/apps/frame/run.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>
#include <vector>

#include "src/apps/frame/world.h"
#include "src/profile/profile.h"

namespace nowait {
namespace {

struct Directory {
  Directory() {
    const char* const root = std::getenv("TEST_TMPDIR");
    path = std::string(root == nullptr ? "/tmp" : root) + "/frame_test.XXXXXX";
    REQUIRE(mkdtemp(path.data()) != nullptr);
    music = path + "/music";
    REQUIRE(WriteMusic(music));
  }
  ~Directory() { std::filesystem::remove_all(path); }
  std::string path;
  std::string music;
};

FrameDef Small(const Directory& directory) {
  return {.frames = 20, .nodes = 3'000, .workers = 0, .music = directory.music};
}

FrameResult Run(const FrameDef& def) {
  Profile profile({.lanes = def.workers + 2, .spans_per_lane = 1u << 16});
  FrameResult result = RunFrames(def, profile);
  INFO(result.error);
  REQUIRE(result.error.empty());
  REQUIRE(profile.lost() == 0);
  return result;
}

const Lane& Find(const Profile& profile, std::string_view name) {
  const auto found = std::find_if(profile.lanes().begin(), profile.lanes().end(),
                                  [name](const Lane& lane) { return lane.name == name; });
  REQUIRE(found != profile.lanes().end());
  return *found;
}
std::vector<Span> Spans(const Lane& lane, std::string_view name) {
  std::vector<Span> spans;
  for (const Span& span : lane.spans) {
    if (span.name == name) spans.push_back(span);
  }
  return spans;
}

TEST_CASE("frames are the same with any number of workers, and in the serial main loop") {
  const Directory directory;
  const FrameDef def = Small(directory);
  const std::uint64_t hash = Run(def).hash;
  for (const std::uint32_t workers : {0u, 1u, 3u, 8u}) {
    FrameDef other = def;
    other.workers = workers;
    REQUIRE(Run(other).hash == hash);
    other.serial = true;
    REQUIRE(Run(other).hash == hash);
  }
  FrameDef other = def;
  other.seed = 2;
  REQUIRE(Run(other).hash != hash);
  // The music that the device reads is heard.
  std::ofstream(directory.music, std::ios::in | std::ios::binary).seekp(5'000).put('!');
  REQUIRE(Run(def).hash != hash);
}

TEST_CASE("a worker that is parked leaves the rest going") {
  const Directory directory;
  FrameDef def = Small(directory);
  const std::uint64_t hash = Run(def).hash;
  def.park_worker = true;
  for (const std::uint32_t workers : {1u, 2u, 4u}) {
    def.workers = workers;
    Profile profile({.lanes = workers + 2, .spans_per_lane = 1u << 16});
    const FrameResult result = RunFrames(def, profile);
    REQUIRE(result.error.empty());
    REQUIRE(result.hash == hash);
    int parked = 0;
    for (const Lane& lane : profile.lanes()) {
      const auto held = Spans(lane, "parked");
      if (held.empty()) continue;
      ++parked;
      // From before the first frame until after the last.
      for (const Lane& other : profile.lanes()) {
        for (const Span& span : Spans(other, "present")) {
          REQUIRE(held[0].begin < span.begin);
          REQUIRE(span.end < held[0].end);
        }
      }
    }
    REQUIRE(parked == 1);
  }
}

TEST_CASE("a trace shows the main thread helping while it waits") {
  const Directory directory;
  FrameDef def = Small(directory);
  def.serial = GENERATE(false, true);
  // Its one worker is parked: only the main thread could have run the tasks that it shows.
  def.workers = 1;
  def.park_worker = true;
  Profile profile({.lanes = 3, .spans_per_lane = 1u << 16});
  REQUIRE(RunFrames(def, profile).error.empty());
  const Lane& main = Find(profile, "main");
  const auto waits = Spans(main, "wait");
  const auto inside_wait = [&waits](const Span& task) {
    return std::any_of(waits.begin(), waits.end(), [&task](const Span& wait) {
      return wait.begin <= task.begin && task.end <= wait.end;
    });
  };
  const auto tasks = Spans(main, "task");
  REQUIRE(tasks.size() > 20 * 5);
  REQUIRE(std::all_of(tasks.begin(), tasks.end(), inside_wait));
  for (const char* stage : {"animation", "scene graph", "gui", "render", "sound"}) {
    const auto pieces = Spans(main, stage);
    REQUIRE(std::any_of(pieces.begin(), pieces.end(), inside_wait));
  }
  REQUIRE(Spans(Find(profile, "disk"), "read file").size() == 20);
  REQUIRE(std::count_if(profile.lanes().begin(), profile.lanes().end(), [](const Lane& lane) {
            return std::any_of(lane.samples.begin(), lane.samples.end(), [](const Sample& sample) {
              return std::string_view(sample.name) == "frame" && sample.value == 19;
            });
          }) == 1);
}

TEST_CASE("music that is shorter than the frames begins again") {
  const Directory directory;
  constexpr std::size_t kBlock = 2 * FrameWorld::kSamples;
  std::string block(kBlock, '\0');
  for (std::size_t i = 0; i < kBlock; ++i) block[i] = static_cast<char>(i % 7);
  const std::string other(kBlock, 'b');
  const auto hash_with = [&](const std::string& music) {
    FrameDef def = Small(directory);
    def.frames = 5;
    def.music = directory.path + "/again";
    std::ofstream(def.music, std::ios::binary) << music;
    return Run(def).hash;
  };
  // Two blocks, five frames. The rest of a third block is not heard.
  const std::uint64_t hash = hash_with(block + other);
  CHECK(hash == hash_with(block + other + block + other + block));
  CHECK(hash == hash_with(block + other + "rest"));
  CHECK(hash != hash_with(block + other + other + other + block));
}

TEST_CASE("an error in the music is reported") {
  const Directory directory;
  FrameDef def = Small(directory);
  const auto error_of = [](const FrameDef& bad) {
    Profile profile({});
    return RunFrames(bad, profile).error;
  };
  def.music = directory.path + "/missing";
  REQUIRE(error_of(def) == def.music + ": No such file or directory");
  def.music = directory.path;
  REQUIRE(error_of(def) == def.music + ": Is a directory");
  def.music = directory.path + "/short";
  std::ofstream(def.music) << "la";
  REQUIRE(error_of(def) == def.music + ": shorter than one frame needs");
  def = Small(directory);
  def.park_worker = true;
  REQUIRE(error_of(def) == "there is no worker to park");
}

}  // namespace
}  // namespace nowait

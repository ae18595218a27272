#define CATCH_CONFIG_EXTERNAL_INTERFACES
#include "tests/world/film.h"

#include <fmt/format.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "src/apps/player/export.h"
#include "src/live/encoder.h"
#include "src/live/feed.h"
#include "src/live/recording.h"

namespace nowait {
namespace {

constexpr std::size_t kMostFilms = 8;
constexpr std::size_t kMostBytes = std::size_t{8} << 20;  // of a reel; two are kept of a world
constexpr float kStep = 1.0f / 60.0f;

// Consecutive steps of one world, from the first one that is in it.
class Reel {
 public:
  Reel(const World& world, const std::string& name, LiveFeed& feed)
      : feed_(feed), encoder_(HelloOf(world, name)), recorder_(kMostBytes) {}

  // False: it is full.
  bool Add(const World& world, std::uint64_t step) {
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

  std::uint64_t frames() const { return frames_; }
  std::span<const std::byte> bytes() const { return recorder_.bytes(); }

 private:
  static LiveHello HelloOf(const World& world, const std::string& name) {
    LiveHello hello{.scene = name, .frame_seconds = kStep};
    for (const LayerDef& layer : world.def().user_layers) hello.layers.push_back(layer.name);
    hello.body_locks = world.def().body_locks;
    return hello;
  }

  LiveFeed& feed_;
  LiveEncoder encoder_;
  Recorder recorder_;
  std::uint64_t frames_ = 0;
};

// A world's film: the reel that is being filled, and the one before it.
struct Reels {
  const World* world;
  std::unique_ptr<LiveFeed> feed;
  std::unique_ptr<Reel> last = {}, before = {};
  std::uint64_t steps = 0;
};

class Studio {
 public:
  static Studio& Here() {
    static Studio studio;
    return studio;
  }

  void Begin(const std::string& name) {
    films_.clear();
    name_ = name;
    failed_ = false;
  }
  void Fail() { failed_ = true; }

  void Add(const World& world) {
    if (failed_) return;
    Reels* film = FilmOf(world);
    if (film == nullptr) return;
    ++film->steps;
    if (film->last && film->last->Add(world, film->steps)) return;
    film->before = std::move(film->last);
    film->last = std::make_unique<Reel>(world, name_, *film->feed);
    if (!film->last->Add(world, film->steps)) film->last.reset();
  }

  void End() {
    for (std::size_t i = 0; failed_ && i < films_.size(); ++i) {
      if (films_[i].before) Write(*films_[i].before, fmt::format("{}-before", i + 1));
      if (films_[i].last) Write(*films_[i].last, fmt::format("{}", i + 1));
    }
    films_.clear();
  }

 private:
  // Null: there are enough, or there is no memory.
  Reels* FilmOf(const World& world) {
    const auto at = std::ranges::find(films_, &world, &Reels::world);
    if (at != films_.end()) return &*at;
    if (films_.size() == kMostFilms) return nullptr;
    auto feed = LiveFeed::Create(1, nullptr);
    if (!feed) return nullptr;
    return &films_.emplace_back(&world, std::move(*feed));
  }

  static void Write(const Reel& reel, const std::string& number) {
    const auto page = PageOfRecording(reel.bytes());
    const char* outputs = std::getenv("TEST_UNDECLARED_OUTPUTS_DIR");
    const std::string file =
        fmt::format("{}/film-{}.html", outputs != nullptr ? outputs : ".", number);
    if (!page || !(std::ofstream(file) << *page)) {
      std::cout << "no film: " << file << " cannot be written\n";
      return;
    }
    std::cout << "film of world " << number << ": " << Kept(file) << "#frame=" << reel.frames() - 1
              << '\n';
  }

  // Bazel keeps the outputs, and deletes the sandbox: from the repository's folder.
  static std::string Kept(const std::string& file) {
    constexpr std::string_view kKept = "/bazel-out/";
    const std::size_t kept = file.rfind(kKept);
    return kept == file.npos ? file : ".bazel/out/" + file.substr(kept + kKept.size());
  }

  std::vector<Reels> films_;
  std::string name_;
  bool failed_ = false;
};

struct Listener : Catch::TestEventListenerBase {
  using TestEventListenerBase::TestEventListenerBase;

  void testCaseStarting(const Catch::TestCaseInfo& info) override {
    Studio::Here().Begin(info.name);
  }
  bool assertionEnded(const Catch::AssertionStats& stats) override {
    if (!stats.assertionResult.isOk()) Studio::Here().Fail();
    return false;
  }
  void testCaseEnded(const Catch::TestCaseStats&) override { Studio::Here().End(); }
};
CATCH_REGISTER_LISTENER(Listener)

}  // namespace

void Film(const World& world) { Studio::Here().Add(world); }

}  // namespace nowait

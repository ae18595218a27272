#define CATCH_CONFIG_EXTERNAL_INTERFACES
#include "tests/world/film.h"

#include <fmt/format.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <cstdint>
#include <iostream>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "src/live/feed.h"
#include "tests/world/reel.h"

namespace nowait {
namespace {

constexpr std::size_t kMostFilms = 8;
constexpr std::size_t kMostBytes = std::size_t{8} << 20;  // of a reel; two are kept of a world

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
    film->last = std::make_unique<Reel>(world, name_, *film->feed, kMostBytes);
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
    std::cout << "film of world " << number << ": "
              << WriteFilm(reel.bytes(), number, reel.frames() - 1) << '\n';
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

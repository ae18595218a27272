// Views that are held while frames go on, and the nodes that wait for them.
#include <algorithm>
#include <catch2/catch.hpp>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>

#include "src/broadphase/broad_phase.h"
#include "tests/broadphase/boxes.h"
#include "tests/broadphase/broad_phase_calls.h"

namespace nowait {
namespace {

TEST_CASE("a view that is held across frames sees each frame's bodies") {
  auto broad_phase = Make(10);
  REQUIRE(broad_phase->Insert(Body(0), Layer::kDynamic, Cube(0, 0, 0, 1)).has_value());
  const BroadPhase::View view = broad_phase->Read();
  for (int frame = 1; frame < 10; ++frame) {
    const auto x = static_cast<float>(10 * frame);
    REQUIRE(broad_phase->Move(Body(0), Layer::kDynamic, Cube(x, 0, 0, 1)).has_value());
    RebuildAndSwap(*broad_phase);
    int found = 0;
    const auto count = [&](ProxyId) {
      ++found;
      return true;
    };
    view.QueryBox(Cube(x, 0, 0, 1), count);
    REQUIRE(found == 1);
    view.QueryBox(Cube(x - 10, 0, 0, 1), count);
    REQUIRE(found == 1);
  }
}

TEST_CASE("a view that is never let go is reported, and the frames go on") {
  auto broad_phase = Make(100);
  for (std::uint32_t i = 0; i < 100; ++i) {
    REQUIRE(broad_phase->Insert(Body(i), Layer::kDynamic, Cube(static_cast<float>(i), 0, 0, 0.25f))
                .has_value());
  }
  const auto frame = [&](int number) {
    REQUIRE(broad_phase->Move(Body(0), Layer::kDynamic, Cube(0, static_cast<float>(number), 0, 1))
                .has_value());
    RebuildAndSwap(*broad_phase);
  };
  for (int i = 0; i < 5; ++i) frame(i);
  REQUIRE(broad_phase->waiting_nodes().updates == 0);
  REQUIRE(broad_phase->waiting_nodes().nodes == 0);
  {
    const BroadPhase::View leaked = broad_phase->Read();
    for (int i = 5; i < 15; ++i) frame(i);
    REQUIRE(broad_phase->waiting_nodes().updates >= 8);
    REQUIRE(broad_phase->waiting_nodes().nodes >= 8);
    REQUIRE(Found(*broad_phase, Box::Everywhere()).size() == 100);
    // Until there are no nodes left: the frame goes on with the old tree, and gets the reason.
    Result<void> rebuilt;
    for (int i = 0; rebuilt && i < 1000; ++i) {
      REQUIRE(broad_phase->Move(Body(0), Layer::kDynamic, Cube(0, static_cast<float>(20 + i), 0, 1))
                  .has_value());
      rebuilt = broad_phase->Rebuild();
      broad_phase->Swap();
    }
    REQUIRE_FALSE(rebuilt.has_value());
    REQUIRE(rebuilt.error().detail == std::string("a reader pins old nodes"));
    REQUIRE(Found(*broad_phase, Box::Everywhere()).size() == 100);
  }
  for (int i = 0; i < 3; ++i) frame(2000 + i);
  REQUIRE(broad_phase->waiting_nodes().updates == 0);
  REQUIRE(broad_phase->waiting_nodes().nodes == 0);
}

TEST_CASE("as many nodes wait for a view as rebuilds have replaced since it was made") {
  auto broad_phase = Make(100);
  for (std::uint32_t i = 0; i < 100; ++i) {
    REQUIRE(
        broad_phase->Insert(Body(i), Layer::kDynamic, Cube(static_cast<float>(i), 0, 0, 0.25f)));
  }
  // The nodes that were replaced before have come back.
  for (int i = 0; i < 3; ++i) RebuildAndSwap(*broad_phase);
  REQUIRE(broad_phase->waiting_nodes().nodes == 0);
  // A view may be made at any time: also between a rebuild and its swap.
  const bool between = GENERATE(false, true);
  std::optional<BroadPhase::View> view;
  if (!between) view.emplace(broad_phase->Read());
  std::uint64_t replaced = 0;
  for (int frame = 1; frame <= 5; ++frame) {
    CAPTURE(between, frame);
    REQUIRE(broad_phase->Move(Body(0), Layer::kDynamic, Cube(0, static_cast<float>(frame), 0, 1)));
    REQUIRE(broad_phase->Rebuild());
    if (!view) view.emplace(broad_phase->Read());
    broad_phase->Swap();
    replaced += broad_phase->last_rebuild().replaced_nodes;
    REQUIRE(replaced >= static_cast<std::uint64_t>(frame));
    CHECK(broad_phase->waiting_nodes().nodes == replaced);
  }
}

// A game always has some background query at work. That is no view that somebody has forgotten.
TEST_CASE("views that come and go are not reported as one that stays") {
  auto broad_phase = Make(10);
  REQUIRE(broad_phase->Insert(Body(0), Layer::kDynamic, Cube(0, 0, 0, 1)));
  std::optional<BroadPhase::View> older, newer;
  const std::uint32_t frames_each = GENERATE(1u, 2u, 5u);
  std::uint32_t most = 0;
  for (std::uint32_t frame = 0; frame < 200; ++frame) {
    if (frame % frames_each == 0) {
      older = std::move(newer);
      newer.emplace(broad_phase->Read());
    }
    REQUIRE(broad_phase->Move(Body(0), Layer::kDynamic, Cube(static_cast<float>(frame), 0, 0, 1)));
    RebuildAndSwap(*broad_phase);
    most = std::max(most, broad_phase->waiting_nodes().updates);
  }
  CHECK(most <= 2 * frames_each);
}

}  // namespace
}  // namespace nowait

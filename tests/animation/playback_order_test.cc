#include "src/animation/playback_order.h"

#include <catch2/catch.hpp>
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "src/math/random.h"

namespace nowait {
namespace {

TEST_CASE("the track whose interval ends first is the next one, of equal ends the lowest number") {
  PlaybackOrder order(20);
  CHECK(order.First().frame == PlaybackOrder::kNever);
  order.Set(19, 7);
  order.Set(3, 7);
  order.Set(8, 9);
  CHECK(order.First().frame == 7);
  CHECK(order.First().track == 3);
  order.Finish(3);
  CHECK(order.First().track == 19);
  order.Set(8, 0);
  CHECK(order.First().frame == 0);
  CHECK(order.First().track == 8);
  order.Set(8, PlaybackOrder::kNever - 1);
  order.Finish(19);
  CHECK(order.First().frame == PlaybackOrder::kNever - 1);
  order.Finish(8);
  CHECK(order.First().frame == PlaybackOrder::kNever);
}

TEST_CASE("other tracks, as many as before or not, need no point") {
  PlaybackOrder order(3);
  for (const std::size_t tracks : {3u, 17u, 1u, 16u}) {
    CAPTURE(tracks);
    for (std::uint32_t i = 0; i < 3; ++i) order.Set(i, 5 + i);
    order.Reserve(tracks);
    order.Resize(tracks);
    CHECK(order.First().frame == PlaybackOrder::kNever);
    order.Set(static_cast<std::uint32_t>(tracks) - 1, 4);
    CHECK(order.First().track == tracks - 1);
    order.Resize(3);
  }
}

TEST_CASE(
    "all tracks that end at a frame are read in the order of First, again where they end again") {
  const std::uint64_t seed = 5;
  CAPTURE(seed);
  Random random(seed);
  for (int round = 0; round < 200; ++round) {
    const std::uint32_t tracks = 1 + random.Below(30);
    PlaybackOrder order(tracks), one_by_one(tracks);
    std::map<std::uint32_t, std::vector<std::uint32_t>> ends;  // of each track, what follows
    for (std::uint32_t i = 0; i < tracks; ++i) {
      std::uint32_t frame = random.Below(4);
      for (std::uint32_t k = random.Below(5); k > 0; --k) {
        ends[i].push_back(frame);
        frame += random.Below(3);
      }
      for (PlaybackOrder* of : {&order, &one_by_one}) {
        if (!ends[i].empty()) of->Set(i, ends[i].front());
      }
    }
    using Read = std::pair<std::uint32_t, std::uint32_t>;
    std::vector<Read> read, expected;
    std::map<std::uint32_t, std::size_t> next, next_of_one;
    const auto go_on = [&ends](PlaybackOrder& of, std::uint32_t track, std::size_t& at) {
      if (++at < ends[track].size()) {
        of.Set(track, ends[track][at]);
      } else {
        of.Finish(track);
      }
    };
    while (order.First().frame != PlaybackOrder::kNever) {
      const std::uint32_t frame = order.First().frame;
      order.ForEachAt(frame, [&](std::uint32_t track) {
        read.push_back({frame, track});
        go_on(order, track, next[track]);
      });
    }
    for (auto first = one_by_one.First(); first.frame != PlaybackOrder::kNever;
         first = one_by_one.First()) {
      expected.push_back({first.frame, first.track});
      go_on(one_by_one, first.track, next_of_one[first.track]);
    }
    REQUIRE(read == expected);
  }
}

}  // namespace
}  // namespace nowait

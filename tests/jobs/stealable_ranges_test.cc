#include "src/jobs/stealable_ranges.h"

#include <catch2/catch.hpp>
#include <cstdint>
#include <optional>
#include <vector>

namespace nowait {
namespace {

using Pieces = std::vector<std::uint32_t>;

Pieces TakeAll(StealableRanges<>& ranges, std::uint32_t hand) {
  Pieces taken;
  while (const auto piece = ranges.Take(hand)) taken.push_back(*piece);
  return taken;
}

TEST_CASE("one hand alone takes all pieces, its own in order first") {
  StealableRanges<> ranges(4);
  ranges.Distribute(8, 4);
  REQUIRE(ranges.hands() == 4);
  // 2 and 3 are its own; then the upper half of what the next one has, and of what is left of that.
  REQUIRE(TakeAll(ranges, 1) == Pieces{2, 3, 5, 4, 7, 6, 1, 0});
  for (std::uint32_t hand = 0; hand < 4; ++hand) REQUIRE(ranges.Take(hand) == std::nullopt);
}

TEST_CASE("a thread without elements takes the upper half of another's, and goes on with that") {
  StealableRanges<> ranges(2);
  ranges.Distribute(16, 2);
  for (std::uint32_t i = 8; i < 16; ++i) REQUIRE(ranges.Take(1) == i);
  REQUIRE(ranges.Take(1) == 4);
  REQUIRE(ranges.Take(0) == 0);
  REQUIRE(ranges.Take(1) == 5);
  REQUIRE(TakeAll(ranges, 0) == Pieces{1, 2, 3, 7, 6});
  REQUIRE(ranges.Take(1) == std::nullopt);
}

TEST_CASE("a hand learns whose pieces it takes") {
  StealableRanges<> ranges(3);
  ranges.Distribute(5, 3);  // 0 | 1 2 | 3 4
  std::uint32_t from = 9;
  REQUIRE(ranges.Take(0, &from) == 0);
  REQUIRE(from == 0);
  REQUIRE(ranges.Take(0, &from) == 2);
  REQUIRE(from == 1);
  REQUIRE(ranges.Take(0, &from) == 1);
  REQUIRE(from == 1);
  REQUIRE(ranges.Take(0, &from) == 4);
  REQUIRE(from == 2);
}

TEST_CASE("each piece is taken once, however many and by however many hands") {
  const std::uint32_t pieces = GENERATE(0u, 1u, 2u, 7u, 64u, 1001u);
  const std::uint32_t hands = GENERATE(1u, 2u, 3u, 8u);
  StealableRanges<> ranges(8);
  for (int round = 0; round < 2; ++round) {
    ranges.Distribute(pieces, hands);
    std::vector<int> taken(pieces, 0);
    // Not evenly: hand 0 takes one where hand h takes h + 1.
    for (std::uint32_t left = pieces; left > 0;) {
      for (std::uint32_t hand = 0; hand < hands; ++hand) {
        for (std::uint32_t k = 0; k <= hand; ++k) {
          const auto piece = ranges.Take(hand);
          if (!piece) continue;
          ++taken[*piece];
          --left;
        }
      }
    }
    REQUIRE(taken == std::vector<int>(pieces, 1));
    for (std::uint32_t hand = 0; hand < hands; ++hand) REQUIRE(ranges.Take(hand) == std::nullopt);
  }
}

// The first piece of each hand's own range: a hand takes it before any other does.
TEST_CASE("a loop is dealt as evenly as possible, in the order of the hands") {
  for (const std::uint32_t pieces : {5u, 8u, 10u, 11u, 1000u, 1001u}) {
    for (const std::uint32_t hands : {1u, 2u, 3u, 5u}) {
      CAPTURE(pieces, hands);
      StealableRanges<> ranges(5);
      ranges.Distribute(pieces, hands);
      Pieces begins;
      for (std::uint32_t hand = 0; hand < hands; ++hand) begins.push_back(*ranges.Take(hand));
      begins.push_back(pieces);
      CHECK(begins[0] == 0);
      for (std::uint32_t hand = 0; hand < hands; ++hand) {
        const std::uint32_t length = begins[hand + 1] - begins[hand];
        CHECK((length == pieces / hands || length == (pieces + hands - 1) / hands));
      }
    }
  }
}

TEST_CASE("hands of a larger loop before have no part in a smaller one") {
  StealableRanges<> ranges(4);
  ranges.Distribute(100, 4);
  REQUIRE(ranges.Take(3) == 75);
  ranges.Distribute(2, 1);
  CHECK(ranges.hands() == 1);
  CHECK(TakeAll(ranges, 0) == Pieces{0, 1});
}

TEST_CASE("the largest loops are dealt without a number that is too large") {
  StealableRanges<> ranges(64);
  ranges.Distribute(0xFFFF'FFFF, 64);
  REQUIRE(ranges.Take(63) == 4227858431u);
  REQUIRE(ranges.Take(0) == 0);
}

}  // namespace
}  // namespace nowait

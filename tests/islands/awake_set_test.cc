#include "src/islands/awake_set.h"

#include <catch2/catch.hpp>
#include <cstdint>
#include <vector>

namespace nowait {
namespace {

using Slots = std::vector<std::uint32_t>;

Slots List(const AwakeSet<>& awake) {
  Slots slots{99};  // is replaced
  awake.List(slots);
  return slots;
}

TEST_CASE("bodies are listed in ascending order, in whatever order they were woken") {
  AwakeSet<> awake(200);
  REQUIRE(List(awake).empty());
  for (const std::uint32_t slot : {64u, 65u, 127u}) awake.Add(slot);
  for (const std::uint32_t slot : {199u, 0u, 63u, 128u}) REQUIRE(awake.Wake(slot));
  REQUIRE(List(awake) == Slots{0, 63, 64, 65, 127, 128, 199});
}

TEST_CASE("Wake is true for the first thread that wakes a body, and for no other") {
  AwakeSet<> awake(3);
  awake.Add(0);
  REQUIRE_FALSE(awake.Wake(0));
  REQUIRE(awake.Wake(2));
  REQUIRE_FALSE(awake.Wake(2));
  REQUIRE(awake.Contains(0));
  REQUIRE_FALSE(awake.Contains(1));
  REQUIRE(awake.Contains(2));
}

TEST_CASE("after Clear all sleep, and can be woken") {
  AwakeSet<> awake(65);
  awake.Add(1);
  awake.Wake(64);
  awake.Clear();
  REQUIRE(List(awake).empty());
  REQUIRE(awake.Wake(64));
  REQUIRE(List(awake) == Slots{64});
}

TEST_CASE("a set without room is empty") {
  AwakeSet<> awake(0);
  awake.Clear();
  REQUIRE(List(awake).empty());
}

}  // namespace
}  // namespace nowait

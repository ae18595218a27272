#include "tests/whole/cores/cache_lines.h"

#include <array>
#include <catch2/catch.hpp>
#include <cstdint>

namespace nowait::whole {
namespace {

constexpr std::uint64_t kHit = 1;
constexpr std::uint64_t kUpdate = 5;
constexpr std::uint64_t kTransfer = 60;

struct alignas(64) OfLine {
  std::array<char, 64> bytes;
};

TEST_CASE("a core has what it has touched, and a first touch is a hit") {
  CacheLines lines(kHit, kUpdate, kTransfer);
  const OfLine line{};
  REQUIRE(lines.Serve(0, Access::kUpdate, &line, 100).end == 100 + kUpdate);
  REQUIRE(lines.Serve(0, Access::kLoad, &line.bytes[63], 200).end == 200 + kHit);
  REQUIRE(lines.Serve(0, Access::kStore, &line.bytes[1], 300).end == 300 + kHit);
  REQUIRE(lines.size() == 1);
}

TEST_CASE("loads share a line, and a store takes it from all others") {
  CacheLines lines(kHit, kUpdate, kTransfer);
  const OfLine line{};
  REQUIRE_FALSE(lines.Serve(0, Access::kStore, &line, 0).transferred);
  for (const std::uint32_t core : {1u, 2u, 63u}) {
    REQUIRE(lines.Serve(core, Access::kLoad, &line, 1000 * core).transferred);
    REQUIRE_FALSE(lines.Serve(core, Access::kLoad, &line, 1000 * core + 500).transferred);
  }
  REQUIRE_FALSE(lines.Serve(0, Access::kLoad, &line, 100'000).transferred);
  REQUIRE(lines.Serve(0, Access::kStore, &line, 200'000).transferred);  // it was shared
  for (const std::uint32_t core : {1u, 2u, 63u}) {
    REQUIRE(lines.Serve(core, Access::kLoad, &line, 300'000 + 1000 * core).transferred);
  }
}

TEST_CASE("a line serves one request at a time") {
  CacheLines lines(kHit, kUpdate, kTransfer);
  const OfLine line{};
  const OfLine other{};
  std::uint64_t free = lines.Serve(0, Access::kUpdate, &line, 0).end;
  for (std::uint32_t core = 1; core < CacheLines::kMostCores; ++core) {
    const Served served = lines.Serve(core, Access::kUpdate, &line, 1);
    REQUIRE(served.waited == free - 1);
    REQUIRE(served.end == free + kTransfer + kUpdate);
    free = served.end;
  }
  REQUIRE(lines.Serve(0, Access::kUpdate, &other, 1).end == 1 + kUpdate);
  // Long afterwards no request is in the way.
  REQUIRE(lines.Serve(0, Access::kLoad, &line, 10 * free).waited == 0);
}

TEST_CASE("a line's neighbour is another line") {
  CacheLines lines(kHit, kUpdate, kTransfer);
  const std::array<OfLine, 2> two{};
  lines.Serve(0, Access::kStore, &two[0], 0);
  REQUIRE_FALSE(lines.Serve(1, Access::kStore, &two[1], 0).transferred);
  REQUIRE_FALSE(lines.Serve(0, Access::kStore, &two[0].bytes[63], 100).transferred);
  REQUIRE(lines.size() == 2);
}

}  // namespace
}  // namespace nowait::whole

#include "src/sync/quota.h"

#include <catch2/catch.hpp>
#include <cstdint>

namespace nowait {
namespace {

TEST_CASE("as many takes succeed as the limit says, and none after them") {
  for (const std::uint32_t limit : {0u, 1u, 2u, 7u}) {
    CAPTURE(limit);
    Quota<> quota(limit);
    for (int round = 0; round < 3; ++round) {
      for (std::uint32_t i = 0; i < limit; ++i) CHECK(quota.Take());
      for (int i = 0; i < 3; ++i) CHECK_FALSE(quota.Take());
      quota.Reset();  // all units are there again
    }
  }
}

TEST_CASE("a reset gives back what was taken, also where something was left") {
  Quota<> quota(3);
  CHECK(quota.Take());
  quota.Reset();
  for (int i = 0; i < 3; ++i) CHECK(quota.Take());
  CHECK_FALSE(quota.Take());
}

}  // namespace
}  // namespace nowait

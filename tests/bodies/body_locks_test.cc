#include "src/bodies/body_locks.h"

#include <array>
#include <catch2/catch.hpp>
#include <thread>
#include <vector>

namespace nowait {
namespace {

TEST_CASE("several bodies that share a lock take it once") {
  BodyLocks locks(4);
  WaitTime wait;
  const std::array ids{BodyId(5, 0), BodyId(1, 0), BodyId(2, 0)};
  { const BodyWriteScope scope(locks, ids, wait); }
  REQUIRE(wait.acquisitions == 2);
  { const BodyWriteScope all = BodyWriteScope::All(locks, wait); }
  REQUIRE(wait.acquisitions == 2 + 4);
  // All were released: each can be taken again.
  { const BodyWriteScope all = BodyWriteScope::All(locks, wait); }
}

TEST_CASE("scopes over several bodies in opposite orders do not deadlock and exclude each other") {
  BodyLocks locks(8);
  std::array<int, 8> value{};
  std::vector<std::jthread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&, t] {
      WaitTime wait;
      for (std::uint32_t i = 0; i < 2000; ++i) {
        const std::uint32_t a = (i + static_cast<std::uint32_t>(t)) % 8;
        const std::uint32_t b = (i * 5 + 3) % 8;
        const std::array ids{BodyId(t % 2 == 0 ? a : b, 0), BodyId(t % 2 == 0 ? b : a, 0)};
        const BodyWriteScope scope(locks, ids, wait);
        ++value[a];
        if (a != b) --value[b];
      }
    });
  }
  threads.clear();
  int sum = 0;
  for (const int v : value) sum += v;
  int expected = 0;
  for (std::uint32_t t = 0; t < 4; ++t) {
    for (std::uint32_t i = 0; i < 2000; ++i) expected += (i + t) % 8 == (i * 5 + 3) % 8 ? 1 : 0;
  }
  REQUIRE(sum == expected);
}

TEST_CASE("readers of one lock hold it together") {
  BodyLocks locks(2);
  WaitTime wait;
  const BodyReadScope mine(locks, BodyId(0, 0), wait);
  std::jthread([&] {
    WaitTime other;
    const BodyReadScope theirs(locks, BodyId(2, 0), other);
    CHECK(other.contended == 0);
  }).join();
}

}  // namespace
}  // namespace nowait

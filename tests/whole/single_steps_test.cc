#include "tests/whole/single_steps.h"

#include <atomic>
#include <catch2/catch.hpp>
#include <cstdint>
#include <cstring>
#include <vector>

namespace nowait::whole {
namespace {

[[gnu::noinline]] void Turns(std::uint32_t count) {
  for (std::uint32_t i = 0; i < count; ++i) asm volatile("nop" ::: "memory");
}

TEST_CASE("each instruction of a call is counted, so a loop is seen") {
  const Instructions none = CountInstructions([] { Turns(0); });
  const Instructions some = CountInstructions([] { Turns(10); });
  const Instructions many = CountInstructions([] { Turns(1000); });
  CHECK(CountInstructions([] { Turns(1000); }).all == many.all);
  CHECK(many.locked == 0);
  if (!kCountsInstructions) return;
  CHECK(some.all >= none.all + 10);
  CHECK(many.all >= some.all + 990);
}

TEST_CASE("a repeated string instruction counts once for each repetition") {
  std::vector<char> bytes(1000);
  const auto set = [&] {
    void* to = bytes.data();
    std::size_t count = bytes.size();
    asm volatile("rep stosb" : "+D"(to), "+c"(count) : "a"(1) : "memory");
  };
  CHECK((CountInstructions(set).all >= bytes.size()) == kCountsInstructions);
  CHECK(bytes.back() == 1);
}

TEST_CASE("an instruction that locks a line is counted as locked, and no other") {
  std::atomic<std::uint64_t> word{1};
  std::atomic<std::uint8_t> byte{1};
  std::uint64_t seen = 0;
  const auto locked = [](const auto& call) { return CountInstructions(call).locked; };
  const std::uint64_t one = kCountsInstructions ? 1 : 0;
  CHECK(locked([&] { word.fetch_add(2, std::memory_order::relaxed); }) == one);
  CHECK(locked([&] { seen = word.exchange(3, std::memory_order::relaxed); }) == one);
  CHECK(locked([&] { byte.exchange(3, std::memory_order::relaxed); }) == one);
  CHECK(locked([&] { word.compare_exchange_strong(seen, 5, std::memory_order::relaxed); }) == one);
  CHECK(locked([&] { seen += word.load(std::memory_order::seq_cst); }) == 0);
  CHECK(locked([&] { word.store(7, std::memory_order::release); }) == 0);
  CHECK(seen == 8);  // the 3 of the exchange, and the 5
}

}  // namespace
}  // namespace nowait::whole

// Rows of boxes while another thread writes them: each lane is a number that was written, no lane
// goes back, and where a row is one load, all four are from one moment.
#include "src/broadphase/row_load.h"

#include <array>
#include <atomic>
#include <catch2/catch.hpp>
#include <cstddef>
#include <cstdint>
#include <stop_token>
#include <thread>

#include "src/broadphase/probe.h"
#include "src/math/random.h"

namespace nowait {
namespace {

using AtomicFloat = StdSync::atomic<float>;

struct alignas(64) Boxes {
  AtomicFloat min[3][4];
  AtomicFloat max[3][4];
};

TEST_CASE("a row has the values of its elements") {
  Random random(8);
  Boxes boxes;
  for (int round = 0; round < 1000; ++round) {
    std::array<float, 24> numbers;
    for (float& number : numbers) number = random.Between(-1e6f, 1e6f);
    for (int axis = 0; axis < 3; ++axis) {
      for (int i = 0; i < 4; ++i) {
        boxes.min[axis][i].store(numbers[4 * axis + i], std::memory_order::relaxed);
        boxes.max[axis][i].store(numbers[12 + 4 * axis + i], std::memory_order::relaxed);
      }
    }
    const BoxRows<3, 4> rows(boxes.min, boxes.max);
    for (int axis = 0; axis < 3; ++axis) {
      for (int i = 0; i < 4; ++i) {
        REQUIRE(rows.min(axis).ToArray()[i] == numbers[4 * axis + i]);
        REQUIRE(rows.max(axis).ToArray()[i] == numbers[12 + 4 * axis + i]);
      }
    }
  }
}

// The writer counts: lane 0 first, lane 3 last. Up to 2^24 floats are whole numbers, so a torn one
// would show as one that is ahead or behind.
TEST_CASE("a row is read whole while it is written") {
  constexpr std::uint32_t kLast = 1u << 23;
  constexpr int kEnough = 20000;  // different rows
  Boxes boxes;
  std::atomic<bool> done{false};
  std::jthread writer([&](const std::stop_token& stop) {
    for (std::uint32_t number = 1; number <= kLast && !stop.stop_requested(); ++number) {
      for (AtomicFloat& lane : boxes.min[1]) {
        // release: x86 stores in the order of the program, and so must the compiler.
        lane.store(static_cast<float>(number), std::memory_order::release);
      }
    }
    done.store(true, std::memory_order::release);
  });
  std::array<float, 4> before{};
  int different = 0, between = 0;
  while (different < kEnough && !done.load(std::memory_order::acquire)) {
    const auto row = BoxRows<3, 4>(boxes.min, boxes.max).min(1).ToArray();
    for (std::size_t i = 0; i < 4; ++i) {
      REQUIRE(row[i] >= before[i]);
      REQUIRE(row[i] == static_cast<float>(static_cast<std::uint32_t>(row[i])));
      REQUIRE(row[i] <= static_cast<float>(kLast));
    }
    if constexpr (kHasRowLoad<AtomicFloat, 4>) {
      for (std::size_t i = 1; i < 4; ++i) REQUIRE(row[i] <= row[i - 1]);
      REQUIRE(row[0] - row[3] <= 1.0f);
    }
    if (row[0] != before[0]) ++different;
    if (row[0] != row[3]) ++between;
    before = row;
  }
  INFO("met between two stores: " << between);
  CHECK(different > 0);
}

}  // namespace
}  // namespace nowait

// The order of contacts: every sub-step meets each of them once, and those of every other sub-step
// come in the opposite order of colours.
#include "src/dynamics/contact_order.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cstdint>
#include <span>
#include <vector>

#include "src/dynamics/contact_block.h"

namespace nowait {
namespace {

std::vector<ContactBlock> Blocks(const std::vector<std::uint32_t>& colours) {
  std::vector<ContactBlock> blocks(colours.size());
  for (std::size_t i = 0; i < colours.size(); ++i) blocks[i].colour = colours[i];
  return blocks;
}

// The colours that are taken, one after the other. Each one is taken whole, and no block twice.
std::vector<std::uint32_t> Taken(std::vector<ContactBlock>& blocks, ContactOrder order) {
  std::vector<std::uint32_t> colours;
  std::vector<int> times(blocks.size(), 0);
  for (std::span<ContactBlock> left = blocks; !left.empty();) {
    const std::span<ContactBlock> taken = TakeColour(left, order);
    REQUIRE_FALSE(taken.empty());
    for (const ContactBlock& block : taken) {
      CHECK(block.colour == taken.front().colour);
      ++times[static_cast<std::size_t>(&block - blocks.data())];
    }
    colours.push_back(taken.front().colour);
  }
  CHECK(std::ranges::all_of(times, [](int count) { return count == 1; }));
  return colours;
}

TEST_CASE("colours are taken whole, from either end") {
  std::vector<ContactBlock> blocks = Blocks({0, 0, 0, 1, 2, 2});
  CHECK(Taken(blocks, ContactOrder::kForwards) == std::vector<std::uint32_t>{0, 1, 2});
  CHECK(Taken(blocks, ContactOrder::kBackwards) == std::vector<std::uint32_t>{2, 1, 0});
  std::vector<ContactBlock> one = Blocks({4, 4});
  CHECK(Taken(one, ContactOrder::kForwards) == std::vector<std::uint32_t>{4});
  CHECK(Taken(one, ContactOrder::kBackwards) == std::vector<std::uint32_t>{4});
}

TEST_CASE("sub-steps go forwards and backwards in turn") {
  for (std::uint32_t substep = 0; substep < 8; ++substep) {
    const PassOrder here = OrderOf(substep, false), next = OrderOf(substep + 1, false);
    CHECK(here.contacts != next.contacts);
    CHECK(here.points == ContactOrder::kForwards);
    const PassOrder slender = OrderOf(substep, true);
    CHECK(slender.contacts == ContactOrder::kForwards);
    CHECK(slender.points != OrderOf(substep + 1, true).points);
  }
  CHECK(OrderOf(0, false).contacts == ContactOrder::kForwards);
  CHECK(OrderOf(0, true).points == ContactOrder::kForwards);
}

TEST_CASE("towers are slender, pyramids and what floats are not") {
  CHECK_FALSE(IsSlender(2, 1));
  CHECK(IsSlender(3, 1));
  CHECK(IsSlender(98, 2));  // 25 layers of two crossed beams
  for (std::size_t layers = 1; layers < 40; ++layers)
    CHECK_FALSE(IsSlender(layers * layers, layers));
  CHECK_FALSE(IsSlender(100, 0));
}

}  // namespace
}  // namespace nowait

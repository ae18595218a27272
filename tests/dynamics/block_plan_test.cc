#include "src/dynamics/block_plan.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cstdint>
#include <set>
#include <vector>

#include "src/dynamics/contact_block.h"
#include "src/math/random.h"

namespace nowait {
namespace {

constexpr std::uint32_t kFixed = ContactEnds::kFixed;

struct Contacts {
  std::vector<ContactEnds> ends;
  std::vector<std::uint8_t> points;

  void Add(ContactEnds contact, std::uint32_t count) {
    ends.push_back(contact);
    points.push_back(static_cast<std::uint8_t>(count));
  }
};

BlockPlan PlanOf(const Contacts& contacts, std::uint32_t bodies) {
  ContactColours colours;
  colours.Assign(contacts.ends, bodies);
  BlockPlan plan;
  plan.Make(colours, contacts.points);
  return plan;
}

// The promise for any contacts.
void Check(const BlockPlan& plan, const Contacts& contacts) {
  std::vector<std::uint32_t> all(plan.order().begin(), plan.order().end());
  std::ranges::sort(all);
  REQUIRE(all.size() == contacts.ends.size());
  for (std::uint32_t i = 0; i < all.size(); ++i) REQUIRE(all[i] == i);
  std::uint32_t next = 0;
  std::uint32_t colour = 0;
  std::set<std::uint32_t> bodies;
  for (const PlannedBlock& block : plan.blocks()) {
    REQUIRE(block.first == next);
    REQUIRE(block.contacts >= 1);
    REQUIRE(block.contacts <= kBlockLanes);
    REQUIRE(block.colour >= colour);
    if (block.colour != colour) bodies.clear();
    colour = block.colour;
    std::uint32_t most = 0;
    for (std::uint32_t i = 0; i < block.contacts; ++i) {
      const std::uint32_t contact = plan.order()[block.first + i];
      most = std::max<std::uint32_t>(most, contacts.points[contact]);
      for (const std::uint32_t body : {contacts.ends[contact].a, contacts.ends[contact].b}) {
        if (body != kFixed) REQUIRE(bodies.insert(body).second);
      }
    }
    REQUIRE(block.points == most);
    next += block.contacts;
  }
  REQUIRE(plan.in_blocks() == next);
  // The rest is in the order of the contacts.
  REQUIRE(std::ranges::is_sorted(plan.order().subspan(next)));
}

TEST_CASE("a plan has each contact once, and no body twice in a colour's blocks") {
  const std::uint32_t seed = GENERATE(range(1u, 9u));
  const std::uint32_t bodies = GENERATE(2u, 50u, 500u);
  CAPTURE(seed, bodies);
  Random random(seed);
  Contacts contacts;
  for (std::uint32_t i = random.Below(4 * bodies); i > 0; --i) {
    const std::uint32_t a = random.Below(bodies), b = random.Below(bodies);
    contacts.Add({a, a == b || random.Below(5) == 0 ? kFixed : b}, random.Below(9));
  }
  Check(PlanOf(contacts, bodies), contacts);
}

TEST_CASE("contacts with more points come first, and those with as many keep their order") {
  Contacts contacts;
  for (std::uint32_t i = 0; i < 20; ++i) contacts.Add({i, kFixed}, 1 + i % 3);
  const BlockPlan plan = PlanOf(contacts, 20);
  Check(plan, contacts);
  REQUIRE(plan.blocks().size() == 3);
  CHECK(plan.blocks()[0].points == 3);
  CHECK(plan.blocks()[1].points == 2);
  CHECK(plan.blocks()[2].points == 1);
  CHECK(plan.blocks()[2].contacts == 4);
  const std::vector<std::uint32_t> order(plan.order().begin(), plan.order().end());
  CHECK(order == std::vector<std::uint32_t>{2,  5,  8,  11, 14, 17, 1, 4,  7,  10,
                                            13, 16, 19, 0,  3,  6,  9, 12, 15, 18});
}

TEST_CASE("no contacts have no blocks, and the contacts of a hub alone are in no block") {
  CHECK(PlanOf({}, 0).blocks().empty());
  Contacts contacts;
  for (std::uint32_t i = 1; i <= 100; ++i) contacts.Add({0, i}, 1);
  const BlockPlan plan = PlanOf(contacts, 101);
  Check(plan, contacts);
  CHECK(plan.in_blocks() == 0);  // one to a colour
}

}  // namespace
}  // namespace nowait

#include "src/islands/contact_colours.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cstdint>
#include <set>
#include <span>
#include <vector>

#include "src/math/random.h"

namespace nowait {
namespace {

constexpr std::uint32_t kFixed = ContactEnds::kFixed;
using Contacts = std::vector<ContactEnds>;

// The promise for any contacts: each is there once, in the order of each group, and no body twice
// in a colour; and earlier assignments leave no trace.
void Check(const ContactColours& colours, const Contacts& contacts, std::uint32_t bodies) {
  ContactColours fresh;
  fresh.Assign(contacts, bodies);
  REQUIRE(colours.count() == fresh.count());
  REQUIRE(std::ranges::equal(colours.order(), fresh.order()));
  std::vector<std::uint32_t> all(colours.order().begin(), colours.order().end());
  std::size_t sum = colours.rest().size();
  for (std::uint32_t colour = 0; colour < colours.count(); ++colour) {
    const auto group = colours[colour];
    sum += group.size();
    REQUIRE(group.size() >= ContactColours::kWorthAColour);
    REQUIRE(std::is_sorted(group.begin(), group.end()));
    std::set<std::uint32_t> bodies;
    for (const std::uint32_t i : group) {
      for (const std::uint32_t body : {contacts[i].a, contacts[i].b}) {
        if (body != kFixed) REQUIRE(bodies.insert(body).second);
      }
    }
  }
  REQUIRE(std::is_sorted(colours.rest().begin(), colours.rest().end()));
  REQUIRE(sum == contacts.size());
  std::sort(all.begin(), all.end());
  for (std::uint32_t i = 0; i < contacts.size(); ++i) REQUIRE(all[i] == i);
}

TEST_CASE("contacts of one colour share no body that they can move") {
  Random random(GENERATE(1u, 2u, 3u));
  const std::uint32_t bodies = GENERATE(1u, 50u, 1000u);
  const std::uint32_t count = GENERATE(0u, 31u, 64u, 4000u);
  Contacts contacts;
  for (std::uint32_t i = 0; i < count; ++i) {
    ContactEnds ends{random.Below(bodies), random.Below(bodies)};
    if (ends.a == ends.b || i % 5 == 0) (i % 2 == 0 ? ends.a : ends.b) = kFixed;
    contacts.push_back(ends);
  }
  ContactColours colours;
  for (int round = 0; round < 2; ++round) {
    colours.Assign(contacts, bodies);
    Check(colours, contacts, bodies);
  }
}

TEST_CASE("a conflict within a colour is found") {
  Contacts contacts;
  for (std::uint32_t i = 0; i < 100; ++i) contacts.push_back({i, i + 1});
  ContactColours colours;
  colours.Assign(contacts, 101);
  REQUIRE(colours.AreApart(contacts));
  // Contacts 10 and 12 have one colour, and now a body in common.
  Contacts conflict = contacts;
  conflict[12].b = 10;
  CHECK_FALSE(colours.AreApart(conflict));
  // Fixed bodies are only read.
  conflict[10].a = conflict[12].b = kFixed;
  CHECK(colours.AreApart(conflict));
  CHECK(colours.AreApart(contacts));
}

TEST_CASE("a chain has two colours") {
  Contacts contacts;
  for (std::uint32_t i = 0; i < 100; ++i) contacts.push_back({i, i + 1});
  ContactColours colours;
  colours.Assign(contacts, 101);
  Check(colours, contacts, 101);
  REQUIRE(colours.count() == 2);
  REQUIRE(colours[0].size() == 50);
  REQUIRE(colours.rest().empty());
}

TEST_CASE("contacts with the ground alone have one colour") {
  Contacts contacts;
  for (std::uint32_t i = 0; i < 64; ++i) contacts.push_back({kFixed, i});
  ContactColours colours;
  colours.Assign(contacts, 64);
  REQUIRE(colours.count() == 1);
  REQUIRE(colours[0].size() == 64);
}

TEST_CASE("a colour has kWorthAColour contacts, and with one fewer they are rest") {
  const std::uint32_t fewer = GENERATE(0u, 1u);
  const std::uint32_t count = ContactColours::kWorthAColour - fewer;
  Contacts contacts;
  for (std::uint32_t i = 0; i < count; ++i) contacts.push_back({2 * i, 2 * i + 1});
  ContactColours colours;
  colours.Assign(contacts, 2 * count);
  REQUIRE(colours.count() == 1 - fewer);
  REQUIRE(colours.rest().size() == fewer * count);
}

TEST_CASE("a hub with more contacts than there are colours leaves the others their colours") {
  Contacts contacts;
  for (std::uint32_t i = 1; i <= 100; ++i) contacts.push_back({0, i});  // the hub is body 0
  for (std::uint32_t i = 1; i <= 100; ++i) contacts.push_back({i, kFixed});
  ContactColours colours;
  colours.Assign(contacts, 101);
  Check(colours, contacts, 101);
  // The hub's are one to a colour: too few.
  REQUIRE(colours.rest().size() >= 100 - colours.count());
  REQUIRE(colours.count() >= 1);
}

TEST_CASE("a body may have a contact of each of 64 colours, and its next one is rest") {
  constexpr std::uint32_t kColours = 64;
  constexpr std::uint32_t kHubs = ContactColours::kWorthAColour;
  // As many hubs as make each colour large enough, each with contacts of its own.
  for (const std::uint32_t more : {0u, 1u}) {
    CAPTURE(more);
    Contacts contacts;
    for (std::uint32_t spoke = 0; spoke < kColours + more; ++spoke) {
      for (std::uint32_t hub = 0; hub < kHubs; ++hub) contacts.push_back({hub, kFixed});
    }
    ContactColours colours;
    colours.Assign(contacts, kHubs);
    Check(colours, contacts, kHubs);
    CHECK(colours.count() == kColours);
    CHECK(colours.rest().size() == more * kHubs);
  }
}

TEST_CASE("the colours of one island do not depend on the island before") {
  Random random(4);
  ContactColours colours;
  for (int island = 0; island < 20; ++island) {
    const std::uint32_t bodies = 2 + random.Below(500);
    Contacts contacts;
    for (std::uint32_t i = 0; i < 3 * bodies; ++i) {
      const std::uint32_t a = random.Below(bodies), b = random.Below(bodies);
      contacts.push_back({a, a == b ? kFixed : b});
    }
    CAPTURE(island);
    colours.Assign(contacts, bodies);
    Check(colours, contacts, bodies);
  }
}

// Forty wheels of three spokes: the first spoke of each is of the first colour, and so on.
TEST_CASE("each contact gets the first colour that its bodies do not have yet") {
  constexpr std::uint32_t kWheels = 40;
  Contacts contacts;
  for (std::uint32_t wheel = 0; wheel < kWheels; ++wheel) {
    const std::uint32_t hub = 4 * wheel;
    contacts.push_back({hub, hub + 1});
    contacts.push_back({hub + 2, hub});
    contacts.push_back({hub + 3, hub});
  }
  ContactColours colours;
  colours.Assign(contacts, 4 * kWheels);
  REQUIRE(colours.count() == 3);
  for (std::uint32_t colour = 0; colour < 3; ++colour) {
    REQUIRE(colours[colour].size() == kWheels);
    for (std::uint32_t i = 0; i < kWheels; ++i) CHECK(colours[colour][i] == 3 * i + colour);
  }
}

TEST_CASE("the contacts of a small colour are rest, behind all colours") {
  constexpr std::uint32_t kMany = ContactColours::kWorthAColour;
  Contacts contacts;
  std::uint32_t body = 0;
  for (std::uint32_t i = 0; i < kMany; ++i, body += 2) contacts.push_back({body, body + 1});
  const auto first = static_cast<std::uint32_t>(contacts.size());
  for (std::uint32_t i = 0; i < kMany; ++i) contacts.push_back({2 * i, kFixed});
  const auto second = static_cast<std::uint32_t>(contacts.size());
  contacts.push_back({0, kFixed});
  ContactColours colours;
  colours.Assign(contacts, body);
  Check(colours, contacts, body);
  REQUIRE(colours.count() == 2);
  CHECK(colours[0].front() == 0);
  CHECK(colours[0].size() == kMany);
  CHECK(colours[1].front() == first);
  CHECK(colours[1].size() == kMany);
  REQUIRE(colours.rest().size() == 1);
  CHECK(colours.rest()[0] == second);
  CHECK(colours.order().back() == second);

  // Without the second group, the third contact of body 0 is alone in the second colour.
  contacts.erase(contacts.begin() + first, contacts.begin() + second);
  for (std::uint32_t i = 0; i < kMany; ++i) contacts.push_back({0, kFixed});
  colours.Assign(contacts, body);
  Check(colours, contacts, body);
  CHECK(colours.count() == 1);
  CHECK(colours.rest().size() == kMany + 1);
}

TEST_CASE("no contacts have no colours") {
  ContactColours colours;
  colours.Assign({}, 0);
  REQUIRE(colours.count() == 0);
  REQUIRE(colours.rest().empty());
  REQUIRE(colours.order().empty());
}

}  // namespace
}  // namespace nowait

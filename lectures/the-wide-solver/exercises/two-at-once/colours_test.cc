// ContactColours on islands at random, on a chain, and on a wheel with a hub.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <set>
#include <vector>

#include "lectures/judge.h"
#include "src/math/random.h"

namespace nowait {
namespace {

using Contacts = std::vector<ContactEnds>;

bool TouchNoBodyTwice(const ContactColours& colours, const Contacts& contacts) {
  for (std::uint32_t colour = 0; colour < colours.count(); ++colour) {
    std::set<std::uint32_t> bodies;
    for (const std::uint32_t contact : colours[colour]) {
      for (const std::uint32_t body : {contacts[contact].a, contacts[contact].b}) {
        if (body != ContactEnds::kFixed && !bodies.insert(body).second) return false;
      }
    }
  }
  return true;
}

// Every contact in one colour or in the rest, ascending there.
bool HaveEachOnce(const ContactColours& colours, const Contacts& contacts) {
  std::vector<bool> seen(contacts.size());
  for (std::uint32_t group = 0; group <= colours.count(); ++group) {
    const auto of = group < colours.count() ? colours[group] : colours.rest();
    if (!std::ranges::is_sorted(of)) return false;
    for (const std::uint32_t contact : of) {
      if (seen[contact]) return false;
      seen[contact] = true;
    }
  }
  return std::ranges::count(seen, true) == std::ssize(contacts);
}

Contacts AtRandom(std::uint32_t bodies, std::uint32_t count, Random& random) {
  Contacts contacts;
  for (std::uint32_t i = 0; i < count; ++i) {
    const std::uint32_t a = random.Below(bodies), b = random.Below(bodies + 1);
    if (a != b) contacts.push_back({a, b == bodies ? ContactEnds::kFixed : b});
  }
  return contacts;
}

// Body i touches body i + 1, and the first one the ground.
Contacts Chain(std::uint32_t bodies) {
  Contacts contacts = {{ContactEnds::kFixed, 0}};
  for (std::uint32_t i = 0; i + 1 < bodies; ++i) contacts.push_back({i, i + 1});
  return contacts;
}

int Main() {
  Random random(2024);
  Judge judge;
  ContactColours colours;
  bool apart = true, once = true, few = true;
  for (int round = 0; round < 200; ++round) {
    const std::uint32_t bodies = 2 + random.Below(60);
    const Contacts contacts = AtRandom(bodies, random.Below(600), random);
    colours.Assign(contacts, bodies);
    apart = apart && TouchNoBodyTwice(colours, contacts);
    once = once && HaveEachOnce(colours, contacts);
    std::vector<std::uint32_t> degrees(bodies + 1);
    for (const auto& [a, b] : contacts) {
      ++degrees[std::min(a, bodies)];
      ++degrees[std::min(b, bodies)];
    }
    degrees.pop_back();  // the ground's
    few = few && colours.count() <= 2 * *std::ranges::max_element(degrees);
  }
  judge.Ask(apart, "no colour touches a body twice");
  judge.Ask(once, "each contact is in one colour, or in the rest");
  judge.Ask(few, "there are fewer colours than twice the contacts of a body");

  const Contacts chain = Chain(100);
  colours.Assign(chain, 100);
  fmt::print("a chain of 100 bodies: {} colours\n", colours.count());
  judge.Ask(colours.count() == 2 && colours.rest().empty(), "a chain needs two colours");

  // Fixed ends are nobody's: a floor with 100 boxes is one colour.
  Contacts floor;
  for (std::uint32_t i = 0; i < 100; ++i) floor.push_back({i, ContactEnds::kFixed});
  colours.Assign(floor, 100);
  judge.Ask(colours.count() == 1, "boxes beside each other on the ground need one colour");
  return judge.End();
}

}  // namespace
}  // namespace nowait

int main() { return nowait::Main(); }

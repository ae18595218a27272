// Contacts are dealt out to pieces in a thousand ways; the resulting list must be the same.
#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <random>
#include <span>
#include <vector>

#include "lectures/judge.h"
#include "src/bodies/body_id.h"
#include "src/dynamics/contact.h"

namespace nowait {
namespace {

using Key = std::uint64_t;

std::vector<Key> KeysOf(const std::vector<FoundContact>& contacts) {
  std::vector<Key> keys;
  for (const FoundContact& contact : contacts) keys.push_back(contact.key());
  return keys;
}

// Slots up to 5,000, so that a key of too few bits is found out, and generations that fall while
// slots rise.
std::vector<FoundContact> SomeContacts(std::mt19937& random) {
  std::vector<FoundContact> contacts;
  for (std::uint32_t i = 0; i < 60; ++i) {
    const std::uint32_t a = random() % 4000;
    const std::uint32_t b = a + 1 + random() % 1000;
    FoundContact contact;
    contact.a = BodyId(0, a, 4000 - a);
    contact.b = BodyId(0, b, 5000 - b);
    contacts.push_back(contact);
  }
  std::ranges::sort(contacts, {}, &FoundContact::key);
  const auto equal = std::ranges::unique(contacts, {}, &FoundContact::key);
  contacts.erase(equal.begin(), equal.end());
  return contacts;
}

int JudgeAll(std::uint32_t seed) {
  std::mt19937 random(seed);
  bool each = true;
  bool once = true;
  bool same = true;
  for (int scene = 0; scene < 20; ++scene) {
    const std::vector<FoundContact> contacts = SomeContacts(random);
    std::vector<Key> first;
    for (int run = 0; run < 50; ++run) {
      // Found by luck: in any piece, in any order, and some twice.
      std::vector<FoundContact> found = contacts;
      for (std::size_t i = 0; i < 10; ++i) found.push_back(contacts[random() % contacts.size()]);
      std::ranges::shuffle(found, random);
      std::vector<std::vector<FoundContact>> pieces(1 + random() % 8);
      for (const FoundContact& contact : found) pieces[random() % pieces.size()].push_back(contact);

      const std::vector<Key> keys =
          KeysOf(Collect(std::span<const std::vector<FoundContact>>(pieces)));
      std::vector<Key> sorted = keys;
      std::ranges::sort(sorted);
      once = once && std::ranges::adjacent_find(sorted) == sorted.end();
      const auto repeated = std::ranges::unique(sorted);
      sorted.erase(repeated.begin(), repeated.end());
      each = each && sorted == KeysOf(contacts);
      if (run == 0) first = keys;
      same = same && keys == first;
    }
  }
  fmt::print("1,000 ways to find the contacts of 20 scenes, seed {}\n", seed);
  Judge judge;
  judge.Ask(each, "each contact that was found is in the list, and no other");
  judge.Ask(once, "each pair is in the list once");
  judge.Ask(same, "the list is the same in whatever order the contacts were found");
  return judge.End();
}

}  // namespace
}  // namespace nowait

int main() { return nowait::JudgeAll(15); }

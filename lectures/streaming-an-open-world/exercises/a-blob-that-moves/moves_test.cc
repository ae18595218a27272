// CaveBlob::Open on a cave in its first place, in others and behind another blob, and on wrong
// doors.
#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "lectures/judge.h"
#include "src/base/assert.h"

namespace nowait {
namespace {

constexpr std::uint64_t kGold = 1 + 20 + 300 + 4000 + 50000;

std::vector<std::byte> Cave() {
  const std::vector<std::uint64_t> gold = {1, 20, 300, 4000, 50000};
  const std::vector<std::vector<std::uint32_t>> doors = {{1, 2}, {0, 3}, {}, {4, 4, 2}, {0}};
  const auto made = CaveBlob::Make(gold, doors);
  NOWAIT_ASSERT(made, "a small cave has room");
  return *made;
}

// A place for bytes: 16-byte aligned, as a vector's storage is.
std::vector<std::byte> CopyOf(std::span<const std::byte> bytes) {
  return {bytes.begin(), bytes.end()};
}

// All gold that a walk from the first room finds. Nothing: the cave does not open, or a door leads
// out of the bytes, where nobody goes.
std::optional<std::uint64_t> Walk(std::span<std::byte> bytes) {
  const auto cave = CaveBlob::Open(bytes);
  if (!cave || cave->rooms().empty()) return {};
  std::vector<const Room*> found = {&cave->rooms()[0]};
  std::uint64_t gold = 0;
  for (std::size_t next = 0; next < found.size(); ++next) {
    const Room& room = *found[next];
    const auto* const at = reinterpret_cast<const std::byte*>(&room);
    if (at < bytes.data() || at + sizeof(Room) > bytes.data() + bytes.size()) return {};
    gold += room.gold;
    for (const Door& door : cave->DoorsOf(room)) {
      const Room* const to = &cave->Through(door);
      if (std::ranges::find(found, to) == found.end()) found.push_back(to);
    }
  }
  return gold;
}

// Whether a cave of two rooms opens whose one door has this number.
bool OpensWith(std::uint64_t number) {
  const std::vector<Room> rooms = {{0, 1, 5}, {1, 0, 7}};
  const auto door = std::bit_cast<Door>(number);
  auto bytes = CaveBlob::Write(rooms, std::span(&door, 1));
  NOWAIT_ASSERT(bytes, "a small cave has room");
  return CaveBlob::Open(*bytes).has_value();
}

int Main() {
  Judge judge;
  const std::vector<std::byte> original = Cave();
  std::vector<std::byte> here = CopyOf(original);
  judge.Ask(Walk(here) == kGold, "a walk through the doors finds all gold");
  judge.Ask(here == original, "a look changes no byte");
  judge.Ask(Walk(here) == kGold, "a second reader opens the same bytes");

  std::vector<std::byte> moved = CopyOf(here);
  std::ranges::fill(here, std::byte{0xEE});
  judge.Ask(Walk(moved) == kGold, "moved to another place, the bytes are the same cave");
  std::vector<std::byte> again = CopyOf(moved);
  std::ranges::fill(moved, std::byte{0});
  judge.Ask(Walk(again) == kGold, "and moved once more");

  BlobWriter other(FourCharacters("DOOR"), 1, 1u << 10);
  const auto added = other.Add(std::uint64_t{7});
  NOWAIT_ASSERT(added, "a small blob has room");
  std::vector<std::byte> sequence = *other.Finish();
  const std::size_t begin = sequence.size();
  sequence.insert(sequence.end(), original.begin(), original.end());
  judge.Ask(Walk(std::span(sequence).subspan(begin)) == kGold, "a cave lies behind another blob");

  constexpr std::uint64_t kRooms = sizeof(BlobHeader) + sizeof(CaveHeader);
  bool rooms = true, wrong = false;
  for (std::uint64_t number = 0; number < kRooms + 5 * sizeof(Room); ++number) {
    const bool is_room = number == kRooms || number == kRooms + sizeof(Room);
    if (is_room) rooms = rooms && OpensWith(number);
    if (!is_room) wrong = wrong || OpensWith(number);
  }
  for (const std::uint64_t far : {~std::uint64_t{0}, ~std::uint64_t{15}, std::uint64_t{1} << 32,
                                  (std::uint64_t{1} << 32) + kRooms}) {
    wrong = wrong || OpensWith(far);
  }
  judge.Ask(rooms, "a door may lead to each room");
  judge.Ask(!wrong, "a door that leads to no room is refused");
  return judge.End();
}

}  // namespace
}  // namespace nowait

int main() { return nowait::Main(); }

// Events that only tests post.
#ifndef NOWAIT_TESTS_EVENTS_EVENTS_OF_TESTS_H_
#define NOWAIT_TESTS_EVENTS_EVENTS_OF_TESTS_H_

#include <array>
#include <cstdint>

#include "src/events/event.h"

namespace nowait {

struct Rang {
  static constexpr std::uint32_t kType = FourCharacters("Rang");
  std::uint32_t bell;
  friend bool operator==(const Rang&, const Rang&) = default;
};
struct Passed {
  static constexpr std::uint32_t kType = FourCharacters("Pass");
  std::uint64_t door;
  std::uint64_t person;
  friend bool operator==(const Passed&, const Passed&) = default;
};
// Odd: three bytes.
struct Blinked {
  static constexpr std::uint32_t kType = FourCharacters("Blnk");
  std::array<std::uint8_t, 3> lights;
  friend bool operator==(const Blinked&, const Blinked&) = default;
};
struct Nothing {
  static constexpr std::uint32_t kType = FourCharacters("Noth");
  std::array<std::uint64_t, 16> much;
};
static_assert(Event<Rang> && Event<Passed> && Event<Blinked> && Event<Nothing>);

}  // namespace nowait

#endif  // NOWAIT_TESTS_EVENTS_EVENTS_OF_TESTS_H_

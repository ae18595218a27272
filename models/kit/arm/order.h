// A strict order over at most 64 events, built pair by pair, transitively closed.
#ifndef NOWAIT_MODELS_KIT_ARM_ORDER_H_
#define NOWAIT_MODELS_KIT_ARM_ORDER_H_

#include <array>
#include <cstddef>
#include <cstdint>

#include "models/kit/arm/event.h"

namespace nowait::arm {

class Order {
 public:
  // Puts `earlier` before `later`. Returns false if that closes a cycle; the order is then of no
  // further use. O(number of events).
  bool Add(std::size_t earlier, std::size_t later) {
    if (earlier == later || Has(after_[later], earlier)) return false;
    if (Has(after_[earlier], later)) return true;
    const std::uint64_t gained = after_[later] | Only(later);
    for (std::size_t event = 0; event < kMostEvents; ++event) {
      if (event == earlier || Has(after_[event], earlier)) after_[event] |= gained;
    }
    return true;
  }

 private:
  std::array<std::uint64_t, kMostEvents> after_{};
};

}  // namespace nowait::arm

#endif  // NOWAIT_MODELS_KIT_ARM_ORDER_H_

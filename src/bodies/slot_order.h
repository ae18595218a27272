// SlotOrder: which slot is given away next, and with which generation. Two storages with the same
// slot order give the same ids from then on.
#ifndef NOWAIT_SRC_BODIES_SLOT_ORDER_H_
#define NOWAIT_SRC_BODIES_SLOT_ORDER_H_

#include <cstdint>
#include <vector>

namespace nowait {

struct SlotOrder {
  std::vector<std::uint32_t> generations;  // of the next id of each slot
  std::vector<std::uint32_t> free;         // slots, the next one first
  std::uint32_t end = 0;                   // every slot that was ever used is below
};

}  // namespace nowait

#endif  // NOWAIT_SRC_BODIES_SLOT_ORDER_H_

// What all pieces of the narrow phase have found, as one list for the solver.
#ifndef NOWAIT_LECTURES_15_THE_PHYSICS_UPDATE_EXERCISES_IN_WHATEVER_ORDER_COLLECT_H_
#define NOWAIT_LECTURES_15_THE_PHYSICS_UPDATE_EXERCISES_IN_WHATEVER_ORDER_COLLECT_H_

#include <span>
#include <vector>

#include "src/dynamics/contact.h"

namespace nowait {

// pieces: the contacts of each piece of work, in the order in which they were found. Two pieces may have
// the same contact, if both of its bodies were woken.
inline std::vector<FoundContact> Collect(std::span<const std::vector<FoundContact>> pieces) {
  std::vector<FoundContact> all;
  for (const std::vector<FoundContact>& piece : pieces) {
    for (const FoundContact& contact : piece) all.push_back(contact);
  }
  return all;
}

}  // namespace nowait

#endif  // NOWAIT_LECTURES_15_THE_PHYSICS_UPDATE_EXERCISES_IN_WHATEVER_ORDER_COLLECT_H_

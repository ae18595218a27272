// Events in the order of the objects that receive them.
//
//   order.Sort<ScriptEvent>(sent, events);            // by receiver
//   FindReceivers<ScriptEvent>(events, begins);       // events[begins[i]] is the first of one
//
// Of one receiver, the events keep the order that they had. A receiver is a slot: an event for an
// earlier object of the slot lies among those for the present one.
//
// Thread safety: one thread. No allocation for as many events as there have been before.
// Test: tests/script/system_test.cc, tests/script/world_manager_test.cc.
#ifndef NOWAIT_SRC_SCRIPT_RECEIVERS_H_
#define NOWAIT_SRC_SCRIPT_RECEIVERS_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace nowait {

class ReceiverOrder {
 public:
  // Makes room for so many events. Throws std::bad_alloc.
  void Reserve(std::uint32_t events) { keys_.reserve(events); }

  // Replaces `sorted` by the events, of which there are at most 2^32 - 1. O(e log e).
  template <class Event>
  void Sort(std::span<const Event> events, std::vector<Event>& sorted) {
    keys_.clear();
    for (std::size_t i = 0; i < events.size(); ++i) {
      keys_.push_back(std::uint64_t{events[i].to.slot} << 32 | i);
    }
    std::ranges::sort(keys_);
    sorted.clear();
    for (const std::uint64_t key : keys_) sorted.push_back(events[static_cast<std::uint32_t>(key)]);
  }

 private:
  std::vector<std::uint64_t> keys_;  // receiver, position
};

// Replaces `begins` by the places at which the events of each receiver begin. events: sorted.
template <class Event>
void FindReceivers(std::span<const Event> events, std::vector<std::uint32_t>& begins) {
  begins.clear();
  for (std::uint32_t i = 0; i < events.size(); ++i) {
    if (i == 0 || events[i - 1].to.slot != events[i].to.slot) begins.push_back(i);
  }
}

}  // namespace nowait

#endif  // NOWAIT_SRC_SCRIPT_RECEIVERS_H_

// Model of src/islands/body_elements.h.
//
// Promise checked: a body that several threads wake at once gets one element and no more; each
// element belongs to one body; a thread is told the element or that it is being given, and links
// left for the join end up in the same partition as those made at once.
//
// What is examined: every execution of two threads that wake the same two bodies, in either order,
// and link them to bodies of their own.
#include "src/islands/body_elements.h"

#include <cstdint>
#include <set>

#include "models/kit/model.h"

namespace nowait {
namespace {

using model::Check;
using model::ContextBound;
using model::Full;
using model::Random;
using model::Scenario;

// A body's element, the structure's answer to whoever finds it touched.
std::uint32_t Wake(BodyElements<ModelSync>& elements, std::uint32_t body) {
  const model::Call call("Wake");
  return elements.Wake(body);
}

// Bodies 0 and 1 are awake, 2 and 3 asleep. Thread t is body t's narrow phase: it finds the sleeping
// ones touched, thread 0 in ascending order
// and thread 1 in that order or the opposite one.
template <std::uint32_t kFound, bool kOppositeOrder>
struct WakeTogether {
  static constexpr int kThreads = 2;
  static constexpr std::uint32_t kBodies = 2 + kFound;

  WakeTogether() {
    elements.Add(0);
    elements.Add(1);
  }
  void Thread(int t) {
    for (std::uint32_t i = 0; i < kFound; ++i) {
      const std::uint32_t found = kOppositeOrder && t == 1 ? kFound - 1 - i : i;
      const std::uint32_t element = Wake(elements, 2 + found);
      Check(element == BodyElements<ModelSync>::kWaking || element < kBodies + kFound,
            "Wake tells the element, or that it is being given");
      if (element == BodyElements<ModelSync>::kWaking) {
        left[t][found] = true;
      } else {
        const model::Call call("Union");
        elements.sets().Union(elements.ElementOf(static_cast<std::uint32_t>(t)), element);
      }
    }
  }
  void After() {
    Check(elements.count() == kBodies, "each body that was woken has one element");
    std::set<std::uint32_t> slots;
    for (std::uint32_t i = 0; i < kBodies; ++i) {
      slots.insert(elements.SlotOf(i));
      Check(elements.ElementOf(elements.SlotOf(i)) == i, "a body knows its element");
    }
    Check(slots.size() == kBodies, "each body is listed once");
    for (std::uint32_t t = 0; t < 2; ++t) {
      for (std::uint32_t i = 0; i < kFound; ++i) {
        if (left[t][i]) elements.sets().Union(elements.ElementOf(t), elements.ElementOf(2 + i));
      }
    }
    for (std::uint32_t i = 0; i < kBodies; ++i) {
      Check(elements.sets().Find(i) == 0, "what touches is one island");
    }
  }

  // With room to spare, so that a body with two elements is found by the checks above.
  BodyElements<ModelSync> elements{kBodies + kFound};
  bool left[2][kFound] = {};  // each thread writes its own row
};

const Scenario<WakeTogether<1, false>> one_body({
    .name = "one-body",
    .promise = "two threads that wake one body give it one element",
    .searches = {ContextBound(2), Random(20'000).StaleExchanges().DeepHistory()},
});

const Scenario<WakeTogether<2, true>> two_bodies({
    .name = "two-bodies",
    .promise = "two threads that wake two bodies in opposite orders give each one element",
    .searches = {ContextBound(2), Random(20'000).StaleExchanges().DeepHistory()},
});

// A second frame: Wake with body 2 asleep again, whose element is not what it was.
struct WakeAfterReset {
  static constexpr int kThreads = 2;

  WakeAfterReset() {
    for (std::uint32_t slot = 0; slot < 3; ++slot) elements.Add(slot);
    elements.sets().Union(0, 2);
    elements.Reset();
    Check(elements.count() == 0, "after Reset no body has an element");
    elements.Add(1);
  }
  void Thread(int t) { found[t] = Wake(elements, 2); }
  void After() {
    Check(elements.count() == 2, "each body that was woken has one element");
    Check(elements.SlotOf(0) == 1 && elements.SlotOf(1) == 2, "each body is listed once");
    for (const std::uint32_t element : found) {
      Check(element == 1 || element == BodyElements<ModelSync>::kWaking,
            "Wake tells the element, or that it is being given");
    }
    Check(elements.sets().Find(1) == 1, "a woken body is an island of its own until it is linked");
  }

  BodyElements<ModelSync> elements{4};
  std::uint32_t found[2] = {};  // each thread writes its own
};
const Scenario<WakeAfterReset> wake_after_reset({
    .name = "reset",
    .promise = "after Reset a body that had an element is asleep, and is woken once",
    .searches = {Full(), Random(20'000).StaleExchanges().DeepHistory()},
});

}  // namespace
}  // namespace nowait

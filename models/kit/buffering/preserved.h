// The orders of one thread that a processor preserves, of IMM [podkopaev2019].
//
// A read-modify-write is a read and a write there. Each has a node of its own: what precedes the
// write need not precede the read.
#ifndef NOWAIT_MODELS_KIT_BUFFERING_PRESERVED_H_
#define NOWAIT_MODELS_KIT_BUFFERING_PRESERVED_H_

#include <cstddef>
#include <vector>

#include "models/kit/axioms/relation.h"
#include "models/kit/buffering/event.h"

namespace nowait::model::buffering {

// The nodes of an event: equal unless it is a read-modify-write.
struct Nodes {
  std::size_t read = 0;
  std::size_t write = 0;
};

// Numbers the nodes of a thread's events from `first` up. Returns the next free number.
std::size_t NumberNodes(const Events& events, std::size_t first, std::vector<Nodes>& nodes);

// The rules that can be left out, one by one: a test shows that each is needed.
enum class Rule : unsigned {
  kData,
  kAddress,
  kControl,
  kRelease,     // po; [W rel]
  kAcquire,     // [R acq]; po
  kAfterWrite,  // [W rel]; po-loc; [W]
  kFences,
  kForwards,  // rfi in ppo
  kDetour,
};
class Rules {
 public:
  constexpr Rules() = default;
  constexpr Rules Without(Rule rule) const {
    Rules fewer = *this;
    fewer.left_out_ |= 1u << static_cast<unsigned>(rule);
    return fewer;
  }
  constexpr bool Has(Rule rule) const {
    return (left_out_ >> static_cast<unsigned>(rule) & 1) == 0;
  }

 private:
  unsigned left_out_ = 0;
};

// bob: the order by releases, acquires and fences.
void AddBarrierOrder(const Events& events, const std::vector<Nodes>& nodes, const Rules& rules,
                     axioms::Relation& order);

// Whether a lost read counts as one that everything behind it depends on.
enum class Lost : bool { kNoDependency, kDependency };

// data, addr, addr;po, ctrl, the comparison of a compare-exchange, and rmw.
void AddDependencies(const Events& events, const std::vector<Nodes>& nodes, Lost lost,
                     const Rules& rules, axioms::Relation& order);

// ppo of these dependencies: [R]; dependencies+; [W]. reads, writes: by node.
axioms::Relation PreservedOf(const axioms::Relation& dependencies, const std::vector<bool>& reads,
                             const std::vector<bool>& writes);

}  // namespace nowait::model::buffering

#endif  // NOWAIT_MODELS_KIT_BUFFERING_PRESERVED_H_

// Every execution of given runs of the threads that the model allows.
//
// The runs fix the values that reads find. Open are the write that each read takes its value from
// (rf) and the modification order of each atomic (mo). For one atomic at a time, the pairs of them
// that are coherent and atomic are listed. Those of all atomics are then combined and judged as a
// whole, by C++20 (models/kit/axioms) and by IMM's rule against values out of thin air (imm.h). A
// plain read finds the last write that happens before it.
#ifndef NOWAIT_MODELS_KIT_BUFFERING_EXECUTIONS_H_
#define NOWAIT_MODELS_KIT_BUFFERING_EXECUTIONS_H_

#include <cstddef>
#include <functional>
#include <map>
#include <vector>

#include "models/kit/axioms/axioms.h"
#include "models/kit/buffering/event.h"
#include "models/kit/buffering/preserved.h"

namespace nowait::model::buffering {

struct Judged {
  // Initial values first, one for each location; then the threads' events in their order.
  const axioms::Execution& execution;
  const axioms::Orders& orders;
  std::size_t initials;
  const std::map<Location, Word>& first;  // the values of the locations at the beginning
  const std::map<Location, Word>& last;   // and at the end
  bool buffers;                           // program order and reads-from have a cycle
  bool certain;                           // allowed even if each lost read was depended on
  bool races;                             // on plain data
};

// More events than this, with a location's initial value and the second half of a read-modify-write
// as one more each, are not judged.
bool FitsExecution(const std::vector<const Events*>& threads);

// Calls `visit` for each execution. initial: the first value of each location of the threads.
void ForEachExecution(const std::vector<const Events*>& threads,
                      const std::map<Location, Word>& initial, const Rules& rules,
                      const std::function<void(const Judged&)>& visit);

}  // namespace nowait::model::buffering

#endif  // NOWAIT_MODELS_KIT_BUFFERING_EXECUTIONS_H_

// Extension: the next event of a thread, and its possible results.
//
// A read may read each write that coherence allows, a write may take each place in modification
// order that coherence and atomicity allow. One of the choices is taken at once, the maximal one:
// the newest write, the newest place, the ordinary outcome. It is always consistent (seq_cst.h says
// why). Each other one that is consistent makes a pending graph, as do the revisits by the value
// that the event writes.
#ifndef NOWAIT_MODELS_KIT_EXHAUSTIVE_EXTENSION_H_
#define NOWAIT_MODELS_KIT_EXHAUSTIVE_EXTENSION_H_

#include "models/kit/exhaustive/graph.h"
#include "models/kit/exhaustive/past.h"
#include "models/kit/exhaustive/pending.h"
#include "models/kit/exhaustive/revisit.h"

namespace nowait::model {

class Extension {
 public:
  explicit Extension(Pending& pending) : pending_(pending), revisits_(pending) {}

  // Adds the event that `request` makes, next in its thread, to `graph`. Returns its slot.
  // location: kNoLocation for fences and choices. past: the thread's.
  Slot Add(Graph& graph, int thread, const Request& request, LocationIndex location,
           const Site& site, const Past& past);
  // A thread with this past has read something stale, in vain, and does not look again.
  void AddVainTry(const Past& past) { vain_tries_.Add(past); }

 private:
  void AddRead(Graph& graph, Slot slot, const Past& past);
  void AddWrite(Graph& graph, Slot slot);
  void AddChoice(Graph& graph, Slot slot);
  void AddAllocation(Graph& graph, Slot slot);
  void AddFree(Graph& graph, Slot slot);
  void Offer(const Graph& graph, Slot slot, int place);

  Pending& pending_;
  Revisits revisits_;
  Pasts vain_tries_;
};

}  // namespace nowait::model

#endif  // NOWAIT_MODELS_KIT_EXHAUSTIVE_EXTENSION_H_

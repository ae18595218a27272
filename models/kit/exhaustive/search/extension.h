// Extension: the next event of a thread and its possible results.
//
// A read may read each write that coherence allows. A write may take each place in modification
// order that coherence and atomicity allow. The maximal choice is taken at once: the newest
// write, the newest place, the ordinary outcome. It is always consistent (seq_cst.h says why).
// Each other consistent choice makes a pending graph, as do the revisits by the value that the
// event writes.
#ifndef NOWAIT_MODELS_KIT_EXHAUSTIVE_SEARCH_EXTENSION_H_
#define NOWAIT_MODELS_KIT_EXHAUSTIVE_SEARCH_EXTENSION_H_

#include "models/kit/exhaustive/graph/graph.h"
#include "models/kit/exhaustive/graph/observations.h"
#include "models/kit/exhaustive/search/revisit.h"
#include "models/kit/exhaustive/search/work_list.h"

namespace nowait::model {

class Extension {
 public:
  struct Manner {
    bool leaves_out_vain_tries = true;  // a vain try is abandoned and remembered (execution.h)
    bool revisits = true;               // otherwise only the event's own choices are offered
  };

  explicit Extension(WorkList& work_list) : Extension(work_list, Manner{}) {}
  Extension(WorkList& work_list, Manner manner)
      : work_list_(work_list), revisits_(work_list, manner.revisits), manner_(manner) {}

  // Adds the event for `request`, the next one of its thread, to `graph`. Returns its slot.
  // location: kNoLocation for fences and choices. observations: of all threads, up to now; ignored
  // until there is a vain attempt.
  Slot Add(Graph& graph, int thread, const Request& request, LocationIndex location,
           const Site& site, const Observations& observations);
  // A thread with these observations has read something stale, in vain, and does not look again.
  void AddVainTry(const ObservationHash& observations) { vain_tries_.Add(observations); }
  bool leaves_out_vain_tries() const { return manner_.leaves_out_vain_tries; }

 private:
  void AddRead(Graph& graph, Slot slot, const Observations& observations);
  void AddWrite(Graph& graph, Slot slot);
  void AddChoice(Graph& graph, Slot slot);
  void AddAllocation(Graph& graph, Slot slot);
  void AddFree(Graph& graph, Slot slot);
  void Offer(const Graph& graph, Slot slot, int place);

  WorkList& work_list_;
  Revisits revisits_;
  const Manner manner_;
  ObservationHashCache vain_tries_;
};

}  // namespace nowait::model

#endif  // NOWAIT_MODELS_KIT_EXHAUSTIVE_SEARCH_EXTENSION_H_

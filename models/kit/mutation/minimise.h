// The order minimiser: the weakest memory orders that all scenarios accept.
//
// It begins with seq_cst everywhere, and goes down to release and acquire everywhere where that is
// accepted: all at once, or all but the source's seq_cst, then one by one. From there it goes to
// the source's orders if they are accepted. Then it takes the operations one after another and
// gives each the weakest order that the scenarios accept together with the orders of the others.
// The operations that are executed most often come first, for theirs is the cost. The result is a
// minimum in the sense that no single order can be weakened further; another sequence of the
// operations may lead to another minimum. Where every execution of a scenario can be examined, its
// acceptance is a fact about that scenario (judge.h). About the structure the table is an upper
// bound on the scenarios' sight, not a proof: the minimiser never changes the source. Where the
// source has more, a reason stands in the notes.
//
// Source: libvsync's and VSync's "push-button" relaxation (Oberhauser et al., ASPLOS 2021) reports
// such tables for locks.
#ifndef NOWAIT_MODELS_KIT_MUTATION_MINIMISE_H_
#define NOWAIT_MODELS_KIT_MUTATION_MINIMISE_H_

#include <atomic>
#include <functional>
#include <string>
#include <vector>

#include "models/kit/mutation/judge.h"
#include "models/kit/mutation/mutation_run.h"
#include "models/kit/mutation/notes.h"

namespace nowait::model {

// One order of one operation; a compare-exchange has two.
struct MinimalOrder {
  std::string operation;  // a site's name, with ":failure" for the second order
  std::memory_order in_source;
  std::memory_order weakest;
  std::string
      forbidden_by;     // the failures under the next weaker orders, and their scenarios; may be
                        // empty
  std::string because;  // the note on why the source has more; empty when there is no note

  bool SourceIsStronger() const;
};

struct MinimalOrders {
  std::vector<MinimalOrder> orders;
  Verdict together;  // of the weakest ones all at once: they survive
};

// progress: called before each order with its operation.
MinimalOrders Minimise(const Judge& judge, const Subject& subject, const Notes& notes,
                       const std::function<void(const std::string&)>& progress);

// The table in Markdown. The same for the same source, models and notes.
std::string FormatOrders(const std::string& structure, const MinimalOrders& minimal);

}  // namespace nowait::model

#endif  // NOWAIT_MODELS_KIT_MUTATION_MINIMISE_H_

// The order minimiser: the weakest memory orders that all scenarios accept.
//
// The search begins with seq_cst everywhere. It first goes down to release and acquire: everywhere
// at once, or everywhere but at the source's seq_cst operations, and then one by one. From there it
// goes to the source's orders, if they are accepted. It then takes the operations one after another
// and gives each the weakest order that the scenarios accept together with the orders of the
// others. The most frequently executed operations come first, because their orders cost the most.
// The result is minimal in the sense that no single order can be weakened further; another sequence
// of operations may lead to another minimum. Where every execution of a scenario can be examined,
// acceptance is a fact about that scenario (judge.h). For the structure, the table is only an upper
// bound on what the scenarios can see, and not a proof: the minimiser never changes the source.
// Where the source has a stronger order, the notes give a reason.
//
// Source: the "push-button" relaxation of libvsync and VSync (Oberhauser et al., ASPLOS 2021)
// reports such tables for locks.
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
  std::string operation;  // a site's name, with ":failure" for the failure order
  std::memory_order in_source;
  std::memory_order weakest;
  std::string
      forbidden_by;     // the failures under the next weaker orders, with their scenarios; may be
                        // empty
  std::string because;  // the note's reason for a stronger order in the source; may be empty

  bool SourceIsStronger() const;
};

struct MinimalOrders {
  std::vector<MinimalOrder> orders;
  Verdict together;  // on all the weakest orders at once: they survive
};

// progress: called with each operation before its order is sought.
MinimalOrders Minimise(const Judge& judge, const Subject& subject, const Notes& notes,
                       const std::function<void(const std::string&)>& progress);

// The table in Markdown. It is the same for the same source, models and notes.
std::string FormatOrders(const std::string& structure, const MinimalOrders& minimal);

}  // namespace nowait::model

#endif  // NOWAIT_MODELS_KIT_MUTATION_MINIMISE_H_

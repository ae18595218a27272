// Mutation: one change to one atomic operation of the source.
//
//   union_find.h:Union:compare-exchange:torn
//
// The mutations of an operation are: every order weaker than the source's (to-acquire, to-relaxed,
// failure-to-relaxed, ...); a read-modify-write torn into a load and a store; a compare-exchange
// whose failure is ignored; a dropped write; a store swapped with the next operation of its thread
// (delayed); and a notification that wakes no thread (not-notified), or one thread instead of all
// (one-notified).
//
// Source: mutation testing is DeMillo, Lipton, Sayward, "Hints on Test Data Selection", Computer
// 11(4), 1978; Norris and Demsky's CDSChecker paper (OOPSLA 2013) weakens one order at a time by
// hand.
#ifndef NOWAIT_MODELS_KIT_MUTATION_MUTATION_H_
#define NOWAIT_MODELS_KIT_MUTATION_MUTATION_H_

#include <atomic>
#include <string>
#include <vector>

#include "models/kit/mutation/edits.h"
#include "models/kit/mutation/site_name.h"
#include "models/kit/program/operation.h"

namespace nowait::model {

struct Mutation {
  std::string name;
  Edit edit;

  bool WeakensAnOrder() const { return edit.tampering == Tampering::kNone; }
};

// The orders that an operation of this kind may have and that demand less than `order`, from the
// strongest to the weakest.
std::vector<std::memory_order> WeakerOrders(OperationKind kind, std::memory_order order);
// Likewise for the failure order of a compare-exchange.
std::vector<std::memory_order> WeakerFailureOrders(std::memory_order order);
// The orders that demand more, from the weakest to the strongest.
std::vector<std::memory_order> StrongerOrders(OperationKind kind, std::memory_order order);
std::vector<std::memory_order> StrongerFailureOrders(std::memory_order order);

// Every mutation of an operation.
std::vector<Mutation> MutationsOf(const NamedSite& site);

}  // namespace nowait::model

#endif  // NOWAIT_MODELS_KIT_MUTATION_MUTATION_H_

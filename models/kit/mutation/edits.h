// Edits: replacements for the atomic operations of the source.
//
// A mutation is one edit; the minimiser's assignment of orders has an edit at every site. Edits are
// looked up by the operation's site while a scenario runs (EditingMachine), so one binary runs all.
#ifndef NOWAIT_MODELS_KIT_MUTATION_EDITS_H_
#define NOWAIT_MODELS_KIT_MUTATION_EDITS_H_

#include <atomic>
#include <cstdint>
#include <optional>
#include <vector>

#include "models/kit/program/operation.h"

namespace nowait::model {

enum class Tampering : std::uint8_t {
  kNone,
  kTorn,            // a read-modify-write becomes a load and a store
  kFailureIgnored,  // a failed compare-exchange reports success
  kDropped,         // nothing is written
  kDelayed,         // a store is swapped with the thread's next operation
  kNotNotified,     // no thread is woken
  kOneNotified,     // one sleeper is woken instead of all
};

struct Edit {
  std::optional<std::memory_order> order{};    // of a compare-exchange: on success
  std::optional<std::memory_order> failure{};  // of a compare-exchange only
  Tampering tampering = Tampering::kNone;

  // Whether the edit has no effect outside the scenario's threads: during set-up, no other thread
  // could see two swapped stores.
  bool IsOfThreads() const { return !order && !failure && tampering == Tampering::kDelayed; }

  // Whether the edit leaves an operation with these orders unchanged.
  bool Keeps(std::memory_order source, std::memory_order source_failure) const {
    return tampering == Tampering::kNone && order.value_or(source) == source &&
           failure.value_or(source_failure) == source_failure;
  }
};

class Edits {
 public:
  // order: the source's, for a compare-exchange on success. A site whose order is a parameter
  // counts as several operations. Replaces an earlier edit of the same operation.
  void Set(const Site& site, OperationKind kind, std::memory_order order, Edit edit);

  // Sets the edit of all operations that have no edit of their own.
  void SetOthers(Edit edit) { others_ = edit; }

  // The edit of an operation; null if the operation stays unchanged.
  const Edit* Find(const Site& site, OperationKind kind, std::memory_order order) const;

 private:
  struct Entry {
    Site site;
    OperationKind kind;
    std::memory_order order;
    Edit edit;
  };

  std::vector<Entry> entries_;
  std::optional<Edit> others_;
};

}  // namespace nowait::model

#endif  // NOWAIT_MODELS_KIT_MUTATION_EDITS_H_

// Edits: replacements for the atomic operations that the source has.
//
// A mutation is one edit; the minimiser's assignment of orders is an edit at every site. Edits are
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
  kFailureIgnored,  // a compare-exchange that failed says that it succeeded
  kDropped,         // nothing is written
  kDelayed,         // a store changes places with the thread's next operation
  kNotNotified,     // no thread is woken
  kOneNotified,     // one sleeper is woken instead of all
};

struct Edit {
  std::optional<std::memory_order> order{};    // of a compare-exchange: on success
  std::optional<std::memory_order> failure{};  // compare-exchange only
  Tampering tampering = Tampering::kNone;

  // Whether it does nothing outside the scenario's threads: during set-up there is no other thread
  // that could see two stores change places.
  bool IsOfThreads() const { return !order && !failure && tampering == Tampering::kDelayed; }

  // Whether it leaves an operation with these orders as it is.
  bool Keeps(std::memory_order source, std::memory_order source_failure) const {
    return tampering == Tampering::kNone && order.value_or(source) == source &&
           failure.value_or(source_failure) == source_failure;
  }
};

class Edits {
 public:
  // order: the source's, of a compare-exchange on success; a site whose order is a parameter is
  // several operations. Replaces an edit that was set for the operation before.
  void Set(const Site& site, OperationKind kind, std::memory_order order, Edit edit);

  // The edit of all operations that have no edit of their own.
  void SetOthers(Edit edit) { others_ = edit; }

  // The edit of an operation; null when it stays as it is.
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

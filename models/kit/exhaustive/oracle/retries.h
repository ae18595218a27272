// Retries: a program whose threads repeat a compare-exchange until it succeeds.
//
// The checker leaves the failing tries out (run/atomics.cc). Therefore each program is examined
// twice, with every try and without those that fail, and the two have to find the same: the
// executions, once a loop's failing tries are taken out of them, and the data races. The orders are
// of all kinds. The search with every try is compared with the brute force under the other styles.
#ifndef NOWAIT_MODELS_KIT_EXHAUSTIVE_ORACLE_RETRIES_H_
#define NOWAIT_MODELS_KIT_EXHAUSTIVE_ORACLE_RETRIES_H_

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace nowait::model::oracle {

struct RetryStep {
  enum class Kind : std::uint8_t {
    kLoad,
    kStore,  // value
    kAdd,    // value
    kRead,   // of the plain datum
    kWrite,
    // found = load(); while (found != leave_at) { write the datum, if writes_data;
    // if (compare_exchange_retry(found, found + value)) break; }
    kLoop,
  };

  Kind kind = Kind::kLoad;
  std::size_t object = 0;  // of two atomics
  int value = 0;
  std::memory_order order = std::memory_order::relaxed;  // of a loop: its load's
  // Of a loop.
  std::memory_order success = std::memory_order::relaxed;
  std::memory_order failure = std::memory_order::relaxed;
  int leave_at = 0;
  bool writes_data = false;
  // Only if the thread's last kLoad or kLoop found this; 0 before the first.
  std::optional<int> only_if = std::nullopt;
};

struct Retries {
  std::vector<std::vector<RetryStep>> threads;
};

// One line a thread.
std::string Format(const Retries& program);

Retries GenerateRetries(std::uint64_t seed, std::uint64_t number);

// The smallest part that `differs`: nothing can be left out of it.
Retries Shrink(Retries program, const std::function<bool(const Retries&)>& differs);

struct Retried {
  // Complete executions, each without the tries that failed.
  std::multiset<std::string> executions = {};
  bool race = false;
  std::string complaint = {};
};

enum class Tries : bool { kThatSucceed, kEvery };

// The checker that is judged.
Retried RetryByMachine(const Retries& program, Tries tries);

// The differences, for people; empty if the two agree. No execution may be `found` twice, unless a
// loop's failure synchronises less than its load: the checker examines every try of that.
std::string CompareRetries(const Retries& program, const Retried& expected, const Retried& found);

}  // namespace nowait::model::oracle

#endif  // NOWAIT_MODELS_KIT_EXHAUSTIVE_ORACLE_RETRIES_H_

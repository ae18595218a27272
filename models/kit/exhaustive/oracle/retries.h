// Retries: a program whose threads repeat a compare-exchange until it succeeds.
//
// The checker leaves the failing tries out (run/atomics.cc). Each program is therefore examined
// twice, with every try and without the failing ones, and both must find the same executions, once
// failing tries are removed from them, and the same data races. All kinds of orders occur. Other
// styles compare the search that includes every try with the brute force.
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
    kRead,   // the plain datum
    kWrite,
    // found = load(); while (found != leave_at) { write the datum, if writes_data;
    // if (compare_exchange_retry(found, found + value)) break; }; ended after `tries`, if not 0
    kLoop,
  };

  Kind kind = Kind::kLoad;
  std::size_t object = 0;  // one of two atomics
  int value = 0;
  std::memory_order order = std::memory_order::relaxed;  // of a loop: the order of its load
  // Of a loop only.
  std::memory_order success = std::memory_order::relaxed;
  std::memory_order failure = std::memory_order::relaxed;
  int leave_at = 0;
  bool writes_data = false;
  int tries = 0;
  // Execute only if the thread's last kLoad or kLoop found this; 0 before the first.
  std::optional<int> only_if = std::nullopt;
};

struct Retries {
  std::vector<std::vector<RetryStep>> threads;
};

// One line per thread.
std::string Format(const Retries& program);

Retries GenerateRetries(std::uint64_t seed, std::uint64_t number);

// The smallest part that `differs`: nothing can be removed from it.
Retries Shrink(Retries program, const std::function<bool(const Retries&)>& differs);

struct Retried {
  // Complete executions, without the failed tries.
  std::multiset<std::string> executions = {};
  bool race = false;
  // With every try: a try of a loop that gives up found another value than expected. Without the
  // failing ones: the search has noticed that such a try is not repeated, and is not finished.
  bool gives_up = false;
  std::string complaint = {};
};

// Whether the loop's failure synchronises no less than its load: its failing tries are left out.
bool FailsAlike(const RetryStep& loop);

enum class Tries : bool { kThatSucceed, kEvery };

// The checker under judgement.
Retried RetryByMachine(const Retries& program, Tries tries);

// The differences in words; empty if the two agree. No execution may be `found` twice, unless a
// loop's failure synchronises less than its load, since the checker examines every try of such
// loops. Of a program with a loop that gives up, only the refusal is compared: the loop may give up
// after spurious failures, too, and then its tries are left out.
std::string CompareRetries(const Retries& program, const Retried& expected, const Retried& found);

}  // namespace nowait::model::oracle

#endif  // NOWAIT_MODELS_KIT_EXHAUSTIVE_ORACLE_RETRIES_H_

// Report: the first thing that went wrong, in words, and how much was looked at.
//
// Thread safety: any thread. Catch2's assertions are for the main thread; other threads report
// here.
#ifndef NOWAIT_TESTS_STRESS_OPEN_WORLD_REPORT_H_
#define NOWAIT_TESTS_STRESS_OPEN_WORLD_REPORT_H_

#include <atomic>
#include <cstdint>
#include <mutex>
#include <string>
#include <utility>

#include "src/math/random.h"
#include "src/sync/rw_lock.h"

namespace nowait::open_world {

// The threads' counts. A check that was never made proves nothing, so these are asserted.
struct Counts {
  std::uint64_t queries = 0;
  std::uint64_t had_to_be_found = 0;    // bodies that stood throughout a query, where it looked
  std::uint64_t must_not_be_found = 0;  // bodies that stood throughout, elsewhere or nowhere
  std::uint64_t changed_meanwhile = 0;  // bodies that were changed during a query beside them
  std::uint64_t too_many_changes = 0;   // of these, more often than is remembered
  std::uint64_t found_changing = 0;     // reports of such bodies, compared with their states
  std::uint64_t added = 0;
  std::uint64_t moved = 0;
  std::uint64_t removed = 0;
  std::uint64_t stale_ids = 0;  // refused, as they must be
  std::uint64_t batches_finalised = 0;
  std::uint64_t batches_aborted = 0;
  std::uint64_t transfers = 0;     // under several body locks
  std::uint64_t out_of_nodes = 0;  // "tree nodes": views hold on to old ones

  Counts& operator+=(const Counts& other) {
    queries += other.queries;
    had_to_be_found += other.had_to_be_found;
    must_not_be_found += other.must_not_be_found;
    changed_meanwhile += other.changed_meanwhile;
    too_many_changes += other.too_many_changes;
    found_changing += other.found_changing;
    added += other.added;
    moved += other.moved;
    removed += other.removed;
    stale_ids += other.stale_ids;
    batches_finalised += other.batches_finalised;
    batches_aborted += other.batches_aborted;
    transfers += other.transfers;
    out_of_nodes += other.out_of_nodes;
    return *this;
  }
  std::string Words() const {
    const auto n = [](std::uint64_t value) { return std::to_string(value); };
    return n(queries) + " queries: " + n(had_to_be_found) + " bodies had to be found and " +
           n(must_not_be_found) + " not, " + n(changed_meanwhile) + " were changed meanwhile (" +
           n(found_changing) + " of them found, " + n(too_many_changes) +
           " changed too often to be judged); " + n(added) + " added, " + n(moved) + " moved, " +
           n(removed) + " removed, " + n(stale_ids) + " stale ids refused, " +
           n(batches_finalised) + " batches finalised, " + n(batches_aborted) + " aborted, " +
           n(transfers) + " transfers under several locks, " + n(out_of_nodes) +
           " times out of tree nodes";
  }
};

class Report {
 public:
  explicit Report(std::uint64_t seed) : seed_(seed) {}

  std::uint64_t seed() const { return seed_; }
  bool failed() const { return failed_.load(std::memory_order::relaxed); }
  std::string failure() const {
    const std::lock_guard lock(mutex_);
    return failure_;
  }
  void Fail(const std::string& what) {
    const std::lock_guard lock(mutex_);
    if (failed()) return;
    failure_ = what + "; seed " + std::to_string(seed_);
    failed_.store(true, std::memory_order::relaxed);
  }
  void Add(const Counts& counts) {
    const std::lock_guard lock(mutex_);
    counts_ += counts;
  }
  Counts counts() const {
    const std::lock_guard lock(mutex_);
    return counts_;
  }

 private:
  const std::uint64_t seed_;
  std::atomic<bool> failed_{false};
  mutable std::mutex mutex_;
  std::string failure_;
  Counts counts_;
};

// One thread of the stress: its name, what it is doing, and its random numbers.
struct Actor {
  Actor(Report& to, const char* called, std::uint32_t number)
      : report(to), random(to.seed() * 64 + number), name(called + std::to_string(number)) {}
  ~Actor() { report.Add(counts); }

  void Fail(const std::string& what) {
    report.Fail("thread " + name + ", operation " + std::to_string(step) + " (" + operation +
                "): " + what);
  }
  // `operation` is what the thread does from here on.
  void Does(std::string what) {
    operation = std::move(what);
    ++step;
  }

  Report& report;
  Random random;
  WaitTime wait;
  Counts counts;
  std::string name;
  std::string operation;
  std::uint64_t step = 0;
};

}  // namespace nowait::open_world

#endif  // NOWAIT_TESTS_STRESS_OPEN_WORLD_REPORT_H_

// Meter: the bookkeeping that every back end does between two executions of a search. It counts the
// executions, stops at the limits and on request, and reports progress.
#ifndef NOWAIT_MODELS_KIT_ENGINE_METER_H_
#define NOWAIT_MODELS_KIT_ENGINE_METER_H_

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <limits>
#include <optional>

#include "models/kit/engine/search_control.h"
#include "models/kit/scenario/search.h"

namespace nowait::model {

// The number of executions after which the search's own limit ends a shard. Random: those numbered
// first_number and up whose number modulo the count is the shard's index. Others: an equal share,
// which a smaller shard does not reach.
std::uint64_t ExecutionsOfShard(const Search& search, std::uint64_t first_number, Shard shard);

class Meter {
 public:
  Meter(const Search& search, std::uint64_t first_number, const SearchControl& control);

  // Whether the search's limit permits no further execution.
  bool IsDone() const { return executions_ >= limit_; }

  // Ends an execution. Returns whether it was the last one of this piece.
  //   counts: false for an execution that the back end ran only to find its way.
  //   none_left: the search has no further execution.
  //   fraction: a callable that returns the fraction of the search that is done.
  template <class Fraction>
  bool EndExecution(bool counts, bool none_left, const Fraction& fraction) {
    if (counts) ++executions_;
    return Judge(none_left, ++ended_ % kLookAtClock == 0, fraction);
  }
  // The same for several executions that other processes have ended for this search.
  template <class Fraction>
  bool EndExecutions(std::uint64_t count, bool none_left, const Fraction& fraction) {
    executions_ += count;
    return Judge(none_left, true, fraction);
  }

  std::uint64_t executions() const { return executions_; }
  double Seconds() const { return seconds_before_ + SecondsOfPiece(); }
  // The number of executions that this piece may still run; nothing if there is no limit.
  std::optional<std::uint64_t> Allowance() const {
    const std::uint64_t end = std::min(limit_, pause_);
    return end == kNoLimit ? std::nullopt : std::optional(end - std::min(end, executions_));
  }
  bool exhausted() const { return exhausted_; }
  bool finished() const { return finished_; }  // whether the search did all that was asked
  double fraction() const { return fraction_; }

 private:
  using Clock = std::chrono::steady_clock;
  static constexpr std::uint64_t kLookAtClock = 64;
  static constexpr double kReportEvery = 0.25;
  static constexpr std::uint64_t kNoLimit = std::numeric_limits<std::uint64_t>::max();

  template <class Fraction>
  bool Judge(bool none_left, bool looks_at_clock, const Fraction& fraction) {
    exhausted_ = none_left;
    finished_ = none_left || IsDone();
    if (finished_) {
      fraction_ = none_left ? 1.0 : fraction();
      return true;
    }
    const bool stops = (control_.stop != nullptr && *control_.stop != 0) || executions_ >= pause_ ||
                       (looks_at_clock && SecondsOfPiece() > max_seconds_);
    if (stops) {
      fraction_ = fraction();
    } else if (looks_at_clock && control_.progress && SecondsOfPiece() >= next_report_) {
      Report(fraction());
    }
    return stops;
  }
  double SecondsOfPiece() const {
    return std::chrono::duration<double>(Clock::now() - start_).count();
  }
  void Report(double fraction);

  const SearchControl& control_;
  const Clock::time_point start_ = Clock::now();
  const double max_seconds_;
  const double seconds_before_;
  const std::uint64_t executions_before_;
  const std::uint64_t limit_;  // in executions, over all pieces
  const std::uint64_t pause_;  // pauses after this many executions, over all pieces
  std::uint64_t executions_;
  std::uint64_t ended_ = 0;
  double next_report_ = kReportEvery;
  double fraction_ = 0;
  bool exhausted_ = false;
  bool finished_;
};

}  // namespace nowait::model

#endif  // NOWAIT_MODELS_KIT_ENGINE_METER_H_

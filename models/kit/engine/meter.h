// Meter: the book-keeping of every back end between two executions of a search: it counts them,
// stops at the limits and on request, and reports progress.
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

// How many executions a shard of a search has when the search's own limit ends it. Random: of the
// executions numbered first_number and up, those whose number is the shard's modulo the count.
// Others: an equal share, which a smaller shard does not reach.
std::uint64_t ExecutionsOfShard(const Search& search, std::uint64_t first_number, Shard shard);

class Meter {
 public:
  Meter(const Search& search, std::uint64_t first_number, const SearchControl& control);

  // Whether the search's limit leaves nothing to execute.
  bool IsDone() const { return executions_ >= limit_; }

  // Ends an execution and says whether it was the last of this piece.
  //   counts: false for one that the back end ran only to find its way.
  //   none_left: the search has no further one.
  //   fraction: a callable; the fraction of the search that is done now.
  template <class Fraction>
  bool EndExecution(bool counts, bool none_left, const Fraction& fraction) {
    if (counts) ++executions_;
    return Judge(none_left, ++ended_ % kLookAtClock == 0, fraction);
  }
  // The same for many that other processes have ended for this search.
  template <class Fraction>
  bool EndExecutions(std::uint64_t count, bool none_left, const Fraction& fraction) {
    executions_ += count;
    return Judge(none_left, true, fraction);
  }

  std::uint64_t executions() const { return executions_; }
  double Seconds() const { return seconds_before_ + SecondsOfPiece(); }
  // How many more this piece may have; nothing: any number.
  std::optional<std::uint64_t> Allowance() const {
    const std::uint64_t end = std::min(limit_, pause_);
    return end == kNoLimit ? std::nullopt : std::optional(end - std::min(end, executions_));
  }
  bool exhausted() const { return exhausted_; }
  bool finished() const { return finished_; }  // did all that the search asks for
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
  const std::uint64_t limit_;  // of executions, in all pieces
  const std::uint64_t pause_;  // after so many, in all pieces
  std::uint64_t executions_;
  std::uint64_t ended_ = 0;
  double next_report_ = kReportEvery;
  double fraction_ = 0;
  bool exhausted_ = false;
  bool finished_;
};

}  // namespace nowait::model

#endif  // NOWAIT_MODELS_KIT_ENGINE_METER_H_

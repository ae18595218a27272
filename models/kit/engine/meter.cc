#include "models/kit/engine/meter.h"

#include <algorithm>

namespace nowait::model {

std::uint64_t ExecutionsOfShard(const Search& search, std::uint64_t first_number, Shard shard) {
  // The number of executions below `end` that belong to the shard.
  const auto below = [shard](std::uint64_t end) {
    return end / shard.count + (shard.index < end % shard.count ? 1 : 0);
  };
  const std::uint64_t begin = search.IsNumbered() ? first_number : 0;
  return below(begin + search.executions) - below(begin);
}

Meter::Meter(const Search& search, std::uint64_t first_number, const SearchControl& control)
    : control_(control),
      max_seconds_(search.seconds),
      seconds_before_(control.from ? control.from->seconds : 0),
      executions_before_(control.from ? control.from->executions : 0),
      limit_(search.executions == 0 ? kNoLimit
                                    : ExecutionsOfShard(search, first_number, control.shard)),
      pause_(control.executions == 0 ? kNoLimit : executions_before_ + control.executions),
      executions_(executions_before_),
      finished_(IsDone()) {
  if (finished_) fraction_ = 1;
}

void Meter::Report(double fraction) {
  const double piece = SecondsOfPiece();
  next_report_ = piece + kReportEvery;
  const double seconds = seconds_before_ + piece;
  const auto until = [&](std::uint64_t end) {
    const double done = static_cast<double>(executions_ - executions_before_);
    return end == kNoLimit ? std::numeric_limits<double>::infinity()
                           : piece / std::max(done, 1.0) * static_cast<double>(end - executions_);
  };
  const double left = std::min({seconds * (1 - fraction) / fraction, until(limit_), until(pause_),
                                std::max(max_seconds_ - piece, 0.0)});
  control_.progress({executions_, seconds, fraction, left});
}

}  // namespace nowait::model

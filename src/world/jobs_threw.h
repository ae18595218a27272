// JobsThrew: the error that an update returns when jobs could not do their part.
#ifndef NOWAIT_SRC_WORLD_JOBS_THREW_H_
#define NOWAIT_SRC_WORLD_JOBS_THREW_H_

#include "src/base/result.h"

namespace nowait {

// The error of a job batch that could not be run, or in which jobs have thrown. Only their
// allocations can fail.
inline std::unexpected<Error> JobsThrew(const Error& of_batch) {
  if (of_batch.code == ErrorCode::kCapacity) return std::unexpected(of_batch);
  return Fail(ErrorCode::kCapacity, "memory", of_batch.amount, "jobs of the update threw");
}

}  // namespace nowait

#endif  // NOWAIT_SRC_WORLD_JOBS_THREW_H_

#include "src/jobs/task_pool_def.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "src/base/result.h"
#include "src/jobs/task_graph.h"
#include "src/sync/policy.h"

namespace nowait {

std::uint32_t TaskPoolDef::Workers() const {
  if (workers) return *workers;
  const auto cores = EngineSync::HardwareConcurrency();
  const auto mains = static_cast<std::uint32_t>(main_threads.size());
  return cores > mains ? cores - mains : 0;
}

std::uint32_t TaskPoolDef::Members() const {
  return Workers() + static_cast<std::uint32_t>(main_threads.size() + devices.size()) + 1;
}

Result<void> TaskPoolDef::Check() const {
  const std::size_t mains = main_threads.size();
  if (mains == 0 || mains > 255) {
    return Fail(ErrorCode::kInvalidArgument, "main threads", static_cast<std::int64_t>(mains),
                "a pool has from 1 to 255");
  }
  if (named_workers > Workers() || named_workers > 255 - mains) {
    return Fail(ErrorCode::kInvalidArgument, "named workers", named_workers,
                "they are workers, and with the main threads at most 255");
  }
  const std::uint64_t members = std::uint64_t{workers.value_or(0)} + mains + devices.size() + 1;
  for (const auto* names : {&main_threads, &devices}) {
    for (auto name = names->begin(); name != names->end(); ++name) {
      if (std::find(names->begin(), name, *name) == name) continue;
      return Fail(ErrorCode::kInvalidArgument, names == &devices ? "devices" : "main threads",
                  name - names->begin(), "two have the same name");
    }
  }
  if (device_patience && *device_patience <= EngineSync::clock::duration::zero()) {
    return Fail(ErrorCode::kInvalidArgument, "device patience", device_patience->count(),
                "it is above zero");
  }
  if (!TaskGraph<>::CanHave(0, members)) {
    return Fail(ErrorCode::kInvalidArgument, "threads", static_cast<std::int64_t>(members - 1),
                "and one: with 32 tasks for each there are more than 65,534");
  }
  if (!TaskGraph<>::CanHave(capacity, Members())) {
    return Fail(ErrorCode::kInvalidArgument, "open tasks", capacity,
                "with 32 more for each thread, and 32, there are more than 65,534");
  }
  return {};
}

}  // namespace nowait

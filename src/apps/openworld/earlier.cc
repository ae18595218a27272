#include "src/apps/openworld/earlier.h"

#include <limits>

#include "src/sync/policy.h"

namespace nowait {
namespace {

constexpr std::uint32_t kAsleep = ~std::uint32_t{0};

}  // namespace

Result<void> Earlier::AwaitLoads(TaskPool& pool, const Streamer& streamer) const {
  if (!on_) return {};
  for (TaskId due = streamer.Due(); due.IsTask(); due = streamer.Due()) {
    const ProfileScope scope("wait for a load");
    if (auto waited = pool.Wait(due); !waited) return waited;
  }
  return {};
}

std::uint64_t Earlier::FillIslands(const World& world) {
  if (!on_) return 0;
  world.SnapshotLinks(std::numeric_limits<std::uint32_t>::max(), links_);
  world.Snapshot(bodies_);
  numbers_.assign(world.def().max_bodies, kAsleep);
  std::uint32_t awake = 0;
  for (const BodySnapshot& body : bodies_) {
    if (body.type == BodyType::kDynamic && !body.asleep) numbers_[body.id.slot()] = awake++;
  }
  contacts_.clear();
  for (const BodyLink& link : links_.links) {
    const std::uint32_t a = numbers_[link.a], b = numbers_[link.b];
    if (a != kAsleep && b != kAsleep) contacts_.push_back({a, b});
  }
  const ProfileScope scope("flood fill");
  const std::uint64_t begin = SteadyNanoseconds();
  fill_.Run(awake, contacts_);
  return SteadyNanoseconds() - begin;
}

}  // namespace nowait

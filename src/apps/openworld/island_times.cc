#include "src/apps/openworld/island_times.h"

#include <limits>
#include <numeric>

#include "src/profile/profile.h"
#include "src/sync/policy.h"

namespace nowait {
namespace {

constexpr std::uint32_t kAsleep = ~std::uint32_t{0};

}  // namespace

void IslandTimes::Copy(const World& world) {
  world.SnapshotLinks(std::numeric_limits<std::uint32_t>::max(), links_);
  world.Snapshot(bodies_);
  numbers_.assign(world.def().max_bodies, kAsleep);
  std::uint32_t awake = 0;
  for (const BodySnapshot& body : bodies_) {
    if (body.type == BodyType::kDynamic && !body.asleep) numbers_[body.id.slot()] = awake++;
  }
  awake_.resize(awake);
  std::iota(awake_.begin(), awake_.end(), std::uint32_t{0});
  contacts_.clear();
  for (const BodyLink& link : links_.links) {
    const std::uint32_t a = numbers_[link.a], b = numbers_[link.b];
    if (a != kAsleep && b != kAsleep) contacts_.push_back({a, b});
  }
}

std::uint64_t IslandTimes::OfFloodFill(const World& world) {
  Copy(world);
  const ProfileScope scope("flood fill");
  const std::uint64_t begin = SteadyNanoseconds();
  fill_.Run(static_cast<std::uint32_t>(awake_.size()), contacts_);
  return SteadyNanoseconds() - begin;
}

std::uint64_t IslandTimes::OfLinkedSets(const World& world) {
  Copy(world);
  sets_.Reset(awake_);
  for (const auto& [a, b] : contacts_) sets_.Union(a, b);
  const ProfileScope scope("list islands");
  const std::uint64_t begin = SteadyNanoseconds();
  static_cast<void>(builder_.Finalise(sets_, awake_));
  return SteadyNanoseconds() - begin;
}

}  // namespace nowait

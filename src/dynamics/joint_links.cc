#include "src/dynamics/joint_links.h"

#include <algorithm>
#include <numeric>
#include <variant>

#include "src/dynamics/contact.h"

namespace nowait {
namespace {

std::uint64_t KeyOf(BodyId a, BodyId b) { return a < b ? PairKey(a, b) : PairKey(b, a); }

bool HasBodies(const JointDef& def, const BodyStorage& bodies) {
  return bodies.Has(def.a) && bodies.Has(def.b);
}

bool IsLive(const Joint& joint, const JointStore& joints, const BodyStorage& bodies) {
  if (!HasBodies(joint.def, bodies)) return false;
  const auto* gear = std::get_if<GearJoint>(&joint.def.kind);
  if (gear == nullptr) return true;
  const auto is_there = [&](JointId id) {
    return joints.Names(id) && HasBodies(joints[id.slot()].def, bodies);
  };
  return is_there(gear->first) && is_there(gear->second);
}

}  // namespace

void JointLinks::Build(const JointStore& joints, const BodyStorage& bodies) {
  version_ = 0;  // until all lists are made
  live_.clear();
  gone_.clear();
  for (std::uint32_t slot = 0; slot < joints.end(); ++slot) {
    if (!joints.Has(slot)) continue;
    (IsLive(joints[slot], joints, bodies) ? live_ : gone_).push_back(slot);
  }
  ListPartners(joints, bodies);
  ListApart(joints, bodies);
  version_ = joints.version();
}

// A counting sort by body.
void JointLinks::ListPartners(const JointStore& joints, const BodyStorage& bodies) {
  starts_.clear();
  partners_.clear();
  const auto each = [&](const auto& call) {
    for (const std::uint32_t joint : live_) {
      const std::uint32_t a = joints[joint].def.a.slot();
      const std::uint32_t b = joints[joint].def.b.slot();
      if (!IsDynamic(bodies.StateOf(a)) || !IsDynamic(bodies.StateOf(b))) continue;
      call(a, b);
      call(b, a);
    }
  };
  std::uint32_t count = 0;
  each([&](std::uint32_t, std::uint32_t) { ++count; });
  if (count == 0) return;
  // One place is left free before each count, so that starts can run while places are given out.
  starts_.assign(bodies.end() + 2, 0);
  partners_.resize(count);
  each([&](std::uint32_t of, std::uint32_t) { ++starts_[of + 2]; });
  std::partial_sum(starts_.begin(), starts_.end(), starts_.begin());
  each([&](std::uint32_t of, std::uint32_t partner) { partners_[starts_[of + 1]++] = partner; });
  starts_.pop_back();
}

void JointLinks::ListApart(const JointStore& joints, const BodyStorage& bodies) {
  apart_.clear();
  has_apart_.clear();
  for (const std::uint32_t joint : live_) {
    const JointDef& def = joints[joint].def;
    if (def.bodies_touch) continue;
    if (has_apart_.empty()) has_apart_.assign(bodies.end(), 0);
    has_apart_[def.a.slot()] = 1;
    has_apart_[def.b.slot()] = 1;
    apart_.push_back(KeyOf(def.a, def.b));
  }
  std::sort(apart_.begin(), apart_.end());
}

bool JointLinks::KeepsApart(BodyId a, BodyId b) const {
  const auto has = [&](BodyId id) {
    return id.slot() < has_apart_.size() && has_apart_[id.slot()] != 0;
  };
  return has(a) && has(b) && std::binary_search(apart_.begin(), apart_.end(), KeyOf(a, b));
}

}  // namespace nowait

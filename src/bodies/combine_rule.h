// CombineRule: how two bodies that touch share a number that each of them has: their friction or
// their restitution.
//
//   BodyDef ice;
//   ice.friction = 0.02f;
//   ice.friction_rule = CombineRule::kMinimum;   // slippery for whatever lies on it
//
// Each body names a rule. Of two rules the later one in the order below holds, so the result does
// not depend on which of the two bodies is first. A body that names no rule leaves the choice to
// the other one. The last four rules stand in the order of PhysX.
//
// Thread safety: pure functions; any thread. Constant time. Deterministic: no libm but std::sqrt.
// Source: [physx5], "Combine modes". Lecture: the physics update. Test:
// tests/world/combine_rules_test.cc.
#ifndef NOWAIT_SRC_BODIES_COMBINE_RULE_H_
#define NOWAIT_SRC_BODIES_COMBINE_RULE_H_

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace nowait {

enum class CombineRule : std::uint8_t {
  kUsual,          // of friction kGeometricMean, of restitution kMaximum
  kGeometricMean,  // the root of the product
  kAverage,
  kMinimum,
  kMultiply,
  kMaximum,
};
inline constexpr std::uint32_t kCombineRules = 6;

// The rule of two bodies that name `a` and `b`; never kUsual, if `usual` is not.
inline CombineRule RuleOfBoth(CombineRule a, CombineRule b, CombineRule usual) {
  const CombineRule later = std::max(a, b);
  return later == CombineRule::kUsual ? usual : later;
}

// rule: not kUsual. a, b: zero or more.
inline float Combined(CombineRule rule, float a, float b) {
  switch (rule) {
    case CombineRule::kAverage:
      return 0.5f * (a + b);
    case CombineRule::kMinimum:
      return std::min(a, b);
    case CombineRule::kMultiply:
      return a * b;
    case CombineRule::kMaximum:
      return std::max(a, b);
    case CombineRule::kUsual:
    case CombineRule::kGeometricMean:
      break;
  }
  return std::sqrt(a * b);
}

}  // namespace nowait

#endif  // NOWAIT_SRC_BODIES_COMBINE_RULE_H_

// Mass: the second moments of the children about their own centres, turned into one frame and moved
// to the common centre (Steiner).
#include "src/collision/compound_child.h"

#include <array>
#include <vector>

#include "src/collision/placed.h"
#include "src/collision/shape_geometry.h"
#include "src/math/mat3.h"

namespace nowait {
namespace {

bool IsWithin(float value, float low, float high) { return value >= low && value <= high; }

std::unexpected<Error> Wrong(const char* subject, std::uint32_t number, const char* why) {
  return Fail(ErrorCode::kInvalidArgument, subject, number, why);
}

// The moment along an axis is half of what the inertias about the other two have more than the one
// about it.
void AddTurned(const MassProperties& of, const Mat3& frame, SecondMoments& sum) {
  const double x = of.inertia.x, y = of.inertia.y, z = of.inertia.z;
  const std::array along = {0.5 * (y + z - x), 0.5 * (x + z - y), 0.5 * (x + y - z)};
  for (int axis = 0; axis < 3; ++axis) {
    const Vec3 column = frame.Column(axis);
    for (int i = 0; i < 3; ++i) {
      for (int k = 0; k < 3; ++k) {
        sum[static_cast<std::size_t>(i)][static_cast<std::size_t>(k)] +=
            along[static_cast<std::size_t>(axis)] * double{column[i]} * double{column[k]};
      }
    }
  }
}

}  // namespace

Result<void> Validate(const CompoundChild& child, std::uint32_t number, const ChildRange& range) {
  if (!IsConvex(child.shape)) return Wrong("child shape", number, "it is not convex");
  if (const Result<void> valid = Validate(child.shape); !valid) {
    return Wrong(valid.error().subject, number, valid.error().detail);
  }
  const Vec3 at = Abs(child.position);
  if (!(at.x <= range.metres && at.y <= range.metres && at.z <= range.metres)) {
    return Wrong("child position", number, range.detail);
  }
  if (!IsWithin(LengthSquared(child.rotation), 0.998f, 1.002f)) {
    return Wrong("child rotation", number, "not of length one");
  }
  if (!IsWithin(child.density, 1e-3f, 1e3f)) {
    return Wrong("child density", number, "0.001 .. 1000");
  }
  return {};
}

Result<void> ValidateNumbers(std::span<const std::uint32_t> numbers) {
  std::array<bool, kMaxCompoundChildren> taken{};
  for (const std::uint32_t number : numbers) {
    if (number >= taken.size() || taken[number]) {
      return Wrong("child number", number, "below 256, and each once");
    }
    taken[number] = true;
  }
  return {};
}

CompoundMass MassOf(std::span<const CompoundChild> children) {
  CompoundMass whole;
  std::vector<MassProperties> masses;
  Double3 first;
  for (const CompoundChild& child : children) {
    masses.push_back(MassOf(child.shape, child.density));
    whole.mass += masses.back().mass;
    first = first + ToDouble(child.position) * masses.back().mass;
  }
  whole.centre = first * (1.0 / whole.mass);
  for (std::size_t n = 0; n < children.size(); ++n) {
    AddTurned(masses[n], ToMatrix(Normalise(children[n].rotation)), whole.second);
    const Double3 from = ToDouble(children[n].position) - whole.centre;
    const std::array d = {from.x, from.y, from.z};
    for (std::size_t i = 0; i < 3; ++i) {
      for (std::size_t k = 0; k < 3; ++k) whole.second[i][k] += masses[n].mass * d[i] * d[k];
    }
  }
  return whole;
}

}  // namespace nowait

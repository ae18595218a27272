// Mass: the second moments of the children about their own centres, turned into one frame and moved
// to the common centre (Steiner); then the principal axes.
#include "src/collision/compound_shape.h"

#include <algorithm>
#include <array>
#include <utility>

#include "src/base/or_no_memory.h"
#include "src/collision/principal_axes.h"
#include "src/collision/shape_geometry.h"
#include "src/math/bounds.h"
#include "src/math/double3.h"

namespace nowait {
namespace {

constexpr float kFarthest = 1e4f;

bool IsWithin(float value, float low, float high) { return value >= low && value <= high; }

std::uint32_t NumberOf(const CompoundShapeDef& def, std::size_t child) {
  return def.numbers.empty() ? static_cast<std::uint32_t>(child) : def.numbers[child];
}

Result<void> CheckNumbers(const CompoundShapeDef& def) {
  if (!def.numbers.empty() && def.numbers.size() != def.children.size()) {
    return Fail(ErrorCode::kInvalidArgument, "child numbers",
                static_cast<std::int64_t>(def.numbers.size()), "one for each child");
  }
  std::array<bool, CompoundShape::kMaxChildren> taken{};
  for (const std::uint32_t number : def.numbers) {
    if (number >= taken.size() || taken[number]) {
      return Fail(ErrorCode::kInvalidArgument, "child number", number, "below 256, and each once");
    }
    taken[number] = true;
  }
  return {};
}

Result<void> Check(const CompoundShapeDef& def) {
  const std::size_t count = def.children.size();
  if (count == 0 || count > CompoundShape::kMaxChildren) {
    return Fail(ErrorCode::kInvalidArgument, "compound children", static_cast<std::int64_t>(count),
                "1 .. 256");
  }
  if (Result<void> valid = CheckNumbers(def); !valid) return valid;
  for (std::size_t i = 0; i < count; ++i) {
    const CompoundChild& child = def.children[i];
    const auto number = static_cast<std::int64_t>(NumberOf(def, i));
    if (!IsConvex(child.shape)) {
      return Fail(ErrorCode::kInvalidArgument, "child shape", number, "it is not convex");
    }
    if (const Result<void> valid = Validate(child.shape); !valid) {
      return Fail(ErrorCode::kInvalidArgument, valid.error().subject, number, valid.error().detail);
    }
    const Vec3 at = Abs(child.position);
    if (!(at.x <= kFarthest && at.y <= kFarthest && at.z <= kFarthest)) {
      return Fail(ErrorCode::kInvalidArgument, "child position", number,
                  "not within 10,000 metres");
    }
    if (!IsWithin(LengthSquared(child.rotation), 0.998f, 1.002f)) {
      return Fail(ErrorCode::kInvalidArgument, "child rotation", number, "not of length one");
    }
    if (!IsWithin(child.density, 1e-3f, 1e3f)) {
      return Fail(ErrorCode::kInvalidArgument, "child density", number, "0.001 .. 1000");
    }
  }
  return {};
}

struct CompoundMass {
  double mass = 0.0;
  Double3 centre;
  PrincipalAxes principal;
};

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

CompoundMass MassOfChildren(std::span<const CompoundChild> children) {
  CompoundMass whole;
  std::vector<MassProperties> masses;
  Double3 first;
  for (const CompoundChild& child : children) {
    masses.push_back(MassOf(child.shape, child.density));
    whole.mass += masses.back().mass;
    first = first + ToDouble(child.position) * masses.back().mass;
  }
  whole.centre = first * (1.0 / whole.mass);
  SecondMoments second{};
  for (std::size_t n = 0; n < children.size(); ++n) {
    AddTurned(masses[n], ToMatrix(Normalise(children[n].rotation)), second);
    const Double3 from = ToDouble(children[n].position) - whole.centre;
    const std::array d = {from.x, from.y, from.z};
    for (std::size_t i = 0; i < 3; ++i) {
      for (std::size_t k = 0; k < 3; ++k) second[i][k] += masses[n].mass * d[i] * d[k];
    }
  }
  whole.principal = PrincipalAxesOf(second);
  return whole;
}

}  // namespace

Result<std::unique_ptr<const CompoundShape>> CompoundShape::Create(const CompoundShapeDef& def) {
  if (const Result<void> valid = Check(def); !valid) return std::unexpected(valid.error());
  return OrNoMemory([&]() -> Result<std::unique_ptr<const CompoundShape>> {
    auto compound = std::unique_ptr<CompoundShape>(new CompoundShape);
    compound->MoveIntoFrame(def);
    compound->BuildTree();
    return compound;
  });
}

void CompoundShape::MoveIntoFrame(const CompoundShapeDef& def) {
  const std::span<const CompoundChild> children = def.children;
  const CompoundMass whole = MassOfChildren(children);
  mass_ = static_cast<float>(whole.mass);
  inertia_ = ToFloat(whole.principal.inertia);
  centre_ = ToFloat(whole.centre);
  rotation_ = RotationTo(whole.principal.axes);
  radii_.inner = kFarthest;
  const auto& axes = whole.principal.axes;
  for (std::size_t i = 0; i < children.size(); ++i) {
    Child child;
    child.shape = children[i].shape;
    child.radii = RadiiOf(child.shape);
    const Double3 from = ToDouble(children[i].position) - whole.centre;
    child.position = ToFloat({Dot(axes[0], from), Dot(axes[1], from), Dot(axes[2], from)});
    child.rotation = Normalise(Conjugate(rotation_) * children[i].rotation);
    child.frame = ToMatrix(child.rotation);
    child.number = NumberOf(def, i);
    child.density = children[i].density;
    const float distance = Length(child.position);
    radii_.inner = std::min(radii_.inner, child.radii.inner);
    radii_.outer = std::max(radii_.outer, distance + child.radii.outer);
    radii_.reach = std::max(radii_.reach, distance + child.radii.reach);
    is_faceted_ = is_faceted_ &&
                  (child.shape.kind == ShapeKind::kBox || child.shape.kind == ShapeKind::kHull);
    children_.push_back(child);
  }
}

void CompoundShape::BuildTree() {
  std::vector<Bounds<3>> boxes;
  for (const Child& child : children_) {
    boxes.push_back(BoundsIn(child.shape, child.position, child.frame));
  }
  std::vector<std::uint32_t> order;
  tree_ = MeshTree::Build(boxes, order);
  std::vector<Child> ordered;
  ordered.reserve(children_.size());
  for (const std::uint32_t child : order) ordered.push_back(children_[child]);
  children_ = std::move(ordered);
}

}  // namespace nowait

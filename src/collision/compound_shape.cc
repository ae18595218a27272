#include "src/collision/compound_shape.h"

#include <algorithm>
#include <utility>

#include "src/base/or_no_memory.h"
#include "src/collision/principal_axes.h"
#include "src/collision/shape_geometry.h"
#include "src/math/double3.h"

namespace nowait {
namespace {

constexpr ChildRange kRange = {1e4f, "not within 10,000 metres"};

std::uint32_t NumberOf(const CompoundShapeDef& def, std::size_t child) {
  return def.numbers.empty() ? static_cast<std::uint32_t>(child) : def.numbers[child];
}

Result<void> Check(const CompoundShapeDef& def) {
  const std::size_t count = def.children.size();
  if (count == 0 || count > CompoundShape::kMaxChildren) {
    return Fail(ErrorCode::kInvalidArgument, "compound children", static_cast<std::int64_t>(count),
                "1 .. 256");
  }
  if (!def.numbers.empty() && def.numbers.size() != count) {
    return Fail(ErrorCode::kInvalidArgument, "child numbers",
                static_cast<std::int64_t>(def.numbers.size()), "one for each child");
  }
  if (Result<void> valid = ValidateNumbers(def.numbers); !valid) return valid;
  for (std::size_t i = 0; i < count; ++i) {
    if (auto valid = Validate(def.children[i], NumberOf(def, i), kRange); !valid) return valid;
  }
  return {};
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
  const CompoundMass whole = MassOf(children);
  const PrincipalAxes principal = PrincipalAxesOf(whole.second);
  mass_ = static_cast<float>(whole.mass);
  inertia_ = ToFloat(principal.inertia);
  centre_ = ToFloat(whole.centre);
  rotation_ = RotationTo(principal.axes);
  const auto& axes = principal.axes;
  for (std::size_t i = 0; i < children.size(); ++i) {
    CompoundChild child = children[i];
    const Double3 from = ToDouble(child.position) - whole.centre;
    child.position = ToFloat({Dot(axes[0], from), Dot(axes[1], from), Dot(axes[2], from)});
    child.rotation = Normalise(Conjugate(rotation_) * child.rotation);
    Take(child, NumberOf(def, i));
  }
}

void CompoundShape::Take(const CompoundChild& child, std::uint32_t number) {
  const Radii radii = RadiiOf(child.shape);
  const float distance = Length(child.position);
  radii_.inner = children_.empty() ? radii.inner : std::min(radii_.inner, radii.inner);
  radii_.outer = std::max(radii_.outer, distance + radii.outer);
  radii_.reach = std::max(radii_.reach, distance + radii.reach);
  is_faceted_ =
      is_faceted_ && (child.shape.kind == ShapeKind::kBox || child.shape.kind == ShapeKind::kHull);
  children_.push_back({.shape = child.shape,
                       .radii = radii,
                       .position = child.position,
                       .rotation = child.rotation,
                       .frame = ToMatrix(child.rotation),
                       .number = number,
                       .density = child.density});
}

Bounds<3> CompoundShape::BoundsOfChild(const Child& child) {
  return BoundsIn(child.shape, child.position, child.frame);
}

void CompoundShape::BuildTree() {
  std::vector<Bounds<3>> boxes;
  for (const Child& child : children_) boxes.push_back(BoundsOfChild(child));
  std::vector<std::uint32_t> order;
  tree_ = MeshTree::Build(boxes, order);
  std::vector<Child> ordered;
  ordered.reserve(children_.size());
  for (const std::uint32_t child : order) ordered.push_back(children_[child]);
  children_ = std::move(ordered);
}

}  // namespace nowait

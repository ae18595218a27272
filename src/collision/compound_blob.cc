#include "src/collision/compound_blob.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

#include "src/base/as_corrupt.h"
#include "src/base/or_no_memory.h"
#include "src/collision/compound_child.h"
#include "src/collision/mesh_tree_reader.h"
#include "src/math/double3.h"

namespace nowait {
namespace {

std::unexpected<Error> Wrong(const char* subject, std::size_t place, const char* why) {
  return Fail(ErrorCode::kCorrupt, subject, static_cast<std::int64_t>(place), why);
}

constexpr MeshTreeNames kTreeNames = {"compound node", "compound nodes", "compound child"};
// From the frame's origin: children are within 10,000 metres of another one on each axis.
constexpr ChildRange kRange = {4e4f, "not within 40,000 metres"};
// Of a number, or of the largest one beside it: as far as floats of places may be rounded.
constexpr double kTolerance = 1e-3;

bool IsNear(double value, double to, double size) {
  return std::abs(value - to) <= kTolerance * size;
}

Result<std::uint32_t> PlaceOf(const CompoundShape::Child& child,
                              std::span<const ConvexHull* const> hulls) {
  if (child.shape.kind != ShapeKind::kHull) return CompoundBlobChild::kNoHull;
  const auto place = std::ranges::find(hulls, child.shape.hull);
  if (place == hulls.end()) {
    return Fail(ErrorCode::kNotFound, "child hull", child.number, "it is not in the list");
  }
  return static_cast<std::uint32_t>(place - hulls.begin());
}

}  // namespace

class CompoundBlobReader {
 public:
  CompoundBlobReader(const Blob& blob, std::span<const ConvexHull* const> hulls)
      : blob_(blob), hulls_(hulls) {}

  Result<std::unique_ptr<const CompoundShape>> Read() {
    const auto header = blob_.First<CompoundBlobHeader>();
    if (!header) return std::unexpected(header.error());
    const auto saved = blob_.Get((*header)->children);
    if (!saved) return std::unexpected(saved.error());
    const auto nodes = blob_.Get((*header)->nodes);
    if (!nodes) return std::unexpected(nodes.error());
    if (auto checked = ReadChildren(*saved); !checked) return std::unexpected(checked.error());
    if (auto checked = CheckFrame(**header); !checked) return std::unexpected(checked.error());

    auto compound = std::unique_ptr<CompoundShape>(new CompoundShape);
    for (std::size_t i = 0; i < children_.size(); ++i) compound->Take(children_[i], numbers_[i]);
    const auto box_of = [&](std::uint32_t i) {
      return CompoundShape::BoundsOfChild(compound->children_[i]);
    };
    std::vector<MeshNode, OnCacheLines<MeshNode>> own(nodes->begin(), nodes->end());
    auto tree = MeshTreeReader(SharedArray<MeshNode>(std::move(own)),
                               static_cast<std::uint32_t>(children_.size()), box_of, kTreeNames)
                    .Read();
    if (!tree) return std::unexpected(tree.error());
    compound->tree_ = std::move(*tree);
    compound->mass_ = (*header)->mass;
    compound->inertia_ = (*header)->inertia;
    compound->centre_ = (*header)->centre;
    compound->rotation_ = (*header)->rotation;
    return compound;
  }

 private:
  Result<void> ReadChildren(std::span<const CompoundBlobChild> saved) {
    if (saved.empty() || saved.size() > CompoundShape::kMaxChildren) {
      return Wrong("compound children", saved.size(), "1 .. 256");
    }
    for (const CompoundBlobChild& from : saved) {
      const auto shape = ReadShape(from);
      if (!shape) return std::unexpected(shape.error());
      const CompoundChild child{*shape, from.position, from.rotation, from.density};
      if (auto valid = Validate(child, from.number, kRange); !valid)
        return AsCorrupt(valid.error());
      children_.push_back(child);
      numbers_.push_back(from.number);
    }
    if (auto valid = ValidateNumbers(numbers_); !valid) return AsCorrupt(valid.error());
    return {};
  }

  Result<Shape> ReadShape(const CompoundBlobChild& from) const {
    switch (from.kind) {
      case static_cast<std::uint32_t>(ShapeKind::kSphere):
        return Shape::Sphere(from.radius);
      case static_cast<std::uint32_t>(ShapeKind::kCapsule):
        return Shape::Capsule(from.half_height, from.radius);
      case static_cast<std::uint32_t>(ShapeKind::kBox):
        return Shape::Box(from.half);
      case static_cast<std::uint32_t>(ShapeKind::kCylinder):
        return Shape::Cylinder(from.half_height, from.radius);
      case static_cast<std::uint32_t>(ShapeKind::kHull):
        if (from.hull >= hulls_.size()) {
          return Wrong("child hull", from.number, "it is not in the list");
        }
        return Shape::Hull(hulls_[from.hull]);
      default:
        return Wrong("child shape", from.number, "it is not convex");
    }
  }

  // Inertia about an axis: the second moments along the other two. Those of two different axes are
  // zero where the axes are principal.
  Result<void> CheckFrame(const CompoundBlobHeader& saved) const {
    const CompoundMass found = MassOf(children_);
    const SecondMoments& second = found.second;
    const std::array<double, 3> inertia = {second[1][1] + second[2][2], second[0][0] + second[2][2],
                                           second[0][0] + second[1][1]};
    const double most = *std::ranges::max_element(inertia);
    if (!IsNear(saved.mass, found.mass, found.mass)) {
      return Wrong("compound mass", 0, "is not that of the children");
    }
    // Seen from the whole: a length whose square, times the mass, is the largest moment.
    if (!(Length(found.centre) <= kTolerance * std::sqrt(most / found.mass))) {
      return Wrong("compound centre", 0, "of the children is not the origin");
    }
    for (std::size_t axis = 0; axis < 3; ++axis) {
      const double named = saved.inertia[static_cast<int>(axis)];
      if (!(named > 0.0) || !IsNear(named, inertia[axis], most)) {
        return Wrong("compound inertia", axis, "is not that of the children");
      }
      if (!IsNear(second[axis][(axis + 1) % 3], 0.0, most)) {
        return Wrong("compound rotation", axis, "an axis is not a principal one");
      }
    }
    const Vec3 far = Abs(saved.centre);
    if (!(far.x <= kRange.metres && far.y <= kRange.metres && far.z <= kRange.metres)) {
      return Wrong("compound centre", 0, kRange.detail);
    }
    if (!(std::abs(LengthSquared(saved.rotation) - 1.0f) <= 2e-3f)) {
      return Wrong("compound rotation", 0, "is not of length one");
    }
    return {};
  }

  const Blob& blob_;
  std::span<const ConvexHull* const> hulls_;
  std::vector<CompoundChild> children_;
  std::vector<std::uint32_t> numbers_;
};

Result<std::vector<std::byte>> MakeCompoundBlob(const CompoundShape& compound,
                                                std::span<const ConvexHull* const> hulls) {
  return OrNoMemory([&]() -> Result<std::vector<std::byte>> {
    std::vector<CompoundBlobChild> children;
    for (const CompoundShape::Child& child : compound.children()) {
      const auto hull = PlaceOf(child, hulls);
      if (!hull) return std::unexpected(hull.error());
      children.push_back({static_cast<std::uint32_t>(child.shape.kind), *hull, child.shape.radius,
                          child.shape.half_height, child.shape.half, child.position, child.rotation,
                          child.density, child.number});
    }
    BlobWriter writer(kCompoundKind, kCompoundVersion, std::numeric_limits<std::uint32_t>::max());
    CompoundBlobHeader header;
    const auto first = writer.Add(header);
    if (!first) return std::unexpected(first.error());
    const auto list = writer.AddArray<CompoundBlobChild>(children);
    if (!list) return std::unexpected(list.error());
    const auto nodes = writer.AddArray<MeshNode>(compound.tree().nodes());
    if (!nodes) return std::unexpected(nodes.error());
    header = {
        *list, *nodes, compound.mass(), compound.inertia(), compound.centre(), compound.rotation()};
    writer.Set(*first, header);
    return writer.Finish();
  });
}

Result<std::unique_ptr<const CompoundShape>> OpenCompoundBlob(
    std::span<const std::byte> bytes, std::span<const ConvexHull* const> hulls) {
  const auto blob = Blob::Open(bytes);
  if (!blob) return std::unexpected(blob.error());
  if (auto kind = blob->Expect(kCompoundKind, kCompoundVersion); !kind) {
    return std::unexpected(kind.error());
  }
  return OrNoMemory([&] { return CompoundBlobReader(*blob, hulls).Read(); });
}

}  // namespace nowait

#include "src/collision/scaled_shape.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>

#include "src/base/or_no_memory.h"
#include "src/collision/shape_geometry.h"
#include "src/math/mat3.h"

namespace nowait {
namespace {

// How far a turn by right angles may be from one, as an entry of its matrix.
constexpr float kRightAngle = 1e-6f;
// Of the inner radius: what a result may differ by from the set of the stretched points.
constexpr float kExact = 1e-3f;

Vec3 Times(Vec3 a, Vec3 b) { return {a.x * b.x, a.y * b.y, a.z * b.z}; }

std::unexpected<Error> CannotTake(int axis, const char* why) {
  return Fail(ErrorCode::kInvalidArgument, "scale", axis, why);
}

Result<void> Check(Vec3 factors) {
  for (int axis = 0; axis < 3; ++axis) {
    const float size = std::abs(factors[axis]);
    if (!(size >= kLeastScale && size <= kMostScale)) {  // NaN fails too
      return CannotTake(axis, "a factor is 0.001 .. 1000, or the negative of that");
    }
  }
  return {};
}

// The first axis whose factor has another size than that of x, if there is one.
std::optional<int> OtherThanX(Vec3 sizes) {
  for (const int axis : {1, 2}) {
    if (sizes[axis] != sizes.x) return axis;
  }
  return std::nullopt;
}

// A shape that is its own data; a mirrored one is itself. Valid, or the error of Validate.
Result<Shape> ScaledPlain(const Shape& shape, Vec3 factors) {
  const Vec3 sizes = Abs(factors);
  Shape scaled = shape;
  switch (shape.kind) {
    case ShapeKind::kSphere:
    case ShapeKind::kCapsule:
      if (const auto axis = OtherThanX(sizes)) {
        return CannotTake(*axis, "a sphere and a capsule take three factors of one size");
      }
      break;
    case ShapeKind::kCylinder:
      if (sizes.z != sizes.x) {
        return CannotTake(2, "a cylinder takes factors of one size along x and z");
      }
      break;
    default:
      break;
  }
  scaled.radius *= sizes.x;
  scaled.half_height *= sizes.y;
  scaled.half = Times(shape.half, sizes);
  if (shape.kind == ShapeKind::kPlane) {
    // Dot(n, p) <= d is Dot(n / f, f p) <= d, and the length of n / f is to be one.
    const Vec3 normal{shape.normal.x / factors.x, shape.normal.y / factors.y,
                      shape.normal.z / factors.z};
    scaled = Shape::Plane(normal, shape.distance / Length(normal));
  }
  if (Result<void> valid = Validate(scaled); !valid) return std::unexpected(valid.error());
  return scaled;
}

// A detail is left out of a hull that is small beside its longest side: across that, however, it
// may be large.
Result<void> CheckDetails(const ConvexHull& hull, std::span<const Vec3> points) {
  const float least = 2.0f * static_cast<float>(kCloseness) * hull.radius();
  const float most = std::max(least, kExact * RadiiOf(Shape::Hull(&hull)).inner);
  const Mat3 frame = ToMatrix(hull.rotation());
  for (std::size_t i = 0; i < points.size(); ++i) {
    const Vec3 place = TransposeTimes(frame, points[i] - hull.centre());
    const bool is_kept = std::ranges::all_of(hull.planes(), [&](const HullPlane& plane) {
      return Dot(plane.normal, place) - plane.offset <= most;
    });
    if (is_kept) continue;
    return Fail(ErrorCode::kInvalidArgument, "scaled hull", static_cast<std::int64_t>(i),
                "this vertex would be lost: too small a detail beside the longest side");
  }
  return {};
}

// The hull of the points map(vertex), in a frame of its own.
template <class Map>
Result<std::unique_ptr<const ConvexHull>> MappedHull(const ConvexHull& hull, const Map& map) {
  std::vector<Vec3> points;
  for (const Vec3& vertex : hull.vertices()) points.push_back(map(vertex));
  auto made = ConvexHull::Create({.points = points});
  if (!made) return made;
  if (auto kept = CheckDetails(**made, points); !kept) return std::unexpected(kept.error());
  return made;
}

Result<std::unique_ptr<const TriangleMesh>> ScaledMesh(const TriangleMesh& mesh, Vec3 factors) {
  std::vector<Vec3> vertices;
  vertices.reserve(mesh.vertices());
  for (const Vec3& vertex : mesh.places()) vertices.push_back(Times(vertex, factors));
  // A mirrored triangle runs the other way round.
  const bool is_mirrored = factors.x * factors.y * factors.z < 0.0f;
  std::vector<std::uint32_t> indices;
  indices.reserve(3 * std::size_t{mesh.triangles()});
  for (std::uint32_t id = 0; id < mesh.triangles(); ++id) {
    auto corners = mesh.CornersOf(id);
    if (is_mirrored) std::swap(corners[1], corners[2]);
    indices.insert(indices.end(), corners.begin(), corners.end());
  }
  auto made =
      TriangleMesh::Create({.vertices = vertices,
                            .indices = indices,
                            .materials = {mesh.materials().table(), mesh.materials().numbers()}});
  if (made && (*made)->dropped() > 0) {
    return Fail(ErrorCode::kInvalidArgument, "scaled mesh", (*made)->dropped(),
                "so many triangles would be lost: too small, or too narrow for their length");
  }
  return made;
}

Result<std::unique_ptr<const HeightField>> ScaledField(const HeightField& field, Vec3 factors) {
  for (int axis = 0; axis < 3; ++axis) {
    if (factors[axis] < 0.0f) return CannotTake(axis, "a height field is not mirrored");
  }
  if (factors.z != factors.x) {
    return CannotTake(2, "a height field takes equal factors along x and z");
  }
  std::vector<float> heights;
  heights.reserve(field.heights().size());
  for (const float height : field.heights()) heights.push_back(height * factors.y);
  return HeightField::Create(
      {.columns = field.columns(),
       .rows = field.rows(),
       .spacing = field.spacing() * factors.x,
       .heights = heights,
       .materials = {field.materials().table(), field.materials().numbers()}});
}

// Factors along the axes of a child, and how far these are from those of the compound in another
// order, as an entry of the matrix.
struct Along {
  Vec3 factors;
  float off = 0.0f;
};

// Of a child that is turned by right angles alone. Nothing for any other turn.
std::optional<Along> FactorsAlong(const Mat3& frame, Vec3 factors) {
  std::array<float, 3> along{};
  float off = 0.0f;
  for (int axis = 0; axis < 3; ++axis) {
    const Vec3 column = frame.Column(axis);
    const Vec3 size = Abs(column);
    const int to = size.x > size.y ? (size.x > size.z ? 0 : 2) : (size.y > size.z ? 1 : 2);
    for (int other = 0; other < 3; ++other) {
      if (other == to) continue;
      if (size[other] > kRightAngle) return std::nullopt;
      off = std::max(off, size[other]);
    }
    along[static_cast<std::size_t>(axis)] = factors[to];
  }
  return Along{{along[0], along[1], along[2]}, off};
}

class CompoundScaler {
 public:
  explicit CompoundScaler(Vec3 factors) : factors_(factors), sizes_(Abs(factors)) {}

  Result<void> Run(const CompoundShape& compound, ScaledShape& out) {
    std::vector<CompoundChild> children(compound.children().size());
    std::vector<std::uint32_t> numbers;
    for (std::size_t i = 0; i < children.size(); ++i) {
      const CompoundShape::Child& child = compound.children()[i];
      CompoundChild scaled{.shape = child.shape,
                           .position = Times(child.position, factors_),
                           .rotation = child.rotation,
                           .density = child.density};
      Result<void> done =
          child.shape.kind == ShapeKind::kHull ? Hull(child, scaled, out) : Plain(child, scaled);
      if (!done) {
        if (done.error().code == ErrorCode::kCapacity) return done;  // of memory
        return Fail(ErrorCode::kInvalidArgument, "child scale", child.number, done.error().detail);
      }
      children[i] = scaled;
      numbers.push_back(child.number);
    }
    auto made = CompoundShape::Create({.children = children, .numbers = numbers});
    if (!made) return std::unexpected(made.error());
    out.compound = std::move(*made);
    return {};
  }

 private:
  Result<void> Hull(const CompoundShape::Child& child, CompoundChild& scaled, ScaledShape& out) {
    auto hull = MappedHull(*child.shape.hull,
                           [&](Vec3 vertex) { return Times(child.frame * vertex, factors_); });
    if (!hull) return std::unexpected(hull.error());
    scaled.shape = Shape::Hull(hull->get());
    scaled.position = scaled.position + (*hull)->centre();
    scaled.rotation = (*hull)->rotation();
    out.hulls.push_back(std::move(*hull));
    return {};
  }

  Result<void> Plain(const CompoundShape::Child& child, CompoundChild& scaled) const {
    const auto along =
        OtherThanX(sizes_) ? FactorsAlong(child.frame, sizes_) : std::optional(Along{sizes_});
    if (!along) {
      return CannotTake(0, "a child that is turned takes factors of one size");
    }
    const Result<Shape> shape = ScaledPlain(child.shape, along->factors);
    if (!shape) return std::unexpected(shape.error());
    const Radii radii = RadiiOf(*shape);
    if (along->off * radii.outer > kExact * radii.inner) {
      return CannotTake(
          0, "a child that is long and thin is turned by a little more than right angles");
    }
    scaled.shape = *shape;
    // M R of a shape that is its own mirror image is the shape turned by M R M.
    const bool x = factors_.x < 0.0f, y = factors_.y < 0.0f, z = factors_.z < 0.0f;
    const auto sign = [](bool is_negative) { return is_negative ? -1.0f : 1.0f; };
    scaled.rotation = {child.rotation.x * sign(y != z), child.rotation.y * sign(x != z),
                       child.rotation.z * sign(x != y), child.rotation.w};
    return {};
  }

  const Vec3 factors_;
  const Vec3 sizes_;
};

template <class T>
Result<void> Keep(Result<std::unique_ptr<const T>> made, std::unique_ptr<const T>& to) {
  if (!made) return std::unexpected(made.error());
  to = std::move(*made);
  return {};
}

Result<void> ScaleInto(const Shape& shape, Vec3 factors, ScaledShape& out) {
  switch (shape.kind) {
    case ShapeKind::kHull: {
      auto hull = MappedHull(*shape.hull, [&](Vec3 vertex) { return Times(vertex, factors); });
      if (!hull) return std::unexpected(hull.error());
      out.shape = Shape::Hull(hull->get());
      out.frame = {(*hull)->centre(), (*hull)->rotation()};
      out.hulls.push_back(std::move(*hull));
      return {};
    }
    case ShapeKind::kMesh:
      if (auto done = Keep(ScaledMesh(*shape.mesh, factors), out.mesh); !done) return done;
      out.shape = Shape::Mesh(out.mesh.get());
      return {};
    case ShapeKind::kHeightField: {
      auto done = Keep(ScaledField(*shape.height_field, factors), out.height_field);
      if (!done) return done;
      out.shape = Shape::Ground(out.height_field.get());
      return {};
    }
    case ShapeKind::kCompound:
      if (auto done = CompoundScaler(factors).Run(*shape.compound, out); !done) return done;
      out.shape = Shape::Compound(out.compound.get());
      out.frame = {out.compound->centre(), out.compound->rotation()};
      return {};
    default: {
      const Result<Shape> plain = ScaledPlain(shape, factors);
      if (!plain) return std::unexpected(plain.error());
      out.shape = *plain;
      return {};
    }
  }
}

}  // namespace

Result<ScaledShape> Scaled(const Shape& shape, Vec3 factors) {
  if (Result<void> valid = Check(factors); !valid) return std::unexpected(valid.error());
  if (Result<void> valid = Validate(shape); !valid) return std::unexpected(valid.error());
  return OrNoMemory([&]() -> Result<ScaledShape> {
    ScaledShape scaled;
    if (auto done = ScaleInto(shape, factors, scaled); !done) return std::unexpected(done.error());
    return scaled;
  });
}

}  // namespace nowait

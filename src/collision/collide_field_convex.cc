// Convex shape against height field: faces of the shape laid over the triangles.
//
// It follows collide_field_box.cc: for each triangle below the shape, the face that points most
// against the triangle and the one that points down most are cut by the three vertical planes
// through the triangle's edges. A box has its deepest corner on one of these faces; other shapes
// need not. So two more places are looked at:
//   - the shape's deepest point below the triangle's plane, if it is over the triangle;
//   - the shape above each corner of the triangle, along the vertical: a peak of the ground may
//     stand in any face that points down.
// Of the round side of a cylinder that lies, five lines are laid over the triangles: the lowest one
// and two on each side of it. Those on the sides are contacts only where they touch the ground:
// those of a thin cylinder are within the margin all along, farther out than the line that carries,
// and would take its place in the manifold.
// Every normal is that of a triangle under the point, and the separation is that from its plane. A
// sharp ridge between two samples that touches a side of the shape, and none of these faces, is met
// only when the shape has sunk to one of these places.
//
// Bound: the triangles under the shape, or, if it is over more than 1,024 cells, those that
// field_blocks.h chooses.
//
// Source: clipping: [sutherland1974].
#include <algorithm>
#include <array>
#include <optional>

#include "src/collision/candidates.h"
#include "src/collision/clipped_face.h"
#include "src/collision/collide.h"
#include "src/collision/field_blocks.h"
#include "src/collision/height_field.h"
#include "src/collision/ray_cast_convex.h"
#include "src/collision/shape_geometry.h"
#include "src/collision/support.h"
#include "src/collision/supporting_face.h"

namespace nowait {
namespace {

// Features: the triangle (an id below 2^25), and in the low six bits a corner of a clipped face or
// one of these places. The highest bit marks the face that points down most.
constexpr std::uint32_t kDeepest = 61;
constexpr std::uint32_t kLowestFace = 1u << 31;
// The lines of a side beside the lowest one: thirty and sixty degrees before and behind it, as the
// cosine and the sine. Clipped by three planes, each has five features at most.
constexpr std::uint32_t kLines = 4, kOfLines = kLowestFace | 16;
constexpr std::array<std::array<float, 2>, kLines> kTurns = {
    {{0.8660254f, 0.5f}, {0.8660254f, -0.5f}, {0.5f, 0.8660254f}, {0.5f, -0.8660254f}}};
constexpr std::uint32_t LineFeature(std::uint32_t line, std::uint32_t feature) {
  return kOfLines + 5 * line + (feature < 2 ? feature : feature - 11);
}
// Above the corners of the triangle.
constexpr std::array<std::uint32_t, 3> kPeaks = {62, 63, kLowestFace | 62};

Vec3 Along(int axis, float size) {
  Vec3 v;
  v.Set(axis, size);
  return v;
}

class ConvexOnField {
 public:
  ConvexOnField(const Placed& field, const Placed& shape, float margin)
      : placed_(field),
        field_(*field.shape->height_field),
        shape_(shape),
        core_(shape, field.position),
        box_(BoundsIn(*shape.shape, shape.position - field.position, shape.rotation)),
        lowest_(SupportingFaceOf(shape, field.position, {0, -1, 0})),
        margin_(margin) {
    if (!lowest_.is_line()) return;
    const Vec3 axis = shape.rotation.y;
    const Vec3 down = NormaliseOr(axis * axis.y - Vec3{0, 1, 0}, {0, -1, 0});
    const Vec3 across = Cross(axis, down);
    for (std::size_t i = 0; i < kLines; ++i) {
      const Vec3 out = down * kTurns[i][0] + across * kTurns[i][1];
      lines_[i] = SupportingFaceOf(shape, field.position, out);
    }
  }

  void Collide(Manifold& manifold) {
    const auto cells = field_.CellsIn(box_.min[0], box_.max[0], box_.min[2], box_.max[2]);
    if (cells.empty || box_.min[1] - margin_ > field_.max_height()) return;
    const auto look_at = [this](std::uint32_t i, std::uint32_t k) { LookAt(i, k); };
    if (FieldBlocks::AreAllLookedAt(cells)) {
      for (std::uint32_t k = cells.first_k; k <= cells.last_k; ++k) {
        for (std::uint32_t i = cells.first_i; i <= cells.last_i; ++i) LookAt(i, k);
      }
    } else {
      const auto gap = [this](const GroundPart& part) { return box_.min[1] - part.top; };
      std::array<Vec3, 5> corners = {ToFloat(core_.Support({0, -1, 0}))};
      for (int side = 0; side < 4; ++side) {
        const Vec3 across = Along(side < 2 ? 0 : 2, side % 2 == 0 ? 1.0f : -1.0f);
        corners[static_cast<std::size_t>(side + 1)] =
            ToFloat(core_.Support(ToDouble(across - Vec3{0, 0.5f, 0})));
      }
      FieldBlocks(field_, cells, corners, margin_, gap).ForEachCell(look_at);
    }
    candidates_.ReduceInto(manifold);
  }

 private:
  void LookAt(std::uint32_t i, std::uint32_t k) {
    const float top = std::max({field_.HeightOf(i, k), field_.HeightOf(i + 1, k),
                                field_.HeightOf(i, k + 1), field_.HeightOf(i + 1, k + 1)});
    if (box_.min[1] - margin_ > top || field_.IsHole(i, k)) return;
    for (std::uint32_t which = 0; which < 2; ++which) AddOver(field_.TriangleAt(i, k, which));
  }

  void AddOver(const HeightField::Triangle& triangle) {
    const Vec3 deepest = ToFloat(core_.Support(ToDouble(-triangle.normal)));
    if (Dot(triangle.normal, deepest - triangle.vertices[0]) > margin_) return;
    const auto outward = [&](std::size_t edge) {
      const Vec3 along = triangle.vertices[(edge + 1) % 3] - triangle.vertices[edge];
      return Vec3{-along.z, 0.0f, along.x};
    };
    bool is_over = true;
    for (std::size_t edge = 0; edge < 3; ++edge) {
      is_over = is_over && Dot(outward(edge), deepest - triangle.vertices[edge]) <= 0.0f;
    }
    if (is_over) Add(triangle, deepest, triangle.id << 6 | kDeepest, margin_);

    const auto add_face = [&](const SupportingFace& face, float margin, auto feature_of) {
      ClippedFace clipped(face, 3);
      for (std::uint32_t edge = 0; edge < 3; ++edge) {
        const Vec3 out = outward(edge);
        clipped.Clip(out, Dot(out, triangle.vertices[edge]), edge);
      }
      for (std::uint32_t i = 0; i < clipped.count(); ++i) {
        Add(triangle, clipped[i].position, triangle.id << 6 | feature_of(clipped[i].feature),
            margin);
      }
    };
    const SupportingFace against = SupportingFaceOf(shape_, placed_.position, -triangle.normal);
    add_face(against, margin_, [](std::uint32_t corner) { return corner; });
    const auto of_lowest = [](std::uint32_t corner) { return kLowestFace | corner; };
    if (against.number != lowest_.number) add_face(lowest_, margin_, of_lowest);
    for (std::uint32_t i = 0; i < kLines && lowest_.is_line(); ++i) {
      add_face(lines_[i], 0.0f, [i](std::uint32_t corner) { return LineFeature(i, corner); });
    }
    for (std::size_t corner = 0; corner < 3; ++corner) {
      const auto low = LowestOver(triangle.vertices[corner]);
      if (low) Add(triangle, *low, triangle.id << 6 | kPeaks[corner], margin_);
    }
  }

  // The lowest point of the shape on the vertical through `sample`.
  std::optional<Vec3> LowestOver(Vec3 sample) const {
    const float below = box_.min[1] - 1.0f, above = box_.max[1] + 1.0f;
    if (sample.x < box_.min[0] || sample.x > box_.max[0] || sample.z < box_.min[2] ||
        sample.z > box_.max[2]) {
      return std::nullopt;
    }
    const Vec3 from{sample.x, below, sample.z}, up{0.0f, above - below, 0.0f};
    const Vec3 from_shape = from - (shape_.position - placed_.position);
    const RayCast local{TransposeTimes(shape_.rotation, from_shape),
                        TransposeTimes(shape_.rotation, up)};
    const Shape& shape = *shape_.shape;
    const auto hit = shape.kind == ShapeKind::kHull
                         ? CastAgainstHull(local, 1.0f, *shape.hull)
                         : CastAgainstCylinder(local, 1.0f, shape.half_height, shape.radius);
    if (!hit) return std::nullopt;
    return from + up * hit->fraction;
  }

  void Add(const HeightField::Triangle& triangle, Vec3 p, std::uint32_t feature, float margin) {
    const float separation = Dot(triangle.normal, p - triangle.vertices[0]);
    if (separation > margin) return;
    const Vec3 middle = p - triangle.normal * (0.5f * separation);
    candidates_.Add({placed_.position + middle, triangle.normal, separation, feature});
  }

  const Placed& placed_;
  const HeightField& field_;
  const Placed& shape_;
  const Core core_;      // in the field's frame
  const Bounds<3> box_;  // likewise
  const SupportingFace lowest_;
  std::array<SupportingFace, kLines> lines_;  // where the lowest one is a line
  const float margin_;
  Candidates candidates_;
};

}  // namespace

void CollideFieldConvex(const Placed& field, const Placed& convex, float margin,
                        Manifold& manifold) {
  ConvexOnField(field, convex, margin).Collide(manifold);
}

}  // namespace nowait

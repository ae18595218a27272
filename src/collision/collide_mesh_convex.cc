// Convex shape against triangle mesh: faces laid over triangles, and where no face is, the closest
// points.
//
// For each triangle that the shape's box touches and sees from the front:
//   - the face of the shape that points most against the triangle is cut by the three planes that
//     stand on the triangle's edges. Each corner of the cut is over the triangle; so the triangle's
//     own normal is its normal, and on a flat floor all normals are the same. The shape's deepest
//     point is taken as well if it is over the triangle;
//   - unless the deepest part of the shape was among them, GJK and EPA find the closest points. A
//     point on an edge or a corner of the triangle counts if it is a contact (mesh_features.h).
//     Where a face of the shape lies on it, the triangle is cut by the sides of that face;
//     elsewhere the closest points are the contact.
// Across a convex edge the plane of the far triangle lies deep in a shape that stands on the near
// one. Such a plane is no way out. The axes of the shape's own box, the way to its centre or the
// closest points show a shorter one, and it ends at the convex edge.
// Of a shape that is deep in a fine mesh there is a shorter way, too, but it leads along the
// surface into the next triangle. It is taken along the normal if that is near; otherwise the face
// over which the shape is deepest is the way out. The separation may then be less than the depth.
//
// Bound: linear in the triangles that the shape's box touches, and for each of them in those that
// meet at its closest point: a corner of thousands of triangles, deep in a shape, is expensive.
//
// Source: clipping: [sutherland1974]; [gilbert1988]; [bergen2001]; faces before edges:
// [gregorius2015]. Lecture: mesh contacts and inner edges.
#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <span>

#include "src/collision/clipped_face.h"
#include "src/collision/collide.h"
#include "src/collision/core_distance.h"
#include "src/collision/in_frame.h"
#include "src/collision/mesh_contacts.h"
#include "src/collision/mesh_features.h"
#include "src/collision/shape_geometry.h"
#include "src/collision/supporting_face.h"
#include "src/collision/triangle_mesh.h"

namespace nowait {
namespace {

// As for boxes: a face is taken for the axis when it separates less by no more than this.
constexpr float kPreference = 0.003f;

// A face of a triangle with active edges is taken for the way out without asking for a shorter one
// when a shape is no deeper, in metres. Resting shapes are not.
constexpr float kShallow = 0.02f;

// A direction nearer to the normal of a triangle than this (a cosine, 0.8 degrees) is that of its
// face, also where rounding has put the point on an edge.
constexpr float kOfFace = 0.9999f;

// Of a way along the surface, the cosine above which the normal of the triangle may stand for it.
constexpr float kNearFace = 0.5f;

constexpr float kRounding = 1e-4f;

// The corner in the feature of the deepest point; those of clipped faces are below it.
constexpr std::uint32_t kDeepest = 511;

class ConvexOnMesh {
 public:
  ConvexOnMesh(const Placed& mesh, const Placed& shape, float margin)
      : mesh_(*mesh.shape->mesh),
        shape_(InFrameOf(mesh, shape)),
        core_(shape_, {}),
        radius_(static_cast<float>(core_.radius())),
        own_(BoundsIn(*shape.shape, {}, Mat3{})),
        margin_(margin),
        contacts_(mesh),
        features_(mesh_) {}

  void Collide(Manifold& manifold) {
    const Bounds<3> box = BoundsIn(*shape_.shape, shape_.position, shape_.rotation);
    const Vec3 around{margin_, margin_, margin_};
    mesh_.VisitTriangles(ToBounds(MinOf(box) - around, MaxOf(box) + around),
                         [this](const auto& triangle) { LookAt(triangle); });
    contacts_.ReduceInto(manifold);
  }

 private:
  using Triangle = TriangleMesh::Triangle;

  void LookAt(const Triangle& triangle) {
    const Vec3 normal = triangle.normal;
    if (Dot(normal, shape_.position - triangle.vertices[0]) < 0.0f) return;  // from behind
    const float beside = AlongOwnAxes(triangle);
    if (beside > margin_) return;
    const Vec3 deepest = ToFloat(core_.Support(ToDouble(-normal)));
    const float above = Dot(normal, deepest - triangle.vertices[0]) - radius_;
    if (above > margin_) return;
    const float towards = TowardsCentre(triangle);
    if (towards > margin_) return;
    const bool is_way_out = above >= std::max(beside, towards) - kPreference &&
                            (triangle.edges == 0 || above >= -kShallow);
    if (is_way_out && AddOverFace(triangle, deepest)) return;
    // At its edges no contact would count.
    if (is_way_out && triangle.edges == 0) return;
    const bool is_laid = is_way_out;
    if (!AddClosest(triangle, above, deepest, is_laid) && !is_laid && IsOver(triangle, deepest)) {
      AddOverFace(triangle, deepest);
    }
  }

  static Vec3 Outward(const Triangle& triangle, std::size_t edge) {
    return Cross(triangle.vertices[(edge + 1) % 3] - triangle.vertices[edge], triangle.normal);
  }
  static bool IsOver(const Triangle& triangle, Vec3 point) {
    const auto is_within = [&](std::size_t edge) {
      return Dot(Outward(triangle, edge), point - triangle.vertices[edge]) <= 0.0f;
    };
    return is_within(0) && is_within(1) && is_within(2);
  }

  // How far the shape is from the triangle, along the way from there to the shape's centre.
  float TowardsCentre(const Triangle& triangle) const {
    const Vec3 nearest = ToFloat(FindClosest(triangle, shape_.position).point);
    const Vec3 way = NormaliseOr(shape_.position - nearest, triangle.normal);
    return Dot(way, ToFloat(core_.Support(ToDouble(-way))) - nearest) - radius_;
  }

  // How far the triangle is beyond the box around the shape, along the axes of the shape's frame.
  float AlongOwnAxes(const Triangle& triangle) const {
    Vec3 low = shape_.ToLocal(triangle.vertices[0]), high = low;
    for (std::size_t i = 1; i < 3; ++i) {
      const Vec3 local = shape_.ToLocal(triangle.vertices[i]);
      low = Min(low, local);
      high = Max(high, local);
    }
    const Vec3 beyond = Max(low - MaxOf(own_), MinOf(own_) - high);
    return std::max({beyond.x, beyond.y, beyond.z});
  }

  // deepest: the point of the shape's core that is lowest over the triangle's plane. Whether that
  // part of the shape is over the triangle.
  bool AddOverFace(const Triangle& triangle, Vec3 deepest) {
    const Vec3 normal = triangle.normal;
    const float above = Dot(normal, deepest - triangle.vertices[0]) - radius_;
    // Triangles of one plane, side by side in the tree, have one face against them.
    if (!against_ || against_normal_ != normal) {
      against_ = SupportingFaceOf(shape_, {}, -normal);
      against_normal_ = normal;
    }
    ClippedFace clipped(*against_, 3);
    for (std::uint32_t edge = 0; edge < 3; ++edge) {
      const Vec3 outward = Outward(triangle, edge);
      clipped.Clip(outward, Dot(outward, triangle.vertices[edge]), edge);
    }
    const auto add = [&](Vec3 p, std::uint32_t corner) {
      const float separation = Dot(normal, p - triangle.vertices[0]) - radius_;
      if (separation > margin_) return margin_;
      contacts_.Add({p - normal * (radius_ + 0.5f * separation), normal, separation,
                     FeatureOf(MeshFeature::kFace, triangle.id, corner)});
      return separation;
    };
    float least = margin_;
    for (std::uint32_t i = 0; i < clipped.count(); ++i) {
      least = std::min(least, add(clipped[i].position, clipped[i].feature));
    }
    // The face of a hull or the line of a cylinder need not have it.
    if (above < least - kRounding && IsOver(triangle, deepest)) least = add(deepest, kDeepest);
    return least <= above + kPreference;
  }

  // False where the shortest way out of the triangle leads along the surface and no contact is
  // added. above, deepest: as of AddOverFace. is_laid: whether that was called already.
  bool AddClosest(const Triangle& triangle, float above, Vec3 deepest, bool is_laid) {
    const CoreDistance closest =
        DistanceOf(Core::OfTriangle(triangle.vertices, {}, {}), core_, double{margin_});
    const float distance = static_cast<float>(closest.distance);
    if (distance > margin_) return true;
    const Vec3 out = ToFloat(closest.normal), on_mesh = ToFloat(closest.on_a);
    const auto add = [&](Vec3 normal, float separation) {
      contacts_.AddUnlessThere({(on_mesh + ToFloat(closest.on_b)) * 0.5f, normal, separation,
                                FeatureOf(MeshFeature::kClosest, triangle.id, 0)});
    };
    const float facing = Dot(out, triangle.normal);
    if (facing > kOfFace) {
      // One point would leave a deep shape free to turn about it.
      if (is_laid || !AddOverFace(triangle, deepest)) add(triangle.normal, distance);
    } else if (features_.IsContact(triangle, on_mesh, out)) {
      if (!AddUnderFace(triangle, out, distance)) add(out, distance);
    } else if (features_.LeadsCloser(on_mesh, out)) {
      if (distance >= 0.0f || facing < kNearFace) return false;
      // So far along the normal the shape comes out of the triangle as well.
      add(triangle.normal, std::max(distance / facing, above));
    }
    return true;
  }

  // Lays the triangle under the face of the shape that points at it. False when that face is not
  // nearly the axis, or the closest part of the triangle is not under it. A large triangle may be
  // deep beyond the plane of the face where it is no longer under it: only the part below counts.
  bool AddUnderFace(const Triangle& triangle, Vec3 out, float distance) {
    const SupportingFace face = SupportingFaceOf(shape_, {}, -out);
    if (!face.is_flat()) return false;
    const auto beyond = [&](Vec3 p) { return Dot(face.normal, p - face.corners[0]); };
    SupportingFace of_triangle;
    for (const Vec3& vertex : triangle.vertices) of_triangle.Add(vertex);
    ClippedFace clipped(of_triangle, face.count);
    for (std::uint32_t i = 0; i < face.count; ++i) {
      const Vec3 from = face.corners[i];
      const Vec3 to = face.corners[i + 1 == face.count ? 0 : i + 1];
      const Vec3 outward = Cross(to - from, face.normal);
      clipped.Clip(outward, Dot(outward, from), i);
    }
    float least = margin_;
    for (std::uint32_t i = 0; i < clipped.count(); ++i) {
      least = std::min(least, beyond(clipped[i].position));
    }
    if (clipped.count() == 0 || std::abs(least - distance) > kPreference) return false;
    for (std::uint32_t i = 0; i < clipped.count(); ++i) {
      const Vec3 p = clipped[i].position;
      const float separation = beyond(p);
      if (separation > margin_) continue;
      contacts_.AddUnlessThere(
          {p - face.normal * (0.5f * separation), -face.normal, separation,
           FeatureOf(MeshFeature::kUnderFace, triangle.id, clipped[i].feature)});
    }
    return true;
  }

  const TriangleMesh& mesh_;
  const Placed shape_;  // in the mesh's frame, as all places here
  const Core core_;
  const float radius_;
  const Bounds<3> own_;  // in the shape's frame
  const float margin_;
  MeshContacts contacts_;
  MeshFeatures features_;
  std::optional<SupportingFace> against_;  // against triangles with this normal
  Vec3 against_normal_;
};

}  // namespace

void CollideMeshConvex(const Placed& mesh, const Placed& convex, float margin, Manifold& manifold) {
  ConvexOnMesh(mesh, convex, margin).Collide(manifold);
}

}  // namespace nowait

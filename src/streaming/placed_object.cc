#include "src/streaming/placed_object.h"

#include <algorithm>
#include <cmath>

#include "src/bodies/combine_rule.h"

namespace nowait {
namespace {

std::unexpected<Error> Wrong(std::size_t number, const char* why) {
  return Fail(ErrorCode::kCorrupt, "object", static_cast<std::int64_t>(number), why);
}

bool IsSize(float size) {
  return size >= PlacedObject::kLeastSize && size <= PlacedObject::kMostSize;
}

bool HasSize(const PlacedObject& object) {
  switch (object.kind) {
    case PlacedObject::kSphere:
      return IsSize(object.size.x);
    case PlacedObject::kCapsule:
    case PlacedObject::kCylinder:
      return IsSize(object.size.x) && IsSize(object.size.y);
    case PlacedObject::kBox:
      return IsSize(object.size.x) && IsSize(object.size.y) && IsSize(object.size.z);
    default:
      return true;
  }
}

bool IsPlace(Vec3 p) {
  return std::abs(p.x) <= 1e6f && std::abs(p.y) <= 1e6f && std::abs(p.z) <= 1e6f;
}

Result<void> CheckObjects(const ObjectsView& view) {
  for (std::size_t i = 0; i < view.objects.size(); ++i) {
    const PlacedObject& object = view.objects[i];
    if (object.kind > PlacedObject::kHull) return Wrong(i, "a kind that no object has");
    if (object.motion > PlacedObject::kAwake) return Wrong(i, "a motion that no object has");
    if (!HasSize(object)) return Wrong(i, "a size that is not between 0.001 and 128 m");
    if (object.kind == PlacedObject::kHull && object.hull >= view.hulls.size()) {
      return Wrong(i, "a hull that is not there");
    }
    if (!IsPlace(object.position)) return Wrong(i, "a place outside of the world");
    const float length = LengthSquared(object.rotation);
    if (!(length > 0.999f && length < 1.001f))
      return Wrong(i, "a rotation that is not of length one");
    if (!(object.friction >= 0.0f && object.friction <= PlacedObject::kMostFriction)) {
      return Wrong(i, "its friction");
    }
    if (object.friction_rule >= kCombineRules) return Wrong(i, "its friction_rule");
  }
  return {};
}

Result<void> CheckHulls(const ObjectsView& view) {
  std::size_t points = 0;
  for (std::size_t i = 0; i < view.hulls.size(); ++i) {
    const std::uint32_t more = view.hulls[i].points;
    if (more < 4 || more > PlacedHull::kMostPoints) return Wrong(i, "not 4 to 64 points of a hull");
    points += more;
  }
  if (points != view.hull_points.size()) return Wrong(points, "points without a hull");
  for (std::size_t i = 0; i < points; ++i) {
    if (!(Length(view.hull_points[i]) <= PlacedObject::kMostSize)) {
      return Wrong(i, "a point of a hull is not within 128 m");
    }
  }
  return {};
}

}  // namespace

Result<ObjectsView> OpenObjects(const Blob& blob, const ObjectArrays& arrays) {
  const auto objects = blob.Get(arrays.objects);
  if (!objects) return std::unexpected(objects.error());
  const auto hulls = blob.Get(arrays.hulls);
  if (!hulls) return std::unexpected(hulls.error());
  const auto points = blob.Get(arrays.hull_points);
  if (!points) return std::unexpected(points.error());
  const ObjectsView view{*objects, *hulls, *points};
  Result<void> checked = CheckHulls(view);
  if (checked) checked = CheckObjects(view);
  if (!checked) return std::unexpected(checked.error());
  return view;
}

Result<ObjectArrays> AddObjects(const ObjectLists& lists, BlobWriter& writer) {
  std::vector<PlacedObject> objects = lists.objects;
  std::stable_partition(objects.begin(), objects.end(), [](const PlacedObject& object) {
    return object.motion == PlacedObject::kStatic;
  });
  std::vector<PlacedHull> hulls;
  std::vector<Vec3> points;
  for (const std::vector<Vec3>& hull : lists.hulls) {
    hulls.push_back({static_cast<std::uint32_t>(hull.size())});
    points.insert(points.end(), hull.begin(), hull.end());
  }
  const auto added_objects = writer.AddArray<PlacedObject>(objects);
  if (!added_objects) return std::unexpected(added_objects.error());
  const auto added_hulls = writer.AddArray<PlacedHull>(hulls);
  if (!added_hulls) return std::unexpected(added_hulls.error());
  const auto added_points = writer.AddArray<Vec3>(points);
  if (!added_points) return std::unexpected(added_points.error());
  return ObjectArrays{*added_objects, *added_hulls, *added_points};
}

}  // namespace nowait

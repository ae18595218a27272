#include "src/streaming/contents.h"

#include <utility>

#include "src/base/or_no_memory.h"
#include "src/bodies/combine_rule.h"
#include "src/streaming/ground_material.h"
#include "src/streaming/placed_object.h"
#include "src/streaming/scene_blob.h"
#include "src/streaming/tile_blob.h"

namespace nowait {
namespace {

constexpr float kGroundFriction = 0.7f;
constexpr float kGateFriction = 0.6f;
constexpr float kRollingResistance = 0.12f;

Result<void> MakeHulls(const ObjectsView& objects, Shapes& shapes) {
  std::size_t first = 0;
  for (const PlacedHull& hull : objects.hulls) {
    auto made = ConvexHull::Create({.points = objects.hull_points.subspan(first, hull.points)});
    if (!made) return std::unexpected(made.error());
    shapes.hulls.push_back(std::move(*made));
    first += hull.points;
  }
  return {};
}

Shape ShapeOf(const PlacedObject& object, const Shapes& shapes) {
  switch (object.kind) {
    case PlacedObject::kSphere:
      return Shape::Sphere(object.size.x);
    case PlacedObject::kCapsule:
      return Shape::Capsule(object.size.y, object.size.x);
    case PlacedObject::kBox:
      return Shape::Box(object.size);
    case PlacedObject::kCylinder:
      return Shape::Cylinder(object.size.y, object.size.x);
    default:
      return Shape::Hull(shapes.hulls[object.hull].get());
  }
}

BodyDef BodyOf(const PlacedObject& object, const Shapes& shapes) {
  BodyDef body;
  body.type = object.motion == PlacedObject::kStatic ? BodyType::kStatic : BodyType::kDynamic;
  body.asleep = object.motion == PlacedObject::kAsleep;
  body.shape = ShapeOf(object, shapes);
  body.position = object.position;
  body.rotation = Normalise(object.rotation);
  if (object.kind == PlacedObject::kHull) {
    const ConvexHull& hull = *body.shape.hull;
    body.position += Rotate(body.rotation, hull.centre());
    body.rotation = Normalise(body.rotation * hull.rotation());
  } else if (object.kind != PlacedObject::kBox) {
    body.rolling_resistance = kRollingResistance;
  }
  body.friction = object.friction;
  body.friction_rule = static_cast<CombineRule>(object.friction_rule);
  return body;
}

Result<void> MakeBodies(const ObjectsView& objects, std::uint64_t user, Contents& contents) {
  if (auto made = MakeHulls(objects, contents.shapes); !made) return made;
  contents.bodies.reserve(contents.bodies.size() + objects.objects.size());
  for (const PlacedObject& object : objects.objects) {
    contents.bodies.push_back(BodyOf(object, contents.shapes));
  }
  for (BodyDef& body : contents.bodies) body.user = user;
  return {};
}

void MakeGates(std::span<const SceneBox> gates, Contents& contents) {
  for (const SceneBox& gate : gates) {
    BodyDef body;
    body.type = BodyType::kStatic;
    body.shape = Shape::Box(gate.half);
    body.position = gate.centre;
    body.friction = kGateFriction;
    contents.bodies.push_back(body);
  }
  contents.gates.assign(gates.begin(), gates.end());
}

Result<void> MakeGround(const TileBlob& blob, BlobOwner owner, TileCoord tile, Contents& contents) {
  constexpr float kSpacing = kTileSide / static_cast<float>(kTileCells);
  auto ground = HeightField::Use({.columns = kTileSamples,
                                  .rows = kTileSamples,
                                  .spacing = kSpacing,
                                  .heights = blob.heights(),
                                  .materials = {kGroundTable, blob.materials()}},
                                 std::move(owner));
  if (!ground) return std::unexpected(ground.error());
  contents.shapes.ground = std::move(*ground);
  BodyDef body;
  body.type = BodyType::kStatic;
  body.shape = Shape::Ground(contents.shapes.ground.get());
  body.position = {kTileSide * static_cast<float>(tile.column), 0.0f,
                   kTileSide * static_cast<float>(tile.row)};
  body.friction = kGroundFriction;
  contents.bodies.push_back(body);
  return {};
}

}  // namespace

std::size_t Shapes::bytes() const {
  std::size_t bytes = ground_bytes;
  for (const auto& hull : hulls) bytes += hull->block().size();
  return bytes;
}

Result<Contents> ReadTile(std::span<const std::byte> bytes, BlobOwner owner, TileCoord tile,
                          std::uint64_t user) {
  return OrNoMemory([&]() -> Result<Contents> {
    const auto blob = TileBlob::Open(bytes, tile);
    if (!blob) return std::unexpected(blob.error());
    Contents contents;
    contents.shapes.ground_bytes = bytes.size();
    Result<void> made = MakeGround(*blob, std::move(owner), tile, contents);
    if (made) made = MakeBodies(blob->objects(), user, contents);
    if (!made) return std::unexpected(made.error());
    return contents;
  });
}

Result<Contents> ReadScene(std::span<const std::byte> bytes, std::uint32_t number,
                           const SceneSite& site, std::uint64_t user) {
  return OrNoMemory([&]() -> Result<Contents> {
    const auto blob = SceneBlob::Open(bytes, number);
    if (!blob) return std::unexpected(blob.error());
    if (blob->site() != site) {
      return Fail(ErrorCode::kCorrupt, "scene", 0, "another place or other radii than the index's");
    }
    Contents contents;
    MakeGates(blob->gates(), contents);
    if (auto made = MakeBodies(blob->objects(), user, contents); !made) {
      return std::unexpected(made.error());
    }
    contents.spawn_points.assign(blob->spawn_points().begin(), blob->spawn_points().end());
    contents.triggers.assign(blob->triggers().begin(), blob->triggers().end());
    contents.script = {std::string(blob->script_name()), std::string(blob->script_text())};
    return contents;
  });
}

}  // namespace nowait

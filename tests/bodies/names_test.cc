// Names of bodies, sets of layers, and what a definition has when a game says nothing.
#include <array>
#include <catch2/catch.hpp>
#include <cstdint>

#include "src/bodies/body_def.h"
#include "src/bodies/body_id.h"
#include "src/bodies/body_snapshot.h"
#include "src/bodies/layers.h"
#include "src/bodies/proxy_id.h"

namespace nowait {
namespace {

TEST_CASE("a proxy keeps its slot and ten bits of its generation") {
  constexpr std::uint32_t kLast = ProxyId::kMaxBodies - 1;
  constexpr ProxyId kId(kLast, ProxyId::kGenerations + 5);
  CHECK(ProxyId::kGenerations == 1024);
  CHECK(kId.slot() == kLast);
  CHECK(kId.generation() == 5);
  CHECK(kId == ProxyId(kLast, 5));
  CHECK(kId != ProxyId(kLast, 6));
  CHECK(kId.valid());
  CHECK(ProxyId(0, 0).valid());
  CHECK(ProxyId(kLast, ProxyId::kGenerations - 1).valid());
  CHECK_FALSE(ProxyId().valid());
  CHECK(ProxyId::FromBits(kId.bits()) == kId);
  CHECK(ProxyId::FromBits(ProxyId().bits()) == ProxyId());
}

TEST_CASE("proxies are ordered by slot, and of one slot by generation") {
  CHECK(ProxyId(1, 9) < ProxyId(2, 0));
  CHECK_FALSE(ProxyId(2, 0) < ProxyId(1, 9));
  CHECK(ProxyId(1, 8) < ProxyId(1, 9));
  CHECK_FALSE(ProxyId(1, 9) < ProxyId(1, 9));
}

TEST_CASE("a body's name in the tree has the slot and the generation of its id") {
  CHECK(BodyId(3, 77, 1030).proxy() == ProxyId(77, 1030));
  CHECK(BodyId(3, 77, 1030).proxy().generation() == 6);
  // Bodies of two worlds differ, and so do two of one slot.
  CHECK(BodyId(3, 77, 1) != BodyId(4, 77, 1));
  CHECK(BodyId(3, 77, 1) != BodyId(3, 77, 2));
}

TEST_CASE("bodies are ordered by slot, of one slot by generation, and last by world") {
  CHECK(BodyId(9, 1, 7) < BodyId(1, 2, 0));
  CHECK_FALSE(BodyId(1, 2, 0) < BodyId(9, 1, 7));
  CHECK(BodyId(9, 1, 7) < BodyId(1, 1, 8));
  CHECK_FALSE(BodyId(1, 1, 8) < BodyId(9, 1, 7));
  CHECK(BodyId(1, 1, 7) < BodyId(2, 1, 7));
  CHECK_FALSE(BodyId(1, 1, 7) < BodyId(1, 1, 7));
}

TEST_CASE("a set has the layers that were added and not dropped, and no other") {
  LayerSet set{Layer::kStatic, UserLayer(3)};
  const auto count = [&] {
    int n = 0;
    for (std::size_t i = 0; i < kMaxLayers; ++i) n += set.Has(static_cast<Layer>(i)) ? 1 : 0;
    return n;
  };
  CHECK(count() == 2);
  CHECK(set.Has(Layer::kStatic));
  CHECK(set.Has(UserLayer(3)));
  set.Add(UserLayer(3));
  CHECK(count() == 2);
  set.Drop(UserLayer(3));
  CHECK_FALSE(set.Has(UserLayer(3)));
  set.Drop(UserLayer(3));
  CHECK(set == LayerSet{Layer::kStatic});
  set = LayerSet::All();
  CHECK(count() == static_cast<int>(kMaxLayers));
  CHECK_FALSE(LayerSet() == LayerSet::All());
  CHECK(IndexOf(UserLayer(kMaxUserLayers - 1)) == kMaxLayers - 1);
}

TEST_CASE("by default all layers touch, but bodies that do not move touch none of their like") {
  const CollisionMatrix matrix;
  for (std::size_t a = 0; a < kMaxLayers; ++a) {
    for (std::size_t b = 0; b < kMaxLayers; ++b) {
      CAPTURE(a, b);
      CHECK(matrix.Touch(static_cast<Layer>(a), static_cast<Layer>(b)) == (a != 0 || b != 0));
    }
  }
}

TEST_CASE("an entry of the collision matrix holds both ways, and is set back both ways") {
  CollisionMatrix matrix;
  for (const bool touch : {false, true}) {
    matrix.Set(UserLayer(2), Layer::kDynamic, touch);
    CHECK(matrix.Touch(UserLayer(2), Layer::kDynamic) == touch);
    CHECK(matrix.Touch(Layer::kDynamic, UserLayer(2)) == touch);
    CHECK(matrix.PartnersOf(Layer::kDynamic).Has(UserLayer(2)) == touch);
    CHECK(matrix.Touch(UserLayer(2), UserLayer(2)));
    CHECK(matrix.Touch(UserLayer(1), Layer::kDynamic));
  }
}

TEST_CASE("a body that is made without more words is what body_def.h says") {
  const BodyDef def;
  CHECK(def.type == BodyType::kDynamic);
  CHECK_FALSE(def.layer.has_value());
  CHECK(def.position == Vec3{});
  CHECK(def.rotation == Quat{});
  CHECK(def.linear_velocity == Vec3{});
  CHECK(def.angular_velocity == Vec3{});
  CHECK(def.density == 1000.0f);
  CHECK(def.friction == 0.5f);
  CHECK(def.restitution == 0.0f);
  CHECK(def.friction_rule == CombineRule::kUsual);
  CHECK(def.restitution_rule == CombineRule::kUsual);
  CHECK(def.rolling_resistance == 0.0f);
  CHECK(def.linear_damping == 0.0f);
  CHECK(def.angular_damping == 0.05f);
  CHECK(def.gravity_scale == 1.0f);
  CHECK_FALSE(def.asleep);
  CHECK(def.may_sleep);
  CHECK(def.user == 0);
}

TEST_CASE("a shape has the size that it was made with, and two are equal if all of it is") {
  CHECK(Shape::Sphere(2).kind == ShapeKind::kSphere);
  CHECK(Shape::Sphere(2).radius == 2);
  CHECK(Shape::Capsule(2, 3).kind == ShapeKind::kCapsule);
  CHECK(Shape::Capsule(2, 3).half_height == 2);
  CHECK(Shape::Capsule(2, 3).radius == 3);
  CHECK_FALSE(Shape::Capsule(2, 3) == Shape::Capsule(1, 3));
  CHECK(Shape::Box({1, 2, 3}).kind == ShapeKind::kBox);
  CHECK(Shape::Box({1, 2, 3}).half == Vec3{1, 2, 3});
  CHECK(Shape::Ground(nullptr).kind == ShapeKind::kHeightField);
  CHECK(Shape::Mesh(nullptr).kind == ShapeKind::kMesh);
  const Shape plane = Shape::Plane({0, 0, -4}, 2.0f);
  CHECK(plane.kind == ShapeKind::kPlane);
  CHECK(plane.normal == Vec3{0, 0, -1});
  CHECK(plane.distance == 2.0f);
  CHECK(Shape::Compound(nullptr).kind == ShapeKind::kCompound);
  CHECK(Shape::Box({1, 2, 3}) == Shape::Box({1, 2, 3}));
  CHECK_FALSE(Shape::Box({1, 2, 3}) == Shape::Box({1, 2, 4}));
  CHECK_FALSE(Shape::Sphere(2) == Shape::Sphere(3));
}

}  // namespace
}  // namespace nowait

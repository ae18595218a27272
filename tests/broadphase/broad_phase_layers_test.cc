// The layers: which of them a query looks into, and how bodies and batches come to them.
#include <algorithm>
#include <catch2/catch.hpp>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "src/broadphase/broad_phase.h"
#include "tests/broadphase/boxes.h"
#include "tests/broadphase/broad_phase_calls.h"

namespace nowait {
namespace {

TEST_CASE("a body changes its layer by leaving one and entering the other") {
  auto broad_phase = Make(10);
  REQUIRE(broad_phase->Insert(Body(4), Layer::kDynamic, Cube(0, 0, 0, 1)).has_value());
  REQUIRE(broad_phase->Has(Body(4)));
  broad_phase->Remove(Body(4), Layer::kDynamic);
  REQUIRE_FALSE(broad_phase->Has(Body(4)));
  REQUIRE(broad_phase->Insert(Body(4), Layer::kStatic, Cube(0, 0, 0, 1)).has_value());
  REQUIRE(Found(*broad_phase, Box::Everywhere()) == Ids{Body(4)});
  REQUIRE(broad_phase->Stats(Layer::kStatic).bodies == 1);
  REQUIRE(broad_phase->Stats(Layer::kDynamic).bodies == 0);
}

TEST_CASE("a body goes from layer to layer, and is in both trees in between") {
  auto broad_phase = Make(10);
  const bool rebuilt = GENERATE(false, true);
  REQUIRE(broad_phase->Insert(Body(4), Layer::kDynamic, Cube(0, 0, 0, 1)).has_value());
  REQUIRE(broad_phase->Insert(Body(5), Layer::kDynamic, Cube(9, 0, 0, 1)).has_value());
  if (rebuilt) RebuildAndSwap(*broad_phase);
  int calls = 0;
  const auto in_both = [&] {
    ++calls;
    CHECK(Found(*broad_phase, Box::Everywhere()) == Ids{Body(4), Body(4), Body(5)});
  };
  REQUIRE(broad_phase->ChangeLayer(Body(4), Layer::kDynamic, Layer::kStatic, Cube(3, 0, 0, 1),
                                   in_both));
  CHECK(calls == 1);
  CHECK(broad_phase->Has(Body(4)));
  CHECK(Found(*broad_phase, Box::Everywhere()) == Ids{Body(4), Body(5)});
  CHECK(Found(*broad_phase, Cube(3, 0, 0, 0.1f)) == Ids{Body(4)});
  CHECK(Found(*broad_phase, Cube(0, 0, 0, 0.1f)).empty());
  CHECK(broad_phase->Stats(Layer::kStatic).bodies == 1);
  CHECK(broad_phase->Stats(Layer::kDynamic).bodies == 1);
  RebuildAndSwap(*broad_phase);
  REQUIRE(broad_phase->Move(Body(4), Layer::kStatic, Cube(6, 0, 0, 1)));
  CHECK(Found(*broad_phase, Cube(6, 0, 0, 0.1f)) == Ids{Body(4)});
  CHECK(broad_phase->Remove(Body(4), Layer::kStatic));
  CHECK(Found(*broad_phase, Box::Everywhere()) == Ids{Body(5)});
}

TEST_CASE("a change of layer that is refused leaves the body where it was") {
  // A root for each layer, and no other node.
  BroadPhaseDef def = BroadPhaseDef::ForBodies(8);
  def.max_nodes = 2;
  const auto broad_phase = std::move(*BroadPhase::Create(def));
  for (std::uint32_t slot = 0; slot < 4; ++slot) {
    REQUIRE(broad_phase->Insert(Body(slot), Layer::kStatic, Cube(0, 0, 0, 1)).has_value());
  }
  REQUIRE(broad_phase->Insert(Body(7), Layer::kDynamic, Cube(0, 0, 0, 1)).has_value());
  int calls = 0;
  const auto change = [&](ProxyId body, Layer from, Layer to, const Box& box) {
    const auto changed = broad_phase->ChangeLayer(body, from, to, box, [&] { ++calls; });
    return changed ? std::string() : std::string(changed.error().subject);
  };
  const Box box = Cube(5, 0, 0, 1);
  CHECK(change(Body(1), Layer::kStatic, UserLayer(0), box) == "layer");
  CHECK(change(Body(1), UserLayer(0), Layer::kDynamic, box) == "layer");
  CHECK(change(Body(1), Layer::kStatic, Layer::kStatic, box) == "layer");
  CHECK(change(ProxyId(1, 9), Layer::kStatic, Layer::kDynamic, box) == "body");
  CHECK(change(Body(99), Layer::kStatic, Layer::kDynamic, box) == "body");
  CHECK(change(Body(1), Layer::kStatic, Layer::kDynamic, Box::Empty()) == "bounds");
  CHECK(change(Body(7), Layer::kDynamic, Layer::kStatic, box) == "tree nodes");
  CHECK(calls == 0);
  CHECK(broad_phase->Stats(Layer::kDynamic).bodies == 1);
  CHECK(broad_phase->Stats(Layer::kStatic).bodies == 4);
  CHECK(Found(*broad_phase, box).empty());
}

// The tree of either layer is looked at first or second: the ray must be as short in the second one
// as the hit in the first one has made it.
TEST_CASE("a ray that a hit has shortened is as short in the trees that are looked at later") {
  const bool near_is_static = GENERATE(false, true);
  const bool near_has_low_slot = GENERATE(false, true);
  CAPTURE(near_is_static, near_has_low_slot);
  const ProxyId near = Body(near_has_low_slot ? 0 : 5);
  const ProxyId far = Body(near_has_low_slot ? 5 : 0);
  const Layer near_layer = near_is_static ? Layer::kStatic : Layer::kDynamic;
  const Layer far_layer = near_is_static ? Layer::kDynamic : Layer::kStatic;
  auto broad_phase = Make(10);
  REQUIRE(broad_phase->Insert(near, near_layer, Cube(2, 0, 0, 0.5f)).has_value());
  REQUIRE(broad_phase->Insert(far, far_layer, Cube(8, 0, 0, 0.5f)).has_value());
  if (GENERATE(false, true)) RebuildAndSwap(*broad_phase);
  Ray<3> ray;
  ray.displacement = {10, 0, 0};
  Ids seen;
  float nearest = ray.max_fraction;
  broad_phase->Read().QueryRay(ray, [&](ProxyId body, float max_fraction) {
    seen.push_back(body);
    CHECK(max_fraction == nearest);
    nearest = std::min(nearest, body == near ? 0.15f : 0.75f);
    return nearest;
  });
  // The far one is met only if its tree comes first.
  CHECK(seen == (near_is_static ? Ids{near} : Ids{far, near}));
  CHECK(nearest == 0.15f);
}

TEST_CASE(
    "a ray that ends where it begins goes on in the other trees, and a negative end stops it") {
  auto broad_phase = Make(10);
  REQUIRE(broad_phase->Insert(Body(0), Layer::kStatic, Cube(0, 0, 0, 0.5f)).has_value());
  REQUIRE(broad_phase->Insert(Body(1), Layer::kDynamic, Cube(0, 0, 0, 0.5f)).has_value());
  REQUIRE(broad_phase->Insert(Body(2), Layer::kDynamic, Cube(8, 0, 0, 0.5f)).has_value());
  const float end = GENERATE(0.0f, -1.0f);
  Ray<3> ray;
  ray.displacement = {10, 0, 0};
  Ids seen;
  broad_phase->Read().QueryRay(ray, [&](ProxyId body, float) {
    seen.push_back(body);
    return end;
  });
  CHECK(seen == (end < 0.0f ? Ids{Body(0)} : Ids{Body(0), Body(1)}));
}

TEST_CASE("batches go to their layer, or back") {
  auto broad_phase = Make(100);
  std::vector<BroadPhase::Entry> entries;
  for (std::uint32_t i = 0; i < 50; ++i) {
    entries.push_back({Body(i), Cube(static_cast<float>(i), 0, 0, 0.25f)});
  }
  auto first = broad_phase->Prepare(Layer::kStatic, entries);
  REQUIRE(first.has_value());
  broad_phase->Abort(std::move(*first));
  auto second = broad_phase->Prepare(Layer::kStatic, entries);
  REQUIRE(second.has_value());
  broad_phase->Finalise(std::move(*second));
  REQUIRE(broad_phase->Stats(Layer::kStatic).bodies == 50);
  REQUIRE(Found(*broad_phase, Box::Everywhere()).size() == 50);
}

// Three layers of the game's own; a body in each layer, all in one place.
std::unique_ptr<BroadPhase> OneInEachLayer() {
  BroadPhaseDef def = BroadPhaseDef::ForBodies(10, 3);
  def.collisions.Set(UserLayer(0), UserLayer(0), false);
  def.collisions.Set(UserLayer(0), Layer::kStatic, false);
  auto broad_phase = std::move(*BroadPhase::Create(def));
  for (std::uint32_t i = 0; i < 5; ++i) {
    REQUIRE(broad_phase->Insert(Body(i), static_cast<Layer>(i), Cube(0, 0, 0, 1)).has_value());
  }
  return broad_phase;
}

Ids FoundIn(const BroadPhase& broad_phase, LayerSet layers) {
  Ids by_box;
  Ids by_ray;
  const BroadPhase::View view = broad_phase.Read();
  view.QueryBox(
      Cube(0, 0, 0, 1),
      [&](ProxyId id) {
        by_box.push_back(id);
        return true;
      },
      layers);
  view.QueryRay(
      {{-5, 0, 0}, {10, 0, 0}},
      [&](ProxyId id, float max_fraction) {
        by_ray.push_back(id);
        return max_fraction;
      },
      layers);
  REQUIRE(by_box == by_ray);
  std::sort(by_box.begin(), by_box.end());
  return by_box;
}

TEST_CASE("a query looks into the layers that it asks for, and no other") {
  const auto broad_phase = OneInEachLayer();
  REQUIRE(broad_phase->layer_count() == 5);
  REQUIRE(FoundIn(*broad_phase, LayerSet::All()).size() == 5);
  REQUIRE(FoundIn(*broad_phase, {}).empty());
  REQUIRE(FoundIn(*broad_phase, {Layer::kStatic, UserLayer(1)}) == Ids{Body(0), Body(3)});
  LayerSet all_but_dynamic = LayerSet::All();
  all_but_dynamic.Drop(Layer::kDynamic);
  REQUIRE(FoundIn(*broad_phase, all_but_dynamic).size() == 4);
}

TEST_CASE("the collision matrix says which layers a body looks for others in") {
  const auto broad_phase = OneInEachLayer();
  const CollisionMatrix& collisions = broad_phase->collisions();
  REQUIRE_FALSE(collisions.Touch(Layer::kStatic, Layer::kStatic));
  REQUIRE(collisions.Touch(Layer::kStatic, Layer::kDynamic));
  REQUIRE_FALSE(collisions.Touch(Layer::kStatic, UserLayer(0)));
  REQUIRE_FALSE(collisions.Touch(UserLayer(0), Layer::kStatic));
  REQUIRE(collisions.Touch(UserLayer(0), UserLayer(1)));
  REQUIRE(FoundIn(*broad_phase, collisions.PartnersOf(Layer::kStatic)) ==
          Ids{Body(1), Body(3), Body(4)});
  REQUIRE(FoundIn(*broad_phase, collisions.PartnersOf(UserLayer(0))) ==
          Ids{Body(1), Body(3), Body(4)});
}

TEST_CASE("bodies go from layer to layer within capacity, and nodes never run out") {
  constexpr std::uint32_t kBodies = 1000;
  constexpr std::uint32_t kUserLayers = 14;
  const auto broad_phase =
      std::move(*BroadPhase::Create(BroadPhaseDef::ForBodies(kBodies, kUserLayers)));
  REQUIRE(broad_phase->layer_count() == kMaxLayers);
  // Far from each other, each in a staging tree's cell of its own; without an update in between.
  for (int round = 0; round < 2; ++round) {
    for (std::size_t layer = 0; layer < kMaxLayers; ++layer) {
      for (std::uint32_t i = 0; i < kBodies; ++i) {
        const Box box = Cube(static_cast<float>(1000 * i), 0, 0, 0.25f);
        const auto inserted = broad_phase->Insert(Body(i), static_cast<Layer>(layer), box);
        INFO("round " << round << ", layer " << layer << ", body " << i);
        REQUIRE(inserted.has_value());
      }
      for (std::uint32_t i = 0; i < kBodies; ++i) {
        broad_phase->Remove(Body(i), static_cast<Layer>(layer));
      }
    }
  }
}

}  // namespace
}  // namespace nowait

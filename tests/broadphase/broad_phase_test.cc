#include "src/broadphase/broad_phase.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cstddef>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "tests/broadphase/boxes.h"

namespace nowait {
namespace {

using Ids = std::vector<ProxyId>;

std::unique_ptr<BroadPhase> Make(std::uint32_t bodies) {
  auto broad_phase = BroadPhase::Create(BroadPhaseDef::ForBodies(bodies));
  REQUIRE(broad_phase.has_value());
  return std::move(*broad_phase);
}

Ids Found(const BroadPhase& broad_phase, const Box& box) {
  Ids found;
  broad_phase.Read().QueryBox(box, [&](ProxyId id) {
    found.push_back(id);
    return true;
  });
  std::sort(found.begin(), found.end());
  return found;
}

void RebuildAndSwap(BroadPhase& broad_phase) {
  REQUIRE(broad_phase.Rebuild().has_value());
  broad_phase.Swap();
}

TEST_CASE("sizes that make no sense are refused by name") {
  const auto create = [](std::uint32_t bodies, std::uint32_t nodes, std::uint32_t layers = 0) {
    BroadPhaseDef def;
    def.max_bodies = bodies;
    def.max_nodes = nodes;
    def.user_layers = layers;
    return BroadPhase::Create(def);
  };
  REQUIRE(create(0, 100).error() == Error{ErrorCode::kInvalidArgument, "max_bodies", 0});
  REQUIRE(create(ProxyId::kMaxBodies + 1, 100).error().subject == std::string("max_bodies"));
  REQUIRE(create(100, 1).error() == Error{ErrorCode::kInvalidArgument, "max_nodes", 1});
  REQUIRE(create(100, 1u << 31).error().subject == std::string("max_nodes"));
  REQUIRE(create(100, 100, 15).error() == Error{ErrorCode::kInvalidArgument, "user_layers", 15});
  REQUIRE(create(100, 4, 3).error().subject == std::string("max_nodes"));
  REQUIRE(create(1, 2).has_value());
  REQUIRE((*create(100, 100, 14))->layer_count() == kMaxLayers);
}

TEST_CASE("a query looks into both layers, and stops in either") {
  auto broad_phase = Make(10);
  REQUIRE(broad_phase->Insert(Body(0), Layer::kStatic, Cube(0, 0, 0, 1)).has_value());
  REQUIRE(broad_phase->Insert(Body(1), Layer::kDynamic, Cube(1, 0, 0, 1)).has_value());
  REQUIRE(Found(*broad_phase, Cube(0.5f, 0, 0, 0.1f)) == Ids{Body(0), Body(1)});
  const BroadPhase::View view = broad_phase->Read();
  int calls = 0;
  view.QueryBox(Cube(0, 0, 0, 9), [&](ProxyId) { return ++calls < 1; });
  REQUIRE(calls == 1);
  calls = 0;
  view.QueryRay({{-5, 0, 0}, {10, 0, 0}}, [&](ProxyId, float) {
    ++calls;
    return -1.0f;
  });
  REQUIRE(calls == 1);
  Ids hits;
  view.QueryRay({{-5, 0, 0}, {10, 0, 0}}, [&](ProxyId id, float max_fraction) {
    hits.push_back(id);
    return max_fraction;
  });
  REQUIRE(hits.size() == 2);
}

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

TEST_CASE("a snapshot has the boxes of each tree, its staged bodies, and the count of the rest") {
  constexpr std::uint32_t kBodies = 60;
  auto broad_phase = Make(kBodies + 1);
  const auto place = [](std::uint32_t i) {
    return Cube(static_cast<float>(3 * (i % 10)), 0, static_cast<float>(3 * (i / 10)), 1);
  };
  REQUIRE(broad_phase->Insert(Body(kBodies), Layer::kStatic, Cube(-9, 0, 0, 1)).has_value());
  for (std::uint32_t i = 0; i < kBodies; ++i) {
    REQUIRE(broad_phase->Insert(Body(i), Layer::kDynamic, place(i)).has_value());
  }
  constexpr std::size_t kAll = 1000;
  TreeSnapshot snapshot;
  const auto dynamic_boxes = [&] {
    std::vector<TreeBox> boxes;
    for (const TreeBox& box : snapshot.boxes) {
      if (box.layer == Layer::kDynamic) boxes.push_back(box);
    }
    return boxes;
  };
  broad_phase->Snapshot(kAll, snapshot);
  REQUIRE(snapshot.trees.size() == 2);
  CHECK(snapshot.trees[0].staged == 0);
  CHECK(snapshot.trees[1].staged > kBodies - 5);  // all but those in the root itself

  RebuildAndSwap(*broad_phase);
  RebuildAndSwap(*broad_phase);
  broad_phase->Snapshot(kAll, snapshot);
  CHECK(snapshot.trees[1].staged == 0);
  CHECK(snapshot.trees[1].left_out == 0);
  const auto boxes = dynamic_boxes();
  CHECK(boxes.size() == broad_phase->Stats(Layer::kDynamic).nodes);
  CHECK(snapshot.boxes.size() == boxes.size() + broad_phase->Stats(Layer::kStatic).nodes);
  std::uint32_t bodies = 0;
  Box hull = Box::Empty();
  for (std::size_t i = 0; i < boxes.size(); ++i) {
    bodies += boxes[i].bodies;
    CHECK(boxes[i].level >= (i == 0 ? 0 : boxes[i - 1].level));
    CHECK(boxes[i].open == (boxes[i].level == 0));
    CHECK(!boxes[i].changed);
    hull.Include(boxes[i].box);
  }
  CHECK(bodies == kBodies);
  CHECK(hull == boxes[0].box);
  CHECK(hull == Bounds<3>{{-1, -1, -1}, {28, 1, 16}});

  REQUIRE(broad_phase->Move(Body(7), Layer::kDynamic, Cube(21, 40, 0, 1)).has_value());
  broad_phase->Snapshot(kAll, snapshot);
  std::uint32_t changed = 0;
  for (const TreeBox& box : dynamic_boxes()) {
    CHECK(box.changed == (box.box.max[1] == 41.0f));
    if (box.changed) CHECK(box.level == changed++);  // one on each level, down to the body's node
  }
  CHECK(changed >= 2);

  broad_phase->Snapshot(3, snapshot);
  CHECK(dynamic_boxes().size() == 3);
  CHECK(snapshot.trees[0].left_out == 0);
  // The root has four nodes below it, of which two were copied; below these there are others.
  CHECK(snapshot.trees[1].left_out > 2);
  CHECK(snapshot.trees[1].left_out <= boxes.size() - 3);
}

TEST_CASE("a body that is not there is refused, and what is there stays") {
  const auto refuses = [](const Result<void>& result, const char* what) {
    return !result && result.error().code == ErrorCode::kInvalidArgument &&
           result.error().subject == std::string(what);
  };
  auto broad_phase = Make(8);
  const ProxyId there(3, 7);
  const ProxyId stale(3, 6);
  const Box box = Cube(0, 0, 0, 1);
  const Box far = Cube(50, 0, 0, 1);
  const auto no_layer = static_cast<Layer>(broad_phase->layer_count());
  REQUIRE(refuses(broad_phase->Insert(there, no_layer, box), "layer"));
  REQUIRE(broad_phase->Insert(there, Layer::kDynamic, box).has_value());

  for (const ProxyId gone : {ProxyId(), stale, ProxyId(4, 0), ProxyId(9, 0)}) {
    CAPTURE(gone.slot(), gone.generation());
    CHECK(!broad_phase->Has(gone));
    CHECK(refuses(broad_phase->Move(gone, Layer::kDynamic, far), "body"));
    CHECK(!broad_phase->Remove(gone, Layer::kDynamic));
  }
  CHECK(refuses(broad_phase->Insert(there, Layer::kStatic, far), "body"));
  CHECK(refuses(broad_phase->Insert(stale, Layer::kStatic, far), "body"));
  CHECK(refuses(broad_phase->Move(there, no_layer, far), "layer"));
  CHECK(!broad_phase->Remove(there, no_layer));
  const BroadPhase::Entry again[] = {{there, far}};
  CHECK(!broad_phase->Prepare(Layer::kStatic, again).has_value());
  CHECK(broad_phase->Has(there));
  CHECK(Found(*broad_phase, box) == Ids{there});
  CHECK(Found(*broad_phase, far).empty());

  CHECK(broad_phase->Remove(there, Layer::kDynamic));
  CHECK(!broad_phase->Remove(there, Layer::kDynamic));
  CHECK(!broad_phase->Has(there));
  CHECK(Found(*broad_phase, Box::Everywhere()).empty());
}

TEST_CASE("a body of a batch is not removed before its batch is finalised") {
  auto broad_phase = Make(8);
  const BroadPhase::Entry entries[] = {{Body(1), Cube(0, 0, 0, 1)}, {Body(2), Cube(5, 0, 0, 1)}};
  auto batch = broad_phase->Prepare(Layer::kDynamic, entries);
  REQUIRE(batch.has_value());
  const Ids both = {Body(1), Body(2)};
  CHECK(broad_phase->Remove(both, Layer::kDynamic) == 0);
  CHECK(!broad_phase->Insert(Body(1), Layer::kDynamic, Cube(9, 0, 0, 1)).has_value());
  broad_phase->Finalise(std::move(*batch));
  CHECK(Found(*broad_phase, Box::Everywhere()) == both);
  CHECK(broad_phase->Remove(both, Layer::kDynamic) == 2);
  CHECK(broad_phase->Remove(both, Layer::kDynamic) == 0);
}

TEST_CASE(
    "a body of a batch is in no second batch and not inserted, also where the batch has no other") {
  for (const std::uint32_t count : {1u, 2u}) {
    CAPTURE(count);
    auto broad_phase = Make(8);
    std::vector<BroadPhase::Entry> entries;
    for (std::uint32_t i = 0; i < count; ++i) {
      entries.push_back({Body(i), Cube(static_cast<float>(5 * i), 0, 0, 1)});
    }
    const auto refused = [&] {
      return !broad_phase->Prepare(Layer::kStatic, entries).has_value() &&
             !broad_phase->Insert(Body(0), Layer::kDynamic, Cube(0, 0, 0, 1)).has_value();
    };
    auto batch = broad_phase->Prepare(Layer::kDynamic, entries);
    REQUIRE(batch.has_value());
    CHECK(refused());
    CHECK_FALSE(broad_phase->Has(Body(0)));
    CHECK(!broad_phase->Remove(Body(0), Layer::kDynamic));
    broad_phase->Abort(std::move(*batch));
    batch = broad_phase->Prepare(Layer::kDynamic, entries);
    REQUIRE(batch.has_value());
    broad_phase->Finalise(std::move(*batch));
    CHECK(refused());
    CHECK(broad_phase->Has(Body(0)));
    CHECK(broad_phase->Move(Body(0), Layer::kDynamic, Cube(9, 9, 9, 1)).has_value());
    CHECK(broad_phase->Remove(Body(0), Layer::kDynamic));
    CHECK(broad_phase->Insert(Body(0), Layer::kDynamic, Cube(0, 0, 0, 1)).has_value());
  }
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

TEST_CASE("the tree that changed most is rebuilt, and the other one does not wait forever") {
  constexpr std::uint32_t kMoving = 200;
  auto broad_phase = Make(kMoving + 1);
  for (std::uint32_t i = 0; i < kMoving; ++i) {
    REQUIRE(broad_phase->Insert(Body(i), Layer::kDynamic, Cube(static_cast<float>(i), 0, 0, 0.25f))
                .has_value());
  }
  REQUIRE(broad_phase->Insert(Body(kMoving), Layer::kStatic, Cube(0, 50, 0, 1)).has_value());
  REQUIRE(broad_phase->Stats(Layer::kStatic).changed_nodes == 1);
  int waited = 0;
  while (broad_phase->Stats(Layer::kStatic).changed_nodes != 0) {
    REQUIRE(broad_phase->Stats(Layer::kDynamic).changed_nodes > 1);
    RebuildAndSwap(*broad_phase);
    if (broad_phase->Stats(Layer::kStatic).changed_nodes == 0) break;
    REQUIRE(broad_phase->Stats(Layer::kDynamic).changed_nodes == 0);
    REQUIRE(++waited <= 8);  // the logarithm of the nodes over the moving bodies
    for (std::uint32_t i = 0; i < kMoving; ++i) {
      REQUIRE(broad_phase
                  ->Move(Body(i), Layer::kDynamic,
                         Cube(static_cast<float>(i), static_cast<float>(waited), 0, 0.25f))
                  .has_value());
    }
  }
  REQUIRE(waited >= 1);
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

TEST_CASE("every layer is rebuilt in its turn, the one that changed most first") {
  const auto broad_phase = std::move(*BroadPhase::Create(BroadPhaseDef::ForBodies(400, 2)));
  const auto changed = [&](Layer layer) { return broad_phase->Stats(layer).changed_nodes != 0; };
  const std::uint32_t counts[] = {10, 200, 60, 1};  // bodies in each layer
  std::uint32_t next = 0;
  for (std::size_t layer = 0; layer < 4; ++layer) {
    for (std::uint32_t i = 0; i < counts[layer]; ++i, ++next) {
      const Box box = Cube(static_cast<float>(next), 0, 0, 0.25f);
      REQUIRE(broad_phase->Insert(Body(next), static_cast<Layer>(layer), box).has_value());
    }
  }
  for (const Layer layer : {Layer::kDynamic, UserLayer(0), Layer::kStatic, UserLayer(1)}) {
    REQUIRE(changed(layer));
    RebuildAndSwap(*broad_phase);
    REQUIRE_FALSE(changed(layer));
  }
}

TEST_CASE("a view that is held across frames sees each frame's bodies") {
  auto broad_phase = Make(10);
  REQUIRE(broad_phase->Insert(Body(0), Layer::kDynamic, Cube(0, 0, 0, 1)).has_value());
  const BroadPhase::View view = broad_phase->Read();
  for (int frame = 1; frame < 10; ++frame) {
    const auto x = static_cast<float>(10 * frame);
    REQUIRE(broad_phase->Move(Body(0), Layer::kDynamic, Cube(x, 0, 0, 1)).has_value());
    RebuildAndSwap(*broad_phase);
    int found = 0;
    const auto count = [&](ProxyId) {
      ++found;
      return true;
    };
    view.QueryBox(Cube(x, 0, 0, 1), count);
    REQUIRE(found == 1);
    view.QueryBox(Cube(x - 10, 0, 0, 1), count);
    REQUIRE(found == 1);
  }
}

TEST_CASE("a view that is never let go is reported, and the frames go on") {
  auto broad_phase = Make(100);
  for (std::uint32_t i = 0; i < 100; ++i) {
    REQUIRE(broad_phase->Insert(Body(i), Layer::kDynamic, Cube(static_cast<float>(i), 0, 0, 0.25f))
                .has_value());
  }
  const auto frame = [&](int number) {
    REQUIRE(broad_phase->Move(Body(0), Layer::kDynamic, Cube(0, static_cast<float>(number), 0, 1))
                .has_value());
    RebuildAndSwap(*broad_phase);
  };
  for (int i = 0; i < 5; ++i) frame(i);
  REQUIRE(broad_phase->waiting_nodes().updates == 0);
  REQUIRE(broad_phase->waiting_nodes().nodes == 0);
  {
    const BroadPhase::View leaked = broad_phase->Read();
    for (int i = 5; i < 15; ++i) frame(i);
    REQUIRE(broad_phase->waiting_nodes().updates >= 8);
    REQUIRE(broad_phase->waiting_nodes().nodes >= 8);
    REQUIRE(Found(*broad_phase, Box::Everywhere()).size() == 100);
    // Until there are no nodes left: the frame goes on with the old tree, and gets the reason.
    Result<void> rebuilt;
    for (int i = 0; rebuilt && i < 1000; ++i) {
      REQUIRE(broad_phase->Move(Body(0), Layer::kDynamic, Cube(0, static_cast<float>(20 + i), 0, 1))
                  .has_value());
      rebuilt = broad_phase->Rebuild();
      broad_phase->Swap();
    }
    REQUIRE_FALSE(rebuilt.has_value());
    REQUIRE(rebuilt.error().detail == std::string("a reader pins old nodes"));
    REQUIRE(Found(*broad_phase, Box::Everywhere()).size() == 100);
  }
  for (int i = 0; i < 3; ++i) frame(2000 + i);
  REQUIRE(broad_phase->waiting_nodes().updates == 0);
  REQUIRE(broad_phase->waiting_nodes().nodes == 0);
}

TEST_CASE("as many nodes wait for a view as rebuilds have replaced since it was made") {
  auto broad_phase = Make(100);
  for (std::uint32_t i = 0; i < 100; ++i) {
    REQUIRE(
        broad_phase->Insert(Body(i), Layer::kDynamic, Cube(static_cast<float>(i), 0, 0, 0.25f)));
  }
  // The nodes that were replaced before have come back.
  for (int i = 0; i < 3; ++i) RebuildAndSwap(*broad_phase);
  REQUIRE(broad_phase->waiting_nodes().nodes == 0);
  // A view may be made at any time: also between a rebuild and its swap.
  const bool between = GENERATE(false, true);
  std::optional<BroadPhase::View> view;
  if (!between) view.emplace(broad_phase->Read());
  std::uint64_t replaced = 0;
  for (int frame = 1; frame <= 5; ++frame) {
    CAPTURE(between, frame);
    REQUIRE(broad_phase->Move(Body(0), Layer::kDynamic, Cube(0, static_cast<float>(frame), 0, 1)));
    REQUIRE(broad_phase->Rebuild());
    if (!view) view.emplace(broad_phase->Read());
    broad_phase->Swap();
    replaced += broad_phase->last_rebuild().replaced_nodes;
    REQUIRE(replaced >= static_cast<std::uint64_t>(frame));
    CHECK(broad_phase->waiting_nodes().nodes == replaced);
  }
}

TEST_CASE("a rebuild for which one tree has no nodes says so, whichever tree that is") {
  const bool first_lacks = GENERATE(false, true);
  const Layer lacks = first_lacks ? Layer::kStatic : Layer::kDynamic;
  const Layer other = first_lacks ? Layer::kDynamic : Layer::kStatic;
  BroadPhaseDef def;
  def.max_bodies = 10;
  def.max_nodes = 3;  // a root for each tree, and one to spare
  def.rebuild.fill(RebuildPolicy::kKeepUnchanged);
  auto made = BroadPhase::Create(def);
  REQUIRE(made);
  BroadPhase& broad_phase = **made;
  const auto insert = [&](std::uint32_t body, Layer layer) {
    return broad_phase.Insert(Body(body), layer, Cube(static_cast<float>(body), 0, 0, 0.25f));
  };
  for (std::uint32_t i = 0; i < 5; ++i) REQUIRE(insert(i, lacks));  // the fifth has the spare node
  const bool has_changed = GENERATE(false, true);
  if (has_changed) REQUIRE(insert(9, other));
  CAPTURE(first_lacks, has_changed);
  for (int i = 0; i < 3; ++i) {
    const Result<void> rebuilt = broad_phase.Rebuild();
    broad_phase.Swap();
    REQUIRE_FALSE(rebuilt);
    CHECK(rebuilt.error() == Error{ErrorCode::kCapacity, "tree nodes", 3});
    CHECK(Found(broad_phase, Box::Everywhere()).size() == (has_changed ? 6 : 5));
  }
}

TEST_CASE("a rebuild that found no nodes is tried again in the next update, and not put off") {
  BroadPhaseDef def;
  def.max_bodies = 10;
  def.max_nodes = 3;  // a root for each tree, and one to spare
  def.rebuild.fill(RebuildPolicy::kRefit);
  auto made = BroadPhase::Create(def);
  REQUIRE(made);
  BroadPhase& broad_phase = **made;
  for (std::uint32_t i = 0; i < 5; ++i) {  // the fifth has the spare node
    REQUIRE(broad_phase.Insert(Body(i), Layer::kDynamic, Cube(static_cast<float>(i), 0, 0, 0.25f)));
  }
  const std::size_t moving = IndexOf(Layer::kDynamic);
  for (std::uint32_t update = 1; update < kUpdatesARebuild; ++update) {
    RebuildAndSwap(broad_phase);
    REQUIRE(broad_phase.last_rebuild().refits[moving] == 1);
  }
  for (int i = 0; i < 3; ++i) {
    const Result<void> rebuilt = broad_phase.Rebuild();
    broad_phase.Swap();
    REQUIRE_FALSE(rebuilt);
    CHECK(rebuilt.error() == Error{ErrorCode::kCapacity, "tree nodes", 3});
    CHECK(broad_phase.last_rebuild().refits[moving] == 0);
    CHECK(Found(broad_phase, Box::Everywhere()).size() == 5);
  }
}

// A game always has some background query at work. That is no view that somebody has forgotten.
TEST_CASE("views that come and go are not reported as one that stays") {
  auto broad_phase = Make(10);
  REQUIRE(broad_phase->Insert(Body(0), Layer::kDynamic, Cube(0, 0, 0, 1)));
  std::optional<BroadPhase::View> older, newer;
  const std::uint32_t frames_each = GENERATE(1u, 2u, 5u);
  std::uint32_t most = 0;
  for (std::uint32_t frame = 0; frame < 200; ++frame) {
    if (frame % frames_each == 0) {
      older = std::move(newer);
      newer.emplace(broad_phase->Read());
    }
    REQUIRE(broad_phase->Move(Body(0), Layer::kDynamic, Cube(static_cast<float>(frame), 0, 0, 1)));
    RebuildAndSwap(*broad_phase);
    most = std::max(most, broad_phase->waiting_nodes().updates);
  }
  CHECK(most <= 2 * frames_each);
}

TEST_CASE("boxes that are not boxes are refused by name, and the body stays where it was") {
  constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  auto broad_phase = Make(10);
  const Box here = Cube(5, 0, 0, 1);
  REQUIRE(broad_phase->Insert(Body(0), Layer::kDynamic, here));
  const auto is_refused = [](const auto& result) {
    return !result && result.error().code == ErrorCode::kInvalidArgument &&
           result.error().subject == std::string("bounds");
  };
  std::vector<Box> wrong;
  for (const float bad : {kNan, kInfinity, -kInfinity, 2 * kLargeFloat}) {
    for (std::size_t axis = 0; axis < 3; ++axis) {
      Box box = Cube(9, 0, 0, 1);
      box.min[axis] = bad;
      wrong.push_back(box);
      box = Cube(9, 0, 0, 1);
      box.max[axis] = bad;
      wrong.push_back(box);
      box.min[axis] = bad;
      wrong.push_back(box);
    }
  }
  wrong.push_back({{2, 0, 0}, {1, 1, 1}});
  for (const Box& box : wrong) {
    CHECK(is_refused(broad_phase->Move(Body(0), Layer::kDynamic, box)));
    CHECK(is_refused(broad_phase->Insert(Body(1), Layer::kStatic, box)));
    const std::vector<BroadPhase::Entry> entries{{Body(1), here}, {Body(2), box}};
    CHECK(is_refused(broad_phase->Prepare(Layer::kStatic, entries)));
    CHECK(Found(*broad_phase, Box::Everywhere()) == Ids{Body(0)});
    CHECK(Found(*broad_phase, Cube(5, 0, 0, 0.5f)) == Ids{Body(0)});
    CHECK(Found(*broad_phase, Cube(9, 0, 0, 0.5f)).empty());
  }
  RebuildAndSwap(*broad_phase);
  CHECK(Found(*broad_phase, Cube(5, 0, 0, 0.5f)) == Ids{Body(0)});
}

TEST_CASE("a whole scene is removed with one call, and gives its nodes back without an update") {
  auto broad_phase = Make(700);
  std::vector<BroadPhase::Entry> entries;
  Ids bodies;
  for (std::uint32_t i = 0; i < 700; ++i) {
    entries.push_back({Body(i), Cube(static_cast<float>(i), 0, 0, 0.25f)});
    bodies.push_back(Body(i));
  }
  for (int round = 0; round < 100; ++round) {
    auto batch = broad_phase->Prepare(Layer::kStatic, entries);
    REQUIRE(batch.has_value());
    broad_phase->Finalise(std::move(*batch));
    REQUIRE(broad_phase->Stats(Layer::kStatic).bodies == 700);
    broad_phase->Remove(bodies, Layer::kStatic);
    REQUIRE(broad_phase->Stats(Layer::kStatic).nodes == 1);
    REQUIRE_FALSE(broad_phase->Has(Body(0)));
  }
}

TEST_CASE("of two trees that changed as much the later layer's is rebuilt, then the other one") {
  auto broad_phase = Make(10);
  REQUIRE(broad_phase->Insert(Body(0), Layer::kStatic, Cube(0, 0, 0, 1)));
  REQUIRE(broad_phase->Insert(Body(1), Layer::kDynamic, Cube(0, 0, 0, 1)));
  const auto rebuilds = [&] { return broad_phase->last_rebuild().rebuilds; };
  RebuildAndSwap(*broad_phase);
  CHECK(rebuilds()[IndexOf(Layer::kDynamic)] == 1);
  CHECK(rebuilds()[IndexOf(Layer::kStatic)] == 0);
  RebuildAndSwap(*broad_phase);
  CHECK(rebuilds()[IndexOf(Layer::kDynamic)] == 0);
  CHECK(rebuilds()[IndexOf(Layer::kStatic)] == 1);
  RebuildAndSwap(*broad_phase);  // nothing has changed
  CHECK(rebuilds()[IndexOf(Layer::kDynamic)] + rebuilds()[IndexOf(Layer::kStatic)] == 0);
  CHECK(broad_phase->last_rebuild().items == 0);
}

TEST_CASE("a tree in which nothing has changed is left alone, whatever its policy") {
  const RebuildPolicy policy = GENERATE(RebuildPolicy::kByTurns, RebuildPolicy::kKeepUnchanged,
                                        RebuildPolicy::kWhole, RebuildPolicy::kRefit);
  BroadPhaseDef def = BroadPhaseDef::ForBodies(40);
  def.rebuild.fill(policy);
  const auto broad_phase = std::move(*BroadPhase::Create(def));
  for (std::uint32_t i = 0; i < 40; ++i) {
    REQUIRE(
        broad_phase->Insert(Body(i), Layer::kDynamic, Cube(static_cast<float>(i), 0, 0, 0.25f)));
  }
  // Until the refits have been followed by a rebuild.
  for (std::uint32_t i = 0; i < kUpdatesARebuild; ++i) RebuildAndSwap(*broad_phase);
  for (std::uint32_t i = 0; i < 2 * kUpdatesARebuild; ++i) {
    RebuildAndSwap(*broad_phase);
    const RebuildStats& last = broad_phase->last_rebuild();
    for (std::size_t layer = 0; layer < 2; ++layer) {
      CHECK(last.rebuilds[layer] == 0);
      CHECK(last.refits[layer] == 0);
    }
    CHECK(last.replaced_nodes + last.refitted_nodes == 0);
  }
}

TEST_CASE(
    "a refit makes boxes tight up to the root, on each side, and leaves bodies in their slots") {
  for (int axis = 0; axis < 3; ++axis) {
    for (const float sign : {-1.0f, 1.0f}) {
      CAPTURE(axis, sign);
      Storage storage(100, 40);
      Tree tree(storage);
      std::vector<Tree::Entry> entries;
      for (std::uint32_t i = 0; i < 40; ++i) {
        entries.push_back({Body(i), Cube(static_cast<float>(i % 4), static_cast<float>(i / 4 % 4),
                                         static_cast<float>(i / 16), 0.25f)});
      }
      tree.Finalise(std::move(*tree.Prepare(entries)));
      REQUIRE(tree.Rebuild());
      tree.Swap();
      const Box hull = storage.node(tree.Root()).BoxOfAll();
      const std::uint32_t at = LocationOf(storage, Body(17));
      Box far = entries[17].box;
      far.min[static_cast<std::size_t>(axis)] += 50 * sign;
      far.max[static_cast<std::size_t>(axis)] += 50 * sign;
      REQUIRE(tree.Move(Body(17), far));
      REQUIRE(tree.Move(Body(17), entries[17].box));
      CHECK(Found(tree, far) == Ids{Body(17)});
      CHECK_FALSE(storage.node(tree.Root()).BoxOfAll() == hull);
      CHECK(tree.Refit() == tree.CountChanges());
      CHECK(storage.node(tree.Root()).BoxOfAll() == hull);
      CHECK(Found(tree, far).empty());
      CHECK(Found(tree, Box::Everywhere()).size() == 40);
      CHECK(LocationOf(storage, Body(17)) == at);
    }
  }
}

TEST_CASE("the nodes of a broad phase are as many as the bodies and layers may ever need") {
  const BroadPhaseDef def = BroadPhaseDef::ForBodies(1000, 3);
  CHECK(def.max_bodies == 1000);
  CHECK(def.user_layers == 3);
  CHECK(def.max_nodes == (2 + 3 + 2) * 1000 + 64);
  for (const RebuildPolicy policy : def.rebuild) CHECK(policy == RebuildPolicy::kByTurns);
}

TEST_CASE("a batch of which one body is there already is refused whole, and takes nothing") {
  auto broad_phase = Make(8);
  REQUIRE(broad_phase->Insert(Body(2), Layer::kDynamic, Cube(0, 0, 0, 1)));
  for (std::uint32_t place = 0; place < 3; ++place) {
    std::vector<BroadPhase::Entry> entries;
    for (std::uint32_t i = 0; i < 3; ++i) {
      entries.push_back({Body(i == place ? 2 : 4 + i), Cube(9, 0, 0, 1)});
    }
    const auto refused = broad_phase->Prepare(Layer::kStatic, entries);
    REQUIRE_FALSE(refused);
    CHECK(refused.error() == Error{ErrorCode::kInvalidArgument, "body"});
  }
  CHECK(broad_phase->Prepare(static_cast<Layer>(2), {}).error() ==
        Error{ErrorCode::kInvalidArgument, "layer"});
  const BroadPhase::Entry beyond[] = {{Body(8), Cube(0, 0, 0, 1)}};
  CHECK(broad_phase->Prepare(Layer::kStatic, beyond).error() ==
        Error{ErrorCode::kCapacity, "bodies", 8});
  for (std::uint32_t i = 4; i < 7; ++i) {
    CHECK(broad_phase->Insert(Body(i), Layer::kStatic, Cube(0, 0, 0, 1)));
  }
}

TEST_CASE("removing several bodies counts those that were there, each once") {
  auto broad_phase = Make(8);
  for (std::uint32_t i = 0; i < 4; ++i) {
    REQUIRE(broad_phase->Insert(Body(i), Layer::kDynamic, Cube(static_cast<float>(i), 0, 0, 1)));
  }
  const Ids some = {Body(1), Body(6), Body(1), ProxyId(2, 1), ProxyId(), Body(3)};
  CHECK(broad_phase->Remove(some, Layer::kDynamic) == 2);
  CHECK(Found(*broad_phase, Box::Everywhere()) == Ids{Body(0), Body(2)});
  CHECK(broad_phase->Remove(Ids{}, Layer::kDynamic) == 0);
  CHECK(broad_phase->Remove(Ids{Body(0)}, UserLayer(0)) == 0);
  CHECK(broad_phase->Has(Body(0)));
}

}  // namespace
}  // namespace nowait

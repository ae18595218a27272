// Sizes, queries, snapshots, and changes that are refused.
#include "src/broadphase/broad_phase.h"

#include <catch2/catch.hpp>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "tests/broadphase/boxes.h"
#include "tests/broadphase/broad_phase_calls.h"

namespace nowait {
namespace {

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

TEST_CASE("boxes that are not boxes are refused by name, and the body stays where it was") {
  constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  auto broad_phase = Make(10);
  const Box here = Cube(5, 0, 0, 1);
  REQUIRE(broad_phase->Insert(Body(0), Layer::kDynamic, here));
  const auto is_refused = [](const auto& result) {
    return !result && result.error().code == ErrorCode::kInvalidArgument &&
           result.error().subject == std::string("bounds");
  };
  std::vector<Box> wrong;
  for (const float bad : {kNaN, kInfinity, -kInfinity, 2 * kLargeFloat}) {
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

TEST_CASE("the nodes of a broad phase are as many as the bodies and layers may ever need") {
  const BroadPhaseDef def = BroadPhaseDef::ForBodies(1000, 3);
  CHECK(def.max_bodies == 1000);
  CHECK(def.user_layers == 3);
  // Five trees with a cell a body, and 32 first cells with a root each; twice all bodies and roots.
  CHECK(def.max_nodes == 5 * (1000 + 2 * 32) + 2 * (1000 + 5) + 128);
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

#include "src/broadphase/broad_phase.h"

#include <catch2/catch.hpp>
#include <memory>
#include <vector>

#include "tests/broadphase/boxes.h"

namespace nowait {
namespace {

using Ids = std::vector<BodyId>;

std::unique_ptr<BroadPhase> Make(std::uint32_t bodies) {
  auto broad_phase = BroadPhase::Create(BroadPhaseDef::ForBodies(bodies));
  REQUIRE(broad_phase.has_value());
  return std::move(*broad_phase);
}

Ids Found(const BroadPhase& broad_phase, const Box& box) {
  Ids found;
  broad_phase.Read().QueryBox(box, [&](BodyId id) {
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
  REQUIRE(BroadPhase::Create({0, 100}).error() ==
          Error{ErrorCode::kInvalidArgument, "max_bodies", 0});
  REQUIRE(BroadPhase::Create({BodyId::kMaxBodies + 1, 100}).error().subject ==
          std::string("max_bodies"));
  REQUIRE(BroadPhase::Create({100, 1}).error() ==
          Error{ErrorCode::kInvalidArgument, "max_nodes", 1});
  REQUIRE(BroadPhase::Create({100, 1u << 31}).error().subject == std::string("max_nodes"));
  REQUIRE(BroadPhase::Create({1, 2}).has_value());
}

TEST_CASE("a query looks into both layers, and stops in either") {
  auto broad_phase = Make(10);
  REQUIRE(broad_phase->Insert(Body(0), Layer::kStatic, Cube(0, 0, 0, 1)).has_value());
  REQUIRE(broad_phase->Insert(Body(1), Layer::kDynamic, Cube(1, 0, 0, 1)).has_value());
  REQUIRE(Found(*broad_phase, Cube(0.5f, 0, 0, 0.1f)) == Ids{Body(0), Body(1)});
  const BroadPhase::View view = broad_phase->Read();
  int calls = 0;
  view.QueryBox(Cube(0, 0, 0, 9), [&](BodyId) { return ++calls < 1; });
  REQUIRE(calls == 1);
  calls = 0;
  view.QueryRay({{-5, 0, 0}, {10, 0, 0}}, [&](BodyId, float) {
    ++calls;
    return -1.0f;
  });
  REQUIRE(calls == 1);
  Ids hits;
  view.QueryRay({{-5, 0, 0}, {10, 0, 0}}, [&](BodyId id, float max_fraction) {
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
      broad_phase->Move(Body(i), Layer::kDynamic,
                        Cube(static_cast<float>(i), static_cast<float>(waited), 0, 0.25f));
    }
  }
  REQUIRE(waited >= 1);
}

TEST_CASE("a view that is held across frames sees each frame's bodies") {
  auto broad_phase = Make(10);
  REQUIRE(broad_phase->Insert(Body(0), Layer::kDynamic, Cube(0, 0, 0, 1)).has_value());
  const BroadPhase::View view = broad_phase->Read();
  for (int frame = 1; frame < 10; ++frame) {
    const auto x = static_cast<float>(10 * frame);
    broad_phase->Move(Body(0), Layer::kDynamic, Cube(x, 0, 0, 1));
    RebuildAndSwap(*broad_phase);
    int found = 0;
    const auto count = [&](BodyId) {
      ++found;
      return true;
    };
    view.QueryBox(Cube(x, 0, 0, 1), count);
    REQUIRE(found == 1);
    view.QueryBox(Cube(x - 10, 0, 0, 1), count);
    REQUIRE(found == 1);
  }
}

}  // namespace
}  // namespace nowait

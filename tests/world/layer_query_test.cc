// Queries that bodies meet on their way from layer to layer. The filter's accept changes the
// layers, at looks that the test chooses: so a walk meets a change where the test wants it.
#include <algorithm>
#include <catch2/catch.hpp>
#include <cstddef>
#include <functional>
#include <memory>
#include <type_traits>
#include <utility>
#include <vector>

#include "src/world/world.h"
#include "tests/world/scene.h"

namespace nowait {
namespace {

constexpr Layer kDebris = UserLayer(0);
constexpr Layer kOther = UserLayer(1);
const Bounds<3> kNearOrigin = ToBounds({-100, -100, -100}, {100, 100, 100});

WorldDef TwoLayers() {
  WorldDef def = SmallWorld();
  def.user_layers = {{.name = "debris"}, {.name = "other"}};
  return def;
}

void Put(World& world, BodyId id, Layer layer) {
  WaitTime wait;
  BodyChange change;
  change.layer = layer;
  REQUIRE(world.SetProperties(id, change, wait));
}

// Each kind of query, of the whole filter, as the ids that it finds.
using Query = std::function<std::vector<BodyId>(const World&, const QueryFilter&)>;
struct NamedQuery {
  const char* name;
  Query ask;
};

template <class Found>
std::vector<BodyId> IdsOf(const std::vector<Found>& found) {
  std::vector<BodyId> ids;
  for (const Found& one : found) {
    if constexpr (requires { one.id; }) ids.push_back(one.id);
    if constexpr (requires { one.body.id; }) ids.push_back(one.body.id);
    if constexpr (std::is_same_v<Found, BodyAt> || std::is_same_v<Found, RayHit>) {
      ids.push_back(one.body);
    }
  }
  std::sort(ids.begin(), ids.end());
  return ids;
}

// Those that find all bodies on the x axis; with room for `limit` of them.
std::vector<NamedQuery> Collecting(std::size_t limit) {
  const RayCast along{{-50, 0, 0}, {100, 0, 0}};
  return {
      {"FindInBox",
       [](const World& world, const QueryFilter& filter) {
         WaitTime wait;
         std::vector<BodyId> out;
         world.Read().FindInBox(kNearOrigin, filter, out, wait);
         return out;
       }},
      {"Collect",
       [limit](const World& world, const QueryFilter& filter) {
         WaitTime wait;
         std::vector<BodySnapshot> out;
         world.Read().Collect(kNearOrigin, filter, out, wait, limit);
         return IdsOf(out);
       }},
      {"CollectNearest",
       [limit](const World& world, const QueryFilter& filter) {
         WaitTime wait;
         std::vector<NearSnapshot> out;
         world.Read().CollectNearest({}, 100, limit, filter, out, wait);
         return IdsOf(out);
       }},
      {"CollectHits",
       [limit, along](const World& world, const QueryFilter& filter) {
         WaitTime wait;
         std::vector<RayHit> out;
         world.Read().CollectHits(along, filter, out, wait, limit);
         return IdsOf(out);
       }},
  };
}

// Those that find one body.
std::vector<NamedQuery> Finding() {
  const RayCast along{{-50, 0, 0}, {100, 0, 0}};
  const PlacedShape ball{Shape::Sphere(0.2f), {-50, 0, 0}, {}};
  const auto one = [](const auto& found) {
    return found ? std::vector<BodyId>{found->body} : std::vector<BodyId>{};
  };
  return {
      {"CastRay",
       [=](const World& world, const QueryFilter& filter) {
         WaitTime wait;
         return one(world.CastRay(along, filter, wait));
       }},
      {"TraceRay",
       [=](const World& world, const QueryFilter& filter) {
         WaitTime wait;
         RayTrace trace;
         world.TraceRay(along, filter, wait, trace);
         return one(trace.hit);
       }},
      {"FindNearest",
       [=](const World& world, const QueryFilter& filter) {
         WaitTime wait;
         return one(world.Read().FindNearest({-50, 0, 0}, 100, filter, wait));
       }},
      {"FindAt",
       [=](const World& world, const QueryFilter& filter) {
         WaitTime wait;
         std::vector<BodyAt> out;
         world.Read().FindAt({-4, 0, 0}, filter, out, wait);
         return IdsOf(out);
       }},
      {"CastShape",
       [=](const World& world, const QueryFilter& filter) {
         WaitTime wait;
         return one(*world.Read().CastShape(ball, {100, 0, 0}, filter, wait));
       }},
      {"FindClosest",
       [=](const World& world, const QueryFilter& filter) {
         WaitTime wait;
         return one(*world.Read().FindClosest(ball, 100, filter, wait));
       }},
  };
}

std::vector<NamedQuery> Both(std::size_t limit) {
  std::vector<NamedQuery> all = Collecting(limit);
  for (NamedQuery& query : Finding()) all.push_back(std::move(query));
  return all;
}

// Bodies in a row along x; the first one at -4, the others after it.
struct Row {
  explicit Row(std::size_t bodies) : world(MakeWorld(TwoLayers())) {
    for (std::size_t i = 0; i < bodies; ++i) {
      ids.push_back(Add(*world, SphereAt(0.4f, {-4.0f + 2.0f * static_cast<float>(i), 0, 0})));
    }
    far = Add(*world, SphereAt(0.4f, {500, 0, 0}));
  }
  std::unique_ptr<World> world;
  std::vector<BodyId> ids;
  BodyId far;
};

TEST_CASE("a query ends although a body changes its layer at each of its looks") {
  constexpr std::size_t kBodies = 20;
  const Row row(kBodies);
  for (const NamedQuery& query : Both(2 * kBodies)) {
    INFO(query.name);
    std::size_t asked = 0;
    QueryFilter filter;
    filter.accept = [&](const BodySnapshot&) {
      // After so many looks it leaves the layers alone: the test ends where the query would not.
      if (++asked < 1000) Put(*row.world, row.far, asked % 2 == 0 ? kDebris : kOther);
      return true;
    };
    const std::vector<BodyId> found = query.ask(*row.world, filter);
    CHECK(asked <= 2 * (kBodies + 1));
    CHECK((found == row.ids || found == std::vector<BodyId>{row.ids[0]}));
  }
}

TEST_CASE("a query of one layer's tree is not disturbed by changes of layer") {
  constexpr std::size_t kBodies = 20;
  const Row row(kBodies);
  for (const NamedQuery& query : Both(2 * kBodies)) {
    INFO(query.name);
    std::size_t asked = 0;
    QueryFilter filter;
    filter.layers = {Layer::kDynamic, UserLayer(5)};  // the world has no such layer
    filter.accept = [&](const BodySnapshot&) {
      if (++asked < 1000) Put(*row.world, row.far, asked % 2 == 0 ? kDebris : kOther);
      return true;
    };
    static_cast<void>(query.ask(*row.world, filter));
    CHECK(asked <= kBodies);
  }
}

TEST_CASE("a ray that is blocked looks no further, whatever changes meanwhile") {
  const Row row(3);
  int asked = 0;
  QueryFilter filter;
  filter.accept = [&](const BodySnapshot&) {
    if (++asked < 1000) Put(*row.world, row.far, asked % 2 == 0 ? kDebris : kOther);
    return true;
  };
  WaitTime wait;
  CHECK(row.world->Read().IsBlocked({{-50, 0, 0}, {100, 0, 0}}, filter, wait));
  CHECK(asked == 1);
}

TEST_CASE("a query's accept may change the layer of the body that it is asked about") {
  constexpr std::size_t kBodies = 20;
  const bool back_and_forth = GENERATE(false, true);
  for (std::size_t i = 0; i < Both(0).size(); ++i) {
    const Row row(kBodies);
    const NamedQuery query = Both(2 * kBodies)[i];
    INFO(query.name);
    std::size_t asked = 0;
    QueryFilter filter;
    filter.accept = [&](const BodySnapshot& body) {
      if (++asked >= 1000) return true;
      if (back_and_forth || body.layer == Layer::kDynamic) {
        Put(*row.world, body.id, body.layer == kOther ? kDebris : kOther);
      }
      return true;
    };
    const std::vector<BodyId> found = query.ask(*row.world, filter);
    CHECK(asked <= 2 * (kBodies + 1));
    CHECK((found == row.ids || found == std::vector<BodyId>{row.ids[0]}));
  }
}

// The trees are walked in the order of the layers. The body goes back to the last one at the look
// at the first, and to a tree already walked at the look at the second: no walk meets it.
TEST_CASE("a body that each walk misses is found once") {
  for (const NamedQuery& query : Both(3)) {
    INFO(query.name);
    auto world = MakeWorld(TwoLayers());
    BodyDef still = SphereAt(0.4f, {0, 0, 0});
    const BodyId runner = Add(*world, SphereAt(0.4f, {-4, 0, 0}));
    still.type = BodyType::kStatic;
    const BodyId first = Add(*world, still);
    BodyDef piece = SphereAt(0.4f, {-2, 0, 0});
    piece.layer = kDebris;
    const BodyId second = Add(*world, piece);
    Put(*world, runner, kOther);
    QueryFilter filter;
    int asked = 0;
    // Each look at a body, not at those that the query takes: FindAt looks at all in the box.
    filter.accept = [&](const BodySnapshot& body) {
      asked += body.id == runner;
      if (body.id == first) Put(*world, runner, kOther);
      if (body.id == second) Put(*world, runner, Layer::kDynamic);
      return true;
    };
    const std::vector<BodyId> found = query.ask(*world, filter);
    const std::vector<BodyId> all = {runner, first, second};
    CHECK((found == all || found == std::vector<BodyId>{runner}));
    CHECK(asked == 1);
  }
}

TEST_CASE("a body that a walk could meet twice is found once, and takes one place") {
  for (const NamedQuery& query : Collecting(3)) {
    INFO(query.name);
    auto world = MakeWorld(TwoLayers());
    const BodyId runner = Add(*world, SphereAt(0.4f, {0, 0, 0}));
    BodyDef piece = SphereAt(0.4f, {2, 0, 0});
    piece.layer = kDebris;
    const BodyId second = Add(*world, piece);
    piece.position = {-6, 0, 0};
    piece.layer = kOther;
    const BodyId third = Add(*world, piece);
    QueryFilter filter;
    filter.accept = [&](const BodySnapshot& body) {
      if (body.id == second) Put(*world, runner, kOther);
      if (body.id == third) Put(*world, runner, Layer::kDynamic);
      return true;
    };
    CHECK(query.ask(*world, filter) == std::vector<BodyId>{runner, second, third});
  }
}

}  // namespace
}  // namespace nowait

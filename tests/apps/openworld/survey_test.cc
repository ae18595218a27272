// The survey's idea of ground.
#include "src/apps/openworld/survey.h"

#include <catch2/catch.hpp>
#include <cstdint>
#include <memory>
#include <optional>

#include "src/apps/openworld/folk.h"
#include "src/streaming/retired_shapes.h"
#include "tests/world/scene.h"

namespace nowait {
namespace {

constexpr std::uint64_t kPlaces = Survey::kRows * Survey::kRows;
// The first cell lies to the north-west: its corner is four cells from the player.
constexpr float kCorner = -4 * Survey::kCellSide;
constexpr float kMiddle = kCorner + 0.5f * Survey::kCellSide;

class Country {
 public:
  Country() : world_(MakeWorld(Def())) {}

  BodyId Put(Shape shape, Vec3 position, std::optional<Layer> layer = {}) {
    BodyDef def;
    def.type = BodyType::kStatic;
    def.layer = layer;
    def.shape = shape;
    def.position = position;
    return Add(*world_, def);
  }
  void PutBox(Vec3 position) { Add(*world_, BoxAt({1, 1, 1}, position)); }
  void PutFloor() {
    Put(Shape::Box({Survey::kCellSide, 1, Survey::kCellSide}), {kMiddle, -1, kMiddle});
  }
  Layer riders() const { return *world_->FindLayer(Folk::kLayer); }

  // Walkable places of the first cell.
  std::uint64_t Walkable(BodyId player = {}) {
    Survey survey(
        *world_, [this] { return retired_.Pin(); }, player);
    survey.LookAround({0, 1, 0});
    while (survey.Slice()) {
    }
    REQUIRE(survey.report().cells == 1);
    REQUIRE(survey.report().places == kPlaces);
    return survey.report().walkable;
  }

 private:
  static WorldDef Def() {
    WorldDef def;
    def.user_layers = {{.name = Folk::kLayer, .touches = LayerSet()}};
    return def;
  }

  RetiredShapes retired_{4};
  std::unique_ptr<World> world_;
};

TEST_CASE("a floor is walkable in each place, and a steep slope in none") {
  Country country;
  CHECK(country.Walkable() == 0);
  country.PutFloor();
  CHECK(country.Walkable() == kPlaces);
  // A sphere rises above the floor: steep at its side, walkable around its top.
  country.Put(Shape::Sphere(3), {kMiddle, 0, kMiddle});
  CHECK(country.Walkable() < kPlaces);
}

TEST_CASE("a rider is no ground") {
  Country country;
  const Shape rider = Shape::Capsule(0.4f, 0.25f);
  for (const float x : {-2.0f, 0.0f, 3.0f}) {
    country.Put(rider, {kMiddle + x, 2.2f, kMiddle}, country.riders());
  }
  CHECK(country.Walkable() == 0);
  country.PutFloor();
  CHECK(country.Walkable() == kPlaces);
}

TEST_CASE("nor is the player, nor a body that moves") {
  Country country;
  const BodyId player = country.Put(Shape::Capsule(0.5f, 0.4f), {kMiddle, 0.9f, kMiddle});
  country.PutBox({kMiddle + 3, 1, kMiddle});
  CHECK(country.Walkable() > 0);  // of another player
  CHECK(country.Walkable(player) == 0);
}

}  // namespace
}  // namespace nowait

// Arrows over measured and made-up ground: where they land, and that the counts can tell.
#include "src/apps/openworld/arrows.h"

#include <catch2/catch.hpp>
#include <cstdint>
#include <memory>
#include <vector>

#include "src/collision/height_field.h"
#include "src/math/random.h"
#include "src/streaming/residency.h"
#include "tests/world/scene.h"

namespace nowait {
namespace {

constexpr Vec3 kEyes{0, 12, 0};

// Hills of some metres, `side` metres wide around the origin.
class Country {
 public:
  explicit Country(float side) : pool_(0), world_(MakeWorld()) {
    constexpr std::uint32_t kSamples = 172;
    Random random(4);
    std::vector<float> heights(kSamples * kSamples);
    for (float& height : heights) height = random.Between(0, 8);
    auto ground = HeightField::Create({.columns = kSamples,
                                       .rows = kSamples,
                                       .spacing = side / (kSamples - 1),
                                       .heights = heights});
    REQUIRE(ground);
    ground_ = std::move(*ground);
    BodyDef def;
    def.type = BodyType::kStatic;
    def.shape = Shape::Ground(ground_.get());
    def.position = {-0.5f * side, 0, -0.5f * side};
    Add(*world_, def);
  }
  ~Country() { world_.reset(); }  // before its ground

  ArrowCounts Shoot(Continuous continuous, Vec3 player_moves = {}) {
    Arrows arrows(*world_, 7, continuous);
    for (std::uint64_t frame = 0; frame < 900; ++frame) {
      arrows.Follow(frame, kEyes + static_cast<float>(frame) * player_moves);
      if (frame % 12 == 0 && frame < 300) REQUIRE(arrows.Shoot(frame, kEyes));
      REQUIRE(world_->Update(1.0f / 30, pool_, 2));
    }
    CHECK(arrows.flying() == 0);
    const ArrowCounts& counts = arrows.counts();
    CHECK(counts.shot == 25);
    CHECK(world_->body_count() == 1);
    return counts;
  }

 private:
  PoolHere pool_;
  std::unique_ptr<const HeightField> ground_;
  std::unique_ptr<World> world_;
};

TEST_CASE("each arrow meets the ground, as far away as the guarantee reaches") {
  const ArrowCounts counts = Country(1200).Shoot(Continuous::kAll);
  CHECK(counts.met_statics + counts.out_of_reach == counts.shot);
  CHECK(counts.met_statics >= 15);
  CHECK(counts.farthest > 350);
  CHECK(counts.farthest <= Residency::kGuarantee);
  CHECK(counts.below_ground == 0);
  CHECK(counts.over_nothing == 0);
  CHECK(counts.lost == 0);
}

TEST_CASE("without continuous collision arrows pass through the ground, and that is counted") {
  CHECK(Country(1200).Shoot(Continuous::kOff).below_ground > 0);
}

TEST_CASE("where the ground ends too early, arrows are over nothing") {
  CHECK(Country(200).Shoot(Continuous::kAll).over_nothing > 0);
}

TEST_CASE("an arrow is not followed when the player has gone away") {
  const ArrowCounts counts = Country(1200).Shoot(Continuous::kAll, {20, 0, 0});
  CHECK(counts.out_of_reach > 10);
}

}  // namespace
}  // namespace nowait

#include "src/apps/player/shaft.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "src/math/random.h"

namespace nowait {
namespace {

constexpr std::uint32_t kSamples = 33, kMiddle = 16;
constexpr std::uint32_t kShaftCells = 4;  // of a metre
constexpr float kSlope = 0.3f;
constexpr float kWall = 0.25f;    // half of a wall's thickness
constexpr float kInside = 0.05f;  // the walls stand so far inside of the hole's rim

BodyDef Standing(const Shape& shape, Vec3 position) {
  BodyDef def;
  def.type = BodyType::kStatic;
  def.shape = shape;
  def.position = position;
  return def;
}

}  // namespace

Result<std::unique_ptr<const HeightField>> MakeFunnel() {
  std::vector<float> heights;
  for (std::uint32_t k = 0; k < kSamples; ++k) {
    for (std::uint32_t i = 0; i < kSamples; ++i) {
      const float x = std::abs(static_cast<float>(i) - static_cast<float>(kMiddle));
      const float z = std::abs(static_cast<float>(k) - static_cast<float>(kMiddle));
      heights.push_back(kSlope * std::max(std::max(x, z) - kShaftHalf, 0.0f));
    }
  }
  constexpr std::array<SurfaceMaterial, 1> kTable{};
  const std::vector<std::uint8_t> numbers((kSamples - 1) * (kSamples - 1), 0);
  const auto whole = HeightField::Create(
      {.columns = kSamples, .rows = kSamples, .heights = heights, .materials = {kTable, numbers}});
  if (!whole) return std::unexpected(whole.error());
  const std::vector<std::uint8_t> holes(kShaftCells * kShaftCells, SurfaceMaterials::kHole);
  return (*whole)->Edited({.first_i = kMiddle - kShaftCells / 2,
                           .first_k = kMiddle - kShaftCells / 2,
                           .columns = kShaftCells + 1,
                           .rows = kShaftCells + 1,
                           .materials = holes});
}

std::vector<BodyDef> BodiesOverShaft(const HeightField& funnel, std::uint32_t bodies,
                                     std::uint64_t seed) {
  Random random(seed);
  const float half = 0.5f * funnel.width();
  std::vector<BodyDef> defs = {Standing(Shape::Ground(&funnel), {-half, 0, -half})};
  // Slippery and dull for whatever lies on it, be it as rough and as hard as it may.
  defs[0].friction = 0.05f;
  defs[0].friction_rule = defs[0].restitution_rule = CombineRule::kMinimum;
  constexpr float kMiddleOfWall = kShaftHalf - kInside + kWall;
  for (const float side : {-1.0f, 1.0f}) {
    for (const bool along_x : {false, true}) {
      const float at = side * kMiddleOfWall, wide = kMiddleOfWall + kWall;
      const Vec3 size =
          along_x ? Vec3{kWall, 0.5f * kShaftDepth, wide} : Vec3{wide, 0.5f * kShaftDepth, kWall};
      const Vec3 place = along_x ? Vec3{at, 0, 0} : Vec3{0, 0, at};
      // Below the rim, so that nothing that slides in is stopped.
      defs.push_back(Standing(Shape::Box(size), place - Vec3{0, 0.5f * kShaftDepth + kInside, 0}));
      defs.back().friction = 0.0f;
    }
  }
  BodyDef floor = Standing(Shape::Box({8, 1, 8}), {0, -kShaftDepth - 1.0f, 0});
  // Bodies bounce on it as much as their own material says.
  floor.restitution = 1.0f;
  floor.restitution_rule = CombineRule::kMultiply;
  defs.push_back(floor);
  for (std::uint32_t i = 0; i < bodies; ++i) {
    BodyDef def;
    if (random.Below(2) == 0) {
      def.shape = Shape::Sphere(random.Between(0.15f, 0.35f));
      def.restitution = 0.8f;
    } else {
      def.shape = Shape::Box(random.InBox({0.15f, 0.15f, 0.15f}, {0.3f, 0.3f, 0.3f}));
    }
    const float far = half - 2.0f;
    def.position = random.InBox({-far, 0, -far}, {far, 0, far});
    def.position.y = 6.0f + 0.05f * static_cast<float>(i);
    def.rotation = random.Rotation();
    def.friction = 0.9f;
    defs.push_back(def);
  }
  return defs;
}

}  // namespace nowait

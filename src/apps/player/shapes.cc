#include "src/apps/player/shapes.h"

#include <array>
#include <utility>

#include "src/math/random.h"

namespace nowait {
namespace {

constexpr std::uint64_t kHullSeed = 20;  // of the stones, which are the same for every scene
constexpr std::uint32_t kStones = 6;
constexpr std::uint32_t kStonePoints = 18;
constexpr float kSpacing = 1.8f, kLayerHeight = 1.9f, kLowest = 7.0f;

std::vector<Vec3> Ramp() {
  return {{-4, 0, -2}, {4, 0, -2}, {-4, 0, 2}, {4, 0, 2}, {-4, 2.5f, -2}, {-4, 2.5f, 2}};
}

std::vector<Vec3> Pyramid() {
  return {{-0.5f, 0, -0.5f}, {0.5f, 0, -0.5f}, {-0.5f, 0, 0.5f}, {0.5f, 0, 0.5f}, {0, 0.9f, 0}};
}

// The corners of a regular hexagon, without libm.
std::vector<Vec3> Prism(float radius, float half_height) {
  constexpr float kRoot = 0.8660254f;
  std::vector<Vec3> points;
  for (const float y : {-half_height, half_height}) {
    for (const float side : {-1.0f, 1.0f}) {
      points.push_back({side * radius, y, 0});
      points.push_back({side * 0.5f * radius, y, kRoot * radius});
      points.push_back({side * 0.5f * radius, y, -kRoot * radius});
    }
  }
  return points;
}

std::vector<Vec3> Stone(Random& random) {
  const Vec3 size = random.InBox({0.3f, 0.25f, 0.3f}, {0.65f, 0.5f, 0.65f});
  std::vector<Vec3> points;
  for (std::uint32_t i = 0; i < kStonePoints; ++i) {
    const Vec3 n = random.Direction();
    points.push_back({n.x * size.x, n.y * size.y, n.z * size.z});
  }
  return points;
}

std::vector<CompoundChild> Table() {
  std::vector<CompoundChild> children = {{.shape = Shape::Box({0.7f, 0.05f, 0.45f})}};
  for (const float x : {-0.6f, 0.6f}) {
    for (const float z : {-0.35f, 0.35f}) {
      children.push_back({.shape = Shape::Cylinder(0.3f, 0.06f), .position = {x, -0.35f, z}});
    }
  }
  return children;
}

constexpr Quat kAlongX{0, 0, 0.70710678f, 0.70710678f};  // turns the y axis to -x

std::vector<CompoundChild> Dumbbell() {
  return {{.shape = Shape::Capsule(0.5f, 0.08f), .rotation = kAlongX},
          {.shape = Shape::Sphere(0.3f), .position = {-0.6f, 0, 0}},
          {.shape = Shape::Sphere(0.3f), .position = {0.6f, 0, 0}}};
}

// Its head is of another material.
std::vector<CompoundChild> Hammer() {
  return {{.shape = Shape::Cylinder(0.6f, 0.06f)},
          {.shape = Shape::Box({0.3f, 0.14f, 0.14f}), .position = {0, 0.6f, 0}, .density = 4.0f}};
}

// Six sides of a hexagon.
std::vector<CompoundChild> Ring() {
  constexpr float kRoot = 0.8660254f, kSide = 0.55f;
  // The cosine and sine of half the angle by which a side is turned about y.
  constexpr std::array<std::array<float, 2>, 3> kHalfTurns = {
      {{1, 0}, {kRoot, 0.5f}, {0.5f, kRoot}}};
  constexpr std::array<Vec3, 3> kMiddles = {Vec3{0, 0, kRoot}, Vec3{0.75f, 0, 0.5f * kRoot},
                                            Vec3{0.75f, 0, -0.5f * kRoot}};
  std::vector<CompoundChild> children;
  for (std::size_t i = 0; i < kMiddles.size(); ++i) {
    const Quat turn = Quat{0, kHalfTurns[i][1], 0, kHalfTurns[i][0]} * kAlongX;
    for (const float end : {-kSide, kSide}) {
      children.push_back({Shape::Capsule(0.5f * kSide, 0.1f), kMiddles[i] * end, turn});
    }
  }
  return children;
}

Shape RandomShape(const Hulls& hulls, const Compounds& compounds, Random& random) {
  switch (random.Below(7)) {
    case 0:
      return Shape::Sphere(random.Between(0.25f, 0.5f));
    case 1:
      return Shape::Box(random.InBox({0.2f, 0.2f, 0.2f}, {0.5f, 0.5f, 0.5f}));
    case 2: {
      const float half_height = random.Between(0.2f, 0.5f);
      return Shape::Capsule(half_height, random.Between(0.2f, 0.35f));
    }
    case 3: {
      const float half_height = random.Between(0.1f, 0.5f);
      return Shape::Cylinder(half_height, random.Between(0.2f, 0.5f));
    }
    case 4:
      return Shape::Compound(
          compounds[random.Below(static_cast<std::uint32_t>(compounds.size()))].get());
    default:  // any hull but the ramp
      return Shape::Hull(
          hulls[1 + random.Below(static_cast<std::uint32_t>(hulls.size() - 1))].get());
  }
}

BodyDef Standing(const Shape& shape, Vec3 position) {
  BodyDef def;
  def.type = BodyType::kStatic;
  def.shape = shape;
  def.position = position;
  def.friction = 0.7f;
  return def;
}

}  // namespace

Result<Hulls> MakeHulls() {
  Random random(kHullSeed);
  std::vector<std::vector<Vec3>> sets = {Ramp(), Pyramid(), Prism(0.45f, 0.3f), Prism(0.25f, 0.6f)};
  for (std::uint32_t i = 0; i < kStones; ++i) sets.push_back(Stone(random));
  Hulls hulls;
  for (const std::vector<Vec3>& points : sets) {
    auto hull = ConvexHull::Create({.points = points});
    if (!hull) return std::unexpected(hull.error());
    hulls.push_back(std::move(*hull));
  }
  return hulls;
}

Result<Compounds> MakeCompounds() {
  Compounds compounds;
  for (const std::vector<CompoundChild>& children : {Table(), Dumbbell(), Hammer(), Ring()}) {
    auto compound = CompoundShape::Create({.children = children});
    if (!compound) return std::unexpected(compound.error());
    compounds.push_back(std::move(*compound));
  }
  return compounds;
}

std::vector<BodyDef> ShapesOn(const Ground& ground, const TriangleMesh& deck, const Hulls& hulls,
                              const Compounds& compounds, std::uint32_t bodies,
                              std::uint64_t seed) {
  Random random(seed);
  std::vector<BodyDef> defs = {GroundBody(ground), Standing(Shape::Mesh(&deck), {})};
  std::uint32_t side = 3;
  while (4 * side * side < bodies) ++side;
  const float corner = -0.5f * kSpacing * static_cast<float>(side - 1);
  for (const float x : {corner, 0.0f, -corner}) {
    for (const float z : {corner, -corner}) {
      const float y = ground.HeightAt(x, z);
      if (x == 0.0f) {
        // The ramp's points were given from its foot; its body's frame lies in its middle.
        BodyDef ramp =
            Standing(Shape::Hull(hulls[0].get()), Vec3{x, y - 0.5f, z} + hulls[0]->centre());
        ramp.rotation = hulls[0]->rotation();
        defs.push_back(ramp);
      } else {
        defs.push_back(Standing(Shape::Cylinder(3.0f, 0.8f), {x, y + 2.0f, z}));
      }
    }
  }
  for (std::uint32_t i = 0; i < bodies; ++i) {
    const std::uint32_t layer = i / (side * side), place = i % (side * side);
    const float x = corner + kSpacing * static_cast<float>(place % side);
    const float z = corner + kSpacing * static_cast<float>(place / side);
    BodyDef def;
    def.shape = RandomShape(hulls, compounds, random);
    def.position = {x, ground.HeightAt(x, z) + kLowest + kLayerHeight * static_cast<float>(layer),
                    z};
    def.rotation = random.Rotation();
    def.friction = 0.7f;
    def.rolling_resistance = 0.1f;
    defs.push_back(def);
  }
  return defs;
}

}  // namespace nowait

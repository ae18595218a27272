#include "src/apps/player/chute.h"

#include <array>

#include "src/math/random.h"

namespace nowait {
namespace {

constexpr std::uint32_t kStepsOfTurn = 64, kTurns = 2;
constexpr std::uint32_t kRoughSteps = 20;                                     // at the lower end
constexpr float kRadius = 7.0f, kDrop = 9.0f / kStepsOfTurn, kLowest = 1.0f;  // metres

// The cosine and sine of one step, so that no library's rounding is in the scene.
constexpr float kCosine = 0.99518473f, kSine = 0.09801714f;

// Across the chute: out from its middle, and up.
constexpr std::array<std::array<float, 2>, 8> kProfile = {{{-1.7f, 1.5f},
                                                           {-1.4f, 0.6f},
                                                           {-0.8f, 0.12f},
                                                           {0, 0},
                                                           {0.8f, 0.12f},
                                                           {1.4f, 0.6f},
                                                           {1.7f, 1.4f},
                                                           {1.75f, 2.2f}}};

// Smooth above; below, what comes down keeps the speed that it has, until the belt takes it.
enum : std::uint8_t { kSmooth, kRough };
constexpr std::array kMaterials = {SurfaceMaterial{}, SurfaceMaterial{.friction = 4.0f}};

// Where the chute is after so many steps from its lower end: the direction out from the y axis, and
// the height of its middle.
struct Place {
  Vec3 out{1, 0, 0};
  float height = kLowest;

  void Advance() {
    out = {out.x * kCosine - out.z * kSine, 0.0f, out.x * kSine + out.z * kCosine};
    height += kDrop;
  }
  Vec3 At(float beyond, float above) const {
    return out * (kRadius + beyond) + Vec3{0, height + above, 0};
  }
};

Shape RandomShape(const Hulls& hulls, Random& random) {
  switch (random.Below(5)) {
    case 0:
      return Shape::Sphere(random.Between(0.2f, 0.4f));
    case 1: {
      const float half_height = random.Between(0.1f, 0.35f);
      return Shape::Capsule(half_height, random.Between(0.18f, 0.3f));
    }
    case 2: {
      const float half_height = random.Between(0.1f, 0.4f);
      return Shape::Cylinder(half_height, random.Between(0.2f, 0.4f));
    }
    case 3:
      return Shape::Box(random.InBox({0.15f, 0.15f, 0.15f}, {0.35f, 0.35f, 0.35f}));
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
  def.friction = 0.02f;  // angular bodies slide, too
  return def;
}

}  // namespace

Result<std::unique_ptr<const TriangleMesh>> MakeChute() {
  std::vector<Vec3> vertices;
  std::vector<std::uint32_t> indices;
  std::vector<std::uint8_t> materials;  // of the triangles
  constexpr auto kRow = static_cast<std::uint32_t>(kProfile.size());
  Place place;
  for (std::uint32_t step = 0; step <= kTurns * kStepsOfTurn; ++step, place.Advance()) {
    const std::uint32_t row = step * kRow;
    for (const auto& [beyond, above] : kProfile) vertices.push_back(place.At(beyond, above));
    for (std::uint32_t i = 0; step > 0 && i + 1 < kRow; ++i) {
      const std::uint32_t a = row - kRow + i, b = a + 1, c = row + i, d = c + 1;
      indices.insert(indices.end(), {a, c, b, b, c, d});
      materials.insert(materials.end(), 2, step <= kRoughSteps ? kRough : kSmooth);
    }
  }
  return TriangleMesh::Create(
      {.vertices = vertices, .indices = indices, .materials = {kMaterials, materials}});
}

// Carries on what comes out of the lower end of a chute.
BodyDef Belt(Quat rotation) {
  BodyDef def = Standing(Shape::Box({1.8f, 0.15f, 6.0f}), Rotate(rotation, {kRadius, 0.1f, -7.0f}));
  def.rotation = rotation;
  def.friction = 0.9f;
  def.surface_velocity = {0, 0, -2.5f};
  return def;
}

std::vector<BodyDef> BodiesInChutes(const TriangleMesh& chute, const Hulls& hulls,
                                    std::uint32_t bodies, std::uint64_t seed) {
  Random random(seed);
  const Shape shape = Shape::Mesh(&chute);
  std::vector<BodyDef> defs = {Standing(Shape::Box({60, 1, 60}), {0, -1, 0}), Standing(shape, {}),
                               Standing(shape, {})};
  defs[0].friction = 0.7f;
  defs[2].rotation = {0, 1, 0, 0};
  for (const Quat rotation : {Quat{}, defs[2].rotation}) defs.push_back(Belt(rotation));
  // From the upper ends down, by turns in either chute.
  std::vector<Place> places(kTurns * kStepsOfTurn);
  for (std::size_t i = 1; i < places.size(); ++i) {
    places[i] = places[i - 1];
    places[i].Advance();
  }
  for (std::uint32_t i = 0; i < bodies; ++i) {
    const auto back = static_cast<std::size_t>(i / 2) % (places.size() - 8);
    const auto round = static_cast<float>(i / 2 / (places.size() - 8));
    BodyDef def;
    def.shape = RandomShape(hulls, random);
    def.position =
        places[places.size() - 1 - back].At(random.Between(-0.5f, 0.5f), 0.9f + 0.9f * round);
    if (i % 2 == 1) def.position = {-def.position.x, def.position.y, -def.position.z};
    def.rotation = random.Rotation();
    def.linear_damping = 0.4f;
    defs.push_back(def);
  }
  return defs;
}

}  // namespace nowait

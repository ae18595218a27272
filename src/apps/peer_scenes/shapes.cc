#include <array>
#include <utility>

#include "src/apps/peer_scenes/peer_scene.h"
#include "src/math/random.h"

namespace nowait {
namespace {

constexpr std::uint32_t kCells = 100;

// sin(i / 2) and cos(i / 2), turned on by half a radian each, without libm.
struct Wave {
  double sine = 0.0;
  double cosine = 1.0;

  void Next() {
    constexpr double kSine = 0.47942553860420300, kCosine = 0.87758256189037271;
    const double next = sine * kCosine + cosine * kSine;
    cosine = cosine * kCosine - sine * kSine;
    sine = next;
  }
};

// 5 sin(i / 2) cos(k / 2) metres high, in cells of 3 m.
Result<std::unique_ptr<const TriangleMesh>> MakeHills() {
  constexpr float kCell = 3.0f;
  constexpr double kHeight = 5.0;
  constexpr std::uint32_t kSide = kCells + 1;
  std::vector<Vec3> vertices;
  std::vector<std::uint32_t> indices;
  Wave along_x;
  for (std::uint32_t i = 0; i < kSide; ++i, along_x.Next()) {
    Wave along_z;
    for (std::uint32_t k = 0; k < kSide; ++k, along_z.Next()) {
      vertices.push_back({kCell * static_cast<float>(i),
                          static_cast<float>(kHeight * along_x.sine * along_z.cosine),
                          kCell * static_cast<float>(k)});
    }
  }
  for (std::uint32_t i = 0; i < kCells; ++i) {
    for (std::uint32_t k = 0; k < kCells; ++k) {
      const std::uint32_t corner = i * kSide + k;
      // Counter-clockwise seen from above.
      for (const std::uint32_t step : {0u, 1u, kSide + 1, 0u, kSide + 1, kSide}) {
        indices.push_back(corner + step);
      }
    }
  }
  return TriangleMesh::Create({.vertices = vertices, .indices = indices});
}

std::vector<Vec3> StonePoints() {
  constexpr std::uint32_t kPoints = 32;
  constexpr std::uint64_t kSeed = 1;
  constexpr float kRadius = 2.0f;
  Random random(kSeed);
  std::vector<Vec3> points;
  for (std::uint32_t i = 0; i < kPoints; ++i) points.push_back(random.Direction() * kRadius);
  return points;
}

}  // namespace

Result<PeerShapes> MakePeerShapes() {
  constexpr std::array<Vec3, 5> kFive = {Vec3{0, 1, 0}, Vec3{1, 0, 0}, Vec3{-1, 0, 0},
                                         Vec3{0, 0, 1}, Vec3{0, 0, -1}};
  auto hills = MakeHills();
  if (!hills) return std::unexpected(hills.error());
  auto five = ConvexHull::Create({.points = kFive});
  if (!five) return std::unexpected(five.error());
  auto stone = ConvexHull::Create({.points = StonePoints()});
  if (!stone) return std::unexpected(stone.error());
  return PeerShapes{std::move(*hills), std::move(*five), std::move(*stone)};
}

}  // namespace nowait

// The axis of two hulls by GJK and EPA, beside the separating axis test: two ways to the same depth
// (tests/collision/hull_sat.h). Of hulls of 8 to 64 points that overlap or gape by two centimetres
// at most ("near"), and of hulls of which one lies with a face on a face of the other ("lying").
#include <benchmark/benchmark.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "src/collision/convex_hull.h"
#include "src/collision/core_distance.h"
#include "src/math/random.h"
#include "tests/collision/hull_sat.h"

namespace nowait {
namespace {

using test::FindSatAxis;
using test::HullEdges;

constexpr std::size_t kPairs = 256;
constexpr float kMargin = 0.02f;

struct Stone {
  Stone(std::uint32_t count, Random& random) {
    const Vec3 size = random.InBox({0.3f, 0.3f, 0.3f}, {1, 1, 1});
    std::vector<Vec3> points;
    while (points.size() < count) {
      const Vec3 n = random.Direction();
      points.push_back({n.x * size.x, n.y * size.y, n.z * size.z});
    }
    hull = std::move(*ConvexHull::Create({.points = points}));
    edges = std::make_unique<HullEdges>(*hull);
    shape = Shape::Hull(hull.get());
  }
  Placed placed() const { return {shape, position, rotation}; }

  std::unique_ptr<const ConvexHull> hull;
  std::unique_ptr<HullEdges> edges;
  Shape shape;
  Vec3 position;
  Quat rotation;
};

struct Pair {
  Pair(std::uint32_t count, Random& random) : a(count, random), b(count, random) {}

  void PutNear(Random& random) {
    a.rotation = random.Rotation();
    b.rotation = random.Rotation();
    b.position = random.Direction();
    const CoreDistance of = DistanceOf(Core(a.placed(), {}), Core(b.placed(), {}));
    const float by = random.Between(-kMargin, kMargin) - static_cast<float>(of.distance);
    b.position += ToFloat(of.normal) * by;
  }
  // As a body rests: up to two millimetres deep.
  void PutLying(Random& random) {
    const auto draw = [&](const ConvexHull& hull) {
      return random.Below(static_cast<std::uint32_t>(hull.planes().size()));
    };
    const std::uint32_t below = draw(*a.hull), above = draw(*b.hull);
    const Vec3 out = a.hull->planes()[below].normal, in = b.hull->planes()[above].normal;
    const float angle = std::acos(std::clamp(-Dot(in, out), -1.0f, 1.0f));
    b.rotation = FromAxisAngle(out, random.Between(-3.0f, 3.0f)) *
                 FromAxisAngle(NormaliseOr(Cross(in, -out), {1, 0, 0}), angle);
    b.position = MiddleOf(*a.hull, below) - Rotate(b.rotation, MiddleOf(*b.hull, above)) -
                 out * random.Between(0.0f, 0.002f);
  }

  static Vec3 MiddleOf(const ConvexHull& hull, std::size_t face) {
    Vec3 sum;
    for (const std::uint8_t corner : hull.CornersOf(face)) sum += hull.vertices()[corner];
    return sum * (1.0f / static_cast<float>(hull.CornersOf(face).size()));
  }

  Stone a, b;
};

std::vector<std::unique_ptr<Pair>> PairsOf(std::uint32_t count, bool lying) {
  Random random(181);
  std::vector<std::unique_ptr<Pair>> pairs;
  while (pairs.size() < kPairs) {
    pairs.push_back(std::make_unique<Pair>(count, random));
    if (lying) {
      pairs.back()->PutLying(random);
    } else {
      pairs.back()->PutNear(random);
    }
  }
  return pairs;
}

void GjkAndEpa(benchmark::State& state, std::uint32_t count, bool lying) {
  const auto pairs = PairsOf(count, lying);
  double sum = 0.0;
  for (auto _ : state) {
    for (const auto& pair : pairs) {
      const Core a(pair->a.placed(), {}), b(pair->b.placed(), {});
      sum += DistanceOf(a, b, double{kMargin}).distance;
    }
  }
  benchmark::DoNotOptimize(sum);
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(kPairs));
}

void Sat(benchmark::State& state, std::uint32_t count, bool lying) {
  const auto pairs = PairsOf(count, lying);
  float sum = 0.0f;
  for (auto _ : state) {
    for (const auto& pair : pairs) {
      sum +=
          FindSatAxis(pair->a.placed(), *pair->a.edges, pair->b.placed(), *pair->b.edges, kMargin)
              .separation;
    }
  }
  benchmark::DoNotOptimize(sum);
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(kPairs));
}

void Register() {
  for (const bool lying : {false, true}) {
    for (const std::uint32_t count : {8u, 16u, 32u, 64u}) {
      const std::string name = (lying ? "lying_" : "near_") + std::to_string(count);
      benchmark::RegisterBenchmark((name + "/ours/1").c_str(), GjkAndEpa, count, lying);
      benchmark::RegisterBenchmark((name + "/baseline/1").c_str(), Sat, count, lying);
    }
  }
}

}  // namespace
}  // namespace nowait

int main(int argc, char** argv) {
  nowait::Register();
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return EXIT_FAILURE;
  benchmark::RunSpecifiedBenchmarks();
  return EXIT_SUCCESS;
}

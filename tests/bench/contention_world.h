// The streamed world of the contention benchmark: 28 tiles that stay, and scenes that come and go.
//
// 20,000 bodies at a time: 500 a tile, every fifth of them dynamic, and 20 of 40 scenes of 300
// static bodies each, in places of their own. Tiles are 256 m square, as in [rouwe2022].
#ifndef NOWAIT_TESTS_BENCH_CONTENTION_WORLD_H_
#define NOWAIT_TESTS_BENCH_CONTENTION_WORLD_H_

#include <cstdint>
#include <vector>

#include "src/math/random.h"
#include "src/math/vec3.h"
#include "tests/bench/open_world.h"

namespace nowait {

struct ContentionWorld {
  static constexpr std::uint32_t kTilesX = 7;
  static constexpr std::uint32_t kTilesZ = 4;
  static constexpr float kTile = 256.0f;
  static constexpr float kWidth = kTilesX * kTile;
  static constexpr float kDepth = kTilesZ * kTile;
  static constexpr std::uint32_t kPerTile = 500;
  static constexpr std::uint32_t kDynamicEvery = 5;
  static constexpr std::uint32_t kScenes = 40;
  static constexpr std::uint32_t kScenesAtOnce = 20;
  static constexpr std::uint32_t kPerScene = 300;
  static constexpr float kSceneSide = 60.0f;

  explicit ContentionWorld(std::uint64_t seed) {
    Random random(seed);
    const auto add = [this](Vec3 at, bool dynamic, std::vector<std::uint32_t>& list) {
      list.push_back(static_cast<std::uint32_t>(bodies.size()));
      bodies.push_back(OpenBodyAt(at, dynamic));
    };
    for (std::uint32_t tile = 0; tile < kTilesX * kTilesZ; ++tile) {
      const float x = static_cast<float>(tile % kTilesX) * kTile;
      const float z = static_cast<float>(tile / kTilesX) * kTile;
      for (std::uint32_t i = 0; i < kPerTile; ++i) {
        const bool dynamic = i % kDynamicEvery == 0;
        const Vec3 at = random.InBox({x, 0, z}, {x + kTile, 20, z + kTile});
        add(at, dynamic, dynamic ? dynamics : statics);
      }
    }
    scenes.resize(kScenes);
    for (std::vector<std::uint32_t>& scene : scenes) {
      const float x = random.Between(0, kWidth - kSceneSide);
      const float z = random.Between(0, kDepth - kSceneSide);
      for (std::uint32_t i = 0; i < kPerScene; ++i) {
        add(random.InBox({x, 0, z}, {x + kSceneSide, 20, z + kSceneSide}), false, scene);
      }
    }
  }

  std::vector<OpenBody> bodies;
  std::vector<std::uint32_t> statics;   // of the tiles
  std::vector<std::uint32_t> dynamics;  // of the tiles
  std::vector<std::vector<std::uint32_t>> scenes;
};

}  // namespace nowait

#endif  // NOWAIT_TESTS_BENCH_CONTENTION_WORLD_H_

// AreaQueries: a background thread that asks what is in an area of 12.8 m, as a navigation mesh's
// builder does, and is busy with it for longer than a frame.
//
// The work is sampling the area's surface from above, every 0.1 m, against all bodies found there,
// again and again until the query has lasted its time; then the thread rests as long. The tree is
// held as long as its locking wants: with one lock round the tree, for all of it.
#ifndef NOWAIT_TESTS_BENCH_AREA_QUERIES_H_
#define NOWAIT_TESTS_BENCH_AREA_QUERIES_H_

#include <chrono>
#include <cstdint>
#include <optional>
#include <span>
#include <stop_token>
#include <thread>
#include <vector>

#include "src/collision/ray_cast.h"
#include "src/math/bounds.h"
#include "src/math/random.h"
#include "src/math/vec3.h"
#include "src/sync/rw_lock.h"
#include "tests/bench/game_frames.h"
#include "tests/bench/open_world.h"
#include "tests/bench/samples.h"

namespace nowait {

template <class Tree>
class AreaQueries {
 public:
  // places: where areas are centred. lasting: zero for no queries at all.
  AreaQueries(Tree& tree, std::vector<Vec3> places, std::chrono::milliseconds lasting,
              std::uint64_t seed)
      : tree_(tree), places_(std::move(places)), lasting_(lasting), random_(seed) {
    if (lasting_.count() != 0) {
      thread_ = std::jthread([this](std::stop_token stop) { Run(stop); });
    }
  }

  // Ends the thread; then the results may be read.
  void Stop() { thread_ = {}; }
  const Samples& lasted_us() const { return lasted_us_; }
  const Samples& wait_us() const { return wait_us_; }
  // Surface samples that met a body.
  std::uint64_t met() const { return met_; }

 private:
  static constexpr float kArea = 12.8f;
  static constexpr std::uint32_t kColumns = 128;  // a side

  void Run(const std::stop_token& stop) {
    while (!stop.stop_requested()) {
      const Vec3 centre = places_[random_.Below(static_cast<std::uint32_t>(places_.size()))];
      const Vec3 half{kArea / 2, 50, kArea / 2};
      WaitTime wait;
      const auto start = BenchClock::now();
      tree_.Area(
          ToBounds(centre - half, centre + half),
          [&](std::span<const PlacedShape> found) {
            do {
              Sample(centre, found, start, stop);
            } while (BenchClock::now() < start + lasting_ && !stop.stop_requested());
          },
          wait);
      lasted_us_.Add(MicrosecondsSince(start));
      wait_us_.Add(std::chrono::duration<double, std::micro>(wait.waited).count());
      std::this_thread::sleep_for(lasting_);
    }
  }

  void Sample(Vec3 centre, std::span<const PlacedShape> found, BenchClock::time_point start,
              const std::stop_token& stop) {
    constexpr float kStep = kArea / kColumns;
    for (std::uint32_t i = 0; i < kColumns; ++i) {
      if (BenchClock::now() >= start + lasting_ || stop.stop_requested()) return;
      for (std::uint32_t k = 0; k < kColumns; ++k) {
        const float x = centre.x + (static_cast<float>(i) + 0.5f) * kStep - kArea / 2;
        const float z = centre.z + (static_cast<float>(k) + 0.5f) * kStep - kArea / 2;
        const RayCast down{{x, 50, z}, {0, -100, 0}};
        float fraction = 1.0f;
        bool any = false;
        for (const PlacedShape& placed : found) {
          const std::optional<ShapeHit> hit =
              CastAgainstShape(down, fraction, placed.shape, placed.position, placed.rotation);
          if (!hit) continue;
          fraction = hit->fraction;
          any = true;
        }
        if (any) ++met_;
      }
    }
  }

  Tree& tree_;
  std::vector<Vec3> places_;
  std::chrono::milliseconds lasting_;
  Random random_;
  Samples lasted_us_;
  Samples wait_us_;
  std::uint64_t met_ = 0;
  std::jthread thread_;  // last: it uses everything above
};

}  // namespace nowait

#endif  // NOWAIT_TESTS_BENCH_AREA_QUERIES_H_

#include "tests/bench/scene_run.h"

#include <algorithm>
#include <functional>
#include <memory>
#include <vector>

#include "src/apps/command_line/interruption.h"
#include "tests/bench/game_frames.h"
#include "tests/bench/scene_engine.h"

namespace nowait {
namespace {

constexpr std::uint32_t kSample = 10;  // steps between two looks at the energy

Result<std::unique_ptr<SceneEngine>> Make(Engine engine, const PeerScene& scene,
                                          std::uint32_t threads) {
  switch (engine) {
    case Engine::kBullet:
      return MakeBullet(scene);
    case Engine::kOde:
      return MakeOde(scene, threads);
    default:
      return MakeOurs(scene, threads);
  }
}

std::array<double, kPhases.size()> Milliseconds(const PhaseTimes& times) {
  const auto ms = [](std::chrono::nanoseconds time) {
    return std::chrono::duration<double, std::milli>(time).count();
  };
  return {ms(times.begin), ms(times.collide), ms(times.finalise), ms(times.solve),
          ms(times.finish)};
}

}  // namespace

Result<SceneRun> RunScene(Engine engine, const PeerScene& scene, std::uint32_t steps,
                          std::uint32_t threads) {
  auto made = Make(engine, scene, threads);
  if (!made) return std::unexpected(made.error());
  SceneEngine& running = **made;
  SceneRun run;
  std::vector<BodyMotion> bodies;
  running.Read(bodies);
  const double at_start = EnergyOf(scene, bodies).total();
  double gained = 0.0, microseconds = 0.0;
  for (std::uint32_t step = 0; step < steps; ++step) {
    if (IsInterrupted()) {
      run.interrupted = true;
      return run;
    }
    const auto start = BenchClock::now();
    if (auto stepped = running.Step(); !stepped) return std::unexpected(stepped.error());
    const double took = MicrosecondsSince(start);
    if (step >= scene.untimed) {
      microseconds += took;
      if (const UpdateStats* stats = running.stats()) {
        const auto ms = Milliseconds(stats->times);
        std::ranges::transform(run.phase_ms, ms, run.phase_ms.begin(), std::plus());
      }
    }
    if ((step + 1) % kSample == 0 || step + 1 == steps) {
      running.Read(bodies);
      gained = std::max(gained, EnergyOf(scene, bodies).total() - at_start);
    }
  }
  auto outcome = Measure(scene, bodies);
  if (!outcome) return std::unexpected(outcome.error());
  run.outcome = *outcome;
  run.outcome.gained_j_per_kg = gained;
  const double timed = static_cast<double>(steps - scene.untimed);
  run.steps_per_second = 1e6 * timed / microseconds;
  for (double& ms : run.phase_ms) ms /= timed;
  run.hash = running.Hash();
  if (const UpdateStats* stats = running.stats()) run.contacts = stats->contacts;
  return run;
}

}  // namespace nowait

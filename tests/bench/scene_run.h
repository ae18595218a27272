// RunScene: one engine runs one scene, timed, and its outcome measured.
#ifndef NOWAIT_TESTS_BENCH_SCENE_RUN_H_
#define NOWAIT_TESTS_BENCH_SCENE_RUN_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "src/apps/peer_scenes/peer_scene.h"
#include "src/base/result.h"
#include "tests/bench/outcome.h"

namespace nowait {

enum class Engine : std::uint8_t { kOurs, kBullet, kOde };
constexpr std::string_view NameOf(Engine engine) {
  constexpr std::array<std::string_view, 3> kNames = {"ours", "Bullet", "ODE"};
  return kNames[static_cast<std::size_t>(engine)];
}

inline constexpr std::array<std::string_view, 5> kPhases = {"begin", "collide", "finalise", "solve",
                                                            "finish"};

struct SceneRun {
  bool interrupted = false;  // then the rest says nothing
  double steps_per_second = 0.0;
  Outcome outcome;
  // Of ours alone: milliseconds a step, by kPhases, and the state at the end.
  std::array<double, kPhases.size()> phase_ms{};
  std::uint64_t hash = 0;
  std::uint32_t contacts = 0;  // after the last step
};

// steps: above scene.untimed. threads: at least 1; Bullet has one. Errors: World's; of a peer whose
// bodies are nowhere at the end, kInvalidArgument "position".
Result<SceneRun> RunScene(Engine engine, const PeerScene& scene, std::uint32_t steps,
                          std::uint32_t threads);

}  // namespace nowait

#endif  // NOWAIT_TESTS_BENCH_SCENE_RUN_H_

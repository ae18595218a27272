// SceneResults: the runs of one scene by all engines, round by round, and what follows: a table,
// and a part of the JSON (docs/bench-scenes-json.md).
//
// Each round runs every engine once, so that a slow minute of the machine meets all of them. A
// ratio is the median over the rounds of our rate by a peer's in the same round. With N threads the
// peer is its fastest variant of at most N threads. The ratio counts only where none of our errors
// is worse than that variant's (WorseIn).
#ifndef NOWAIT_TESTS_BENCH_SCENE_RESULTS_H_
#define NOWAIT_TESTS_BENCH_SCENE_RESULTS_H_

#include <cstdint>
#include <string>
#include <vector>

#include "src/apps/peer_scenes/peer_scene.h"
#include "src/base/report.h"
#include "tests/bench/scene_run.h"

namespace nowait {

struct Variant {
  Engine engine;
  std::uint32_t threads;
};

struct VariantRuns {
  Variant variant;
  std::vector<SceneRun> rounds;
};

struct Ratio {
  Engine peer;
  std::uint32_t threads;
  double ratio;       // above 1 ours is faster
  std::string worse;  // in which errors ours is; then the ratio does not count
};

class SceneResults {
 public:
  // The scene outlives the results.
  SceneResults(const PeerScene& scene, std::uint32_t steps, const std::vector<Variant>& variants);

  // runs: one for each variant, in their order.
  void AddRound(const std::vector<SceneRun>& runs);
  std::size_t rounds() const { return runs_.front().rounds.size(); }

  // All need a round at least.
  void Print() const;
  Json ToJson() const;
  std::vector<Ratio> Ratios() const;
  // Whether our states at the end are the same for each number of threads and in each round.
  bool SameHashes() const;

 private:
  // The fastest variant of the engine with at most so many threads; null without one.
  const VariantRuns* Best(Engine engine, std::uint32_t threads) const;
  const VariantRuns& Ours(std::uint32_t threads) const;

  const PeerScene& scene_;
  const std::uint32_t steps_;
  std::vector<VariantRuns> runs_;
};

}  // namespace nowait

#endif  // NOWAIT_TESTS_BENCH_SCENE_RESULTS_H_

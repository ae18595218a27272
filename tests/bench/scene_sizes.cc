#include "tests/bench/scene_sizes.h"

#include <malloc.h>

#include <array>
#include <string_view>
#include <utility>

#include "src/jobs/task_pool.h"
#include "tests/bench/samples.h"
#include "tests/bench/scene_run.h"
#include "tests/jobs/make_pool.h"

namespace nowait {
namespace {

constexpr std::string_view kScene = "many_pyramids";
constexpr std::array<std::uint32_t, 3> kSides = {4, 14, 43};  // 880, 10,780 and 101,695 bodies
constexpr std::uint32_t kSteps = 31;
constexpr std::uint32_t kMemorySide = 10, kMemorySteps = 3;

double BytesInUse() {
  const struct mallinfo2 info = ::mallinfo2();
  return static_cast<double>(info.uordblks + info.hblkhd);
}

struct Counted {
  double bytes = 0.0;
  std::uint32_t pairs = 0;
  std::uint32_t contacts = 0;
};

Result<Counted> BytesOf(const PeerScene& scene) {
  const auto pool = MakePool({.workers = 0});
  const auto here = *pool->Register("main");
  const double before = BytesInUse();
  const auto world = CreateWorld(scene);
  if (!world) return std::unexpected(world.error());
  for (std::uint32_t i = 0; i < kMemorySteps; ++i) {
    if (auto updated = (*world)->Update(PeerScene::kStep, *pool); !updated) {
      return std::unexpected(updated.error());
    }
  }
  return Counted{BytesInUse() - before, (*world)->stats().pairs, (*world)->stats().contacts};
}

// Three times as far apart, and without gravity.
Result<Counted> BytesApart(const PeerShapes& shapes, std::uint32_t side) {
  Result<PeerScene> scene = MakePeerScene(kScene, shapes, side);
  if (!scene) return std::unexpected(scene.error());
  for (BodyDef& body : scene->bodies) body.position = body.position * 3.0f;
  scene->world.gravity = {};
  scene->world.max_contacts = 1;
  return BytesOf(*scene);
}

}  // namespace

Result<std::vector<SizeResult>> TimeBySize(const PeerShapes& shapes, std::uint32_t rounds,
                                           std::uint32_t threads) {
  std::vector<SizeResult> sizes;
  std::vector<PeerScene> scenes;
  for (const std::uint32_t side : kSides) {
    Result<PeerScene> scene = MakePeerScene(kScene, shapes, side);
    if (!scene) return std::unexpected(scene.error());
    sizes.push_back({.bodies = static_cast<std::uint32_t>(scene->bodies.size()) - 1});
    scenes.push_back(std::move(*scene));
  }
  std::array<Samples, kSides.size()> times;
  for (std::uint32_t round = 0; round < rounds; ++round) {
    for (std::size_t i = 0; i < scenes.size(); ++i) {
      const Result<SceneRun> run = RunScene(Engine::kOurs, scenes[i], kSteps, threads);
      if (!run) return std::unexpected(run.error());
      if (run->interrupted) return std::vector<SizeResult>{};
      times[i].Add(1e6 / run->steps_per_second / sizes[i].bodies);
    }
  }
  for (std::size_t i = 0; i < sizes.size(); ++i) sizes[i].us_a_body = times[i].Median();
  return sizes;
}

Result<MemoryResult> MemoryOfParts(const PeerShapes& shapes) {
  const Result<Counted> few = BytesApart(shapes, kMemorySide);
  if (!few) return std::unexpected(few.error());
  const Result<Counted> many = BytesApart(shapes, 2 * kMemorySide);
  if (!many) return std::unexpected(many.error());
  Result<PeerScene> touching = MakePeerScene(kScene, shapes, kMemorySide);
  if (!touching) return std::unexpected(touching.error());
  const Result<Counted> trial = BytesOf(*touching);  // how many contacts there are to be
  if (!trial) return std::unexpected(trial.error());
  touching->world.max_contacts = trial->pairs;
  const Result<Counted> with_contacts = BytesOf(*touching);
  if (!with_contacts) return std::unexpected(with_contacts.error());
  const double bodies = 3.0 * 55.0 * kMemorySide * kMemorySide;  // that `many` has more than `few`
  return MemoryResult{(many->bytes - few->bytes) / bodies,
                      (with_contacts->bytes - few->bytes) / with_contacts->contacts};
}

}  // namespace nowait

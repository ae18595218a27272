#include "src/apps/crowd/blend_batches.h"

#include <barrier>
#include <catch2/catch.hpp>
#include <cstdint>
#include <vector>

#include "src/animation/blend.h"
#include "src/apps/crowd/footsteps.h"
#include "src/events/lanes.h"
#include "src/math/random.h"
#include "tests/animation/made_motion.h"

namespace nowait {
namespace {

bool SameBits(const Pose& a, const Pose& b) {
  for (std::uint32_t i = 0; i < a.bones(); ++i) {
    if (a.rotation(i) != b.rotation(i) || a.position(i) != b.position(i)) return false;
  }
  return true;
}

// Poses at random, their blends, and what these have to be.
struct Work {
  Work(const Skeleton& skeleton, std::size_t count, std::uint64_t seed) {
    Random random(seed);
    for (std::size_t i = 0; i < 2 * count; ++i) {
      poses.emplace_back(skeleton);
      for (std::uint32_t k = 0; k < skeleton.size(); ++k) {
        poses.back().SetRotation(k, random.Rotation());
      }
    }
    out.assign(count, Pose(skeleton));
    expected = out;
    for (std::size_t i = 0; i < count; ++i) {
      jobs.push_back({&poses[2 * i], &poses[2 * i + 1], random.Unit(), &out[i]});
      Blend(*jobs[i].a, *jobs[i].b, jobs[i].weight, expected[i]);
    }
  }
  bool IsDone() const {
    for (std::size_t i = 0; i < out.size(); ++i) {
      if (!SameBits(out[i], expected[i])) return false;
    }
    return true;
  }
  std::vector<Pose> poses, out, expected;
  std::vector<BlendJob> jobs;
};

TEST_CASE("all blends are done, with any number of workers and batches") {
  const Skeleton skeleton = MadeMotion(30, 2, 1).skeleton;
  const std::uint32_t workers = GENERATE(0u, 1u, 3u);
  const std::uint32_t batches = GENERATE(1u, 4u, 64u);
  const bool idempotent = GENERATE(false, true);
  CAPTURE(workers, batches, idempotent);
  const auto pool = TaskPool::Create({.workers = workers});
  REQUIRE(pool);
  const auto here = (*pool)->Register("main");
  REQUIRE(here);
  const auto all =
      BlendBatches::Create(**pool, skeleton, {.batches = batches, .idempotent = idempotent});
  REQUIRE(all);
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    CAPTURE(seed);
    Work work(skeleton, seed * 7 % 100, seed);
    REQUIRE((*all)->Run(work.jobs));
    REQUIRE(work.IsDone());
  }
  REQUIRE((*pool)->Close(TaskShutdown::kFinish));
}

// Holds the worker that begins a blend until it is let go; the main thread's runs go on.
struct Parked {
  static void Begins(void* data, int run, bool is_caller) {
    auto& parked = *static_cast<Parked*>(data);
    if (run == 1) ++parked.second_runs;  // by the caller alone: there is one worker
    if (is_caller && !parked.worker_came) {
      // The caller lets the worker begin one before it goes on.
      parked.worker_came = true;
      parked.came.arrive_and_wait();
    }
    if (is_caller || parked.held) return;
    parked.held = true;
    parked.came.arrive_and_wait();
    parked.let_go.arrive_and_wait();
  }
  std::barrier<> came{2}, let_go{2};
  bool worker_came = false;  // the caller's
  bool held = false;         // the worker's
  int second_runs = 0;
};

TEST_CASE("with a worker held inside a blend the frame goes on, and the next ones") {
  const Skeleton skeleton = MadeMotion(30, 2, 1).skeleton;
  const auto pool = TaskPool::Create({.workers = 1});
  REQUIRE(pool);
  const auto here = (*pool)->Register("main");
  REQUIRE(here);
  Parked parked;
  const auto all = BlendBatches::Create(**pool, skeleton,
                                        {.batches = 8, .begins = &Parked::Begins, .data = &parked});
  REQUIRE(all);
  // Comes back although the worker is still inside: with plain tasks it would wait for ever.
  Work first(skeleton, 40, 1);
  REQUIRE((*all)->Run(first.jobs));
  CHECK(first.IsDone());
  CHECK(parked.held);
  CHECK(parked.second_runs == 1);
  // The late worker has a batch of its own: other frames neither touch nor await it.
  for (std::uint64_t seed = 2; seed < 20; ++seed) {
    Work next(skeleton, 40, seed);
    REQUIRE((*all)->Run(next.jobs));
    REQUIRE(next.IsDone());
  }
  parked.let_go.arrive_and_wait();
  REQUIRE((*pool)->Close(TaskShutdown::kFinish));
  // The late one's results did not count.
  CHECK(first.IsDone());
}

TEST_CASE("foot steps are counted by their foot, and the most of a frame are those of one frame") {
  const auto lanes = EventLanes::Create({.lanes = 1, .most_bytes = 4'096});
  REQUIRE(lanes);
  const auto frame = [&](std::initializer_list<std::uint32_t> feet) {
    {
      auto section = (*lanes)->Open(0);
      REQUIRE(section);
      for (const std::uint32_t foot : feet) section->Post(Footstep{7, foot, {1, 2, 3}});
    }
    const auto stream = (*lanes)->Merge();
    REQUIRE(stream);
    return *stream;
  };
  FootstepCount count, other;
  const std::uint64_t none = count.hash();
  count.Add(frame({0, 1, 0}));
  count.Add(frame({1, 1}));
  CHECK(count.left() == 2);
  CHECK(count.right() == 3);
  CHECK(count.most() == 3);
  count.Add(frame({2, ~0u}));  // no foot has these numbers
  CHECK(count.left() + count.right() == 5);
  CHECK(count.most() == 3);
  CHECK(count.hash() != none);
  other.Add(frame({1, 1}));
  other.Add(frame({0, 1, 0}));
  other.Add(frame({2, ~0u}));
  CHECK(other.hash() != count.hash());
  CHECK(other.most() == 3);
}

}  // namespace
}  // namespace nowait

#include "src/apps/crowd/run.h"

#include <algorithm>
#include <chrono>
#include <memory>
#include <optional>
#include <span>
#include <utility>

#include "src/apps/crowd/clips.h"
#include "src/apps/crowd/crowd.h"
#include "src/base/assert.h"
#include "src/jobs/frame_loop.h"
#include "src/jobs/task_plan.h"
#include "src/jobs/task_pool.h"
#include "src/math/hash.h"
#include "src/sync/policy.h"
#include "src/sync/scoped_lock.h"

namespace nowait {
namespace {

constexpr float kFrameSeconds = 1.0f / 60.0f;
constexpr float kAbove = 1.0f;  // metres above the ground, where rays begin

constexpr std::uint64_t kStallEvery = 10;  // frames

// Puts a thread aside, at most one for every so many frames: the next that helps with a blend, and
// not the one that waits for the blends.
class Stall {
 public:
  explicit Stall(std::uint32_t milliseconds) : time_(milliseconds) {}

  void BeginFrame(std::uint64_t number) {
    const ScopedLock lock(mutex_);
    if (time_.count() != 0 && number % kStallEvery == kStallEvery - 1) is_due_ = true;
    happened_ = false;
  }
  static void Begins(void* data, int run, bool is_caller) {
    if (run == 0 && !is_caller) static_cast<Stall*>(data)->Once();
  }
  bool happened() {
    const ScopedLock lock(mutex_);
    return happened_;
  }

 private:
  void Once() {
    {
      const ScopedLock lock(mutex_);
      if (!is_due_) return;
      is_due_ = false;
      happened_ = true;
    }
    const ProfileScope span("put aside");
    EngineSync::SleepUntil(EngineSync::clock::now() + time_);
  }

  const std::chrono::milliseconds time_;
  EngineSync::mutex mutex_;
  bool is_due_ = false;
  bool happened_ = false;
};

class Frames {
 public:
  Frames(const CrowdDef& def, TaskPool& pool, Crowd& crowd, Stall& stall)
      : def_(def), pool_(pool), crowd_(crowd), stall_(stall) {
    Stage(&Frames::Animate);
    Stage(&Frames::PlantFeet);
    Stage(&Frames::UpdateScene);
    Stage(&Frames::CopyMatrices);
    Stage(&Frames::Present);
  }

  void Run() {
    FrameLoop loop(pool_, [this](const Frame& frame) { Make(frame); });
    Keep(loop.Start(def_.frames));
    Keep(loop.Wait());
  }

  void Keep(const Result<void>& done) {
    if (done) return;
    const ScopedLock lock(mutex_);
    if (result_.error.empty()) result_.error = ToString(done.error());
  }

  CrowdResult result() const {
    CrowdResult result = result_;
    result.hash = hash_.value();
    return result;
  }

 private:
  void Make(const Frame& frame) {
    number_ = frame.number();
    began_ = SteadyNanoseconds();
    stall_.BeginFrame(number_);
    const auto stages = plan_.AddTo(pool_, {.parent = frame.tick()});
    if (!stages) Keep(std::unexpected(stages.error()));
  }

  // The next stage of each frame.
  void Stage(void (Frames::*stage)()) {
    const auto work = [this, stage] { (this->*stage)(); };
    const auto node = last_ ? plan_.Add(work, std::span(&*last_, 1)) : plan_.Add(work);
    NOWAIT_ASSERT(node, "the plan has room for the stages");
    last_ = *node;
  }

  // Runs a stage and adds its time. Stages follow each other, so that nothing here is shared.
  template <class Stage>
  void Timed(int index, const Stage& stage) {
    const std::uint64_t begin = SteadyNanoseconds();
    Keep(stage());
    result_.stage_time[index] += SteadyNanoseconds() - begin;
  }
  void Animate() {
    Timed(0, [this] { return crowd_.Animate(kFrameSeconds); });
  }
  void PlantFeet() {
    Timed(1, [this] { return crowd_.PlantFeet(); });
  }
  void UpdateScene() {
    Timed(2, [this] { return crowd_.UpdateScene(); });
  }
  void CopyMatrices() {
    Timed(3, [this] { return crowd_.CopyMatrices(); });
  }
  void Present() {
    const std::uint64_t time = SteadyNanoseconds() - began_;
    result_.longest_frame = std::max(result_.longest_frame, time);
    if (stall_.happened()) {
      ++result_.stalls;
      result_.longest_stalled_frame = std::max(result_.longest_stalled_frame, time);
    }
    result_.fading += crowd_.Fading();
    if (const auto steps = crowd_.TakeFootsteps()) {
      result_.footsteps.Add(*steps);
    } else {
      Keep(std::unexpected(steps.error()));
    }
    if ((number_ + 1) % def_.hash_every != 0 && number_ + 1 != def_.frames) return;
    const ProfileScope span("hash");
    for (const Affine& matrix : crowd_.matrices()) {
      for (const auto& row : matrix.row) {
        for (const float value : row) hash_.Add(value);
      }
    }
  }

  const CrowdDef& def_;
  TaskPool& pool_;
  Crowd& crowd_;
  Stall& stall_;
  TaskPlan plan_{5};
  std::optional<TaskPlan::Node> last_;  // of the plan
  // Written when a frame begins, before its tasks.
  std::uint64_t number_ = 0;
  std::uint64_t began_ = 0;
  Hash hash_;
  EngineSync::mutex mutex_;  // the result's error
  CrowdResult result_;
};

}  // namespace

CrowdResult RunCrowd(const CrowdDef& def, const std::vector<Motion>& motions, const Ground* ground,
                     Profile& profile) {
  CrowdResult failed;
  const auto fail = [&](const Error& error) {
    failed.error = ToString(error);
    return failed;
  };
  const auto made = TaskPool::Create({.workers = def.workers, .profile = &profile});
  if (!made) return fail(made.error());
  TaskPool& pool = **made;
  const auto here = pool.Register("main");
  if (!here) return fail(here.error());
  const auto clips = Clips::Pack(pool, motions, {});
  if (!clips) return fail(clips.error());
  std::unique_ptr<World> world;
  CrowdGround stands_on;
  if (ground != nullptr) {
    auto scene = CreateScene(*ground, {});
    if (!scene) return fail(scene.error());
    world = std::move(*scene);
    stands_on = {world.get(), std::ranges::max(ground->terrain.heights) + kAbove};
  }
  Stall stall(def.stall_ms);
  const BlendBatchesDef blends{
      .idempotent = !def.blend_once, .begins = &Stall::Begins, .data = &stall};
  const auto crowd = Crowd::Create(pool, motions[0].skeleton, clips->opened(), stands_on,
                                   def.characters, def.seed, blends);
  if (!crowd) return fail(crowd.error());
  Frames frames(def, pool, **crowd, stall);
  frames.Run();
  frames.Keep(pool.Close(TaskShutdown::kFinish));
  CrowdResult result = frames.result();
  for (const Motion& motion : motions) result.raw_bytes += motion.RawBytes();
  result.packed_bytes = clips->bytes();
  return result;
}

}  // namespace nowait

#include "src/apps/frame/run.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <span>
#include <string_view>
#include <system_error>

#include "src/apps/frame/music.h"
#include "src/apps/frame/parked.h"
#include "src/apps/frame/world.h"
#include "src/base/report.h"
#include "src/jobs/frame_loop.h"
#include "src/jobs/task_plan.h"
#include "src/jobs/task_pool.h"
#include "src/sync/policy.h"
#include "src/sync/scoped_lock.h"

namespace nowait {
namespace {

class Frames {
 public:
  Frames(const FrameDef& def, TaskPool& pool, std::uint64_t music_blocks)
      : def_(def),
        pool_(pool),
        world_(pool, def.nodes, def.seed),
        music_(pool, def.music, music_blocks) {
    PlanPicture();
  }

  // Frames that make each other.
  void RunGraph() {
    FrameLoop loop(pool_, [this](const Frame& frame) { Make(frame); });
    Keep(loop.Start(def_.frames));
    Keep(loop.Wait());
  }

  // The main thread calls one after the other.
  void RunSerial() {
    for (number_ = 0; number_ < def_.frames; ++number_) {
      ProfileCount("frame", static_cast<std::int64_t>(number_));
      const ProfileScope span("frame");
      BeginFrame();
      Animate();
      UpdateScene();
      UpdateGui();
      Render();
      Keep(pool_.Wait(music_task_));
      Mix();
      Present();
    }
  }

  FrameResult result() const {
    FrameResult result = result_;
    result.hash = world_.hash();
    return result;
  }

  void Keep(const Result<void>& done) {
    if (done) return;
    const ScopedLock lock(mutex_);
    if (result_.error.empty()) result_.error = ToString(done.error());
  }

 private:
  using Node = TaskPlan::Node;
  using Stage = void (Frames::*)();

  // The part of a frame that is the same each time: World::update in [bitsquid2010].
  void PlanPicture() {
    const auto add = [this](Stage stage, std::span<const Node> after = {}) {
      return Kept(picture_.Add([this, stage] { (this->*stage)(); }, after));
    };
    const Node animation = add(&Frames::Animate);
    const Node scene = add(&Frames::UpdateScene, std::array{animation});
    const Node gui = add(&Frames::UpdateGui);
    add(&Frames::Render, std::array{scene, gui});
  }

  // Makes the tasks of a frame. The music waits for a request of its own.
  void Make(const Frame& frame) {
    number_ = frame.number();
    BeginFrame();
    const TaskId tick = frame.tick();
    const TaskId picture = Kept(picture_.AddTo(pool_, {.parent = tick}));
    const TaskId mix = Add(&Frames::Mix, {.parent = tick, .dependency = music_task_});
    const TaskId both = Kept(pool_.WhenAll(std::array{picture, mix}));
    Add(&Frames::Present, {.parent = tick, .dependency = both});
  }

  TaskId Add(Stage stage, const TaskDef& def) {
    return Kept(pool_.Add([this, stage] { (this->*stage)(); }, def));
  }
  // The task or node, or in its place nothing.
  template <class T>
  T Kept(const Result<T>& made) {
    if (!made) Keep(std::unexpected(made.error()));
    return made.value_or(T());
  }

  void BeginFrame() {
    began_ = SteadyNanoseconds();
    if (number_ == 0) next_music_ = Ask(0);
    music_task_ = next_music_;
    if (number_ + 1 < def_.frames) next_music_ = Ask(number_ + 1);
  }
  TaskId Ask(std::uint64_t frame) { return Kept(music_.Ask(frame)); }

  void Animate() { Keep(world_.Animate(number_)); }
  void UpdateScene() { Keep(world_.UpdateScene()); }
  void UpdateGui() { Keep(world_.UpdateGui(number_)); }
  void Render() { Keep(world_.Render()); }
  void Mix() {
    const auto music = music_.Heard(number_);
    if (!music) Keep(std::unexpected(music.error()));
    Keep(world_.Mix(number_, music.value_or(std::span<const std::byte>())));
  }
  void Present() {
    world_.Present();
    const std::uint64_t time = SteadyNanoseconds() - began_;
    result_.total_time += time;
    result_.longest_time = std::max(result_.longest_time, time);
  }

  const FrameDef& def_;
  TaskPool& pool_;
  FrameWorld world_;
  Music music_;
  TaskPlan picture_{4};
  // Written when a frame begins, before its tasks.
  std::uint64_t number_ = 0;
  std::uint64_t began_ = 0;
  TaskId music_task_;
  TaskId next_music_;
  EngineSync::mutex mutex_;  // the result's error
  FrameResult result_;
};

}  // namespace

FrameResult RunFrames(const FrameDef& def, Profile& profile) {
  FrameResult failed;
  std::error_code error;
  const std::uint64_t length = std::filesystem::file_size(def.music, error);
  if (error) {
    failed.error = def.music + ": " + error.message();
    return failed;
  }
  if (length < Music::kBlock) {
    failed.error = def.music + ": shorter than one frame needs";
    return failed;
  }
  if (def.park_worker && def.workers == 0) {
    failed.error = "there is no worker to park";
    return failed;
  }
  const auto made =
      TaskPool::Create({.devices = {"disk"}, .workers = def.workers, .profile = &profile});
  if (!made) {
    failed.error = ToString(made.error());
    return failed;
  }
  TaskPool& pool = **made;
  Frames frames(def, pool, length / Music::kBlock);
  const auto here = pool.Register("main");
  Parked parked;
  if (def.park_worker) frames.Keep(parked.Park(pool));
  if (def.serial) {
    frames.RunSerial();
  } else {
    frames.RunGraph();
  }
  if (def.park_worker) parked.LetGo();
  frames.Keep(pool.Close(TaskShutdown::kFinish));
  FrameResult result = frames.result();
  result.counts = pool.Counts();
  return result;
}

bool WriteMusic(const std::string& path) {
  constexpr std::size_t kBlocks = 240;
  std::string bytes;
  for (std::size_t i = 0; i < kBlocks * FrameWorld::kSamples; ++i) {
    // Two triangle waves that beat.
    const auto wave = [i](std::size_t period) {
      const auto phase = static_cast<std::int32_t>(i % period);
      const auto half = static_cast<std::int32_t>(period / 2);
      return (phase < half ? phase : 2 * half - phase) * 8192 / half - 4096;
    };
    const auto sample = static_cast<std::uint16_t>(wave(218) + wave(146));
    bytes += static_cast<char>(sample & 0xff);
    bytes += static_cast<char>(sample >> 8);
  }
  return WriteFileWhole(path, bytes).has_value();
}

}  // namespace nowait

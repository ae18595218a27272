#include "src/apps/terminal/stage.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

#include "src/apps/command_line/interruption.h"
#include "src/apps/terminal/sight.h"
#include "src/base/or_end.h"
#include "src/bodies/body_snapshot.h"
#include "src/jobs/task_def.h"
#include "src/sync/scoped_lock.h"

namespace nowait {
namespace {

constexpr std::uint32_t kMostPassedBy = 15;  // frames in a row

// The places of the bodies that can move, and a little more.
Bounds<3> PlacesOf(const World& world) {
  std::vector<BodySnapshot> bodies;
  world.Snapshot(bodies);
  std::optional<Bounds<3>> places;
  for (const BodySnapshot& body : bodies) {
    if (body.type == BodyType::kStatic) continue;
    const Bounds<3> place = ToBounds(body.position - Vec3{1, 1, 1}, body.position + Vec3{1, 1, 1});
    places = places ? ToBounds(Min(MinOf(*places), MinOf(place)), Max(MaxOf(*places), MaxOf(place)))
                    : place;
  }
  return places.value_or(ToBounds({-5, 0, -5}, {5, 5, 5}));
}

}  // namespace

Stage::Stage(const TerminalOptions& options, PlayerGame& game, TaskPool& pool, Screen* screen,
             std::uint8_t shows, std::uint8_t paints)
    : options_(options),
      game_(game),
      pool_(pool),
      screen_(screen),
      shows_(shows),
      painter_(pool, paints),
      pacer_(pool),
      loop_(pool, [this](const Frame& frame) { Make(frame); }),
      camera_(PlacesOf(game.world())),
      look_(options.through ? Painter::Look::kThrough : Painter::Look::kAt) {}

Result<ShowRecord> Stage::Run() {
  const std::uint64_t frames = options_.frames == 0 ? loop_.kUntilStopped : options_.frames;
  if (auto started = loop_.Start(frames); !started) return std::unexpected(started.error());
  auto helped = pool_.DoWorkWhileWaitingFor([this] {
    const ScopedLock lock(mutex_);
    return ended_;
  });
  if (!helped) return std::unexpected(helped.error());
  Quit();
  if (auto waited = loop_.Wait(); !waited) return std::unexpected(waited.error());
  TaskId shown;
  {
    const ScopedLock lock(mutex_);
    shown = shown_;
  }
  if (shown.IsTask()) {
    if (auto waited = pool_.Wait(shown); !waited) return std::unexpected(waited.error());
  }
  if (!error_) return std::unexpected(error_.error());
  if (record_.frames > 0) record_.mean_frame /= record_.frames;
  record_.state_hash = game_.world().StateHash();
  record_.bodies = game_.world().body_count();
  if (screen_ == nullptr) record_.last_picture = PlainText(painter_.picture());
  const ScopedLock lock(mutex_);
  record_.painted = painted_;
  record_.given_up = given_up_;
  record_.passed_by = passed_by_;
  record_.not_thrown = refused_ + loop_.deferred() + (throws_ ? 1 : 0);
  return record_;
}

void Stage::Make(const Frame& frame) {
  frame_ = frame.number();
  tick_ = frame.tick();
  if (IsInterrupted()) Quit();
  const TaskId step = pool_.AddOrEnd([this] { Step(); }, {}, {.name = "step"});
  if (screen_ != nullptr) {
    static_cast<void>(pacer_.Ask(tick_));  // without room, not paced
    const ScopedLock lock(mutex_);
    if (stands_) {
      gate_ = pool_.AddOrEnd(
          {.work = {[](void* stage) { static_cast<Stage*>(stage)->AwaitKey(); }, this},
           .kind = TaskKind::kExternal});
      OrEnd(pool_.DependsOn(step, gate_));
    } else if (passed_by_in_a_row_ >= kMostPassedBy) {
      // Steps are more urgent, and would leave no thread to the picture. It does not depend on the
      // terminal: one that takes no text makes no step wait.
      OrEnd(pool_.DependsOn(step, picture_));
    }
  }
  // Last: what a task depends on is said before another one needs it.
  OrEnd(pool_.AddChild(tick_, step));
}

void Stage::Step() {
  {
    const ScopedLock lock(mutex_);
    if (quits_) return;
  }
  ObeyInStep();
  const std::uint64_t begin = SteadyNanoseconds();
  const auto advanced = error_ ? game_.Advance(pool_) : Result<bool>(false);
  const std::uint64_t time = SteadyNanoseconds() - begin;
  if (!advanced || !error_) {
    if (error_) error_ = std::unexpected(advanced.error());
    return End();
  }
  ++record_.frames;
  record_.mean_frame += time;
  record_.longest_frame = std::max(record_.longest_frame, time);
  {
    const ScopedLock lock(mutex_);
    awake_ = game_.world().stats().awake;
    step_time_ = time;
  }
  BeginPicture(screen_ == nullptr ? tick_ : TaskId());
  if (frame_ + 1 == options_.frames) End();
}

// A world is changed between its updates alone: in a step, and in no other task.
void Stage::ObeyInStep() {
  std::optional<LiveCommand> throws;
  bool wakes;
  std::optional<Camera> camera;
  {
    const ScopedLock lock(mutex_);
    throws = std::exchange(throws_, {});
    wakes = std::exchange(wakes_, false);
    camera = camera_;
  }
  if (throws) {
    if (auto thrown = game_.Obey(*throws); !thrown) error_ = thrown;
    ++record_.thrown;
  }
  if (wakes) {
    const PictureSize one{1, 1};
    game_.Wake(Sight(game_.world(), camera->eye()).FindMovable(camera->RayThrough(0, 0, one)));
  }
}

void Stage::BeginPicture(TaskId below) {
  const ScopedLock lock(mutex_);
  if (quits_) return;
  if (IsPainting()) {
    // While the scene stands, no later step shows what this one has done.
    if (stands_) return LookAfterwards();
    ++passed_by_;
    ++passed_by_in_a_row_;
    return;
  }
  passed_by_in_a_row_ = 0;
  size_ = screen_ == nullptr ? PictureSize{options_.columns, 2 * options_.rows} : screen_->size();
  picture_ = painter_.Begin(game_.world(), camera_, size_, look_);
  shown_ = pool_.AddOrEnd([this] { ShowPicture(); },
                          {.dependency = picture_, .affinity = shows_, .needs_success = true},
                          {.name = "show"});
  if (below.IsTask()) {
    OrEnd(pool_.AddChild(below, picture_));
    OrEnd(pool_.AddChild(below, shown_));
  }
  // Before the mutex is free: a key names both, and no task names one that another task holds.
  OrEnd(pool_.Submit(picture_));
  OrEnd(pool_.Submit(shown_));
}

void Stage::ShowPicture() {
  if (screen_ != nullptr && !screen_->Show(ColourText(painter_.picture()), Line())) return Quit();
  const ScopedLock lock(mutex_);
  ++painted_;
  gave_up_ = false;
}

std::string Stage::Line() const {
  const ScopedLock lock(mutex_);
  return fmt::format(
      "{}{}  {} awake  {:.1f} ms  |  q quit  space {}  s step  arrows turn  + -  t throw  w wake  "
      "x {}",
      options_.scene, stands_ ? ", standing" : "", awake_, static_cast<double>(step_time_) / 1e6,
      stands_ ? "go on" : "stand", look_ == Painter::Look::kThrough ? "see" : "through");
}

void Stage::AwaitKey() {
  {
    const ScopedLock lock(mutex_);
    waits_ = true;
  }
  GoOn();
}

void Stage::GoOn() {
  TaskId gate;
  {
    const ScopedLock lock(mutex_);
    if (!waits_) return;
    if (stands_ && !quits_) {
      if (steps_asked_ == 0) return;
      --steps_asked_;
    }
    waits_ = false;
    gate = gate_;
  }
  // Nobody else answers for it.
  OrEnd(pool_.CompleteExternal(gate));
}

void Stage::Quit() {
  {
    const ScopedLock lock(mutex_);
    quits_ = true;
  }
  loop_.Stop();
  GoOn();
  End();
}

void Stage::End() {
  {
    const ScopedLock lock(mutex_);
    ended_ = true;
  }
  pool_.Wake();
}

}  // namespace nowait

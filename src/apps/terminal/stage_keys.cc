// Stage: its part for the person at the keyboard.
#include <cstddef>
#include <utility>

#include "src/apps/command_line/interruption.h"
#include "src/apps/terminal/stage.h"
#include "src/sync/scoped_lock.h"

namespace nowait {
namespace {

constexpr float kAround = 0.1f;  // radians a key
constexpr float kCloser = 0.85f;
constexpr float kThrownSpeed = 20.0f;    // metres a second
constexpr float kInFrontOfEye = 1.5f;    // metres
constexpr std::size_t kMostPutOff = 32;  // balls; each is a task, twice a frame

}  // namespace

bool Stage::Obey(std::span<const Key> keys) {
  if (IsInterrupted()) Quit();
  for (const Key key : keys) Act(key);
  const ScopedLock lock(mutex_);
  if (stands_ && size_ != screen_->size()) LookAnew();
  return !quits_;
}

void Stage::Act(Key key) {
  switch (key) {
    case Key::kQuit:
      return Quit();
    case Key::kPause:
    case Key::kStep:
      Stand(key == Key::kStep);
      return GoOn();
    case Key::kThrow:
      return Throw();
    case Key::kWake: {
      const ScopedLock lock(mutex_);
      wakes_ = true;
      return;
    }
    case Key::kLeft:
      return LookFrom(-kAround, 0.0f, 1.0f);
    case Key::kRight:
      return LookFrom(kAround, 0.0f, 1.0f);
    case Key::kUp:
      return LookFrom(0.0f, kAround, 1.0f);
    case Key::kDown:
      return LookFrom(0.0f, -kAround, 1.0f);
    case Key::kCloser:
      return LookFrom(0.0f, 0.0f, kCloser);
    case Key::kFarther:
      return LookFrom(0.0f, 0.0f, 1.0f / kCloser);
    case Key::kThrough: {
      const ScopedLock lock(mutex_);
      look_ = look_ == Painter::Look::kAt ? Painter::Look::kThrough : Painter::Look::kAt;
      return LookAnew();
    }
  }
}

void Stage::Stand(bool for_a_step) {
  const ScopedLock lock(mutex_);
  stands_ = for_a_step || !stands_;
  steps_asked_ = for_a_step ? steps_asked_ + 1 : 0;
  LookAnew();
}

void Stage::LookFrom(float around, float up, float approach) {
  const ScopedLock lock(mutex_);
  camera_.Turn(around, up);
  camera_.Approach(approach);
  LookAnew();
}

bool Stage::IsPainting() const { return shown_.IsTask() && !pool_.IsComplete(shown_); }

// Of two pictures one is shown, however fast the keys come.
void Stage::LookAnew() {
  if (IsPainting() && !gave_up_ && pool_.CancelGroup(picture_).value_or(0) > 0) {
    ++given_up_;
    gave_up_ = true;
  }
  // While the scene stands no step begins a picture.
  if (stands_) LookAfterwards();
}

// One task, for any number of keys: the terminal may take no text for long.
void Stage::LookAfterwards() {
  if (std::exchange(looks_afterwards_, true)) return;
  const auto look = [this] {
    {
      const ScopedLock lock(mutex_);
      looks_afterwards_ = false;
    }
    BeginPicture(TaskId());
  };
  pool_.AddOrEnd(look, {.dependency = shown_});
}

void Stage::Throw() {
  if (loop_.deferred() < kMostPutOff) return PutOffThrow();
  const ScopedLock lock(mutex_);
  ++refused_;
}

void Stage::PutOffThrow() {
  loop_.Defer({[](void* stage) { static_cast<Stage*>(stage)->TryThrow(); }, this});
}

// The ball is thrown in the next step, unless one is already, or its place is taken: then the look
// is put off to the end of the tick, or to the next one. No task says when the place will be free.
void Stage::TryThrow() {
  std::optional<Camera> camera;
  {
    const ScopedLock lock(mutex_);
    camera = camera_;
  }
  const Vec3 place = camera->eye() + kInFrontOfEye * camera->direction();
  WaitTime wait;
  const auto closest = game_.world().Read().FindClosest(
      {Shape::Sphere(PlayerGame::kThrownRadius), place, Quat()}, 0.0f, {}, wait);
  const bool is_free = closest && !*closest;
  const ScopedLock lock(mutex_);
  if (!is_free || throws_) return PutOffThrow();
  throws_.emplace();
  throws_->kind = LiveCommand::Kind::kThrow;
  throws_->position = place;
  throws_->velocity = kThrownSpeed * camera->direction();
}

}  // namespace nowait

// AnimationMachine: the clips that a character shows, and how much of each.
//
//   machine.Trigger(kJump);              takes the transition from the present state, if it has one
//   machine.Update(dt);
//   for (const auto& shown : machine.Shown()) ...             one clip, or two while one fades
//
// A state plays one clip in a loop. A transition leads from one state to another when its trigger
// comes; for its duration both are shown, the new one with a weight that rises evenly from 0 to 1.
// A trigger without a transition from the present state, or during a fade, does nothing.
//
// The table of states is shared by all characters; a machine is a few numbers.
//
// Thread safety: a machine belongs to one thread at a time; its table is not written and outlives
// it. Complexity: Trigger is linear in the transitions, Update constant.
// Errors: kInvalidArgument of Check; `amount` is the index in its list.
#ifndef NOWAIT_SRC_ANIMATION_STATE_MACHINE_H_
#define NOWAIT_SRC_ANIMATION_STATE_MACHINE_H_

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "src/base/result.h"

namespace nowait {

struct AnimationState {
  std::uint32_t clip = 0;  // a number of the caller's
  float seconds = 1.0f;    // the length of the clip at speed 1
  float speed = 1.0f;
};

struct AnimationTransition {
  std::uint32_t from = 0;
  std::uint32_t to = 0;
  std::uint32_t trigger = 0;
  float seconds = 0.2f;  // of the fade
};

struct AnimationTable {
  std::vector<AnimationState> states;
  std::vector<AnimationTransition> transitions;

  // Durations are positive and finite, speeds from 0 up and finite, a transition's states exist.
  Result<void> Check() const {
    const auto wrong = [](const char* what, std::size_t index, const char* why) {
      return Fail(ErrorCode::kInvalidArgument, what, static_cast<std::int64_t>(index), why);
    };
    if (states.empty()) return wrong("states", 0, "there is no state");
    for (std::size_t i = 0; i < states.size(); ++i) {
      const AnimationState& state = states[i];
      if (!(state.seconds > 0.0f) || !std::isfinite(state.seconds)) {
        return wrong("states", i, "its clip has no length");
      }
      if (!(state.speed >= 0.0f) || !std::isfinite(state.speed)) {
        return wrong("states", i, "its speed is no speed");
      }
    }
    for (std::size_t i = 0; i < transitions.size(); ++i) {
      const AnimationTransition& transition = transitions[i];
      if (transition.from >= states.size() || transition.to >= states.size()) {
        return wrong("transitions", i, "between states that are not there");
      }
      if (!(transition.seconds > 0.0f) || !std::isfinite(transition.seconds)) {
        return wrong("transitions", i, "its fade has no length");
      }
    }
    return {};
  }
};

class AnimationMachine {
 public:
  struct ShownClip {
    std::uint32_t clip;
    float before;   // `seconds` as of the Update before; above it where the clip has begun again
    float seconds;  // from the clip's beginning, below its length
    float weight;   // all of them together are 1
  };

  // state: the first one. seconds: where in its clip it begins, from 0 up.
  AnimationMachine(const AnimationTable& table, std::uint32_t state, float seconds)
      : table_(&table), now_{state, 0.0f, seconds} {
    Wrap(now_);
    now_.before = now_.seconds;
    Show();
  }

  // Whether a fade has begun.
  bool Trigger(std::uint32_t trigger) {
    if (fade_seconds_ > 0.0f) return false;
    for (const AnimationTransition& transition : table_->transitions) {
      if (transition.from != now_.state || transition.trigger != trigger) continue;
      next_ = {transition.to, 0.0f, 0.0f};
      fade_seconds_ = transition.seconds;
      faded_ = 0.0f;
      return true;
    }
    return false;
  }

  // dt: seconds, from 0 up.
  void Update(float dt) {
    Advance(now_, dt);
    if (fade_seconds_ > 0.0f) {
      Advance(next_, dt);
      faded_ += dt;
      if (faded_ >= fade_seconds_) {
        now_ = next_;
        fade_seconds_ = 0.0f;
      }
    }
    Show();
  }

  // As of the last Update; before the first, as of the beginning.
  std::span<const ShownClip> Shown() const { return std::span(shown_).first(shown_count_); }
  std::uint32_t state() const { return now_.state; }

 private:
  struct Playing {
    std::uint32_t state = 0;
    float before = 0.0f;
    float seconds = 0.0f;
  };

  void Show() {
    shown_count_ = 1;
    shown_[0] = {StateOf(now_).clip, now_.before, now_.seconds, 1.0f};
    if (fade_seconds_ > 0.0f) {
      const float weight = faded_ / fade_seconds_;
      shown_count_ = 2;
      shown_[0].weight = 1.0f - weight;
      shown_[1] = {StateOf(next_).clip, next_.before, next_.seconds, weight};
    }
  }
  const AnimationState& StateOf(const Playing& playing) const {
    return table_->states[playing.state];
  }
  void Advance(Playing& playing, float dt) const {
    playing.before = playing.seconds;
    playing.seconds += dt * StateOf(playing).speed;
    Wrap(playing);
  }
  void Wrap(Playing& playing) const {
    const float length = StateOf(playing).seconds;
    if (playing.seconds < length) return;
    playing.seconds -= length * std::floor(playing.seconds / length);
    if (!(playing.seconds >= 0.0f && playing.seconds < length)) playing.seconds = 0.0f;
  }

  const AnimationTable* table_;
  Playing now_;
  Playing next_;
  float fade_seconds_ = 0.0f;  // 0: only one clip is shown
  float faded_ = 0.0f;
  std::array<ShownClip, 2> shown_{};
  std::size_t shown_count_ = 0;
};

}  // namespace nowait

#endif  // NOWAIT_SRC_ANIMATION_STATE_MACHINE_H_

// DelayedEffects: work that an update leaves for the time after its commit.
//
//   effects.Add([door, &lanes]() noexcept { lanes.Open(door); });   // kept, not called
//   effects.Run();                                                  // called, in order, once
//
// An effect changes something other than the objects of its transaction: it posts an event, submits
// a task, or moves a body. It is small plain data, so that keeping it allocates nothing, and it is
// noexcept. An effect cannot fail: the update has reserved whatever it needs room for.
//
// Thread safety: one thread.
// Source: [cbloom2011], rule 3. Test: tests/game/delayed_effects_test.cc.
#ifndef NOWAIT_SRC_GAME_DELAYED_EFFECTS_H_
#define NOWAIT_SRC_GAME_DELAYED_EFFECTS_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <new>
#include <type_traits>
#include <vector>

#include "src/base/result.h"

namespace nowait {

inline constexpr std::size_t kMostEffectBytes = 48;

// Small, trivially copyable and noexcept: it is never destroyed, and it cannot fail.
template <class F>
concept DelayedEffect = std::is_trivially_copyable_v<F> &&
                            std::is_nothrow_invocable_r_v<void, F&> && sizeof(F) <= kMostEffectBytes
                        && alignof(F) <= alignof(std::max_align_t);

class DelayedEffects {
 public:
  // Throws std::bad_alloc.
  explicit DelayedEffects(std::uint32_t capacity) : capacity_(capacity) {
    effects_.reserve(capacity);
  }

  // Keeps a copy of the effect. kCapacity "delayed effects": nothing is kept then.
  template <DelayedEffect F>
  Result<void> Add(const F& effect) {
    if (effects_.size() == capacity_) {
      return Fail(ErrorCode::kCapacity, "delayed effects", capacity_);
    }
    Effect& kept = effects_.emplace_back();
    ::new (kept.data.data()) F(effect);
    kept.run = [](std::byte* data) noexcept { (*std::launder(reinterpret_cast<F*>(data)))(); };
    return {};
  }

  // Calls all effects in the order in which they were added, including those that effects add
  // themselves, and forgets them.
  void Run() noexcept {
    for (std::size_t i = 0; i < effects_.size(); ++i) effects_[i].run(effects_[i].data.data());
    effects_.clear();
  }

  void Clear() { effects_.clear(); }

 private:
  struct Effect {
    alignas(std::max_align_t) std::array<std::byte, kMostEffectBytes> data;
    void (*run)(std::byte* data) noexcept;
  };

  std::uint32_t capacity_;
  std::vector<Effect> effects_;
};

}  // namespace nowait

#endif  // NOWAIT_SRC_GAME_DELAYED_EFFECTS_H_

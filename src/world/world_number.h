// WorldNumber: identifies the world of this process that a body id belongs to.
//
// A number is taken when a world is made and given back when it is destroyed. Numbers are allocated
// in turn, so that a returned one is reused as late as possible: after all others. The table of the
// numbers in use is the only thing that two worlds share; only the ids' bits depend on it.
//
// Thread safety: any thread. Blocking: a mutex, for O(numbers in use) at most.
#ifndef NOWAIT_SRC_WORLD_WORLD_NUMBER_H_
#define NOWAIT_SRC_WORLD_WORLD_NUMBER_H_

#include <cstdint>
#include <utility>

#include "src/base/result.h"

namespace nowait {

class WorldNumber {
 public:
  // kCapacity "worlds": BodyId::kMaxWorlds of them are alive.
  static Result<WorldNumber> Take();

  WorldNumber(WorldNumber&& other) noexcept : value_(std::exchange(other.value_, 0)) {}
  WorldNumber& operator=(WorldNumber&&) = delete;
  ~WorldNumber();

  // 1 .. BodyId::kMaxWorlds.
  std::uint32_t value() const { return value_; }

 private:
  explicit WorldNumber(std::uint32_t value) : value_(value) {}

  std::uint32_t value_;  // 0: moved from
};

}  // namespace nowait

#endif  // NOWAIT_SRC_WORLD_WORLD_NUMBER_H_

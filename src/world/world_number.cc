#include "src/world/world_number.h"

#include <bitset>

#include "src/bodies/body_id.h"
#include "src/sync/policy.h"
#include "src/sync/scoped_lock.h"

namespace nowait {
namespace {

struct Numbers {
  EngineSync::mutex mutex;  // of the members below
  std::bitset<BodyId::kMaxWorlds + 1> taken;
  std::uint32_t last = 0;  // the latest one given out
};

// Never destroyed: a world may outlive the statics of other translation units.
Numbers& TheNumbers() {
  static Numbers& numbers = *new Numbers;
  return numbers;
}

}  // namespace

Result<WorldNumber> WorldNumber::Take() {
  Numbers& numbers = TheNumbers();
  const ScopedLock lock(numbers.mutex);
  for (std::uint32_t i = 0; i < BodyId::kMaxWorlds; ++i) {
    numbers.last = numbers.last % BodyId::kMaxWorlds + 1;
    if (numbers.taken[numbers.last]) continue;
    numbers.taken.set(numbers.last);
    return WorldNumber(numbers.last);
  }
  return Fail(ErrorCode::kCapacity, "worlds", BodyId::kMaxWorlds);
}

WorldNumber::~WorldNumber() {
  if (value_ == 0) return;
  Numbers& numbers = TheNumbers();
  const ScopedLock lock(numbers.mutex);
  numbers.taken.reset(value_);
}

}  // namespace nowait

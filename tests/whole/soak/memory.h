// Memory that has to stay flat: allocations that live, their bytes, and pages of the process.
#ifndef NOWAIT_TESTS_WHOLE_SOAK_MEMORY_H_
#define NOWAIT_TESTS_WHOLE_SOAK_MEMORY_H_

#include <cstdint>
#include <optional>
#include <string>

namespace nowait::whole {

struct MemorySample {
  std::int64_t allocations = 0;  // that live
  std::int64_t bytes = 0;        // of these
  std::int64_t resident = 0;     // bytes
};
MemorySample SampleMemory();

// Remembers the most of the first part of a soak, after which nothing may grow.
//
// Buffers grow to the largest step that they have seen, so the limit is not the first sample but
// the most of the first part, and a little more for a larger step that comes late.
class FlatMemory {
 public:
  void WarmUp(const MemorySample& sample);
  // The values that have grown beyond the limit, in words.
  std::optional<std::string> Check(const MemorySample& sample) const;

 private:
  MemorySample most_;
};

}  // namespace nowait::whole

#endif  // NOWAIT_TESTS_WHOLE_SOAK_MEMORY_H_

#include "tests/whole/soak/memory.h"

#include <unistd.h>

#include <algorithm>
#include <fstream>

#include "tests/whole/faults/allocations.h"

namespace nowait::whole {
namespace {

constexpr std::int64_t kMoreAllocations = 256;
constexpr std::int64_t kMoreBytes = 256 << 10;
// The allocator's own and, in a sanitizer, the shadow's.
constexpr std::int64_t kMoreResident = 32 << 20;

}  // namespace

MemorySample SampleMemory() {
  std::ifstream statm("/proc/self/statm");
  std::int64_t all = 0;
  std::int64_t resident = 0;
  statm >> all >> resident;
  return {LiveAllocations(), LiveBytes(), resident * sysconf(_SC_PAGESIZE)};
}

void FlatMemory::WarmUp(const MemorySample& sample) {
  most_.allocations = std::max(most_.allocations, sample.allocations);
  most_.bytes = std::max(most_.bytes, sample.bytes);
  most_.resident = std::max(most_.resident, sample.resident);
}

std::optional<std::string> FlatMemory::Check(const MemorySample& sample) const {
  if (sample.allocations > most_.allocations + kMoreAllocations) {
    return "allocations that live: " + std::to_string(sample.allocations) + ", at most " +
           std::to_string(most_.allocations) + " in the beginning";
  }
  if (sample.bytes > most_.bytes + kMoreBytes) {
    return "bytes of allocations that live: " + std::to_string(sample.bytes) + ", at most " +
           std::to_string(most_.bytes) + " in the beginning";
  }
  if (sample.resident > most_.resident + kMoreResident) {
    return "resident bytes: " + std::to_string(sample.resident) + ", at most " +
           std::to_string(most_.resident) + " in the beginning";
  }
  return std::nullopt;
}

}  // namespace nowait::whole

// Writers alone, readers together; the waiting times are each thread's own.
#include <atomic>
#include <catch2/catch.hpp>
#include <cstdint>

#include "src/sync/rw_lock.h"
#include "tests/stress/findings.h"
#include "tests/stress/together.h"

namespace nowait {
namespace {

TEST_CASE("readers never see half of a write, and every acquisition is counted") {
  constexpr std::uint32_t kThreads = 4;
  constexpr std::uint32_t kRounds = 5000;
  RwLock<> lock;
  std::uint64_t first = 0, second = 0;  // equal whenever nobody writes
  Findings wrong;
  WaitTime waits[kThreads];
  Together(kThreads, [&](std::uint32_t thread) {
    for (std::uint32_t round = 0; round < kRounds; ++round) {
      if (round % 4 == thread) {
        Doing::Now("waits for the lock, to write");
        const WriteScope scope(lock, waits[thread]);
        ++first;
        ++second;
      } else {
        Doing::Now("waits for the lock, to read");
        const ReadScope scope(lock, waits[thread]);
        if (first != second) wrong.Add("a reader sees half of a write", first, second);
      }
    }
  });
  WaitTime sum;
  for (const WaitTime& wait : waits) sum += wait;
  REQUIRE(wrong.Words() == "");
  REQUIRE(first == kThreads * (kRounds / 4));
  REQUIRE(sum.acquisitions == kThreads * kRounds);
  REQUIRE((sum.contended > 0 || sum.waited.count() == 0));
}

}  // namespace
}  // namespace nowait

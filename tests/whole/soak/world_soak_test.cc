// The open world with everything on, for as long as NOWAIT_SOAK_SECONDS says (./nowait test
// --soak-minutes): memory flat, every bound of open_world.h kept. NOWAIT_SOAK_SEED is the seed.
#include <catch2/catch.hpp>
#include <chrono>
#include <cstdio>
#include <cstdlib>

#include "tests/whole/soak/memory.h"
#include "tests/whole/soak/open_world.h"

namespace nowait::whole {
namespace {

constexpr std::uint32_t kFramesARound = 120;
constexpr std::uint32_t kFirstRounds = 3;
constexpr std::uint32_t kRounds = 6;  // where no time is given

std::uint64_t FromEnvironment(const char* name, std::uint64_t otherwise) {
  const char* const text = std::getenv(name);
  return text == nullptr ? otherwise : std::strtoull(text, nullptr, 10);
}

}  // namespace

TEST_CASE("The open world runs for long in the same memory, and every bound holds") {
  const std::uint64_t seed = FromEnvironment("NOWAIT_SOAK_SEED", 1);
  const std::uint64_t seconds = FromEnvironment("NOWAIT_SOAK_SECONDS", 0);
  std::printf("seed %llu\n", static_cast<unsigned long long>(seed));
  OpenWorld world(seed, 1);
  FlatMemory memory;
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(seconds);
  for (std::uint32_t round = 0;
       round < kRounds || (seconds != 0 && std::chrono::steady_clock::now() < end); ++round) {
    const std::string failure = world.Run(kFramesARound);
    INFO("frame " << world.counts().frames << ", seed " << seed);
    if (!failure.empty()) FAIL(failure);
    const MemorySample sample = SampleMemory();
    if (round < kFirstRounds) {
      memory.WarmUp(sample);
    } else if (const auto grown = memory.Check(sample)) {
      FAIL(*grown);
    }
    if (round % 50 == 0 || round + 1 == kRounds) {
      const SoakCounts& counts = world.counts();
      std::printf(
          "%llu frames, %llu tiles, %llu changes, %llu queries, %u bodies; at most %u frames until "
          "a tile came, %u steps for which old nodes waited, %u old nodes, %llu body locks an "
          "update; %lld "
          "allocations, %lld KiB, %lld KiB resident\n",
          static_cast<unsigned long long>(counts.frames),
          static_cast<unsigned long long>(counts.tiles),
          static_cast<unsigned long long>(counts.changes),
          static_cast<unsigned long long>(counts.queries), counts.bodies, counts.frames_ready,
          counts.steps_held, counts.waiting_nodes,
          static_cast<unsigned long long>(counts.update_locks),
          static_cast<long long>(sample.allocations), static_cast<long long>(sample.bytes / 1024),
          static_cast<long long>(sample.resident / 1024));
      std::fflush(stdout);
    }
  }
}

}  // namespace nowait::whole

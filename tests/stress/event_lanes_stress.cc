// Threads post events at once: the merged stream is that of one thread, frame after frame.
#include <atomic>
#include <catch2/catch.hpp>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "src/events/lanes.h"
#include "tests/events/events_of_tests.h"
#include "tests/stress/findings.h"
#include "tests/stress/together.h"

namespace nowait {
namespace {

constexpr std::uint32_t kThreads = 4;
constexpr std::uint32_t kJobs = 200;

void Run(EventLanes& lanes, std::uint32_t job, Findings& wrong) {
  auto section = lanes.Open(job);
  if (!section) return wrong.Add("no lane for a thread: job", job);
  for (std::uint32_t i = 0; i < job % 17; ++i) section->Post(Passed{job, i});
  section->Post(Rang{job});
}

std::vector<std::byte> Merged(EventLanes& lanes) {
  const auto stream = lanes.Merge();
  REQUIRE(stream);
  return {stream->bytes().begin(), stream->bytes().end()};
}

TEST_CASE("whichever thread runs which job, the stream is the same") {
  // With room for all, and for a third.
  const std::uint32_t most = GENERATE(1u << 20, 14000u);
  const auto alone = EventLanes::Create({.lanes = 1, .most_bytes = most});
  REQUIRE(alone);
  Findings wrong;
  for (std::uint32_t job = 0; job < kJobs; ++job) Run(**alone, job, wrong);
  const std::vector<std::byte> expected = Merged(**alone);
  REQUIRE(((*alone)->lost() == 0) == (most != 14000));

  const auto lanes = EventLanes::Create({.lanes = kThreads, .most_bytes = most});
  REQUIRE(lanes);
  for (int frame = 0; frame < 60; ++frame) {
    std::atomic<std::uint32_t> next{0};
    // relaxed: a job is nobody else's, and nothing else orders the threads but the lanes.
    Together(kThreads, [&](std::uint32_t) {
      for (;;) {
        const std::uint32_t job = next.fetch_add(1, std::memory_order::relaxed);
        if (job >= kJobs) return;
        Run(**lanes, kJobs - 1 - job, wrong);
      }
    });
    REQUIRE(wrong.Words() == "");
    REQUIRE(Merged(**lanes) == expected);
    REQUIRE((*lanes)->lost() == (*alone)->lost());
  }
}

}  // namespace
}  // namespace nowait

// Lanes are plain data written by one thread each; ThreadSanitizer checks that.
#include <atomic>
#include <catch2/catch.hpp>
#include <cstdint>
#include <string>
#include <thread>
#include <vector>

#include "src/profile/chrome_trace.h"
#include "src/profile/profile.h"
#include "src/profile/summary.h"

namespace nowait {
namespace {

TEST_CASE("threads write their lanes at once and are read after the join") {
  constexpr std::uint32_t kThreads = 4;
  constexpr std::uint32_t kSpans = 2'000;
  Profile profile({.lanes = kThreads, .spans_per_lane = 2 * kSpans});
  {
    std::vector<std::jthread> threads;
    for (std::uint32_t i = 0; i < kThreads; ++i) {
      Lane* lane = *profile.AddLane("thread " + std::to_string(i));
      threads.emplace_back([lane] {
        LaneScope use(lane);
        for (std::uint32_t k = 0; k < kSpans; ++k) {
          ProfileScope outer("outer");
          ProfileScope inner("inner");
          ProfileCount("k", k);
        }
      });
    }
  }
  CHECK(profile.lost() == 0);
  const auto summaries = Summarise(profile);
  REQUIRE(summaries.size() == 2);
  for (const SpanSummary& summary : summaries) CHECK(summary.count == kThreads * kSpans);
  CHECK(summaries[0].total <= summaries[1].total);  // inner, outer
  for (const Lane& lane : profile.lanes()) {
    for (std::size_t k = 0; k + 1 < lane.spans.size(); k += 2) {
      CHECK(lane.spans[k + 1].begin <= lane.spans[k].begin);
      CHECK(lane.spans[k].end <= lane.spans[k + 1].end);
    }
  }
}

TEST_CASE("a thread reads a lane's newest spans while the lane's own thread adds to them") {
  constexpr std::uint64_t kSpans = 20'000;
  Profile profile(
      {.lanes = 1, .spans_per_lane = 0, .samples_per_lane = 0, .live_spans_per_lane = 64});
  Lane* const lane = *profile.AddLane("thread");
  std::atomic<bool> written{false};
  std::jthread writer([lane, &written] {
    for (std::uint64_t i = 1; i <= kSpans; ++i) lane->AddSpan({"span", i, i});
    written.store(true, std::memory_order::relaxed);  // the join orders the rest
  });
  std::uint64_t last = 0, lost = 0;
  bool good = true;
  Live<Span> next{};
  const auto take = [&] {
    while (lane->live->TryPop(&next)) {
      // Between two spans that arrive are those that were lost, and no other ones.
      good = good && next.entry.begin == last + 1 + (next.lost - lost);
      last = next.entry.begin;
      lost = next.lost;
    }
  };
  while (!written.load(std::memory_order::relaxed)) take();
  writer.join();
  take();
  CHECK(good);
  CHECK(last > 0);
  CHECK(last + (lane->live_lost - lost) == kSpans);
}

}  // namespace
}  // namespace nowait

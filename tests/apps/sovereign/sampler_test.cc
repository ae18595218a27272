#include "src/apps/sovereign/sampler.h"

#include <catch2/catch.hpp>
#include <cstdint>
#include <random>
#include <vector>

#include "src/sync/spsc_ring.h"

namespace nowait {
namespace {

constexpr std::uint64_t kStart = 123'456'789;
constexpr std::uint64_t kSecond = 1'000'000'000;

// Time that passes only here: a sleep ends so late.
struct Time {
  std::uint64_t now = kStart;
  std::uint64_t late = 0;
};
struct TestClock {
  std::uint64_t Now() const { return time->now; }
  void SleepUntil(std::uint64_t until) const {
    if (until > time->now) time->now = until + time->late;
  }
  Time* time;
};

std::vector<InputSample> Empty(SpscRing<InputSample>& ring) {
  std::vector<InputSample> samples;
  InputSample sample;
  while (ring.TryPop(&sample)) samples.push_back(sample);
  return samples;
}

bool IsScripted(const InputSample& sample, std::uint64_t number) {
  const InputSample scripted = ScriptedSample(number);
  return sample.x == scripted.x && sample.y == scripted.y;
}

TEST_CASE("samples are taken 250 times a second, each when it is due") {
  Time time;
  SpscRing<InputSample> ring(1024);
  Sampler sampler(ring, TestClock{&time});
  for (int i = 0; i < 250; ++i) sampler.TakeOne();
  REQUIRE(time.now == kStart + kSecond);
  const auto samples = Empty(ring);
  REQUIRE(samples.size() == 250);
  for (std::uint64_t i = 0; i < 250; ++i) {
    REQUIRE(samples[i].time == kStart + (i + 1) * 4'000'000);
    REQUIRE(IsScripted(samples[i], i));
  }
  REQUIRE(sampler.lost() == 0);
}

TEST_CASE("a sampler that is woken late each time does not fall behind") {
  const std::uint32_t seed = 250;
  CAPTURE(seed);
  std::mt19937 random(seed);
  Time time;
  SpscRing<InputSample> ring(16'384);
  Sampler sampler(ring, TestClock{&time});
  for (std::uint64_t i = 0; i < 10'000; ++i) {
    time.late = random() % 3'900'000;  // nearly a period
    sampler.TakeOne();
    const std::uint64_t due = kStart + (i + 1) * 4'000'000;
    REQUIRE(time.now == due + time.late);
  }
  REQUIRE(Empty(ring).size() == 10'000);
}

TEST_CASE("frames of a 60th of a second find four samples or five") {
  Time time;
  SpscRing<InputSample> ring(64);
  Sampler sampler(ring, TestClock{&time});
  std::uint64_t all = 0;
  std::uint64_t due = kStart + 4'000'000;
  for (std::uint64_t frame = 1; frame <= 600; ++frame) {
    const std::uint64_t end = kStart + frame * kSecond / 60;
    for (; due <= end; due += 4'000'000) sampler.TakeOne();
    const std::size_t found = Empty(ring).size();
    REQUIRE((found == 4 || found == 5));
    all += found;
  }
  REQUIRE(all == 10 * 250);
}

TEST_CASE("a sampler that was held up makes up for it, at once") {
  Time time;
  SpscRing<InputSample> ring(64);
  Sampler sampler(ring, TestClock{&time});
  sampler.TakeOne();
  time.now += 100'000'000;  // 25 periods
  for (int i = 0; i < 25; ++i) sampler.TakeOne();
  REQUIRE(time.now == kStart + 104'000'000);
  sampler.TakeOne();
  REQUIRE(time.now == kStart + 108'000'000);
  const auto samples = Empty(ring);
  REQUIRE(samples.size() == 27);
  for (std::uint64_t i = 0; i < 27; ++i) REQUIRE(IsScripted(samples[i], i));
}

TEST_CASE("a sampler held up for an hour makes up for a quarter of a second, and counts the rest") {
  Time time;
  SpscRing<InputSample> ring(1024);
  using TestSampler = Sampler<TestClock>;
  TestSampler sampler(ring, TestClock{&time});
  sampler.TakeOne();
  time.now += 3600 * kSecond;
  std::uint64_t at_once = 0;
  for (const std::uint64_t woken = time.now; time.now == woken; ++at_once) sampler.TakeOne();
  const std::uint64_t most = TestSampler::kMakesUpFor / TestSampler::kPeriod;
  REQUIRE(at_once == most + 2);  // the one that is due now, and the next one, which was waited for
  // Each that was due is there or lost.
  const auto samples = Empty(ring);
  const std::uint64_t due = (time.now - kStart) / TestSampler::kPeriod;
  REQUIRE(samples.size() + sampler.lost() == due);
  REQUIRE(IsScripted(samples.back(), due - 1));
}

TEST_CASE("a sample that finds the ring full is lost and counted, and the pace is kept") {
  Time time;
  SpscRing<InputSample> ring(64);
  Sampler sampler(ring, TestClock{&time});
  std::uint64_t taken = 0;
  for (; sampler.lost() < 10; ++taken) sampler.TakeOne();
  REQUIRE(time.now == kStart + taken * 4'000'000);
  const auto kept = Empty(ring);  // the oldest, in their order
  REQUIRE(kept.size() == taken - 10);
  REQUIRE(kept.size() >= 64);
  for (std::uint64_t i = 0; i < kept.size(); ++i) REQUIRE(IsScripted(kept[i], i));
  sampler.TakeOne();
  const auto next = Empty(ring);
  REQUIRE(next.size() == 1);
  REQUIRE(IsScripted(next[0], taken));
  REQUIRE(next[0].time == kStart + (taken + 1) * 4'000'000);
  REQUIRE(sampler.lost() == 10);
}

}  // namespace
}  // namespace nowait

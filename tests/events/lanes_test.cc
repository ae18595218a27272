#include "src/events/lanes.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "src/math/random.h"
#include "tests/events/events_of_tests.h"

namespace nowait {
namespace {

using Bytes = std::vector<std::byte>;

std::unique_ptr<EventLanes> MakeLanes(EventLanesDef def) {
  auto lanes = EventLanes::Create(def);
  REQUIRE(lanes);
  return std::move(*lanes);
}

Bytes Copy(const EventStream& stream) { return {stream.bytes().begin(), stream.bytes().end()}; }

// The events of a section, by a number: of three types, from none to many.
struct Job {
  std::uint64_t key;
  std::uint32_t events;
};

void PostOne(EventLanes::Section& section, const Job& job, std::uint32_t i) {
  switch ((job.key + i) % 3) {
    case 0:
      return section.Post(Rang{static_cast<std::uint32_t>(job.key * 1000 + i)});
    case 1:
      return section.Post(Passed{job.key, i});
    default:
      return section.Post(Blinked{{static_cast<std::uint8_t>(i), 1, 2}});
  }
}
std::size_t CostOf(const Job& job) {
  std::size_t cost = job.events == 0 ? 0 : 16;
  for (std::uint32_t i = 0; i < job.events; ++i) cost += (job.key + i) % 3 == 1 ? 24 : 16;
  return cost;
}

// The jobs by the hands of so many threads: in an order and with overlaps drawn at random. One
// thread runs it, because the order of the calls is all that lanes see of threads.
void Post(EventLanes& lanes, std::vector<Job> jobs, std::uint32_t hands, Random& random) {
  for (std::size_t i = jobs.size(); i > 1; --i) {
    std::swap(jobs[i - 1], jobs[random.Below(static_cast<std::uint32_t>(i))]);
  }
  struct Hand {
    std::optional<EventLanes::Section> section;
    Job job{};
    std::uint32_t next = 0;
  };
  std::vector<Hand> all(hands);
  std::size_t begun = 0;
  std::size_t ended = 0;
  while (ended < jobs.size()) {
    Hand& hand = all[random.Below(hands)];
    if (!hand.section) {
      if (begun == jobs.size()) continue;
      hand.job = jobs[begun++];
      hand.next = 0;
      auto section = lanes.Open(hand.job.key);
      REQUIRE(section);
      hand.section.emplace(std::move(*section));
    } else if (hand.next < hand.job.events) {
      PostOne(*hand.section, hand.job, hand.next++);
    } else {
      hand.section.reset();
      ++ended;
    }
  }
}

// The promise of the header: the longest beginning by key that fits.
struct Expected {
  Bytes bytes;
  std::uint64_t lost = 0;
  std::uint64_t cut = ~std::uint64_t{0};
};
Expected Oracle(std::vector<Job> jobs, std::size_t most) {
  std::sort(jobs.begin(), jobs.end(), [](const Job& a, const Job& b) { return a.key < b.key; });
  Expected expected;
  std::size_t cost = 0;
  const auto big = MakeLanes({.lanes = 1, .most_bytes = 1u << 22});
  for (const Job& job : jobs) {
    cost += CostOf(job);
    if (cost > most) {
      if (expected.lost == 0) expected.cut = job.key;
      expected.lost += job.events;
      cost = most + 1;  // nothing fits behind it
      continue;
    }
    auto section = big->Open(job.key);
    REQUIRE(section);
    for (std::uint32_t i = 0; i < job.events; ++i) PostOne(*section, job, i);
  }
  const auto stream = big->Merge();
  REQUIRE(stream);
  expected.bytes = Copy(*stream);
  return expected;
}

TEST_CASE("events of a section are in the order of their posts, sections in that of their keys") {
  const auto lanes = MakeLanes({.lanes = 2, .most_bytes = 4096});
  {
    auto late = lanes->Open(9);
    auto early = lanes->Open(4);
    REQUIRE((late && early));
    late->Post(Rang{1});
    early->Post(Passed{2, 3});
    late->Post(Rang{4});
    early->Post(Blinked{{5, 6, 7}});
  }
  const auto stream = lanes->Merge();
  REQUIRE(stream);
  CHECK(lanes->lost() == 0);
  CHECK(lanes->cut() > EventLanes::kHighestKey);
  auto event = stream->begin();
  REQUIRE((*event).As<Passed>());
  CHECK(*(*event).As<Passed>() == Passed{2, 3});
  ++event;
  REQUIRE((*event).As<Blinked>());
  CHECK(*(*event).As<Blinked>() == Blinked{{5, 6, 7}});
  ++event;
  CHECK(*(*event).As<Rang>() == Rang{1});
  ++event;
  CHECK(*(*event).As<Rang>() == Rang{4});
  CHECK(++event == stream->end());
  CHECK(EventStream::Open(stream->bytes()));  // every byte is in its place

  const auto next = lanes->Merge();
  REQUIRE(next);
  CHECK(next->empty());
}

TEST_CASE("the stream does not depend on the threads, nor does what it has no room for") {
  const auto seed = GENERATE(range(1u, 41u));
  CAPTURE(seed);
  Random random(seed);
  std::vector<Job> jobs(random.Below(60) + 1);
  std::size_t all = 0;
  for (std::size_t i = 0; i < jobs.size(); ++i) {
    jobs[i] = {i * 7 + random.Below(7), random.Below(4) == 0 ? 0 : random.Below(20)};
    all += CostOf(jobs[i]);
  }
  for (const std::size_t most : {std::size_t{0}, all / 7, all / 3, all - 1, all, all + 8}) {
    if (most > all + 8) continue;  // nothing was posted
    CAPTURE(most, all);
    const Expected expected = Oracle(jobs, most);
    for (const std::uint32_t hands : {1u, 2u, 3u, 8u}) {
      const auto lanes =
          MakeLanes({.lanes = hands, .most_bytes = static_cast<std::uint32_t>(most)});
      for (int frame = 0; frame < 2; ++frame) {
        Post(*lanes, jobs, hands, random);
        const auto stream = lanes->Merge();
        REQUIRE(stream);
        REQUIRE(Copy(*stream) == expected.bytes);
        REQUIRE(lanes->lost() == expected.lost);
        REQUIRE(lanes->cut() == expected.cut);
      }
    }
  }
}

TEST_CASE("a section that never fits is left out, and with it all behind it") {
  const auto lanes = MakeLanes({.lanes = 1, .most_bytes = 100});
  {
    auto large = lanes->Open(2);
    REQUIRE(large);
    for (std::uint32_t i = 0; i < 100; ++i) large->Post(Nothing{});
  }
  {
    auto small = lanes->Open(1);
    REQUIRE(small);
    small->Post(Rang{1});
  }
  {
    auto behind = lanes->Open(3);
    REQUIRE(behind);
    behind->Post(Rang{3});
  }
  const auto stream = lanes->Merge();
  REQUIRE(stream);
  CHECK(stream->bytes().size() == 16);
  CHECK(*(*stream->begin()).As<Rang>() == Rang{1});
  CHECK(lanes->lost() == 101);
  CHECK(lanes->cut() == 2);
}

TEST_CASE("a section more than there are lanes is refused until one is closed") {
  const auto lanes = MakeLanes({.lanes = 1, .most_bytes = 100});
  {
    const auto first = lanes->Open(1);
    REQUIRE(first);
    const auto second = lanes->Open(2);
    REQUIRE(!second);
    CHECK(second.error() == Error{ErrorCode::kCapacity, "event lanes", 1});
  }
  CHECK(lanes->Open(2));
}

TEST_CASE("there is no merge while a section is open, and nothing is lost by the attempt") {
  const auto lanes = MakeLanes({.lanes = 3, .most_bytes = 100});
  {
    auto open = lanes->Open(1);
    REQUIRE(open);
    open->Post(Rang{1});
    const auto early = lanes->Merge();
    REQUIRE(!early);
    CHECK(early.error().code == ErrorCode::kWrongPhase);
    open->Post(Rang{2});
  }
  const auto stream = lanes->Merge();
  REQUIRE(stream);
  CHECK(stream->bytes().size() == 32);
}

TEST_CASE("two sections of one key are refused, whichever lanes have them") {
  for (const bool at_once : {false, true}) {
    const auto lanes = MakeLanes({.lanes = 2, .most_bytes = 1000});
    {
      std::optional<EventLanes::Section> one, other;
      one.emplace(*lanes->Open(5));
      one->Post(Rang{1});
      if (!at_once) one.reset();
      other.emplace(*lanes->Open(5));
      other->Post(Rang{2});
    }
    const auto stream = lanes->Merge();
    REQUIRE(!stream);
    CHECK(stream.error().code == ErrorCode::kInvalidArgument);
    CHECK(stream.error().amount == 5);
    CHECK(lanes->lost() == 2);
    CHECK(lanes->Merge()->empty());
  }
}

TEST_CASE("a definition out of range is refused, and so is a key") {
  const auto code = [](EventLanesDef def) {
    const auto lanes = EventLanes::Create(def);
    REQUIRE(!lanes);
    CHECK(lanes.error().code == ErrorCode::kInvalidArgument);
    return std::string(lanes.error().subject);
  };
  CHECK(code({.lanes = 0}) == "event lanes");
  CHECK(code({.lanes = EventLanes::kMostLanes + 1}) == "event lanes");
  CHECK(code({.most_bytes = EventLanes::kMostBytes + 1}) == "event bytes");
  const auto lanes = MakeLanes({});
  CHECK(lanes->Open(EventLanes::kHighestKey));
  CHECK(!lanes->Open(EventLanes::kHighestKey + 1));
}

TEST_CASE("a key that is refused takes no lane") {
  const auto lanes = MakeLanes({.lanes = 1, .most_bytes = 100});
  const auto refused = lanes->Open(EventLanes::kHighestKey + 1);
  REQUIRE(!refused);
  CHECK(refused.error().code == ErrorCode::kInvalidArgument);
  CHECK(refused.error().subject == std::string("event section"));
  CHECK(lanes->Open(1));
}

TEST_CASE("the events of the highest key are kept, behind all others") {
  const auto lanes = MakeLanes({.lanes = 1, .most_bytes = 100});
  for (const std::uint64_t key : {EventLanes::kHighestKey, std::uint64_t{0}}) {
    auto section = lanes->Open(key);
    REQUIRE(section);
    section->Post(Passed{key, 1});
  }
  const auto stream = lanes->Merge();
  REQUIRE(stream);
  REQUIRE(stream->bytes().size() == 2 * 24);
  CHECK(*(*stream->begin()).As<Passed>() == Passed{0, 1});
  CHECK(*(*std::next(stream->begin())).As<Passed>() == Passed{EventLanes::kHighestKey, 1});
  CHECK(lanes->lost() == 0);
}

TEST_CASE("a merge that is refused leaves the last stream and what was said of it") {
  const auto lanes = MakeLanes({.lanes = 2, .most_bytes = 32});
  for (const std::uint64_t key : {3u, 8u}) {
    auto section = lanes->Open(key);
    REQUIRE(section);
    section->Post(Rang{static_cast<std::uint32_t>(key)});
  }
  const auto stream = lanes->Merge();
  REQUIRE(stream);
  const Bytes before = Copy(*stream);
  const auto open = lanes->Open(1);
  REQUIRE(open);
  for (int i = 0; i < 3; ++i) CHECK(!lanes->Merge());
  CHECK(Copy(*stream) == before);
  CHECK(*(*stream->begin()).As<Rang>() == Rang{3});
  CHECK(lanes->lost() == 1);
  CHECK(lanes->cut() == 8);
}

TEST_CASE("lost and cut are about the last merge alone") {
  const auto lanes = MakeLanes({.lanes = 1, .most_bytes = 32});
  for (const std::uint32_t events : {5u, 1u}) {
    {
      auto section = lanes->Open(4);
      REQUIRE(section);
      for (std::uint32_t i = 0; i < events; ++i) section->Post(Rang{i});
    }
    REQUIRE(lanes->Merge());
    CHECK(lanes->lost() == (events == 5 ? 5 : 0));
    CHECK((lanes->cut() == 4) == (events == 5));
  }
}

TEST_CASE("two sections of one key are no error where one is empty, or both are left out") {
  const auto lanes = MakeLanes({.lanes = 1, .most_bytes = 32});
  for (const bool empty : {true, false}) {
    {
      auto first = lanes->Open(1);
      REQUIRE(first);
      first->Post(Rang{1});
    }
    for (int i = 0; i < 2; ++i) {
      auto section = lanes->Open(empty ? 1 : 2);
      REQUIRE(section);
      if (!empty) section->Post(Rang{2});
    }
    const auto stream = lanes->Merge();
    REQUIRE(stream);
    CHECK(stream->bytes().size() == 16);
    CHECK(lanes->lost() == (empty ? 0 : 2));
  }
}

TEST_CASE("the smallest and the largest definition are made, one beyond names its value") {
  CHECK(EventLanes::Create({.lanes = 1, .most_bytes = 0}));
  CHECK(EventLanes::Create({.lanes = EventLanes::kMostLanes, .most_bytes = 0}));
  CHECK(EventLanes::Create({.lanes = EventLanes::kMostLanes + 1}).error().amount ==
        EventLanes::kMostLanes + 1);
  CHECK(EventLanes::Create({.most_bytes = EventLanes::kMostBytes + 1}).error().amount ==
        EventLanes::kMostBytes + 1);
}

}  // namespace
}  // namespace nowait

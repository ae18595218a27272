#include "src/game/rounds.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <vector>

#include "src/math/random.h"

namespace nowait {
namespace {

ObjectHandle At(std::uint32_t slot) { return {slot, 1}; }

using Slots = std::vector<std::uint32_t>;
Slots SlotsOf(std::span<const ObjectHandle> objects) {
  Slots slots;
  for (const ObjectHandle object : objects) slots.push_back(object.slot);
  return slots;
}

TEST_CASE("objects that need nothing are done in one round, in their order") {
  Rounds rounds(8);
  const std::vector<ObjectHandle> objects = {At(5), At(2), At(7)};
  rounds.Begin(objects);
  CHECK(SlotsOf(rounds.ready()) == Slots{5, 2, 7});
  CHECK(!rounds.IsDone(At(5)));
  CHECK(rounds.IsDone(At(3)));
  rounds.EndRound();
  CHECK(rounds.ready().empty());
  CHECK(!rounds.IsStuck());
  CHECK(rounds.IsDone(At(5)));
}

TEST_CASE("an object that was put off is ready behind the one that it needs") {
  Rounds rounds(4);
  const std::vector<ObjectHandle> objects = {At(0), At(1), At(2)};
  rounds.Begin(objects);
  rounds.PutOff(At(0), At(1));
  rounds.PutOff(At(1), At(2));
  rounds.EndRound();
  CHECK(SlotsOf(rounds.ready()) == Slots{1});
  CHECK(rounds.IsDone(At(2)));
  CHECK(!rounds.IsDone(At(1)));
  rounds.EndRound();
  CHECK(SlotsOf(rounds.ready()) == Slots{0});
  rounds.EndRound();
  CHECK(rounds.ready().empty());
  CHECK(!rounds.IsStuck());
}

TEST_CASE("an earlier or a later object of a slot is done, and so is a slot beyond the table") {
  Rounds rounds(2);
  const std::vector<ObjectHandle> objects = {{1, 7}};
  rounds.Begin(objects);
  CHECK(!rounds.IsDone({1, 7}));
  CHECK(rounds.IsDone({1, 6}));
  CHECK(rounds.IsDone({1, 8}));
  CHECK(rounds.IsDone({2, 7}));
  CHECK(rounds.IsDone({}));
}

TEST_CASE("an object that needs itself is a cycle, and those behind it go on") {
  Rounds rounds(3);
  const std::vector<ObjectHandle> objects = {At(0), At(1)};
  rounds.Begin(objects);
  rounds.PutOff(At(0), At(1));
  rounds.PutOff(At(1), At(1));
  rounds.EndRound();
  REQUIRE(rounds.IsStuck());
  CHECK(SlotsOf(rounds.BreakCycle()) == Slots{1});
  CHECK(!rounds.IsStuck());
  CHECK(SlotsOf(rounds.ready()) == Slots{0});
}

TEST_CASE("a phase that was left in its middle leaves nothing to the next one") {
  Rounds rounds(4);
  const std::vector<ObjectHandle> first = {At(0), At(1), At(2)};
  rounds.Begin(first);
  rounds.PutOff(At(0), At(1));
  rounds.EndRound();
  const std::vector<ObjectHandle> second = {At(1), At(3)};
  rounds.Begin(second);
  CHECK(rounds.IsDone(At(0)));
  CHECK(SlotsOf(rounds.ready()) == Slots{1, 3});
  rounds.EndRound();
  CHECK(rounds.ready().empty());
  CHECK(!rounds.IsStuck());
}

TEST_CASE("an object that needs a task is ready again when no other object is") {
  Rounds rounds(8);
  const std::vector<ObjectHandle> objects = {At(0), At(1), At(2), At(3), At(4)};
  rounds.Begin(objects);
  rounds.PutOffForTask(At(3));
  rounds.PutOffForTask(At(1));
  rounds.PutOff(At(0), At(1));
  rounds.PutOff(At(2), At(4));
  rounds.EndRound();
  CHECK(SlotsOf(rounds.ready()) == Slots{2});
  CHECK(!rounds.AwaitsTasks());
  rounds.EndRound();
  CHECK(rounds.ready().empty());
  CHECK(!rounds.IsStuck());
  REQUIRE(rounds.AwaitsTasks());
  rounds.TasksAreDone();
  CHECK(SlotsOf(rounds.ready()) == Slots{1, 3});
  CHECK(!rounds.IsDone(At(1)));
  rounds.PutOffForTask(At(1));  // another one
  rounds.EndRound();
  CHECK(rounds.IsDone(At(3)));
  REQUIRE(rounds.AwaitsTasks());
  rounds.TasksAreDone();
  rounds.EndRound();
  CHECK(SlotsOf(rounds.ready()) == Slots{0});
  CHECK(rounds.times_put_off(At(1)) == 2);
}

TEST_CASE("a cycle is named when no object waits for a task that may break it") {
  Rounds rounds(4);
  const std::vector<ObjectHandle> objects = {At(0), At(1), At(2)};
  rounds.Begin(objects);
  rounds.PutOff(At(0), At(1));
  rounds.PutOff(At(1), At(0));
  rounds.PutOffForTask(At(2));
  rounds.EndRound();
  CHECK(!rounds.IsStuck());
  rounds.TasksAreDone();
  CHECK(SlotsOf(rounds.ready()) == Slots{2});
  rounds.EndRound();
  REQUIRE(rounds.IsStuck());
  CHECK(SlotsOf(rounds.BreakCycle()) == Slots{0, 1});
}

TEST_CASE("a phase that was left before its tasks leaves nothing to the next one") {
  Rounds rounds(4);
  const std::vector<ObjectHandle> first = {At(0), At(1)};
  rounds.Begin(first);
  rounds.PutOffForTask(At(1));
  rounds.EndRound();
  REQUIRE(rounds.AwaitsTasks());
  rounds.Begin(first);
  CHECK(!rounds.AwaitsTasks());
  rounds.EndRound();
  CHECK(!rounds.AwaitsTasks());
  CHECK(rounds.IsDone(At(1)));
}

// Runs a phase in which each object asks for `needed_by(slot, times)`. Returns the cycles.
template <class F>
int RunWith(Rounds& rounds, std::uint32_t count, const F& needed_by) {
  std::vector<ObjectHandle> objects;
  for (std::uint32_t i = 0; i < count; ++i) objects.push_back(At(i));
  rounds.Begin(objects);
  int cycles = 0;
  while (!rounds.ready().empty()) {
    for (const ObjectHandle object : rounds.ready()) {
      const std::uint32_t needed = needed_by(object.slot, rounds.times_put_off(object));
      if (needed < count && !rounds.IsDone(At(needed))) rounds.PutOff(object, At(needed));
    }
    rounds.EndRound();
    for (; rounds.IsStuck(); ++cycles) rounds.BreakCycle();
  }
  CHECK(std::ranges::all_of(objects, [&](ObjectHandle object) { return rounds.IsDone(object); }));
  return cycles;
}

// Each would take billions of steps if a round or a cycle were linear in the objects that are left.
TEST_CASE("long chains and many cycles take as many steps as there are objects") {
  constexpr int kCount = 200'000;
  Rounds rounds(kCount);
  CHECK(RunWith(rounds, kCount, [](auto slot, auto) { return slot - 1; }) == 0);
  CHECK(RunWith(rounds, kCount, [](auto slot, auto) { return slot + 1; }) == 0);
  CHECK(RunWith(rounds, kCount, [](auto slot, auto) { return slot; }) == kCount);
  CHECK(RunWith(rounds, kCount, [](auto slot, auto) { return slot ^ 1; }) == kCount / 2);
  CHECK(RunWith(rounds, kCount, [](auto slot, auto) { return (slot + 1) % kCount; }) == 1);
  // A chain in which each object, once it is its turn, needs itself: from both of its ends.
  CHECK(RunWith(rounds, kCount,
                [](auto slot, auto times) { return times == 0 ? slot + 1 : slot; }) == kCount - 1);
  CHECK(RunWith(rounds, kCount,
                [](auto slot, auto times) { return times == 0 ? slot - 1 : slot; }) == kCount - 1);
}

TEST_CASE("objects are ready in the order of those that they needed") {
  Rounds rounds(6);
  const std::vector<ObjectHandle> objects = {At(5), At(4), At(3), At(2), At(1), At(0)};
  rounds.Begin(objects);
  rounds.PutOff(At(5), At(0));
  rounds.PutOff(At(4), At(1));
  rounds.PutOff(At(3), At(0));
  rounds.PutOff(At(2), At(4));
  rounds.EndRound();
  CHECK(SlotsOf(rounds.ready()) == Slots{4, 5, 3});
  CHECK(rounds.times_put_off(At(5)) == 1);
  CHECK(rounds.times_put_off(At(1)) == 0);
}

// Each object has a list of others that it asks for, one after the other.
using Needs = std::vector<std::vector<std::uint32_t>>;

// The round in which each object's update ends, from the definition; nothing: never.
class Oracle {
 public:
  explicit Oracle(const Needs& needs) : needs_(needs) {}
  std::optional<int> RoundOf(std::uint32_t object) {
    if (under_way_.contains(object)) return {};
    if (const auto known = known_.find(object); known != known_.end()) return known->second;
    under_way_.insert(object);
    std::optional<int> round = 0;
    for (const std::uint32_t needed : needs_[object]) {
      const std::optional<int> before = RoundOf(needed);
      if (!before) {
        round.reset();
        break;
      }
      round = std::max(*round, *before + 1);
    }
    under_way_.erase(object);
    // An answer inside a cycle that is under way is the answer: such an object never ends.
    known_[object] = round;
    return round;
  }

 private:
  const Needs& needs_;
  std::set<std::uint32_t> under_way_;
  std::map<std::uint32_t, std::optional<int>> known_;
};

TEST_CASE("property: each object ends in the round that its needs say, and cycles are cycles") {
  constexpr std::uint64_t kSeed = 20110801;
  Random random(kSeed);
  Rounds rounds(40);
  int cycles = 0;
  for (int run = 0; run < 2000; ++run) {
    CAPTURE(kSeed, run);
    const std::uint32_t count = 1 + random.Below(40);
    // Every second run has no cycle: an object needs those of lower numbers.
    const bool acyclic = run % 2 == 0;
    Needs needs(count);
    for (std::uint32_t i = 0; i < count; ++i) {
      const std::uint32_t most = random.Below(4);
      for (std::uint32_t k = 0; k < most; ++k) {
        if (acyclic && i > 0) needs[i].push_back(random.Below(i));
        if (!acyclic && random.Below(4) == 0) needs[i].push_back(random.Below(count));
      }
    }
    std::vector<ObjectHandle> objects;
    for (std::uint32_t i = 0; i < count; ++i) objects.push_back(At(i));
    for (std::uint32_t i = count; i > 1; --i) std::swap(objects[i - 1], objects[random.Below(i)]);

    Oracle oracle(needs);
    std::map<std::uint32_t, int> ended;
    std::set<std::uint32_t> broken;
    rounds.Begin(objects);
    for (int round = 0; !rounds.ready().empty(); ++round) {
      REQUIRE(round <= static_cast<int>(count));
      const std::vector<ObjectHandle> ready(rounds.ready().begin(), rounds.ready().end());
      for (const ObjectHandle object : ready) {
        const auto& wanted = needs[object.slot];
        const auto first = std::ranges::find_if(
            wanted, [&](std::uint32_t needed) { return !rounds.IsDone(At(needed)); });
        if (first != wanted.end()) {
          rounds.PutOff(object, At(*first));
        } else {
          REQUIRE(ended.emplace(object.slot, round).second);
        }
      }
      rounds.EndRound();
      while (rounds.IsStuck()) {
        const auto cycle = rounds.BreakCycle();
        ++cycles;
        REQUIRE(!cycle.empty());
        for (std::size_t i = 0; i < cycle.size(); ++i) {
          const std::uint32_t next = cycle[(i + 1) % cycle.size()].slot;
          REQUIRE(std::ranges::count(needs[cycle[i].slot], next) > 0);
          REQUIRE(cycle[i].slot >= cycle.front().slot);
          REQUIRE(broken.insert(cycle[i].slot).second);
        }
      }
    }
    REQUIRE(ended.size() + broken.size() == count);
    for (std::uint32_t i = 0; i < count; ++i) {
      const std::optional<int> expected = oracle.RoundOf(i);
      // Objects behind a broken cycle end, too, but later than the oracle can say.
      if (expected) REQUIRE((ended.contains(i) && ended[i] == *expected));
      if (broken.contains(i)) REQUIRE(!expected);
    }
    if (acyclic) REQUIRE(broken.empty());
  }
  CHECK(cycles > 100);
}

}  // namespace
}  // namespace nowait

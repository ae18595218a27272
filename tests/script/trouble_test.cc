// Scripts in trouble, and systems without memory.
#include <algorithm>
#include <catch2/catch.hpp>
#include <cstdint>
#include <new>
#include <string>
#include <vector>

#include "src/math/random.h"
#include "src/resource/file.h"
#include "src/script/physics_event.h"
#include "src/script/system.h"
#include "tests/script/fake_call.h"
#include "tests/script/play.h"
#include "tests/whole/faults/allocations.h"

namespace nowait {
namespace {

const char* const kCounts = R"(
  fields = {x = 0, a_field_without_room_in_place = 0}
  local shared = {step = 1}
  function update(self) self.x = self.x + shared.step; send(id(), "counted", self.x) end
  function event(self, name, value) self.a_field_without_room_in_place = value end)";

std::string Restless(std::uint64_t version) {
  return "local version = " + std::to_string(version) + R"(
    fields = {x = 0, front = no_object, second = no_object, tally = no_object, troubled = false}
    local function ahead(self, calls)
      if calls > 0 then return ahead(self, calls - 1) + 0 end
      local front = self.front and after(self.front)
      return front and front.x or 0
    end
    function update(self)
      local dice = math.random(1, 40)
      local tally = write(self.tally)
      tally.count = tally.count + 1
      if self.troubled and dice == 3 then error('three') end
      if self.troubled and dice == 4 then while true do end end
      if self.troubled and dice == 5 then local t = {} while true do t[#t + 1] = {} end end
      local x = ahead(self, dice % 7)
      if self.troubled and dice == 6 then self.nothing = 1 end
      local second = dice % 3 == 0 and self.second and after(self.second)
      self.x = (x + (second and second.x or 0) + dice + version) % 1000003
      if dice % 2 == 0 then send(self.tally, 'seen', dice) end
      if dice % 5 == 0 and self.front then send(self.front, 'hey', self.x) end
    end
    function event(self, name, value)
      if self.troubled and value % 11 == 5 then error('ears') end
      self.x = self.x + value
      send(self.tally, 'heard', 1)
    end
    function on_contact(self, contact)
      if self.troubled and contact.speed == 7 then error('skin') end
      self.x = self.x + contact.speed
    end)";
}

struct Left {
  std::uint64_t fields;
  std::vector<std::string> faults;
  std::vector<std::uint64_t> counts;
  friend bool operator==(const Left&, const Left&) = default;
};

// Random objects of restless scripts, some of them in cycles, for some ticks; between those,
// scripts are loaded again, or unloaded and made anew, and the program sends events.
Left AfterTrouble(std::uint64_t seed, std::uint32_t threads, bool twice) {
  Play play({.objects = 90,
             .threads = threads,
             .objects_of_call = 5,
             .sends_of_call = 3,
             .event_bytes = 2000,
             .seed = seed,
             .twice = twice});
  Random random(seed);
  const auto tally = play.Spawn(play.Load(
      "fields = {count = 0} function event(self, _, value) self.count = self.count + value end"));
  std::vector<std::uint32_t> scripts = {play.Load(Restless(1), "a.lua"),
                                        play.Load(Restless(1), "b.lua")};
  std::vector<ObjectHandle> objects = {tally};
  const auto any = [&](std::uint32_t last) {
    const auto count = static_cast<std::uint32_t>(objects.size());
    return objects[count - 1 - random.Below(std::min(last, count))];
  };
  const auto populate = [&] {
    while (const auto object = play.system->Spawn(scripts[random.Below(2)], random.Below(3))) {
      play.Link(*object, "tally", tally);
      play.Link(*object, "front", any(5));
      if (random.Below(4) == 0) play.Link(*object, "second", any(90));
      ScriptValue troubled{};
      troubled.boolean = random.Below(6) == 0 ? 1 : 0;
      REQUIRE(play.system->Set(*object, "troubled", FieldKind::kBoolean, troubled));
      objects.push_back(*object);
      if (random.Below(20) == 0 && objects.size() > 9) {
        const ScriptValue later = {.handle = BitsOf(*object)};
        // The tally has no such field.
        static_cast<void>(play.system->Set(any(9), "front", FieldKind::kHandle, later));
      }
    }
  };
  populate();
  Left left{};
  for (int i = 0; i < 12; ++i) {
    std::vector<PhysicsEvent> contacts(8);
    for (PhysicsEvent& contact : contacts) {
      contact.to = any(90);
      contact.speed = static_cast<float>(random.Below(9));
    }
    std::ranges::stable_sort(contacts, {}, [](const auto& contact) { return contact.to.slot; });
    REQUIRE(play.system->BeginTick(*play.pool, play.tick++, 0.5));
    REQUIRE(play.system->RunPhase(*play.pool, 0));
    REQUIRE(play.system->RunPhysics(*play.pool, contacts));
    for (const std::uint32_t phase : {1u, 2u}) REQUIRE(play.system->RunPhase(*play.pool, phase));
    REQUIRE(play.system->EndTick());
    for (const ScriptFault& fault : play.system->faults()) left.faults.push_back(fault.text);
    if (random.Below(3) == 0) play.Load(Restless(2 + play.tick), "a.lua");
    if (random.Below(6) == 0) {
      play.system->Unload(scripts[1]);
      scripts[1] = play.Load(Restless(100 + play.tick), "b.lua");
      populate();
    }
    play.system->Send({.to = any(90), .from = {}, .value = 5, .name = {}});
  }
  const ScriptCounts counts = play.system->Counts();
  left.fields = play.system->Checksum();
  left.counts = {counts.updates,   counts.put_off,    counts.events, counts.faults,
                 counts.callbacks, counts.unreceived, counts.lost};
  return left;
}

TEST_CASE("property: scripts in trouble leave the same, whatever the threads, and run twice") {
  for (const std::uint64_t seed : {71, 72}) {
    CAPTURE(seed);
    const Left alone = AfterTrouble(seed, 1, false);
    for (const std::uint64_t count : alone.counts) CHECK(count > 0);
    CHECK(AfterTrouble(seed, 1, true) == alone);
    CHECK(AfterTrouble(seed, 4, false) == alone);
  }
}

TEST_CASE("in the long run a tick allocates nothing, with updates that are put off, and events") {
  Play play({.objects = 20});
  const auto horse = play.Load(R"(
    fields = {x = 0, front = no_object, heard = 0}
    function update(self)
      if self.front then self.x = after(self.front).x + 1; send(self.front, "behind", self.x) end
    end
    function event(self) self.heard = self.heard + 1 end)");
  const auto file = ReadFile("tests/script/counter.so");
  REQUIRE(file);
  const auto compiled = play.system->Load("counter.so", *file);
  REQUIRE(compiled);
  std::vector<ObjectHandle> column;
  for (int i = 0; i < 8; ++i) {
    column.push_back(play.Spawn(horse));
    if (i > 0) play.Link(column[i - 1], "front", column[i]);  // it is tried before the other one
  }
  const ObjectHandle back = play.Spawn(*compiled), front = play.Spawn(*compiled);
  play.Link(back, "other", front);
  const auto tick = [&] {
    return play.system->BeginTick(*play.pool, play.tick++, 0.5) &&
           play.system->RunPhase(*play.pool, 0) && play.system->EndTick();
  };
  const auto put_off = [&] {
    // Updates of the shared object that come after another one, and say that they fail or hide it.
    play.Set(back, "count", play.tick % 2 == 0 ? 599 : 600);
    return tick();
  };
  for (int i = 0; i < 4; ++i) REQUIRE(put_off());
  const ScriptCounts before = play.system->Counts();
  bool done = true;
  const whole::AllocationFault fault(1);
  for (int i = 0; i < 10; ++i) done = done && put_off();
  CHECK_FALSE(fault.has_struck());
  CHECK(done);
  const ScriptCounts after = play.system->Counts();
  CHECK(after.put_off == before.put_off + 10 * (7 + 1));
  CHECK(after.events == before.events + 10 * 7);
  CHECK(after.faults == 0);
}

// A system whose n-th allocation in `attempt` fails; `later` is what must hold from then on.
template <class Attempt, class Later>
std::uint64_t EachFailure(const char* source, const Attempt& attempt, const Later& later) {
  return whole::EachAllocation([&](std::uint64_t n) {
    Play play({.objects = 8});
    const auto script = play.Load(source, "counts.lua");
    play.Spawn(script);
    bool struck = false;
    {
      const whole::AllocationFault fault(n);
      try {
        attempt(play);
      } catch (const std::bad_alloc&) {  // from Load, whose error has a text
      }
      struck = fault.has_struck();
    }
    INFO("allocation " << n);
    later(play);
    return struck;
  });
}

TEST_CASE("wherever memory runs out, what comes later is as if it had been there") {
  const std::string name = "a name that has no room in place.lua";
  const auto ticks = [](Play& play) {
    for (int i = 0; i < 2; ++i) REQUIRE(play.Tick() == Texts{});
  };
  const auto load = [&](Play& play) {
    static_cast<void>(play.system->Load(name, BytesOf(kCounts)));  // the test makes it fail
  };
  CHECK(EachFailure(kCounts, load, [&](Play& play) {
          const ObjectHandle object = play.Spawn(play.Load(kCounts, name));
          ticks(play);
          REQUIRE(play.Get(object, "x") == 2);
        }) > 10);

  const auto spawn = [](Play& play) {
    static_cast<void>(play.system->Spawn(0, 2));  // the test makes it fail
  };
  CHECK(EachFailure(kCounts, spawn, [&](Play& play) {
          while (play.system->Spawn(0, 2)) continue;
          ticks(play);
          REQUIRE(play.system->Counts().updates == 2 * 8);
          play.system->Unload(0);
          const auto script = play.Load(kCounts, "counts.lua");
          for (int i = 0; i < 8; ++i) play.Spawn(script);
        }) >= 1);

  const auto tick = [](Play& play) {
    auto done = play.system->BeginTick(*play.pool, play.tick++, 0.5);
    if (done) done = play.system->RunPhase(*play.pool, 0);
    if (!play.system->EndTick()) REQUIRE(play.system->EndTick());  // it had not ended
  };
  CHECK(EachFailure(kCounts, tick, [&](Play& play) {
          const std::uint64_t before = play.system->Counts().updates;
          ticks(play);
          REQUIRE(play.system->Counts().updates == before + 2);
        }) >= 1);

  const char* const fails =
      "fields = {} function update() error('a text without room in place') end";
  CHECK(EachFailure(fails, tick, [](Play& play) {
          REQUIRE(play.system->disabled() == play.system->faults().size());
          play.Tick();
          REQUIRE(play.system->disabled() == 1);
          REQUIRE(play.system->Counts().faults == 1);
        }) > 4);
}

TEST_CASE(
    "a shared object that comes after an object of a later phase fails, even if it hides it") {
  Play play({.objects = 2});
  const auto file = ReadFile("tests/script/counter.so");
  REQUIRE(file);
  const auto loaded = play.system->Load("counter.so", *file);
  REQUIRE(loaded);
  const ObjectHandle hides = play.Spawn(*loaded, 0), late = play.Spawn(*loaded, 2);
  play.Set(hides, "count", 599);
  play.Link(hides, "other", late);
  CHECK(play.Tick() ==
        Texts{"counter.so: object is not allowed in this phase: its phase comes later"});
}

TEST_CASE("scripts that come and go need no more memory than those that are there") {
  Play play({.objects = 8, .threads = 2});
  const auto load = [&](int number) {
    const auto script = play.Load("fields = {n = 0} local kept = {" + std::string(4000, ' ') + "'" +
                                      std::string(8000, 'x') + std::to_string(number) +
                                      "'} function update(self) self.n = #kept[1] end",
                                  "scene" + std::to_string(number) + ".lua");
    play.Spawn(script);
    return script;
  };
  // Each has 8,000 bytes, and a state has room for some 100 of them.
  std::uint32_t highest = 0;
  for (int i = 0; i < 2000; ++i) {
    const std::uint32_t script = load(i);
    highest = std::max(highest, script);
    if (i % 5 == 0) CHECK(play.Tick() == Texts{});
    play.system->Unload(script);
  }
  CHECK(highest == 0);
  CHECK(play.system->Counts().machines.most_bytes <= LuaDef{}.memory);
}

}  // namespace
}  // namespace nowait

#include "src/script/system.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cstdint>
#include <string>
#include <vector>

#include "src/math/random.h"
#include "src/resource/file.h"
#include "src/script/physics_event.h"
#include "tests/script/play.h"

namespace nowait {
namespace {

const char* const kHorse = R"(
  fields = {x = 0, tally = no_object}
  function update(self)
    self.x = self.x + math.random(1, 9)
    local tally = write(self.tally)
    tally.count = tally.count + self.x
  end)";
const char* const kRider = R"(
  fields = {x = 0, horse = no_object, seen = 0}
  function update(self)
    self.x = read(self.horse).x
    send(self.horse, "nudge", self.x)
  end)";
const char* const kTally = "fields = {count = 0} function event() end";
std::uint64_t ChecksumAfter(std::uint32_t threads, bool twice) {
  Play play({.objects = 500, .threads = threads, .twice = twice});
  const auto horse = play.Load(
      std::string(kHorse) + " function event(self, name, value) self.x = self.x * 0.5 + value end",
      "horse.lua");
  const auto rider = play.Load(kRider, "rider.lua");
  const auto tally = play.Spawn(play.Load(kTally, "tally.lua"));
  std::vector<ObjectHandle> horses;
  for (int i = 0; i < 200; ++i) {
    horses.push_back(play.Spawn(horse, 0));
    play.Link(horses.back(), "tally", tally);
    play.Link(play.Spawn(rider, 1), "horse", horses.back());
  }
  for (int i = 0; i < 20; ++i) CHECK(play.Tick() == Texts{});
  const ScriptCounts counts = play.system->Counts();
  CHECK(counts.updates == 20 * 400);
  CHECK(counts.events == 19 * 200);
  CHECK(counts.transactions.commits == counts.updates + counts.events);
  return play.system->Checksum();
}

TEST_CASE("with phases the objects are the same for any number of threads, and run twice") {
  const std::uint64_t alone = ChecksumAfter(1, false);
  for (const std::uint32_t threads : {1u, 2u, 4u}) {
    CHECK(ChecksumAfter(threads, false) == alone);
    CHECK(ChecksumAfter(threads, true) == alone);
  }
}

TEST_CASE("a phase sees the one before it") {
  Play play({.objects = 16, .threads = 2});
  const auto tally = play.Spawn(play.Load(kTally, "tally.lua"));
  const ObjectHandle horse = play.Spawn(play.Load(kHorse, "horse.lua"), 0);
  play.Link(horse, "tally", tally);
  const ObjectHandle rider = play.Spawn(play.Load(kRider, "rider.lua"), 1);
  play.Link(rider, "horse", horse);
  play.Tick();
  CHECK(play.Get(rider, "x") == play.Get(horse, "x"));
  CHECK(play.Get(rider, "x") > 0);
}

TEST_CASE("a script's error stops its object, and nothing of that call has happened") {
  Play play({.objects = 16, .threads = 2});
  const char* const source = R"(
    fields = {n = 0, bad = 0, other = no_object}
    function update(self)
      self.n = self.n + 1
      local other = write(self.other)
      if other then other.n = other.n + 100 end
      send(id(), "again")
      if self.bad == 1 then error("on purpose") end
      if self.bad == 2 then while true do end end
      if self.bad == 3 then local t = {} while true do t[#t + 1] = ("x"):rep(60000) .. #t end end
      if self.bad == 4 then self.n = "many" end
      if self.bad == 5 then self.m = 1 end
      if self.bad == 6 then self.n = ray(vec3(0, 0, 0), vec3(1, 0, 0)) end
      if self.bad == 7 then for i = 1, 9 do send(id(), "x") end end
    end
    function event(self) self.n = self.n + 0.125 end)";
  const auto script = play.Load(source);
  const ObjectHandle target =
      play.Spawn(play.Load("fields = {n = 0} function event() end", "o.lua"));
  std::vector<ObjectHandle> objects;
  for (double bad = 0; bad < 8; ++bad) {
    objects.push_back(play.Spawn(script));
    play.Set(objects.back(), "bad", bad);
    play.Link(objects.back(), "other", target);
  }
  CHECK(play.Tick() ==
        Texts{"t.lua:8: on purpose", "t.lua:9: the call takes too long",
              "t.lua:10: too much memory", "t.lua:11: the field 'n' is a number, not a string",
              "t.lua:12: the object has no field 'm'",
              "t.lua:13: query is not allowed in this phase: the world may change meanwhile",
              "t.lua:14: capacity of delayed effects reached (4)"});
  CHECK(play.system->disabled() == 7);
  CHECK(play.Get(objects[0], "n") == 1);
  CHECK(play.Get(target, "n") == 100);
  for (int i = 1; i < 8; ++i) CHECK(play.Get(objects[i], "n") == 0);
  CHECK(play.Tick() == Texts{});
  CHECK(play.Get(objects[0], "n") == 2.125);
  CHECK(play.Get(target, "n") == 200);
  CHECK(play.system->Counts().faults == 7);
  // A new version, and all go on.
  play.Load("fields = {n = 0, bad = 0, other = no_object} function update(self) self.n = 7 end");
  CHECK(play.system->disabled() == 0);
  CHECK(play.Tick() == Texts{});
  for (const ObjectHandle object : objects) CHECK(play.Get(object, "n") == 7);
}

TEST_CASE("an unlucky order: an error inside an update that owns what others want") {
  // Half of the objects fail behind the counter's write, and nothing stays owned.
  Play play({.objects = 300, .threads = 4});
  const auto tally = play.Spawn(play.Load(kTally, "tally.lua"));
  const auto script = play.Load(R"(
    fields = {number = 0, tally = no_object}
    function update(self)
      local tally = write(self.tally)
      tally.count = tally.count + 1
      if self.number % 2 == 1 then error("odd") end
    end)");
  for (int i = 0; i < 200; ++i) {
    const ObjectHandle object = play.Spawn(script);
    play.Set(object, "number", i);
    play.Link(object, "tally", tally);
  }
  CHECK(play.Tick().size() == 100);
  CHECK(play.Get(tally, "count") == 100);
  CHECK(play.Tick().empty());
  CHECK(play.Get(tally, "count") == 200);
}

TEST_CASE("a reload with an error keeps the script that is there") {
  Play play({.objects = 4, .threads = 2});
  const char* const source = "fields = {n = 0} function update(self) self.n = self.n + 1 end";
  const ObjectHandle object = play.Spawn(play.Load(source));
  play.Tick();
  CHECK(play.LoadError("function update(self)") == "t.lua:1: 'end' expected near <eof>");
  CHECK(play.LoadError("fields = {n = 0}") ==
        "t.lua: no function 'update', 'event', 'on_contact', 'on_joint' or 'on_sleep'");
  CHECK(play.LoadError("fields = {n = true} function update() end") ==
        "t.lua: other fields than those of the objects that are there");
  CHECK(play.LoadError("fields = {n = 0, m = 0} function update() end") ==
        "t.lua: other fields than those of the objects that are there");
  CHECK(play.LoadError("while true do end") == "t.lua:1: the call takes too long");
  CHECK(play.LoadError(source, "t.py") == "t.py: no language has files of this name");
  play.Tick();
  CHECK(play.Get(object, "n") == 2);
  CHECK(play.Load("fields = {n = 5} function update(self) self.n = self.n + 10 end") == 0);
  play.Tick();
  CHECK(play.Get(object, "n") == 12);
  // A new version may have other functions.
  play.Load("fields = {n = 5} function event() end");
  play.Tick();
  CHECK(play.Get(object, "n") == 12);
  play.Load(source);
  play.Tick();
  CHECK(play.Get(object, "n") == 13);
  CHECK(play.system->Counts().faults == 0);
}

TEST_CASE("callbacks of the physics: each a transaction, in the order of an object's events") {
  using Kind = PhysicsEvent::Kind;
  std::uint64_t checksum = 0;
  for (const std::uint32_t threads : {1u, 2u, 4u}) {
    for (const bool twice : {false, true}) {
      Play play({.objects = 400, .threads = threads, .twice = twice});
      const ObjectHandle tally = play.Spawn(play.Load(R"(
        fields = {count = 0, told = 0}
        function event(self, name, value) self.told = self.told + value end)",
                                                      "tally.lua"));
      const auto script = play.Load(R"(
        fields = {order = 0, speed = 0, tally = no_object}
        function on_contact(self, contact)
          self.order = self.order * 2 % 9973 + (contact.kind == "began" and 1 or 0)
          self.speed = self.speed + (contact.speed or 0)
          write(self.tally).count = read(self.tally).count + 1
          if contact.other == self.tally then send(self.tally, "touched", 1) end
          if self.speed > 1000 then error("too fast") end
        end)");
      std::vector<PhysicsEvent> calls;
      Random random(5);
      for (int i = 0; i < 300; ++i) {
        const ObjectHandle object = play.Spawn(script);
        play.Link(object, "tally", tally);
        for (std::uint32_t k = random.Below(5); k > 0; --k) {
          calls.push_back({.kind = random.Below(2) == 0 ? Kind::kContactBegan : Kind::kContactEnded,
                           .to = object,
                           .other = random.Below(3) == 0 ? tally : ObjectHandle{},
                           .speed = i == 77 ? 2000.0f : 1.0f});
        }
        calls.push_back({.kind = Kind::kWoke, .to = object});  // no function for this one
      }
      const auto contacts = calls.size() - 300;
      calls.push_back({.kind = Kind::kWoke, .to = {399, 5}});  // an object that is gone
      const auto touched = std::ranges::count_if(
          calls, [&](const auto& call) { return call.kind != Kind::kWoke && call.other == tally; });
      REQUIRE(play.system->RunPhysics(*play.pool, calls).error().code == ErrorCode::kWrongPhase);
      REQUIRE(play.system->BeginTick(*play.pool, 1, 0.5));
      REQUIRE(play.system->RunPhysics(*play.pool, calls));
      REQUIRE(play.system->EndTick());
      const ScriptCounts counts = play.system->Counts();
      REQUIRE(counts.faults == 1);
      CHECK(play.system->faults()[0].object.slot == 78);
      CHECK(play.system->faults()[0].text == "t.lua:8: too fast");
      // The fault has no effect; later events of that object are not received.
      CHECK(play.Get(tally, "count") == static_cast<double>(counts.callbacks));
      CHECK(counts.callbacks < contacts);
      CHECK(counts.callbacks + counts.unreceived + counts.faults >= calls.size());
      REQUIRE(play.system->BeginTick(*play.pool, 2, 0.5));
      REQUIRE(play.system->EndTick());
      CHECK(play.Get(tally, "told") > 50);
      CHECK(play.Get(tally, "told") <= static_cast<double>(touched));
      if (checksum == 0) checksum = play.system->Checksum();
      CHECK(play.system->Checksum() == checksum);
    }
  }
}

TEST_CASE("a callback for an object that was never made is not received, with scripts or without") {
  for (const bool script : {false, true}) {
    Play play({.objects = 4, .threads = 2});
    if (script) play.Load("fields = {n = 0} function on_sleep(self) self.n = 1 end");
    const PhysicsEvent calls[] = {
        {.kind = PhysicsEvent::Kind::kWoke, .to = {0, 1}},
        {.kind = PhysicsEvent::Kind::kWoke, .to = {3, 1}},
        {.kind = PhysicsEvent::Kind::kWoke, .to = {4, 1}},
        {.kind = PhysicsEvent::Kind::kWoke, .to = ObjectHandle{}},
    };
    REQUIRE(play.system->BeginTick(*play.pool, 1, 0.5));
    REQUIRE(play.system->RunPhysics(*play.pool, calls));
    REQUIRE(play.system->EndTick());
    CHECK(play.system->Counts().unreceived == 4);
    CHECK(play.system->Counts().faults == 0);
  }
}

TEST_CASE("events arrive in the order of their senders, once, in the next tick") {
  for (const std::uint32_t threads : {1u, 4u}) {
    Play play({.objects = 1600, .threads = threads});
    const ObjectHandle receiver = play.Spawn(play.Load(R"(
      fields = {last = -1, count = 0, wrong = 0}
      function event(self, name, value, from)
        if value ~= self.last + 1 then self.wrong = self.wrong + 1 end
        self.last = value
        self.count = self.count + 1
      end)",
                                                       "receiver.lua"));
    const auto sender = play.Load(R"(
      fields = {number = 0, to = no_object}
      function update(self)
        if tick() ~= 0 then return end
        for i = 1, 2000 do end  -- long enough for all threads to take part
        send(self.to, "a", 2 * self.number)
        send(self.to, "b", 2 * self.number + 1)
      end)",
                                  "sender.lua");
    for (int i = 0; i < 1500; ++i) {
      const ObjectHandle object = play.Spawn(sender);
      play.Set(object, "number", i);
      play.Link(object, "to", receiver);
    }
    play.Tick();
    CHECK(play.Get(receiver, "count") == 0);
    play.Tick();
    CHECK(play.Get(receiver, "count") == 3000);
    CHECK(play.Get(receiver, "wrong") == 0);
    play.Tick();
    CHECK(play.Get(receiver, "count") == 3000);
    CHECK(play.system->Counts().unreceived == 0);
  }
}

TEST_CASE("events without a receiver, and without room, are counted") {
  Play play({.objects = 100, .threads = 2, .event_bytes = 4000});
  const auto script = play.Load(R"(
    fields = {to = no_object}
    function update(self) send(self.to or id(), "x") end)");
  const ObjectHandle first = play.Spawn(script);
  for (int i = 0; i < 99; ++i) play.Spawn(script);
  play.Link(first, "to", {1234, 1});
  play.Tick();
  const std::uint64_t lost = play.system->Counts().lost;
  CHECK((lost > 0 && lost < 100));
  CHECK(play.system->lost_from() == 1u);  // loop 0 is the events, and 1 is the first phase
  play.Tick();
  CHECK(play.system->Counts().unreceived == 100 - lost);
  play.system->Unload(script);
  play.Tick();
  CHECK_FALSE(play.system->lost_from());
}

TEST_CASE("a script in C++ works among scripts in Lua, and keeps nothing outside of fields") {
  const auto file = [](const std::string& name) {
    const auto bytes = ReadFile("tests/script/" + name);
    REQUIRE(bytes);
    return std::string(reinterpret_cast<const char*>(bytes->data()), bytes->size());
  };
  Play play({.objects = 8, .threads = 2, .twice = true});
  const ObjectHandle counter = play.Spawn(play.Load(file("counter.so"), "counter.so"));
  const ObjectHandle lua = play.Spawn(
      play.Load(
          "fields = {other = no_object} function update(self) write(self.other).count = 50 end"),
      1);
  play.Link(lua, "other", counter);
  CHECK(play.Tick() == Texts{});
  CHECK(play.Get(counter, "count") == 50);
  CHECK(play.LoadError("no shared object", "counter.so").starts_with("counter.so: "));
  CHECK(play.Tick() == Texts{});
  // The same with a static variable.
  play.Load(file("stateful.so"), "counter.so");
  CHECK(play.Tick() == Texts{"counter.so: a second run of the call differs from the first"});
  CHECK(play.Get(counter, "count") == 50);
}

TEST_CASE("property: transfers between random objects keep the sum, on any number of threads") {
  constexpr int kObjects = 64;
  for (const std::uint32_t threads : {1u, 2u, 4u}) {
    Play play({.objects = kObjects, .threads = threads, .seed = threads, .twice = threads == 2});
    const auto script = play.Load(R"(
      fields = {coins = 100, next = no_object, moves = 0}
      function update(self)
        local from, to = id(), self.next
        for i = 1, math.random(0, 5) do from, to = to, read(to).next end
        if from == to then return end
        local giver, taker = write(from), write(to)
        local coins = math.floor(giver.coins * math.random())
        giver.coins = giver.coins - coins
        taker.coins = taker.coins + coins
        self.moves = self.moves + 1
        if giver.coins < 0 then error("less than nothing") end
      end)");
    std::vector<ObjectHandle> objects;
    for (int i = 0; i < kObjects; ++i) objects.push_back(play.Spawn(script));
    for (int i = 0; i < kObjects; ++i)
      play.Link(objects[i], "next", objects[(i * 7 + 1) % kObjects]);
    for (int i = 0; i < 60; ++i) REQUIRE(play.Tick() == Texts{});
    double sum = 0, moves = 0;
    for (const ObjectHandle object : objects) {
      sum += play.Get(object, "coins");
      moves += play.Get(object, "moves");
    }
    CHECK(sum == 100 * kObjects);
    CHECK((moves > 1000 && moves <= 60 * kObjects));
  }
}

}  // namespace
}  // namespace nowait

// Calls that a system refuses, and the edges of its ticks and objects.
#include <catch2/catch.hpp>
#include <cstdint>
#include <string>
#include <thread>
#include <vector>

#include "src/jobs/task_pool.h"
#include "src/script/system.h"
#include "tests/script/play.h"

namespace nowait {
namespace {

TEST_CASE("an exception in a call is an error of its tick, and the next one goes on") {
  Play play;
  const ObjectHandle object = play.Spawn(play.Load("", "throws.odd"));
  for (int i = 0; i < 3; ++i) {
    REQUIRE(play.system->BeginTick(*play.pool, i, 0.1));
    CHECK(play.system->RunPhase(*play.pool, 0).error().code == ErrorCode::kWrongPhase);
    REQUIRE(play.system->EndTick());
  }
  CHECK(play.Tick() == Texts{});
  CHECK(play.Get(object, "n") == 1);
}

TEST_CASE("run twice: another object that is written the second time is found") {
  Play play({.objects = 2, .twice = true});
  play.Spawn(play.Load("", "other.odd"), 0);
  const ObjectHandle next = play.Spawn(play.Load("", "next.odd"), 1);
  CHECK(play.Tick() == Texts{"other.odd: a second run of the call differs from the first"});
  CHECK(play.Get(next, "n") == 1);
}

TEST_CASE("run twice: an update that asks only the second time for another one is found") {
  Play play({.objects = 1, .twice = true});
  play.Spawn(play.Load("", "later.odd"));
  CHECK(play.Tick() == Texts{"later.odd: a second run of the call differs from the first"});
  CHECK(play.system->Counts().put_off == 0);
}

TEST_CASE("a phase that another thread may not run leaves nothing for the next one") {
  Play play;
  const ObjectHandle object =
      play.Spawn(play.Load("fields = {n = 0} function update(self) self.n = self.n + 1 end"));
  REQUIRE(play.system->BeginTick(*play.pool, 0, 0.1));
  std::thread stranger([&play] {
    CHECK(play.system->RunPhase(*play.pool, 0).error().code == ErrorCode::kNotOwner);
  });
  stranger.join();
  REQUIRE(play.system->EndTick());
  CHECK(play.Tick() == Texts{});
  CHECK(play.Get(object, "n") == 1);
}

TEST_CASE("sizes that do not fit are refused") {
  Play play;
  const auto larger = TaskPool::Create({.workers = 2});
  REQUIRE(larger);
  const auto script = play.Load("function update() end");
  CHECK(play.system->Spawn(script, ~0u).error().subject == std::string("phase"));
  CHECK(play.system->Spawn(script, ScriptSystem::kMostPhases).error().code ==
        ErrorCode::kInvalidArgument);
  play.Spawn(script, ScriptSystem::kMostPhases - 1);
  REQUIRE(play.system->BeginTick(*play.pool, 0, 0.1));
  CHECK(play.system->RunPhase(**larger, ScriptSystem::kMostPhases - 1).error() ==
        Error{ErrorCode::kInvalidArgument, "threads", 3, "more than the system's"});
  REQUIRE(play.system->EndTick());
  for (const ScriptSystemDef& def :
       {ScriptSystemDef{.objects = 1u << 24}, ScriptSystemDef{.objects = ~0u},
        ScriptSystemDef{.objects_of_call = 1u << 24}, ScriptSystemDef{.objects_of_call = 0}}) {
    CHECK(ScriptSystem::Create(def, {}).error().code == ErrorCode::kInvalidArgument);
  }
  Play empty({.objects = 0});
  CHECK(empty.Tick() == Texts{});
  CHECK(empty.system->Spawn(empty.Load("function update() end"), 0).error().code ==
        ErrorCode::kCapacity);
}

TEST_CASE("a tick has a beginning and an end") {
  Play play({.objects = 1});
  const auto script = play.Load("function update() end");
  play.Spawn(script);
  CHECK(play.system->Spawn(script, 0).error() == Error{ErrorCode::kCapacity, "objects", 1});
  CHECK(play.system->EndTick().error().code == ErrorCode::kWrongPhase);
  CHECK(play.system->RunPhase(*play.pool, 0).error().code == ErrorCode::kWrongPhase);
  REQUIRE(play.system->BeginTick(*play.pool, 0, 0.1));
  CHECK(play.system->BeginTick(*play.pool, 0, 0.1).error().code == ErrorCode::kWrongPhase);
  REQUIRE(play.system->RunPhase(*play.pool, 17));
  REQUIRE(play.system->EndTick());
  CHECK(play.system->Get({0, 9}, "x", FieldKind::kNumber).error().code == ErrorCode::kStaleId);
  CHECK(play.system->Get({0, 1}, "x", FieldKind::kNumber).error().subject == std::string("field"));
}

TEST_CASE("a fault has its tick, its loop and its object, loop by loop and by the objects' slots") {
  Play play({.objects = 200, .threads = 2});
  // Faults in the events and in two of three phases; the middle one has no object.
  const auto script = play.Load(R"(
    fields = {at = 0, to = no_object}
    function update(self)
      if tick() == 0 and self.at == 0 then send(self.to, "go") end
      if tick() == self.at and self.at > 0 then error("update") end
    end
    function event(self) error("event") end)");
  std::vector<ObjectHandle> late, early;
  for (int i = 0; i < 80; ++i) {
    late.push_back(play.Spawn(script, 2));
    play.Set(late.back(), "at", 1);
    early.push_back(play.Spawn(script, 0));
    play.Set(early.back(), "at", 1);
  }
  const ObjectHandle receiver = play.Spawn(script, 0);
  play.Set(receiver, "at", 9);
  play.Link(play.Spawn(script, 0), "to", receiver);
  CHECK(play.Tick() == Texts{});
  CHECK(play.Tick().size() == 161);
  const auto faults = play.system->faults();
  CHECK(faults[0].loop == 0);
  CHECK(faults[0].object == receiver);
  CHECK(faults[0].text == "t.lua:7: event");
  for (std::size_t i = 0; i < 80; ++i) {
    CHECK(faults[1 + i].object == early[i]);
    CHECK(faults[1 + i].loop == 1);
    CHECK(faults[81 + i].object == late[i]);
    CHECK(faults[81 + i].loop == 3);
    CHECK(faults[81 + i].tick == 1);
  }
}

TEST_CASE("an event for an earlier or a later object of a slot is not that object's") {
  Play play({.objects = 4});
  const auto script = play.Load(R"(
    fields = {n = 0, to = no_object}
    function update(self) if self.to then send(self.to, "x") end end
    function event(self) self.n = self.n + 1 end)");
  const ObjectHandle target = play.Spawn(script);
  const ObjectHandle sender = play.Spawn(script);
  play.Link(sender, "to", {target.slot, target.generation + 1});
  for (int i = 0; i < 3; ++i) CHECK(play.Tick() == Texts{});
  CHECK(play.Get(target, "n") == 0);
  CHECK(play.system->Counts().events == 0);
  CHECK(play.system->Counts().unreceived == 2);
  play.Link(sender, "to", target);
  play.Tick();
  play.Tick();
  CHECK(play.Get(target, "n") == 1);
}

TEST_CASE("an event whose call has a fault is a fault and not a committed event") {
  Play play({.objects = 2});
  const ObjectHandle object = play.Spawn(play.Load(R"(
    fields = {n = 0}
    function update(self) if tick() < 2 then send(id(), "x") end end
    function event(self) self.n = 1 error("no") end)"));
  for (int i = 0; i < 4; ++i) play.Tick();
  const ScriptCounts counts = play.system->Counts();
  CHECK(counts.faults == 1);
  CHECK(counts.events == 0);
  CHECK(counts.unreceived == 1);
  CHECK(counts.updates == 1);  // and then it is disabled
  CHECK(play.Get(object, "n") == 0);
}

TEST_CASE("a reload lets the objects of its script go on, and those of no other") {
  Play play({.objects = 4});
  const std::string bad = "fields = {n = 0} function update(self) error('no') end";
  const std::string good = "fields = {n = 0} function update(self) self.n = self.n + 1 end";
  const ObjectHandle one = play.Spawn(play.Load(bad, "one.lua"));
  const ObjectHandle other = play.Spawn(play.Load(bad, "other.lua"));
  CHECK(play.Tick().size() == 2);
  play.Load(good, "one.lua");
  CHECK(play.system->disabled() == 1);
  CHECK(play.Tick().empty());
  CHECK(play.Get(one, "n") == 1);
  CHECK(play.Get(other, "n") == 0);
  play.Load(bad, "other.lua");
  CHECK(play.Tick() == Texts{"other.lua:1: no"});
}

TEST_CASE("a call may use as many objects, itself among them, and send as many events as it has") {
  Play play({.objects = 8, .objects_of_call = 3, .sends_of_call = 2});
  const ObjectHandle a = play.Spawn(play.Load(R"(
    fields = {n = 0, most = 0, b = no_object, c = no_object, d = no_object}
    function update(self)
      write(self.b).n = 1
      local c = read(self.c)
      write(self.b).n = 2
      if self.most == 1 then read(self.d) end
      send(id(), "x")
      send(id(), "y")
      if self.most == 2 then send(id(), "z") end
      self.n = self.n + 1
    end)",
                                              "a.lua"));
  const auto others = play.Load("fields = {n = 0} function event() end", "b.lua");
  for (const char* field : {"b", "c", "d"}) play.Link(a, field, play.Spawn(others));
  CHECK(play.Tick() == Texts{});
  CHECK(play.Get(a, "n") == 1);
  play.Set(a, "most", 2);
  CHECK(play.Tick() == Texts{"a.lua:10: capacity of delayed effects reached (2)"});
  play.Load(R"(
    fields = {n = 0, most = 0, b = no_object, c = no_object, d = no_object}
    function update(self) read(self.b) read(self.c) read(self.d) end)",
            "a.lua");
  CHECK(play.Tick() == Texts{"a.lua:3: capacity of objects of a transaction reached (3)"});
}

TEST_CASE("what is refused between ticks takes nothing and changes nothing") {
  Play play({.objects = 1});
  const auto script = play.Load("fields = {n = 3, on = true} function update() end");
  for (int i = 0; i < 3; ++i) CHECK(!play.system->Spawn(script, ScriptSystem::kMostPhases));
  const ObjectHandle object = play.Spawn(script);
  const std::uint64_t before = play.system->Checksum();
  ScriptValue value{};
  value.bits[0] = value.bits[1] = ~std::uint64_t{0};
  CHECK(play.system->Set(object, "n", FieldKind::kVec3, value).error() ==
        Error{ErrorCode::kNotFound, "field"});
  CHECK(play.system->Set(object, "m", FieldKind::kNumber, value).error() ==
        Error{ErrorCode::kNotFound, "field"});
  CHECK(play.system->Set({object.slot, object.generation + 1}, "n", FieldKind::kNumber, value)
            .error()
            .code == ErrorCode::kStaleId);
  CHECK(play.system->Get(object, "n", FieldKind::kBoolean).error() ==
        Error{ErrorCode::kNotFound, "field"});
  CHECK(play.system->Checksum() == before);
  // The bytes that a kind does not use do not count.
  ScriptValue on{};
  on.bits[0] = on.bits[1] = ~std::uint64_t{0};
  REQUIRE(play.system->Set(object, "on", FieldKind::kBoolean, on));
  CHECK(play.system->Checksum() == before);
}

TEST_CASE("a script that is unloaded takes its objects along, and another one gets its number") {
  Play play({.objects = 3});
  const char* const counts = R"(
    fields = {n = 0, to = no_object}
    function update(self) self.n = self.n + 1 if self.to then send(self.to, "x") end end)";
  const auto first = play.Load(counts, "first.lua");
  const auto second = play.Load(counts, "second.lua");
  const ObjectHandle gone = play.Spawn(first);
  const ObjectHandle also_gone = play.Spawn(first, 2);
  const ObjectHandle stays = play.Spawn(second);
  play.Link(stays, "to", gone);
  CHECK(play.Tick() == Texts{});

  play.system->Unload(first);
  CHECK(play.system->Get(gone, "n", FieldKind::kNumber).error().code == ErrorCode::kStaleId);
  CHECK(play.system->Get(also_gone, "n", FieldKind::kNumber).error().code == ErrorCode::kStaleId);
  CHECK(play.Tick() == Texts{});  // the event that was on its way
  CHECK(play.Get(stays, "n") == 2);
  CHECK(play.system->Counts().unreceived == 1);

  // In the number and in the slots of those that are gone: not their functions, fields or events.
  const auto third = play.Load("fields = {m = 5} function event(self) self.m = 6 end", "third.lua");
  CHECK(third == first);
  const ObjectHandle fresh = play.Spawn(third);
  const ObjectHandle other = play.Spawn(third);
  CHECK((fresh.slot == gone.slot || other.slot == gone.slot));
  CHECK(play.Tick() == Texts{});
  CHECK(play.Get(fresh, "m") == 5);
  CHECK(play.Get(other, "m") == 5);
  CHECK(play.Get(stays, "n") == 3);
}

TEST_CASE("an object that stopped with a fault leaves nothing to the next one in its slot") {
  Play play({.objects = 1});
  const auto faulty = play.Load("function update() error(\"no\") end", "faulty.lua");
  play.Spawn(faulty);
  CHECK(play.Tick() == Texts{"faulty.lua:1: no"});
  CHECK(play.system->disabled() == 1);
  play.system->Unload(faulty);
  CHECK(play.system->disabled() == 0);
  const ObjectHandle next =
      play.Spawn(play.Load("fields = {n = 0} function update(self) self.n = 1 end", "good.lua"));
  CHECK(play.Tick() == Texts{});
  CHECK(play.Get(next, "n") == 1);
}

TEST_CASE("an event of the program arrives in the next tick, once, behind those of the scripts") {
  Play play({.objects = 4});
  const auto script = play.Load(R"(
    fields = {n = 0, to = no_object}
    function update(self) if self.to then send(self.to, "x", 2) end end
    function event(self, name, value) self.n = self.n * 10 + value end)");
  const ObjectHandle target = play.Spawn(script);
  const ObjectHandle sender = play.Spawn(script);
  play.Link(sender, "to", target);
  play.Tick();
  play.Link(sender, "to", {});
  ScriptEvent event;
  REQUIRE(event.SetName("program"));
  event.value = 3;
  for (const ObjectHandle to : {sender, target}) {
    event.to = to;
    play.system->Send(event);
  }
  play.Tick();
  CHECK(play.Get(target, "n") == 23);
  CHECK(play.Get(sender, "n") == 3);
  play.Tick();
  CHECK(play.Get(target, "n") == 23);
  CHECK(play.system->Counts().events == 3);
}

}  // namespace
}  // namespace nowait

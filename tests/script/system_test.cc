#include "src/script/system.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cstdint>
#include <memory>
#include <new>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "src/jobs/task_pool.h"
#include "src/math/random.h"
#include "src/resource/file.h"
#include "src/script/lua_language.h"
#include "src/script/shared_object.h"
#include "tests/script/fake_call.h"
#include "tests/whole/faults/allocations.h"

namespace nowait {
namespace {

// A language for tests: the name of a script says what each update does.
class OddLanguage final : public ScriptLanguage {
 public:
  std::string_view extension() const override { return ".odd"; }
  Result<std::unique_ptr<ScriptMachine>> CreateMachine() const override {
    return std::make_unique<Machine>();
  }

 private:
  class Odd final : public Script {
   public:
    explicit Odd(const std::string& name) : name_(name) {
      layout_ = *FieldLayout::Create({{"n"}});
      has_update_ = true;
    }
    ScriptResult<void> Update(ScriptCall& call) override {
      ++calls_;
      if (name_ == "throws.odd" && calls_ < 4) throw std::bad_alloc();
      // Itself unchanged, and something in the next object, the second time.
      const bool second = name_ == "other.odd" && calls_ % 2 == 0;
      if (name_ == "later.odd" && calls_ % 2 == 0) static_cast<void>(call.ReadAfter(call.self));
      const auto copy = call.Write({call.self.slot + (second ? 1 : 0), 1});
      if (copy) copy->values[0].number += name_ == "other.odd" && !second ? 0 : 1;
      return {};
    }
    ScriptResult<void> Event(ScriptCall&, const ScriptEvent&) override { return {}; }
    ScriptResult<void> Physics(ScriptCall&, const PhysicsEvent&) override { return {}; }

   private:
    const std::string name_;
    int calls_ = 0;
  };
  class Machine final : public ScriptMachine {
    ScriptResult<std::unique_ptr<Script>> Load(const std::string& name,
                                               std::span<const std::byte>) override {
      return std::make_unique<Odd>(name);
    }
  };
};

// A system of all languages, and a pool.
class Play {
 public:
  explicit Play(ScriptSystemDef def = {}) {
    auto made = TaskPool::Create({.workers = def.threads - 1});
    REQUIRE(made);
    pool = std::move(*made);
    here.emplace(std::move(*pool->Register("main")));
    std::vector<std::unique_ptr<ScriptLanguage>> languages;
    languages.push_back(std::make_unique<LuaLanguage>());
    languages.push_back(std::make_unique<SharedObjectLanguage>());
    languages.push_back(std::make_unique<OddLanguage>());
    auto created = ScriptSystem::Create(def, std::move(languages));
    REQUIRE(created);
    system = std::move(*created);
  }

  std::uint32_t Load(const std::string& source, const std::string& name = "t.lua") {
    const auto loaded = system->Load(name, BytesOf(source));
    INFO((loaded ? "" : loaded.error().text));
    REQUIRE(loaded);
    return *loaded;
  }
  std::string LoadError(const std::string& source, const std::string& name = "t.lua") {
    const auto loaded = system->Load(name, BytesOf(source));
    return loaded ? "" : loaded.error().text;
  }
  ObjectHandle Spawn(std::uint32_t script, std::uint32_t phase = 0) {
    const auto object = system->Spawn(script, phase);
    REQUIRE(object);
    return *object;
  }
  void Link(ObjectHandle object, const char* field, ObjectHandle to) {
    ScriptValue value{};
    value.handle = BitsOf(to);
    REQUIRE(system->Set(object, field, FieldKind::kHandle, value));
  }
  void Set(ObjectHandle object, const char* field, double number) {
    ScriptValue value{};
    value.number = number;
    REQUIRE(system->Set(object, field, FieldKind::kNumber, value));
  }
  double Get(ObjectHandle object, const char* field) {
    const auto value = system->Get(object, field, FieldKind::kNumber);
    REQUIRE(value);
    return value->number;
  }
  // Returns the faults' texts.
  std::vector<std::string> Tick(ScriptQueries* queries = nullptr) {
    REQUIRE(system->BeginTick(*pool, tick++, 0.5));
    for (std::uint32_t phase = 0; phase < 3; ++phase) {
      REQUIRE(system->RunPhase(*pool, phase, queries));
    }
    REQUIRE(system->EndTick());
    std::vector<std::string> texts;
    for (const ScriptFault& fault : system->faults()) texts.push_back(fault.text);
    return texts;
  }

  std::unique_ptr<TaskPool> pool;
  std::optional<TaskPool::Registration> here;
  std::unique_ptr<ScriptSystem> system;
  std::uint64_t tick = 0;
};
using Texts = std::vector<std::string>;

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
const char* const kCounts = R"(
  fields = {x = 0, a_field_without_room_in_place = 0}
  local shared = {step = 1}
  function update(self) self.x = self.x + shared.step; send(id(), "counted", self.x) end
  function event(self, name, value) self.a_field_without_room_in_place = value end)";

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

const char* const kFollower = R"(
  fields = {x = 0, front = no_object, heard = 0}
  function update(self)
    local front = after(self.front or no_object)
    self.x = (front and front.x or 0) + 1
    if front then send(self.front, "x", self.x) end
  end
  function event(self, name, value) self.heard = self.heard * 31 % 100003 + value end)";

TEST_CASE("an update that comes after another one sees its result, however they are ordered") {
  std::optional<std::uint64_t> checksum;
  for (const std::uint32_t threads : {1u, 2u, 4u}) {
    // The whole chain is made before it is linked, from its end to its beginning.
    constexpr int kChain = 70;
    Play play({.objects = 2 * kChain, .threads = threads, .twice = threads == 2});
    const auto script = play.Load(kFollower);
    std::vector<ObjectHandle> chain;
    for (int i = 0; i < kChain; ++i) chain.push_back(play.Spawn(script));
    for (int i = 0; i + 1 < kChain; ++i) play.Link(chain[i], "front", chain[i + 1]);
    // All of them behind one.
    for (int i = 0; i < kChain; ++i) play.Link(play.Spawn(script), "front", chain[0]);
    for (int i = 0; i < 3; ++i) CHECK(play.Tick() == Texts{});
    for (int i = 0; i < kChain; ++i) CHECK(play.Get(chain[i], "x") == kChain - i);
    const ScriptCounts counts = play.system->Counts();
    CHECK(counts.updates == 3 * 2 * kChain);
    CHECK(counts.put_off == 3 * (2 * kChain - 1));
    CHECK(counts.events == 2 * (2 * kChain - 1));
    if (!checksum) checksum = play.system->Checksum();
    CHECK(play.system->Checksum() == *checksum);
  }
}

// A script that comes after others from inside nested calls, counts in a tally, sends, and, if its
// object is troubled, fails in each of its functions now and then.
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

TEST_CASE("objects that come after each other have a fault with the cycle, and others go on") {
  Play play({.objects = 6, .threads = 2});
  const auto cart = play.Load(kFollower, "cart.lua");
  const auto horse = play.Load(kFollower, "horse.lua");
  const ObjectHandle a = play.Spawn(cart), b = play.Spawn(horse), c = play.Spawn(cart);
  const ObjectHandle behind = play.Spawn(cart), itself = play.Spawn(horse);
  play.Link(a, "front", b);
  play.Link(b, "front", c);
  play.Link(c, "front", a);
  play.Link(behind, "front", b);
  play.Link(itself, "front", itself);
  const auto texts = play.Tick();
  const std::string slots[] = {std::to_string(a.slot), std::to_string(b.slot),
                               std::to_string(c.slot), std::to_string(itself.slot)};
  const std::string chain = slots[0] + " (cart.lua), after " + slots[1] + " (horse.lua), after " +
                            slots[2] + " (cart.lua), after " + slots[0];
  CHECK(texts == Texts{"cart.lua: updates in a cycle: object " + chain,
                       "horse.lua: updates in a cycle: object " + chain,
                       "cart.lua: updates in a cycle: object " + chain,
                       "horse.lua: updates in a cycle: object " + slots[3] +
                           " (horse.lua), after " + slots[3]});
  CHECK(play.Get(a, "x") == 0);
  CHECK(play.Get(behind, "x") == 1);
  CHECK(play.system->disabled() == 4);
  // An object that stopped is done: those behind it see its last fields.
  CHECK(play.Tick() == Texts{});
  CHECK(play.Get(behind, "x") == 1);
  // The cycle is opened, and the scripts are loaded again.
  play.Link(c, "front", {});
  play.Link(itself, "front", {});
  play.Load(kFollower, "cart.lua");
  play.Load(kFollower, "horse.lua");
  CHECK(play.Tick() == Texts{});
  CHECK(play.Get(a, "x") == 3);
  CHECK(play.Get(behind, "x") == 3);
}

TEST_CASE("an update may come after objects of earlier phases, and of no later one") {
  Play play({.objects = 4});
  const auto script = play.Load(kFollower);
  const ObjectHandle early = play.Spawn(script, 0), late = play.Spawn(script, 2);
  play.Link(late, "front", early);
  CHECK(play.Tick() == Texts{});
  CHECK(play.Get(late, "x") == 2);
  CHECK(play.system->Counts().put_off == 0);
  play.Link(early, "front", late);
  CHECK(play.Tick() ==
        Texts{"t.lua:4: object is not allowed in this phase: its phase comes later"});
}

TEST_CASE("an update comes after one with a fault, one without a function, and one that is gone") {
  Play play({.objects = 8});
  const auto script = play.Load(kFollower);
  const auto others = play.Load(R"(fields = {x = 7}
    function update(self) self.x = 8 if tick() == 0 then error("no") end end)",
                                "faulty.lua");
  const auto still = play.Load("fields = {x = 5} function event() end", "still.lua");
  const auto gone = play.Load("fields = {x = 9} function update() end", "gone.lua");
  const ObjectHandle behind[] = {play.Spawn(script), play.Spawn(script), play.Spawn(script)};
  play.Link(behind[0], "front", play.Spawn(others));
  play.Link(behind[1], "front", play.Spawn(still));
  play.Link(behind[2], "front", play.Spawn(gone));
  play.system->Unload(gone);
  CHECK(play.Tick() == Texts{"faulty.lua:2: no"});
  CHECK(play.Get(behind[0], "x") == 8);
  CHECK(play.Get(behind[1], "x") == 6);
  CHECK(play.Get(behind[2], "x") == 1);
}

TEST_CASE("a cycle of all objects has a fault each, with as much of the cycle as has room") {
  constexpr std::uint32_t kCount = 3000;
  Play play({.objects = kCount, .threads = 2});
  const auto script = play.Load(kFollower);
  std::vector<ObjectHandle> ring;
  for (std::uint32_t i = 0; i < kCount; ++i) ring.push_back(play.Spawn(script));
  for (std::uint32_t i = 0; i < kCount; ++i) play.Link(ring[i], "front", ring[(i + 1) % kCount]);
  const Texts texts = play.Tick();
  REQUIRE(texts.size() == kCount);
  for (const std::string& text : texts) REQUIRE(text.size() < 510);
  CHECK(texts.front().starts_with("t.lua: updates in a cycle: object 0 (t.lua), after 1 (t.lua)"));
  CHECK(play.system->disabled() == kCount);
  CHECK(play.Tick() == Texts{});
}

// The last object of a chain that is done is what it reads, round by round, and it asks for the
// next one: without a limit its update would run as often as the chain is long.
TEST_CASE("an update that is put off again and again has a fault") {
  constexpr int kChain = 40;
  Play play({.objects = kChain + 2, .objects_of_call = 5});
  const ObjectHandle cursor =
      play.Spawn(play.Load("fields = {at = no_object} function event() end", "cursor.lua"));
  const auto script = play.Load(R"(
    fields = {front = no_object, next = no_object, cursor = no_object, runs = 0}
    function update(self)
      if self.front then after(self.front) end
      write(self.cursor).at = self.next
      self.runs = self.runs + 1
    end)");
  std::vector<ObjectHandle> chain;
  for (int i = 0; i < kChain; ++i) chain.push_back(play.Spawn(script));
  for (int i = 0; i < kChain; ++i) {
    if (i > 0) play.Link(chain[i], "front", chain[i - 1]);
    if (i + 1 < kChain) play.Link(chain[i], "next", chain[i + 1]);
    play.Link(chain[i], "cursor", cursor);
  }
  const ObjectHandle watcher = play.Spawn(play.Load(R"(
    fields = {cursor = no_object, runs = 0}
    function update(self)
      local at = read(self.cursor).at
      if at then after(at) end
      self.runs = self.runs + 1
    end)",
                                                    "watcher.lua"));
  play.Link(watcher, "cursor", cursor);
  CHECK(play.Tick() == Texts{"watcher.lua: an update is put off too often"});
  CHECK(play.system->Counts().put_off == kChain - 1 + 5);
  CHECK(play.Get(watcher, "runs") == 0);
  CHECK(play.Get(chain.back(), "runs") == 1);
}

TEST_CASE("an update may come after as many others as it may read, in turn") {
  Play play({.objects = 8, .threads = 2, .objects_of_call = 5});
  const auto script = play.Load(R"(
    fields = {x = 0, a = no_object, b = no_object, c = no_object, d = no_object}
    function update(self)
      local sum = 1
      if self.a then sum = sum + after(self.a).x end
      if self.b then sum = sum + after(self.b).x end
      if self.c then sum = sum + after(self.c).x end
      if self.d then sum = sum + after(self.d).x end
      self.x = sum
    end)");
  std::vector<ObjectHandle> all;
  const std::string names[] = {"a", "b", "c", "d"};
  // The last one is behind all others, of which each is behind all earlier ones.
  for (int i = 0; i < 5; ++i) all.push_back(play.Spawn(script));
  for (int i = 0; i < 5; ++i) {
    for (int k = 0; k < i; ++k) play.Link(all[i], names[k].c_str(), all[k]);
  }
  CHECK(play.Tick() == Texts{});
  CHECK(play.Get(all[4], "x") == 16);
  CHECK(play.system->Counts().put_off == 1 + 2 + 3 + 4);
}

TEST_CASE("only an update comes after another one") {
  Play play({.objects = 2});
  const ObjectHandle object = play.Spawn(play.Load(R"(fields = {}
    function update(self) send(id(), "x") end
    function event(self) after(id()) end)"));
  play.Tick();
  CHECK(
      play.Tick() ==
      Texts{
          "t.lua:3: object is not allowed in this phase: only an update comes after another one"});
  CHECK(play.system->disabled() == 1);
  static_cast<void>(object);
}

TEST_CASE("an update that is put off leaves nothing: no field, no event, no random number") {
  Play play({.objects = 4});
  const ObjectHandle target = play.Spawn(play.Load(R"(fields = {heard = 0, touched = 0}
    function event(self) self.heard = self.heard + 1 end)",
                                                   "target.lua"));
  const auto script = play.Load(R"(
    fields = {x = 0, to = no_object, front = no_object, drawn = 0}
    function update(self)
      self.x = self.x + 1
      send(self.to, "x")
      local to = write(self.to)
      to.touched = to.touched + 1
      local drawn = math.random(1, 1000000)
      if self.front then after(self.front) end
      self.drawn = drawn
    end)");
  const ObjectHandle front = play.Spawn(script), back = play.Spawn(script);
  play.Link(back, "front", front);
  for (const ObjectHandle object : {front, back}) play.Link(object, "to", target);
  CHECK(play.Tick() == Texts{});
  const double drawn = play.Get(back, "drawn");
  CHECK(play.system->Counts().put_off == 1);
  CHECK(play.Get(back, "x") == 1);
  CHECK(play.Get(target, "touched") == 2);
  play.Tick();
  CHECK(play.Get(target, "heard") == 2);

  // The same object of a game in which it need not wait draws the same number.
  Play free({.objects = 4});
  const ObjectHandle other =
      free.Spawn(free.Load("fields = {heard = 0, touched = 0} function event() end", "target.lua"));
  const auto same = free.Load(R"(
    fields = {drawn = 0}
    function update(self) self.drawn = math.random(1, 1000000) end)");
  free.Spawn(same);
  CHECK(free.Get(free.Spawn(same), "drawn") == 0);
  free.Tick();
  CHECK(other == target);
  CHECK(free.Get(back, "drawn") == drawn);
}

TEST_CASE("a shared object is put off, too, whether it says that it failed or hides it") {
  Play play({.objects = 4, .twice = true});
  const auto file = ReadFile("tests/script/counter.so");
  REQUIRE(file);
  const auto loaded = play.system->Load("counter.so", *file);
  REQUIRE(loaded);
  const ObjectHandle hides = play.Spawn(*loaded), says = play.Spawn(*loaded);
  const ObjectHandle front = play.Spawn(*loaded);
  play.Set(hides, "count", 599);
  play.Set(says, "count", 600);
  for (const ObjectHandle object : {hides, says}) play.Link(object, "other", front);
  CHECK(play.Tick() == Texts{});
  CHECK(play.Get(front, "count") == 6);
  CHECK(play.Get(hides, "count") == 600);
  CHECK(play.Get(says, "count") == 601);
  CHECK(play.system->Counts().put_off == 2);
  for (const ObjectHandle object : {hides, says}) {
    const auto place = play.system->Get(object, "place", FieldKind::kVec3);
    REQUIRE(place);
    CHECK(place->vec3.x == 6);
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

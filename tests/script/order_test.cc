// The order of updates within a phase: those that come after others, and cycles.
#include <catch2/catch.hpp>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "src/resource/file.h"
#include "src/script/system.h"
#include "tests/script/play.h"

namespace nowait {
namespace {

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

}  // namespace
}  // namespace nowait

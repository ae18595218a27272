#include <algorithm>
#include <catch2/catch.hpp>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "src/math/random.h"
#include "src/script/lua_language.h"
#include "tests/script/fake_call.h"

namespace nowait {
namespace {

struct Lua : Bench {
  Lua() : Bench(LuaLanguage()) {}
};

TEST_CASE("an update changes the fields of its object") {
  Lua lua;
  CHECK(lua.Run(R"(
    fields = {n = 2, on = false, place = vec3(1, 2, 3)}
    function update(self)
      self.n = self.n * 21
      self.on = not self.on
      self.place = (self.place + vec3(1, 0, 0)) * 2 - 0.5 * vec3(1, 1, 1)
    end)") == "");
  CHECK(lua.Number("n") == 42);
  CHECK(lua.objects.Get(lua.last, "on").boolean == 1);
  CHECK(FromScript(lua.objects.Get(lua.last, "place").vec3) == Vec3{3.5f, 3.5f, 5.5f});
}

TEST_CASE("what the physics did arrives as a table, in the function for its kind") {
  Lua lua;
  const auto script = lua.Load(R"(
    fields = {what = 0, other = no_object, place = vec3(0, 0, 0), normal = vec3(0, 0, 0),
              speed = 0, slide = 0}
    local kinds = {began = 1, persists = 2, ended = 3, broke = 4, gone = 5, woke = 6, asleep = 7}
    local function note(self, event)
      self.what = self.what * 10 + kinds[event.kind]
      self.other = event.other
    end
    function on_contact(self, contact)
      note(self, contact)
      if contact.kind == "began" then
        self.place, self.normal = contact.place, contact.normal
        self.speed, self.slide = contact.speed, contact.slide
      elseif contact.speed or contact.place then
        error("only a beginning is somewhere")
      end
    end
    function on_joint(self, joint) note(self, joint) end
    function on_sleep(self, event) note(self, event) end)");
  REQUIRE(script);
  CHECK((!script->has_update() && !script->has_event()));
  CHECK((script->has(kOnContact) && script->has(kOnJoint) && script->has(kOnSleep)));
  const ObjectHandle object = lua.objects.Add(script->layout());
  using Kind = PhysicsEvent::Kind;
  for (const Kind kind : {Kind::kContactBegan, Kind::kContactPersists, Kind::kContactEnded,
                          Kind::kJointBroke, Kind::kJointGone, Kind::kWoke, Kind::kFellAsleep}) {
    FakeCall call(lua.objects, object);
    const PhysicsEvent event{.kind = kind,
                             .to = object,
                             .other = kind == Kind::kWoke ? object : ObjectHandle{},
                             .place = {1, 2, 3},
                             .normal = {0, 1, 0},
                             .speed = 4,
                             .slide = 5};
    const auto done = script->Physics(call, event);
    INFO((done ? "" : done.error().text));
    REQUIRE(done);
    const auto other = HandleOf(lua.objects.Get(object, "other").handle);
    CHECK(other == (kind == Kind::kWoke ? object : ObjectHandle{}));
  }
  CHECK(lua.objects.Get(object, "what").number == 1234567);
  CHECK(FromScript(lua.objects.Get(object, "place").vec3) == Vec3{1, 2, 3});
  CHECK(FromScript(lua.objects.Get(object, "normal").vec3) == Vec3{0, 1, 0});
  CHECK(lua.objects.Get(object, "speed").number == 4);
  CHECK(lua.objects.Get(object, "slide").number == 5);
  const auto deaf = lua.Load("function update() end");
  REQUIRE(deaf);
  CHECK_FALSE((deaf->has(kOnContact) || deaf->has(kOnJoint) || deaf->has(kOnSleep)));
  CHECK(lua.Load("on_contact = 3") == nullptr);
  CHECK(lua.error == "t.lua: 'on_contact' is no function of the script");
}

TEST_CASE("an update reads and writes other objects by their own scripts' fields") {
  Lua lua;
  const auto horse = lua.Load("fields = {place = vec3(1, 0, 0), riders = 0} function update() end");
  const auto rider = lua.Load(R"(
    fields = {horse = no_object, x = 0}
    function update(self)
      if not self.horse then self.x = -1 return end
      local horse = read(self.horse)
      if not horse then self.x = -2 return end
      self.x = horse.place.x
      write(self.horse).riders = horse.riders + 1
      if self.horse ~= id() and id() == id() then self.horse = nil end
    end)");
  REQUIRE((horse && rider));
  const ObjectHandle h = lua.objects.Add(horse->layout());
  const ObjectHandle r = lua.objects.Add(rider->layout());
  const std::uint32_t slot = *rider->layout().Find("horse");
  CHECK(lua.Update(*rider, r) == "");
  CHECK(lua.objects.Get(r, "x").number == -1);
  lua.objects.records[r.slot].values[slot].handle = BitsOf({99, 1});
  CHECK(lua.Update(*rider, r) == "");
  CHECK(lua.objects.Get(r, "x").number == -2);
  lua.objects.records[r.slot].values[slot].handle = BitsOf(h);
  CHECK(lua.Update(*rider, r) == "");
  CHECK(lua.objects.Get(r, "x").number == 1);
  CHECK(lua.objects.Get(h, "riders").number == 1);
  CHECK(lua.objects.Get(r, "horse").handle == NOWAIT_NO_OBJECT);
}

TEST_CASE("events are sent and received") {
  Lua lua;
  const auto script = lua.Load(R"(
    fields = {hits = 0, by = no_object}
    function update(self) send(id(), "hit", 3) send(id(), "fifteen letters") end
    function event(self, name, value, from)
      if name == "hit" then self.hits = self.hits + value self.by = from end
    end)");
  REQUIRE(script);
  const ObjectHandle self = lua.objects.Add(script->layout());
  REQUIRE(lua.Update(*script, self) == "");
  REQUIRE(lua.objects.sent.size() == 2);
  CHECK(lua.objects.sent[1].name.data() == std::string("fifteen letters"));
  FakeCall call(lua.objects, self);
  for (const ScriptEvent& event : lua.objects.sent) REQUIRE(script->Event(call, event));
  CHECK(lua.objects.Get(self, "hits").number == 3);
  CHECK(HandleOf(lua.objects.Get(self, "by").handle) == self);
  CHECK(lua.Update(*script, self) == "t.lua:3: capacity of delayed effects reached (2)");
  CHECK(lua.Run("function update() send(id(), 'sixteen letters!') end") ==
        "t.lua:1: an event's name has at most 15 characters, and no NUL");
}

TEST_CASE("a list is sorted, and equal elements keep their order") {
  Lua lua;
  CHECK(lua.Run(R"(
    local function check(n, k)  -- k: a key for each of 1 .. n
      local list = {}
      for i = 1, n do list[i] = i end
      table.sort(list, function(a, b) return k[a] < k[b] end)
      assert(#list == n)
      for i = 2, n do
        local a, b = list[i - 1], list[i]
        assert(k[a] < k[b] or (k[a] == k[b] and a < b), n)
      end
    end
    function update()
      for n = 0, 40 do
        local k = {}
        for i = 1, n do k[i] = math.random(1, 5) end
        check(n, k)
      end
      -- Lua's own would ask the clock where to divide this one.
      local k = {}
      for i = 1, 600 do k[i] = 10 + i % 7 end
      k[1], k[300], k[600] = 1, 2, 3
      check(600, k)
    end)") == "");
  CHECK(lua.Run(R"(
    fields = {n = 0}
    function update(self)
      local t = {"c", "a", "b"}
      table.sort(t)
      assert(table.concat(t) == "abc")
      table.sort(t, function(a, b) return a > b end)
      assert(table.concat(t) == "cba")
      table.sort({1, "a"})
    end)") == "t.lua:9: attempt to compare string with number");
}

TEST_CASE("queries, time and identity") {
  Lua lua;
  lua.objects.bodies = 3;
  const char* const source = R"(
    fields = {hit = 0, count = 0, near = 0, time = 0}
    function update(self)
      self.hit = ray(vec3(0, 0, 0), vec3(1, 0, 0)) or -1
      self.count = count_in(vec3(0, 0, 0), vec3(1, 1, 1))
      self.near = nearest(vec3(0, 0, 0), 5) or -1
      self.time = tick() * dt()
    end)";
  CHECK(lua.Run(source) == "");
  CHECK(lua.Number("hit") == -1);
  CHECK(lua.Number("count") == 3);
  CHECK(lua.Number("near") == -1);
  CHECK(lua.Number("time") == 0.25);
  lua.objects.wall = 0.5f;
  lua.objects.near = 4.5f;
  CHECK(lua.Run(source) == "");
  CHECK(lua.Number("hit") == 0.5);
  CHECK(lua.Number("near") == 4.5);
  lua.objects.near = 5.5f;
  CHECK(lua.Run(source) == "");
  CHECK(lua.Number("near") == -1);
  lua.objects.queries = false;
  for (const char* const query :
       {"ray(vec3(0, 0, 0), vec3(1, 0, 0))", "count_in(vec3(0, 0, 0), vec3(1, 1, 1))",
        "nearest(vec3(0, 0, 0), 5)"}) {
    CHECK(lua.Run(std::string("fields = {a = 0}\nfunction update()\n") + query + "\nend") ==
          "t.lua:3: query is not allowed in this phase");
  }
}

TEST_CASE("random numbers are those of the object and the tick, in every state") {
  const char* const source = R"(
    fields = {a = 0, b = 0, c = 0}
    function update(self)
      self.a = math.random() self.b = math.random(6) self.c = math.random(-3, 3)
    end)";
  Lua one, two;
  const auto in_one = one.Load(source), in_two = two.Load(source);
  REQUIRE((in_one && in_two));
  std::vector<double> seen;
  for (std::uint32_t slot = 0; slot < 40; ++slot) {
    const ObjectHandle a = one.objects.Add(in_one->layout());
    const ObjectHandle b = two.objects.Add(in_two->layout());
    REQUIRE(one.Update(*in_one, a, slot % 2) == "");
    if (slot % 3 == 0) REQUIRE(two.Update(*in_two, b, 9) == "");  // another history
    REQUIRE(two.Update(*in_two, b, slot % 2) == "");
    CHECK(std::memcmp(&one.objects.records[slot], &two.objects.records[slot],
                      sizeof(ScriptRecord)) == 0);
    const double first = one.objects.Get(a, "a").number;
    CHECK((first >= 0 && first < 1));
    CHECK(std::ranges::find(seen, first) == seen.end());
    seen.push_back(first);
    REQUIRE(one.Update(*in_one, a, 7) == "");
    CHECK(one.objects.Get(a, "a").number != first);
    CHECK((one.objects.Get(a, "b").number >= 1 && one.objects.Get(a, "b").number <= 6));
    CHECK((one.objects.Get(a, "c").number >= -3 && one.objects.Get(a, "c").number <= 3));
  }
}

TEST_CASE("pairs goes by the order of the keys") {
  Lua lua;
  CHECK(lua.Run(R"(
    function update()
      local t = {}
      for i = 40, 1, -1 do t["k" .. i % 7] = i end
      t[true] = 1 t[false] = 0 t[2.5] = 1 t[-1] = 1 t[3] = 1 t[math.maxinteger] = 1 t[2^63] = 1
      t.k3 = nil
      local text = ""
      for k, v in pairs(t) do
        text = text .. tostring(k) .. " "
        t.k5 = nil
      end
      error(text, 0)
    end)") ==
        "t.lua:12: -1 2.5 3 9223372036854775807 9.2233720368548e+18 k0 k1 k2 k4 k6 false true ");
  CHECK(lua.Run("function update() for k in pairs({[{}] = 1}) do end end") ==
        "t.lua:1: pairs: a table as a key has no place in an order");
  CHECK(lua.Run("function update() for k in pairs({}) do error('x') end end") == "");
}

TEST_CASE("an error names the file and the line") {
  Lua lua;
  CHECK(lua.Run("function update()\n\n  error('no')\nend") == "t.lua:3: no");
  CHECK(lua.Run("function update()\n  error('no', 0)\nend") == "t.lua:2: no");
  CHECK(lua.Run("function update()\n  error({})\nend") == "t.lua:2: an error that is a table");
  CHECK(lua.Run("function update()\n  error()\nend") == "t.lua:2: an error that is a nil");
  CHECK(lua.Run("function update()\n  assert(false)\nend") == "t.lua:2: assertion failed!");
  CHECK(lua.Run("function update()\n  local x = nil + 1\nend") ==
        "t.lua:2: attempt to perform arithmetic on a nil value");
  CHECK(lua.Run("function update()\n  math.floor({})\nend") ==
        "t.lua:2: bad argument #1 to 'floor' (number expected, got table)");
  CHECK(lua.Run("function update(\nend") == "t.lua:2: <name> or '...' expected near 'end'");
  CHECK(lua.Run("\nerror('at once')") == "t.lua:2: at once");
}

TEST_CASE("a script that cannot be used is refused when it is loaded") {
  Lua lua;
  const auto refused = [&](const char* source) {
    CHECK(lua.Load(source) == nullptr);
    return lua.error;
  };
  CHECK(refused("") ==
        "t.lua: no function 'update', 'event', 'on_contact', 'on_joint' or 'on_sleep'");
  CHECK(refused("update = 5") == "t.lua: 'update' is no function of the script");
  CHECK(refused("update = print") ==
        "t.lua: no function 'update', 'event', 'on_contact', 'on_joint' or 'on_sleep'");
  CHECK(refused("event = type") == "t.lua: 'event' is no function of the script");
  CHECK(refused("fields = 1 function update() end") == "t.lua: 'fields' is no table");
  CHECK(refused("fields = {1} function update() end") == "t.lua: a field's name is a string");
  CHECK(refused("fields = {x = {}} function update() end") ==
        "t.lua: the field 'x' is a table: no number, boolean, vec3 or object");
  CHECK(refused("fields = {['a b'] = 1} function update() end") == "t.lua: invalid field name");
  CHECK(refused("fields = {} for i = 1, 13 do fields['f' .. i] = i end function update() end") ==
        "t.lua: capacity of fields reached (12)");
  CHECK(refused("read(no_object) function update() end") ==
        "t.lua:1: only an update or an event may do that");
  CHECK(refused("x = math.random()") == "t.lua:1: only an update or an event may do that");
}

TEST_CASE("a field keeps its kind, and fields that are not there are errors") {
  Lua lua;
  const auto after = [&](const std::string& statement) {
    return lua.Run(
        "fields = {n = 1, on = true, o = no_object, v = vec3(0, 0, 0)}\n"
        "function update(self)\n" +
        statement + "\nend");
  };
  CHECK(after("self.n = true") == "t.lua:3: the field 'n' is a number, not a boolean");
  CHECK(after("self.n = '1'") == "t.lua:3: the field 'n' is a number, not a string");
  CHECK(after("self.n = vec3(0, 0, 0)") == "t.lua:3: the field 'n' is a number, not a vec3");
  CHECK(after("self.on = nil") == "t.lua:3: the field 'on' is a boolean, not a nil");
  CHECK(after("self.o = 3") == "t.lua:3: the field 'o' is a object, not a number");
  CHECK(after("self.v = self") == "t.lua:3: the field 'v' is a vec3, not a userdata");
  CHECK(after("self.w = 3") == "t.lua:3: the object has no field 'w'");
  CHECK(after("return self.w") == "t.lua:3: the object has no field 'w'");
  CHECK(after("return self[1]") == "t.lua:3: a field's name is a string");
  CHECK(after("read(id()).n = 3") ==
        "t.lua:3: the object is read alone; write(handle) makes a copy to change");
  CHECK(after("self.v.x = 3") == "t.lua:3: attempt to index a vec3 value (field 'v')");
  CHECK(after("return self.v.w") == "t.lua:3: a vec3 has x, y and z");
}

// Statements at random over two fields. Whatever they do, they do it in any state.
std::string RandomScript(Random& random) {
  std::string body;
  const auto pick = [&](std::vector<std::string> of) {
    return of[random.Below(static_cast<std::uint32_t>(of.size()))];
  };
  const auto term = [&] {
    return pick({"self.a", "self.b", "x", "#s", "math.random(9)", "tick()", "0.1",
                 std::to_string(random.Below(100)), "(t[x] or 2)", "(t[s] or 3)"});
  };
  const std::uint32_t count = 3 + random.Below(12);
  for (std::uint32_t i = 0; i < count; ++i) {
    body += "    " +
            pick({"self.a = " + term() + pick({" + ", " - ", " * ", " / "}) + term(),
                  "self.b = " + term() + " % (1 + " + term() + ")",
                  "x = math.floor(" + term() + ") % 50", "s = s .. tostring(" + term() + ")",
                  "s = string.sub(s, 1, x) .. string.rep('ab', x % 5)", "t[x] = " + term(),
                  "t[s] = " + term(),
                  "for k, v in pairs(t) do self.a = self.a * 0.5 + v s = s .. tostring(k) end",
                  "table.insert(u, " + term() + ") table.sort(u)",
                  "for i, v in ipairs(u) do self.b = self.b + i * v end",
                  "if " + term() + " < " + term() + " then x = x + 1 end",
                  "if s > tostring(self.b) then error(s .. tostring(t)) end",
                  "self.a = self.a + #string.format('%g %s', self.a, t)"}) +
            "\n";
  }
  return "fields = {a = 1, b = 2}\nfunction update(self)\n    local x, s, t, u = 1, '', {}, {}\n" +
         body + "end\n";
}

TEST_CASE("property: an update does the same again, in a state with another past") {
  Lua used;
  int errors = 0;
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    Random random(seed);
    const std::string source = RandomScript(random);
    CAPTURE(seed, source);
    Lua fresh;
    const std::string first = fresh.Run(source);
    REQUIRE((first.empty() || first.starts_with("t.lua:")));
    errors += first.empty() ? 0 : 1;
    const auto script = used.Load(source);
    REQUIRE(script);
    const ObjectHandle object = fresh.last;  // the random numbers are the object's
    if (used.objects.records.empty()) used.objects.Add(script->layout());
    for (int again = 0; again < 2; ++again) {
      used.objects.layouts[object.slot] = script->layout();
      used.objects.records[object.slot] = script->layout().Initial(0);
      CHECK(used.Update(*script, object) == first);
      CHECK(std::memcmp(&used.objects.records[object.slot], &fresh.objects.records[object.slot],
                        sizeof(ScriptRecord)) == 0);
    }
  }
  CHECK((errors > 10 && errors < 250));
}

}  // namespace
}  // namespace nowait

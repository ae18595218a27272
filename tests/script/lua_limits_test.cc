// Scripts that would run or allocate for ever. Each has to end by an error that names its line, in
// bounded time and memory, and the state goes on.
#include <catch2/catch.hpp>
#include <string>

#include "src/script/lua_budget.h"
#include "src/script/lua_language.h"
#include "tests/script/fake_call.h"

namespace nowait {
namespace {

constexpr LuaDef kDef{};
constexpr const char* kTime = "t.lua:2: the call takes too long";
constexpr const char* kMemory = "t.lua:2: too much memory";
constexpr const char* kBlock = "t.lua:2: too large a block of memory";

struct Lua : Bench {
  Lua() : Bench(LuaLanguage(kDef)) {}
  std::string Try(const std::string& body) {
    const std::string error = Run("function update()\n" + body + "\nend");
    CHECK(machine->counts().most_bytes <= kDef.memory);
    // The state is as good as new.
    CHECK(Run("fields = {n = 1} function update(self) self.n = #('x'):rep(1000) end") == "");
    return error;
  }
  // The work of one call.
  std::uint64_t Work(const std::string& body) {
    const auto script = Load("function update()\n" + body + "\nend");
    REQUIRE(script);
    const ObjectHandle self = objects.Add(script->layout());
    const std::uint64_t before = machine->counts().work;
    Update(*script, self);
    return machine->counts().work - before;
  }
};

TEST_CASE("loops end") {
  Lua lua;
  for (const char* body : {"while true do end", "for i = 1, math.huge do end", "repeat until false",
                           "::a:: goto a", "local f f = function() return f() end f()"}) {
    CAPTURE(body);
    CHECK(lua.Try(body) == kTime);
  }
  CHECK(lua.Load("\nwhile true do end") == nullptr);
  CHECK(lua.error == kTime);
}

TEST_CASE("recursion ends") {
  Lua lua;
  CHECK(lua.Try("local function f() return 1 + f() end f()") == kBlock);
  const std::string error = lua.Try("local t t = function(a, b) table.sort({1, 2}, t) end t()");
  CHECK((error.starts_with("t.lua:2: ") && error.find("overflow") != std::string::npos));
  // In the parser.
  CHECK(lua.Load("return " + std::string(1000, '(')) == nullptr);
  CHECK(lua.error == "t.lua: C stack overflow");
}

TEST_CASE("memory ends: text, tables, functions, arguments") {
  Lua lua;
  CHECK(lua.Try("local x = 'x' while true do x = x .. x end") == kBlock);
  CHECK(lua.Try("local t = {} for i = 1, 1e9 do t[i] = i end") == kBlock);
  CHECK(lua.Try("local t = {} for i = 1, 1e9 do t[i % 500] = string.rep('x', 60000) .. i end") ==
        kMemory);
  CHECK(lua.Try("return ('x'):rep(1e9)") == "t.lua:2: the text gets too long");
  CHECK(lua.Try("return ('x'):rep(1e6, ('y'):rep(1000))") == "t.lua:2: the text gets too long");
  CHECK(lua.Try("return ('x'):rep(60000):rep(2)") == "t.lua:2: the text gets too long");
  CHECK(lua.Try("return table.concat({('x'):rep(40000), ('x'):rep(40000)})") == kBlock);
  CHECK(lua.Try("return string.format('%s%s', ('x'):rep(40000), ('x'):rep(40000))") == kBlock);
  CHECK(lua.Try("return table.unpack({}, 1, 1e6)") == "t.lua:2: too many results to unpack");
  CHECK(lua.Try("return string.byte(('x'):rep(60000), 1, -1)").starts_with("t.lua:2: "));
  CHECK(lua.Try("local t = {} while true do t = {t, function() return t end} end") == kMemory);
}

TEST_CASE("memory at its limit does not collect without end") {
  Lua lua;
  // Lists of half the memory stay, and each piece of garbage would be a whole collection.
  const std::string error = lua.Try(
      "local keep = {} for i = 1, 15 do keep[i] = ('x'):rep(65000) .. i end "
      "for i = 1, 1e9 do local x = ('y'):rep(30000) .. i end");
  CHECK((error == kTime || error == kMemory));
}

TEST_CASE("functions of the library are paid for") {
  Lua lua;
  const std::string list = "local t = {} for i = 1, 2000 do t[i] = i end ";
  const std::string text = "local s = ('x'):rep(60000) ";
  CHECK(lua.Try(list + "while true do table.insert(t, 1, table.remove(t)) end") == kTime);
  CHECK(lua.Try(list + "while true do table.sort(t) end") == kTime);
  CHECK(lua.Try(list + "while true do for k in pairs(t) do break end end") == kTime);
  CHECK(lua.Try(list + "while true do table.concat(t) end") == kTime);
  CHECK(lua.Try(text + "while true do s:find('y', 1, true) end") == kTime);
  CHECK(lua.Try(text + "while true do s:upper() end") == kTime);
  CHECK(lua.Try("while true do ('x'):rep(60000) end") == kTime);
  CHECK(lua.Try("while true do ray(vec3(0, 0, 0), vec3(1, 0, 0)) end") == kTime);
  // A call of a function whose time grows costs more for more.
  CHECK(lua.Work(list + "table.sort(t)") > lua.Work(list) + 10'000);
  CHECK(lua.Work(text + "s:find('y', 1, true)") > lua.Work(text) + 3'000);
  CHECK(lua.Work(list + "for k in pairs(t) do break end") > lua.Work(list) + 20'000);
}

TEST_CASE("long texts are paid for, each time that they are read") {
  Lua lua;
  const std::string nuls = "local s = ('\\0'):rep(60000) local t = s .. 'a' ";
  const std::string loop = "for i = 1, 100 do local less = s < t end";
  CHECK(lua.Work(nuls + loop) > lua.Work("local s, t = 'a', 'b' " + loop) + 50'000);
  CHECK(lua.Try(nuls + "while true do local less = s < t end") == kTime);
  // The text is a literal.
  CHECK(lua.Work("local s, t = '" + std::string(60000, 'x') + "', 'y' " + loop) > 50'000);
  CHECK(lua.Work(nuls + "table.sort({s, s, s, s, s})") > lua.Work(nuls) + 5'000);
  // As numbers.
  const std::string digits = "local s = '0x' .. ('f'):rep(60000) ";
  CHECK(lua.Work(digits + "math.max(s, s, s, s)") > lua.Work(digits) + 15'000);
  CHECK(lua.Work(digits + "tonumber(s)") > lua.Work(digits) + 3'000);
  // Lists whose length, by #, is 0.
  const std::string list = "local t = {} for i = 1500, 1001, -1 do t[i] = 'x' end ";
  CHECK(lua.Work(list + "table.concat(t, '', 1001, 1500)") > lua.Work(list) + 400);
  CHECK(lua.Work(list + "table.unpack(t, 1001, 1500)") > lua.Work(list) + 400);
}

TEST_CASE("a call that was refused memory leaves its reason to no later call") {
  // No function runs while a script is loaded: the refusal has no place of its own.
  const std::string large = "return [[" + std::string(8'000'000, 'x') + "]]";
  Lua fresh, lua;
  REQUIRE(fresh.Load(large) == nullptr);
  CHECK(lua.Try("local t = {} while true do t = {t, function() return t end} end") == kMemory);
  REQUIRE(lua.Load(large) == nullptr);
  CHECK(lua.error == fresh.error);
}

TEST_CASE("a limit has its line, although Lua allocates after it") {
  Lua lua;
  CHECK(lua.Try("local s, t = ('%99.99f'):rep(150), {} for i = 1, 150 do t[i] = 1e308 end "
                "while true do s:format(table.unpack(t)) end") == kTime);
}

TEST_CASE("loops without end that no instruction counts") {
  Lua lua;
  CHECK(lua.Try("return (''):rep(1e18)") == "");
  CHECK(lua.Try("return (''):rep(math.maxinteger, '')") == "");
  // A comparison that is no order.
  const std::string error = lua.Try(
      "local t = {} for i = 1, 500 do t[i] = i end table.sort(t, function() return true end)");
  CHECK(error == "");
}

TEST_CASE("garbage is collected between calls, in steps") {
  Lua lua;
  const auto script =
      lua.Load("function update() for i = 1, 200 do local x = vec3(i, i, i) end end");
  REQUIRE(script);
  const ObjectHandle self = lua.objects.Add(script->layout());
  for (int i = 0; i < 2000; ++i) {
    REQUIRE(lua.Update(*script, self) == "");
    lua.machine->Tidy();
  }
  // 2,000 calls allocate 20 MB.
  CHECK(lua.machine->counts().most_bytes < 300'000);
  CHECK(lua.machine->counts().tidying > 0);
}

TEST_CASE("the libraries fit") {
  Lua lua;
  CHECK(lua.machine->counts().most_bytes < 40'000);
}

}  // namespace
}  // namespace nowait

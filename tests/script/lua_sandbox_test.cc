// Attempts of scripts to get out, and to keep something from one call to the next.
#include <catch2/catch.hpp>
#include <string>

#include "src/script/lua_language.h"
#include "tests/script/fake_call.h"

namespace nowait {
namespace {

struct Lua : Bench {
  Lua() : Bench(LuaLanguage()) {}
  // As an update's body, in a new script.
  std::string Try(const std::string& body) {
    return Run("fields = {n = 0}\nfunction update(self)\n" + body + "\nend");
  }
  double Value(const std::string& expression) {
    REQUIRE(Try("self.n = " + expression) == "");
    return Number("n");
  }
};

TEST_CASE("what reaches out of a script is not there") {
  Lua lua;
  for (const std::string name : {"io",
                                 "os",
                                 "package",
                                 "debug",
                                 "coroutine",
                                 "utf8",
                                 "_G",
                                 "require",
                                 "load",
                                 "loadstring",
                                 "loadfile",
                                 "dofile",
                                 "print",
                                 "warn",
                                 "collectgarbage",
                                 "next",
                                 "rawget",
                                 "rawset",
                                 "rawequal",
                                 "rawlen",
                                 "setmetatable",
                                 "getmetatable",
                                 "pcall",
                                 "xpcall",
                                 "string.dump",
                                 "string.pack",
                                 "string.unpack",
                                 "string.packsize",
                                 "string.gsub",
                                 "string.gmatch",
                                 "string.match",
                                 "table.move",
                                 "math.randomseed",
                                 "('').gsub",
                                 "(''):len().x"}) {
    CAPTURE(name);
    const bool call = name.back() == 'x';
    const std::string error = lua.Try("local it = " + name + " if it == nil then error('nil') end");
    CHECK(error.starts_with(call ? "t.lua:3: attempt to index" : "t.lua:3: nil"));
  }
  // The same through the global table of the environment, and while it is loaded.
  CHECK(lua.Load("if io or os or load or require or debug then return end error('none')") ==
        nullptr);
  CHECK(lua.error == "t.lua:1: none");
  CHECK(lua.Try("return _ENV._G.x") == "t.lua:3: attempt to index a nil value (global '_G')");
}

TEST_CASE("the library is the whole list, and no name more") {
  Lua lua;
  const char* const list = R"(
    function update()
      local text = ""
      for k, v in pairs(_ENV) do
        text = text .. k .. " "
        if type(v) == "table" then for l in pairs(v) do text = text .. "." .. l .. " " end end
      end
      error(text, 0)
    end)";
  CHECK(lua.Run(list) ==
        "t.lua:8: after ask assert count_in dot dt error id ipairs length math .abs .acos .asin "
        ".atan "
        ".ceil .cos .deg .exp .floor .fmod .huge .log .max .maxinteger .min .mininteger .modf .pi "
        ".rad "
        ".random .sin .sqrt .tan .tointeger .type .ult nearest no_object pairs ray read select "
        "send string "
        ".byte .char .find .format .len .lower .rep .reverse .sub .upper table .concat .insert "
        ".pack .remove .sort .unpack tick tonumber tostring type update vec3 write ");
}

TEST_CASE("compiled code is not loaded") {
  Lua lua;
  CHECK(lua.Load("\x1bLua") == nullptr);
  CHECK(lua.error == "t.lua: attempt to load a binary chunk (mode is 't')");
}

TEST_CASE("no address is shown") {
  Lua lua;
  CHECK(lua.Try("error(tostring({}), 0)") == "t.lua:3: table");
  CHECK(lua.Try("error(tostring(update), 0)") == "t.lua:3: function");
  CHECK(lua.Try("error(tostring(self), 0)") == "t.lua:3: userdata");
  CHECK(lua.Try("error(tostring(id()), 0)") == "t.lua:3: userdata");
  CHECK(lua.Try("error(string.format('%s %10s|%-3s', {}, print, tostring), 0)") ==
        "t.lua:3: table        nil|function");
  CHECK(lua.Try("return string.format('%5p', {})") == "t.lua:3: no addresses: '%p' is left out");
  CHECK(lua.Try("return string.format('%%%s%-5.3p', 1, {})") ==
        "t.lua:3: no addresses: '%p' is left out");
  CHECK(lua.Try("error(string.format('%%p %5.2f %d%%', 1.5, 3), 0)") == "t.lua:3: %p  1.50 3%");
  CHECK(lua.Try("return {} < {}") == "t.lua:3: attempt to compare two table values");
  CHECK(lua.Try("return id() < id()").starts_with("t.lua:3: attempt to compare two"));
}

TEST_CASE("globals and shared tables are read-only, and the line says where") {
  Lua lua;
  CHECK(lua.Try("x = 1") == "t.lua:3: 'x' is shared by all calls, and read-only");
  CHECK(lua.Try("update = nil") == "t.lua:3: 'update' is shared by all calls, and read-only");
  CHECK(lua.Try("fields.n = 1") == "t.lua:3: 'n' is shared by all calls, and read-only");
  CHECK(lua.Try("math.pi = 3") == "t.lua:3: 'pi' is shared by all calls, and read-only");
  CHECK(lua.Try("string.sub = 1") == "t.lua:3: 'sub' is shared by all calls, and read-only");
  CHECK(lua.Try("_ENV.x = 1") == "t.lua:3: 'x' is shared by all calls, and read-only");
  CHECK(lua.Try("('x').y = 1").starts_with("t.lua:3: attempt to index a string value"));
  CHECK(lua.Load("math.pi = 3") == nullptr);
  CHECK(lua.error == "t.lua:1: 'pi' is shared by all calls, and read-only");
  const auto with = [&](const std::string& shared, const std::string& body) {
    return lua.Run(shared + "\nfields = {n = 0} function update(self)\n" + body + "\nend");
  };
  const std::string deep = "local t = {a = {b = {1, 2, 3}}} t.self = t";
  CHECK(with(deep, "t.a.b[4] = 1") == "t.lua:3: the table is shared by all calls, and read-only");
  CHECK(with(deep, "t.self.self.a = 1") == "t.lua:3: 'a' is shared by all calls, and read-only");
  CHECK(with(deep, "table.insert(t.a.b, 4)") ==
        "t.lua:3: the table is shared by all calls, and read-only");
  CHECK(with(deep, "table.sort(t.a.b, function(a, b) return a > b end)") ==
        "t.lua:3: the table is shared by all calls, and read-only");
  // Reading is as before.
  CHECK(with(deep, "for i, v in ipairs(t.a.b) do self.n = self.n + v end") == "");
  CHECK(lua.Number("n") == 6);
  CHECK(with(deep, "for k, v in pairs(t.a.b) do self.n = self.n + k end") == "");
  CHECK(lua.Number("n") == 6);
  CHECK(with(deep, "self.n = #t.a.b + select('#', table.unpack(t.a.b))") == "");
  CHECK(lua.Number("n") == 6);
  CHECK(with(deep, "error(table.concat(t.self.self.a.b, '-'), 0)") == "t.lua:3: 1-2-3");
}

TEST_CASE("a local variable that functions share is put back, and the change is an error") {
  Lua lua;
  const char* const source = R"(
    local calls, last, nan = 0, nil, 0 / 0
    local function count() calls = calls + 1 end
    local helpers = {count = count}
    fields = {n = 0, how = 0}
    function update(self)
      self.n = calls
      if self.how == 1 then helpers.count() end
      if self.how == 2 then last = self end
      if self.how == 3 then _ENV = {} end
      if self.how == 4 then nan = -nan end
      if self.how == 5 then last = update error("first") end
    end)";
  const auto script = lua.Load(source);
  REQUIRE(script);
  const ObjectHandle self = lua.objects.Add(script->layout());
  const auto update = [&](double how) {
    lua.objects.records[0].values[*script->layout().Find("how")].number = how;
    const std::string error = lua.Update(*script, self);
    CHECK(lua.objects.Get(self, "n").number == 0);
    return error;
  };
  const auto changed = [](const char* line, const char* name) {
    return std::string("t.lua:") + line + ": the local variable '" + name +
           "' is shared by all calls, and was changed";
  };
  for (int round = 0; round < 2; ++round) {
    CHECK(update(0) == "");
    CHECK(update(1) == changed("6", "calls"));
    CHECK(update(2) == changed("6", "last"));
    CHECK(update(3).find("'_ENV' is shared by all calls, and was changed") != std::string::npos);
    CHECK(update(4) == changed("6", "nan"));
    CHECK(update(5) == "t.lua:12: first");
  }
  CHECK(update(0) == "");
}

TEST_CASE("things with a place of their own cannot be kept") {
  Lua lua;
  CHECK(lua.Run("local f = pairs({1, 2}) function update() f() end") ==
        "t.lua: a function of pairs cannot be kept");
  CHECK(lua.Run("local t = {[{}] = 1} function update() return t end") ==
        "t.lua: a shared table has a table as a key");
}

TEST_CASE("texts of a script have one line and an end, names have no NUL") {
  Lua lua;
  CHECK(lua.Try("error('one\\ntwo\\27[2J')") == "t.lua:3: one two [2J");
  CHECK(lua.Load("x = '\\z\n\n \x01") == nullptr);
  CHECK(lua.error.find('\n') == std::string::npos);
  const std::string error = lua.Try("error(('x'):rep(60000))");
  CHECK((error.starts_with("t.lua:3: xxx") && error.ends_with("...") && error.size() < 600));
  CHECK(lua.Run("fields = {['n\\0'] = 0} function update() end") == "t.lua: invalid field name");
  CHECK(lua.Try("send(id(), 'hit\\0')") ==
        "t.lua:3: an event's name has at most 15 characters, and no NUL");
}

TEST_CASE("strings have the methods of the library, and no pattern") {
  Lua lua;
  CHECK(lua.Value("#('ab'):rep(3, '-')") == 8);
  CHECK(lua.Value("('a.b'):find('.', 1, true)") == 2);
  CHECK(lua.Value("('abcabc'):find('bc', 3, true)") == 5);
  CHECK(lua.Value("('abcabc'):find('bc', -2, true)") == 5);
  CHECK(lua.Value("('abc'):find('', 4, true)") == 4);
  CHECK(lua.Value("('abc'):find('', 5, true) or -1") == -1);
  CHECK(lua.Value("('abc'):find('x', -9, true) or -1") == -1);
  CHECK(lua.Try("return ('aa'):find('a*')") ==
        "t.lua:3: patterns are left out: string.find(s, text, init, true)");
}

}  // namespace
}  // namespace nowait

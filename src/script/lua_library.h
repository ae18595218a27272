// The library of scripts in Lua: the parts of Lua's own library that neither reach out of a script
// nor keep anything from one call to the next.
//
//   whole     assert error ipairs select tonumber type; math without random's state; table without
//             move and sort; string.byte char len lower rep reverse sub upper
//   changed   pairs: in the order of the keys (numbers, then strings, then booleans; no others).
//             tostring, string.format: no addresses. math.random: from the object and the tick.
//             string.find: text alone, string.find(s, text, init, true)
//             table.sort: equal elements keep their order (lua_sort.h)
//   left out  io os package debug require load dofile: the machine and other code
//             collectgarbage next rawget rawset rawequal rawlen: these differ from run to run, or
//             bypass the rules
//             setmetatable getmetatable: hidden behaviour, including __gc
//             pcall xpcall coroutine: ways to continue after a limit, and state outside of fields
//             string.match gmatch gsub pack dump, utf8: patterns may search for longer than any
//             limit counts, and objects made of numbers have no text to search
//
// By Lua's definition, the length # of a table with holes is one of several, and each state may
// find a different one: a script's list must not have holes.
//
// Library functions whose time grows with their arguments charge it to the call (lua_budget.h).
//
// Thread safety: one thread.
// Test: tests/script/lua_sandbox_test.cc. Lecture: scripts on many threads.
#ifndef NOWAIT_SRC_SCRIPT_LUA_LIBRARY_H_
#define NOWAIT_SRC_SCRIPT_LUA_LIBRARY_H_

#include <lua5.4/lua.hpp>

namespace nowait {

// Pushes a table with the whole library.
void OpenLuaLibrary(lua_State* state);

// Whether the value is a function that pairs has returned. It keeps a position in a table.
bool IsPairsFunction(lua_State* state, int index);

}  // namespace nowait

#endif  // NOWAIT_SRC_SCRIPT_LUA_LIBRARY_H_

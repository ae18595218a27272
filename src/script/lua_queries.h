// The questions of a script in Lua to the world (queries.h), where a phase has queries:
//
//   ray(from, to)            the fraction of the ray at which it first meets a body, or nil
//   count_in(centre, half)   the number of bodies whose boxes overlap the box
//   nearest(point, reach)    metres to the nearest box of a body; nil if it is farther than `reach`
//   ask(question, place)     the answer to a question of the phase (question.h)
//
// In a phase without them they are errors. Each counts as 200 instructions of the call's work,
// whatever it finds.
//
// Thread safety: one thread. Test: tests/script/lua_test.cc. Lecture: scripts on many threads.
#ifndef NOWAIT_SRC_SCRIPT_LUA_QUERIES_H_
#define NOWAIT_SRC_SCRIPT_LUA_QUERIES_H_

#include <lua5.4/lua.hpp>

namespace nowait {

// Registers them in the table at the top of the stack.
void OpenLuaQueries(lua_State* state);

}  // namespace nowait

#endif  // NOWAIT_SRC_SCRIPT_LUA_QUERIES_H_

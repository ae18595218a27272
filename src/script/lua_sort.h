// table.sort for scripts: a merge sort.
//
// Lua's own sort picks its pivot by the clock when a list is hard to divide, and leaves equal
// elements in a different order each time. This one keeps their order, makes at most n log2 n
// comparisons of n elements, terminates whatever the comparison returns, and writes the list only
// at the end.
//
// Thread safety: one thread.
// Test: tests/script/lua_test.cc.
#ifndef NOWAIT_SRC_SCRIPT_LUA_SORT_H_
#define NOWAIT_SRC_SCRIPT_LUA_SORT_H_

#include <lua5.4/lua.hpp>

namespace nowait {

// table.sort(list, comparison or nil), as lua_CFunction.
int SortList(lua_State* state);

}  // namespace nowait

#endif  // NOWAIT_SRC_SCRIPT_LUA_SORT_H_

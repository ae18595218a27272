// LuaContext: the parts of their machine that the functions called by Lua need.
//
// Thread safety: one thread. Lecture: scripts on many threads.
#ifndef NOWAIT_SRC_SCRIPT_LUA_CONTEXT_H_
#define NOWAIT_SRC_SCRIPT_LUA_CONTEXT_H_

#include <cstring>
#include <lua5.4/lua.hpp>

#include "src/script/language.h"
#include "src/script/lua_budget.h"

namespace nowait {

struct LuaContext {
  explicit LuaContext(const LuaDef& def) : budget(def) {}
  LuaBudget budget;
  ScriptCall* call = nullptr;  // while a function of a script runs
  // The engine drops the call, to run it again: nobody reads its error, which has no text.
  bool is_dropped = false;
};

// Lua reserves the bytes of a pointer in front of each state.
inline void SetContext(lua_State* state, LuaContext* context) {
  std::memcpy(lua_getextraspace(state), &context, sizeof context);
}
inline LuaContext& ContextOf(lua_State* state) {
  LuaContext* context;
  std::memcpy(&context, lua_getextraspace(state), sizeof context);
  return *context;
}

// Returns the call. Raises a Lua error while a script is being loaded.
inline ScriptCall& CallOf(lua_State* state) {
  ScriptCall* const call = ContextOf(state).call;
  if (call == nullptr) luaL_error(state, "only an update or an event may do that");
  return *call;
}

}  // namespace nowait

#endif  // NOWAIT_SRC_SCRIPT_LUA_CONTEXT_H_

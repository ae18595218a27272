#include "src/script/lua_freeze.h"

#include <algorithm>
#include <bit>
#include <cstdint>

#include "src/script/lua_library.h"
#include "src/script/lua_values.h"

namespace nowait {
namespace {

int RefuseWrite(lua_State* L) {
  if (lua_type(L, 2) == LUA_TSTRING) {
    return luaL_error(L, "'%s' is shared by all calls, and read-only", lua_tostring(L, 2));
  }
  return luaL_error(L, "the table is shared by all calls, and read-only");
}

int LengthOfFrozen(lua_State* L) {
  lua_pushinteger(L, luaL_len(L, lua_upvalueindex(1)));
  return 1;
}

// Whether the values are equal; numbers are compared bit by bit.
bool AreSame(lua_State* L, int a, int b) {
  if (lua_type(L, a) != LUA_TNUMBER || lua_type(L, b) != LUA_TNUMBER) {
    return lua_rawequal(L, a, b) != 0;
  }
  if (lua_isinteger(L, a) != lua_isinteger(L, b)) return false;
  if (lua_isinteger(L, a)) return lua_tointeger(L, a) == lua_tointeger(L, b);
  return std::bit_cast<std::uint64_t>(lua_tonumber(L, a)) ==
         std::bit_cast<std::uint64_t>(lua_tonumber(L, b));
}

}  // namespace

void FreezeTable(lua_State* L) {
  lua_newtable(L);
  lua_createtable(L, 0, 3);
  lua_pushvalue(L, -3);
  lua_setfield(L, -2, "__index");
  lua_pushcfunction(L, RefuseWrite);
  lua_setfield(L, -2, "__newindex");
  lua_pushvalue(L, -3);
  lua_pushcclosure(L, LengthOfFrozen, 1);
  lua_setfield(L, -2, "__len");
  lua_setmetatable(L, -2);
  lua_remove(L, -2);
}

bool PushFrozenTable(lua_State* L, int index) {
  index = lua_absindex(L, index);
  if (!lua_istable(L, index) || luaL_getmetafield(L, index, "__newindex") == LUA_TNIL) return false;
  const bool frozen = lua_tocfunction(L, -1) == RefuseWrite;
  lua_pop(L, 1);
  if (frozen) luaL_getmetafield(L, index, "__index");
  return frozen;
}

// Replaces the value at the top of the stack, and puts the values it contains into the queue.
void LuaShared::FreezeValue(lua_State* L, int seen, int queue) {
  const int type = lua_type(L, -1);
  if (type == LUA_TUSERDATA && !IsVec3(L, -1)) luaL_error(L, "an object cannot be kept");
  if (type != LUA_TTABLE && type != LUA_TFUNCTION) return;
  if (IsPairsFunction(L, -1)) luaL_error(L, "a function of pairs cannot be kept");
  if (PushFrozenTable(L, -1)) {
    lua_pop(L, 1);
    return;
  }
  lua_pushvalue(L, -1);
  lua_rawget(L, seen);
  if (!lua_isnil(L, -1)) {
    lua_replace(L, -2);
    return;
  }
  lua_pop(L, 1);
  lua_pushvalue(L, -1);
  lua_rawseti(L, queue, luaL_len(L, queue) + 1);
  lua_pushvalue(L, -1);  // the key
  if (type == LUA_TTABLE) {
    lua_pushvalue(L, -1);
    FreezeTable(L);
    lua_copy(L, -1, -3);  // in place of the value
  } else {
    lua_pushvalue(L, -1);
  }
  lua_rawset(L, seen);
}

void LuaShared::Freeze(lua_State* L) {
  luaL_checkstack(L, 20, nullptr);
  lua_pushvalue(L, -1);
  lua_newtable(L);
  const int seen = lua_gettop(L);
  lua_newtable(L);
  const int queue = lua_gettop(L);
  lua_newtable(L);
  const int kept = lua_gettop(L);
  lua_pushvalue(L, seen - 1);
  FreezeValue(L, seen, queue);
  lua_pop(L, 1);
  for (lua_Integer i = 1; lua_rawgeti(L, queue, i) != LUA_TNIL; ++i) {
    const int at = lua_gettop(L);
    if (lua_istable(L, at)) {
      for (lua_pushnil(L); lua_next(L, at) != 0;) {
        const int key = lua_type(L, -2);
        if (key != LUA_TSTRING && key != LUA_TNUMBER && key != LUA_TBOOLEAN) {
          luaL_error(L, "a shared table has a %s as a key", luaL_typename(L, -2));
        }
        FreezeValue(L, seen, queue);
        lua_pushvalue(L, -2);
        lua_insert(L, -2);
        lua_rawset(L, at);
      }
    } else if (lua_iscfunction(L, at) == 0) {
      lua_Debug place;
      lua_pushvalue(L, at);
      lua_getinfo(L, ">S", &place);
      for (int n = 1; const char* name = lua_getupvalue(L, at, n); ++n) {
        const void* const id = lua_upvalueid(L, at, n);
        FreezeValue(L, seen, queue);
        lua_pushvalue(L, -1);
        lua_setupvalue(L, at, n);
        const bool known = std::ranges::find(variables_, id, &Variable::id) != variables_.end();
        if (!known) {
          variables_.push_back(
              {id, name, std::string(place.short_src) + ":" + std::to_string(place.linedefined),
               n});
          const auto number = static_cast<lua_Integer>(variables_.size());
          lua_rawseti(L, kept, 2 * number);
          lua_pushvalue(L, at);
          lua_rawseti(L, kept, 2 * number - 1);
        } else {
          lua_pop(L, 1);
        }
      }
    }
    lua_settop(L, kept);
  }
  lua_settop(L, kept);
  reference_ = luaL_ref(L, LUA_REGISTRYINDEX);
  lua_settop(L, seen - 2);
}

std::optional<std::string> LuaShared::Restore(lua_State* L) const {
  const int top = lua_gettop(L);
  std::optional<std::string> changed;
  lua_rawgeti(L, LUA_REGISTRYINDEX, reference_);
  for (std::size_t i = 0; i < variables_.size(); ++i) {
    const auto number = static_cast<lua_Integer>(i) + 1;
    lua_rawgeti(L, top + 1, 2 * number - 1);
    lua_getupvalue(L, top + 2, variables_[i].number);
    lua_rawgeti(L, top + 1, 2 * number);
    if (!AreSame(L, -1, -2)) {
      lua_setupvalue(L, top + 2, variables_[i].number);
      if (!changed) {
        changed = variables_[i].place + ": the local variable '" + variables_[i].name +
                  "' is shared by all calls, and was changed";
      }
    }
    lua_settop(L, top + 1);
  }
  lua_settop(L, top);
  return changed;
}

void LuaShared::Drop(lua_State* L) {
  luaL_unref(L, LUA_REGISTRYINDEX, reference_);
  reference_ = LUA_NOREF;
}

}  // namespace nowait

#include "src/script/lua_queries.h"

#include <cstddef>
#include <cstdint>
#include <optional>

#include "src/base/result.h"
#include "src/math/bounds.h"
#include "src/math/vec3.h"
#include "src/script/lua_context.h"
#include "src/script/lua_values.h"

namespace nowait {
namespace {

constexpr std::uint64_t kWork = 200;  // instructions that a query counts as

// Before the question: a query costs the script its work, also if it is refused.
ScriptCall& Charged(lua_State* L) {
  ContextOf(L).budget.Charge(L, kWork);
  return CallOf(L);
}

int PushAnswer(lua_State* L, const Result<std::optional<float>>& answer) {
  if (!answer) Raise(L, answer.error());
  if (*answer) {
    lua_pushnumber(L, static_cast<double>(**answer));
  } else {
    lua_pushnil(L);
  }
  return 1;
}

int CastRay(lua_State* L) { return PushAnswer(L, Charged(L).CastRay(ToVec3(L, 1), ToVec3(L, 2))); }

int CountIn(lua_State* L) {
  ScriptCall& call = Charged(L);
  const Vec3 centre = ToVec3(L, 1), half = ToVec3(L, 2);
  const Vec3 low = centre - half, high = centre + half;
  const auto count = call.CountIn({{low.x, low.y, low.z}, {high.x, high.y, high.z}});
  if (!count) Raise(L, count.error());
  lua_pushinteger(L, *count);
  return 1;
}

int Nearest(lua_State* L) {
  ScriptCall& call = Charged(L);
  return PushAnswer(L, call.Nearest(ToVec3(L, 1), static_cast<float>(luaL_checknumber(L, 2))));
}

int Ask(lua_State* L) {
  ScriptCall& call = Charged(L);
  std::size_t length = 0;
  const char* const question = luaL_checklstring(L, 1, &length);
  const auto answer = call.Ask({question, length}, ToVec3(L, 2));
  if (!answer) Raise(L, answer.error());
  lua_pushnumber(L, *answer);
  return 1;
}

}  // namespace

void OpenLuaQueries(lua_State* L) {
  constexpr luaL_Reg kFunctions[] = {{"ray", CastRay},
                                     {"count_in", CountIn},
                                     {"nearest", Nearest},
                                     {"ask", Ask},
                                     {nullptr, nullptr}};
  luaL_setfuncs(L, kFunctions, 0);
}

}  // namespace nowait

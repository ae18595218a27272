#include "src/script/lua_sort.h"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <limits>

#include "src/script/lua_context.h"

namespace nowait {
namespace {

// Places on the stack.
constexpr int kList = 1;
constexpr int kComparison = 2;
constexpr int kFrom = 3;
constexpr int kInto = 4;

bool ComesBefore(lua_State* L, lua_Integer a, lua_Integer b) {
  const bool is_function = !lua_isnil(L, kComparison);
  if (is_function) lua_pushvalue(L, kComparison);
  lua_rawgeti(L, kFrom, a);
  lua_rawgeti(L, kFrom, b);
  bool before = false;
  if (is_function) {
    lua_call(L, 2, 1);
    before = lua_toboolean(L, -1) != 0;
  } else {
    before = lua_compare(L, -2, -1, LUA_OPLT) != 0;
  }
  lua_settop(L, kInto);
  return before;
}

// Merges two sorted parts, from `first` and from `second` to `end`, into one.
void Merge(lua_State* L, lua_Integer first, lua_Integer second, lua_Integer end) {
  lua_Integer a = first, b = second;
  for (lua_Integer at = first; at < end; ++at) {
    const bool takes_b = a == second || (b < end && ComesBefore(L, b, a));
    lua_rawgeti(L, kFrom, takes_b ? b++ : a++);
    lua_rawseti(L, kInto, at);
  }
}

}  // namespace

int SortList(lua_State* L) {
  luaL_checktype(L, kList, LUA_TTABLE);
  if (!lua_isnoneornil(L, kComparison)) luaL_checktype(L, kComparison, LUA_TFUNCTION);
  lua_settop(L, kComparison);
  const lua_Integer count = luaL_len(L, kList);
  if (count < 2) return 0;
  luaL_argcheck(L, count < std::numeric_limits<int>::max(), kList, "array too big");
  const auto size = static_cast<std::uint64_t>(count);
  ContextOf(L).budget.ChargeComparisons(L, size * static_cast<std::uint64_t>(std::bit_width(size)));
  lua_createtable(L, static_cast<int>(count), 0);
  lua_createtable(L, static_cast<int>(count), 0);
  for (lua_Integer i = 1; i <= count; ++i) {
    lua_geti(L, kList, i);
    lua_rawseti(L, kFrom, i);
  }
  const lua_Integer end = count + 1;
  for (lua_Integer width = 1; width < count; width *= 2) {
    for (lua_Integer i = 1; i < end; i += 2 * width) {
      Merge(L, i, std::min(i + width, end), std::min(i + 2 * width, end));
    }
    lua_insert(L, kFrom);  // swap the two
  }
  for (lua_Integer i = 1; i <= count; ++i) {
    lua_rawgeti(L, kFrom, i);
    lua_seti(L, kList, i);
  }
  return 0;
}

}  // namespace nowait

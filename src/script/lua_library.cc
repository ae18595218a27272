#include "src/script/lua_library.h"

#include <algorithm>
#include <bit>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>
#include <utility>

#include "src/script/lua_context.h"
#include "src/script/lua_freeze.h"
#include "src/script/lua_sort.h"

namespace nowait {
namespace {

// How the cost of a function grows.
enum class Cost : lua_Integer { kArguments, kTable, kConcat, kUnpack };

// A text costs work even where a number is expected, because Lua converts a text of digits.
std::uint64_t CostOfArguments(lua_State* L) {
  constexpr std::uint64_t kBytes = 16;  // of text, as an instruction
  const int count = lua_gettop(L);
  std::uint64_t bytes = 0;
  for (int i = 1; i <= count; ++i) {
    if (lua_type(L, i) == LUA_TSTRING) bytes += lua_rawlen(L, i);
  }
  return static_cast<std::uint64_t>(count) + bytes / kBytes;
}

// The cost of the elements begin .. end, given by the arguments `first` and the next one. A state
// has no room for more than this many elements: the function will refuse them.
std::uint64_t CostOfRange(lua_State* L, int first, lua_Integer length) {
  const lua_Integer begin = luaL_optinteger(L, first, 1);
  const lua_Integer end = luaL_optinteger(L, first + 1, length);
  if (end < begin) return 0;
  return std::min<std::uint64_t>(
      static_cast<std::uint64_t>(end) - static_cast<std::uint64_t>(begin),
      ContextOf(L).budget.def().memory / sizeof(lua_Number));
}

std::uint64_t CostOf(lua_State* L, Cost cost) {
  if (cost == Cost::kArguments) return CostOfArguments(L);
  luaL_checktype(L, 1, LUA_TTABLE);
  const lua_Integer length = std::max<lua_Integer>(luaL_len(L, 1), 0);
  switch (cost) {
    case Cost::kConcat:
      return CostOfRange(L, 3, length);
    case Cost::kUnpack:
      return CostOfRange(L, 2, length);
    default:
      return static_cast<std::uint64_t>(length);
  }
}

// Lua's own function, which is the first upvalue; the second one is its cost.
int Charged(lua_State* L) {
  const auto cost = static_cast<Cost>(lua_tointeger(L, lua_upvalueindex(2)));
  ContextOf(L).budget.Charge(L, CostOf(L, cost));
  return lua_tocfunction(L, lua_upvalueindex(1))(L);
}

// Leaves numbers, booleans, strings and nil unchanged; replaces any other value by its type's name.
void ReplaceByText(lua_State* L, int index) {
  switch (lua_type(L, index)) {
    case LUA_TNUMBER:
    case LUA_TBOOLEAN:
    case LUA_TSTRING:
    case LUA_TNIL:
      return;
    default:
      lua_pushstring(L, luaL_typename(L, index));
      lua_replace(L, index);
  }
}

int ToText(lua_State* L) {
  luaL_checkany(L, 1);
  lua_settop(L, 1);
  ReplaceByText(L, 1);
  luaL_tolstring(L, 1, nullptr);
  return 1;
}

int Format(lua_State* L) {
  std::size_t length = 0;
  const char* const text = luaL_checklstring(L, 1, &length);
  for (std::string_view rest(text, length); !rest.empty();) {
    const std::size_t percent = rest.find('%');
    if (percent == std::string_view::npos) break;
    rest.remove_prefix(percent + 1);
    const std::size_t kind = rest.find_first_not_of("-+ #0123456789.");
    if (kind == std::string_view::npos) break;
    if (rest[kind] == 'p') return luaL_error(L, "no addresses: '%%p' is left out");
    rest.remove_prefix(kind + 1);
  }
  for (int i = 2; i <= lua_gettop(L); ++i) ReplaceByText(L, i);
  return Charged(L);
}

// Lua's own function would loop endlessly on an empty text.
int Repeat(lua_State* L) {
  std::size_t length = 0, between = 0;
  luaL_checklstring(L, 1, &length);
  const lua_Integer count = luaL_checkinteger(L, 2);
  luaL_optlstring(L, 3, "", &between);
  if (count <= 0 || length + between == 0) {
    lua_pushliteral(L, "");
    return 1;
  }
  const std::uint64_t most = ContextOf(L).budget.def().block / (length + between);
  if (static_cast<std::uint64_t>(count) > most) return luaL_error(L, "the text gets too long");
  return Charged(L);
}

// Runs in linear time (memmem).
int Find(lua_State* L) {
  std::size_t length = 0, wanted = 0;
  const char* const text = luaL_checklstring(L, 1, &length);
  const char* const part = luaL_checklstring(L, 2, &wanted);
  lua_Integer begin = luaL_optinteger(L, 3, 1);
  if (!lua_toboolean(L, 4)) {
    return luaL_error(L, "patterns are left out: string.find(s, text, init, true)");
  }
  ContextOf(L).budget.Charge(L, CostOf(L, Cost::kArguments));
  const auto size = static_cast<lua_Integer>(length);
  if (begin < 0) begin = std::max<lua_Integer>(size + begin + 1, 1);
  begin = std::max<lua_Integer>(begin, 1);
  if (begin > size + 1) {
    lua_pushnil(L);
    return 1;
  }
  const std::string_view rest(text + begin - 1, length - static_cast<std::size_t>(begin - 1));
  const void* const found = memmem(rest.data(), rest.size(), part, wanted);
  if (found == nullptr) {
    lua_pushnil(L);
    return 1;
  }
  const lua_Integer at = static_cast<const char*>(found) - text + 1;
  lua_pushinteger(L, at);
  lua_pushinteger(L, at + static_cast<lua_Integer>(wanted) - 1);
  return 2;
}

int RandomNumber(lua_State* L) {
  Random& random = CallOf(L).random;
  if (lua_gettop(L) == 0) {
    lua_pushnumber(L, static_cast<double>(random.Unit()));
    return 1;
  }
  const lua_Integer low = lua_gettop(L) == 1 ? 1 : luaL_checkinteger(L, 1);
  const lua_Integer high = luaL_checkinteger(L, lua_gettop(L) == 1 ? 1 : 2);
  const std::uint64_t span = static_cast<std::uint64_t>(high) - static_cast<std::uint64_t>(low);
  luaL_argcheck(L, low <= high && span < ~std::uint32_t{0}, 1, "no interval below 2^32");
  const std::uint32_t chosen = random.Below(static_cast<std::uint32_t>(span) + 1);
  lua_pushinteger(L, low + static_cast<lua_Integer>(chosen));
  return 1;
}

// --- pairs

struct Key {
  enum Kind : std::uint8_t { kNumber, kString, kFalse, kTrue } kind;
  bool is_integer;
  lua_Integer integer;  // of a string: its length
  double number;
  const char* string;  // of the table's key, which lives as long as this

  std::string_view text() const { return {string, static_cast<std::size_t>(integer)}; }
};

bool IsBefore(const Key& a, const Key& b) {
  if (a.kind != b.kind) return a.kind < b.kind;
  if (a.kind == Key::kString) return a.text() < b.text();
  if (a.is_integer && b.is_integer) return a.integer < b.integer;
  if (a.number != b.number) return a.number < b.number;
  return a.is_integer && !b.is_integer;  // 2^63 is the rounded number of integers, and a key
}

Key ToKey(lua_State* L, int index) {
  Key key{};
  switch (lua_type(L, index)) {
    case LUA_TNUMBER:
      key.kind = Key::kNumber;
      key.is_integer = lua_isinteger(L, index) != 0;
      key.integer = key.is_integer ? lua_tointeger(L, index) : 0;
      key.number = lua_tonumber(L, index);
      break;
    case LUA_TSTRING: {
      std::size_t length = 0;
      key.kind = Key::kString;
      key.string = lua_tolstring(L, index, &length);
      key.integer = static_cast<lua_Integer>(length);
      break;
    }
    case LUA_TBOOLEAN:
      key.kind = lua_toboolean(L, index) ? Key::kTrue : Key::kFalse;
      break;
    default:
      luaL_error(L, "pairs: a %s as a key has no place in an order", luaL_typename(L, index));
  }
  return key;
}

void PushKey(lua_State* L, const Key& key) {
  if (key.kind == Key::kString) {
    lua_pushlstring(L, key.string, key.text().size());
  } else if (key.kind != Key::kNumber) {
    lua_pushboolean(L, key.kind == Key::kTrue);
  } else if (key.is_integer) {
    lua_pushinteger(L, key.integer);
  } else {
    lua_pushnumber(L, key.number);
  }
}

// Upvalues: the table, its keys in order, and the index of the next key.
int NextPair(lua_State* L) {
  lua_Integer at = lua_tointeger(L, lua_upvalueindex(3));
  for (;;) {
    lua_rawgeti(L, lua_upvalueindex(2), ++at);
    if (lua_isnil(L, -1)) return 1;
    lua_pushvalue(L, -1);
    lua_rawget(L, lua_upvalueindex(1));
    if (!lua_isnil(L, -1)) break;  // otherwise the key is gone by now
    lua_pop(L, 2);
  }
  lua_pushinteger(L, at);
  lua_replace(L, lua_upvalueindex(3));
  return 2;
}

int Pairs(lua_State* L) {
  luaL_checktype(L, 1, LUA_TTABLE);
  lua_settop(L, 1);
  if (PushFrozenTable(L, 1)) lua_replace(L, 1);
  std::size_t count = 0;
  for (lua_pushnil(L); lua_next(L, 1) != 0; lua_pop(L, 1)) ++count;
  ContextOf(L).budget.Charge(L, 2 * count * static_cast<std::uint64_t>(std::bit_width(count)));
  auto* const keys = static_cast<Key*>(lua_newuserdatauv(L, count * sizeof(Key), 0));
  std::size_t filled = 0;
  for (lua_pushnil(L); lua_next(L, 1) != 0; lua_pop(L, 1)) keys[filled++] = ToKey(L, -2);
  std::sort(keys, keys + count, IsBefore);
  lua_pushvalue(L, 1);
  lua_createtable(L, static_cast<int>(count), 0);
  for (std::size_t i = 0; i < count; ++i) {
    PushKey(L, keys[i]);
    lua_rawseti(L, -2, static_cast<lua_Integer>(i) + 1);
  }
  lua_pushinteger(L, 0);
  lua_pushcclosure(L, NextPair, 3);
  return 1;
}

// --- The tables

// Copies functions from the library at the top of the stack to the table below it.
void Take(lua_State* L, std::initializer_list<const char*> names) {
  for (const char* name : names) {
    lua_getfield(L, -1, name);
    lua_setfield(L, -3, name);
  }
}
// The same, but behind `function`, which has the original and its cost as upvalues.
void Wrap(lua_State* L, lua_CFunction function, Cost cost,
          std::initializer_list<const char*> names) {
  for (const char* name : names) {
    lua_getfield(L, -1, name);
    lua_pushinteger(L, static_cast<lua_Integer>(cost));
    lua_pushcclosure(L, function, 2);
    lua_setfield(L, -3, name);
  }
}
void Set(lua_State* L, int table, const char* name, lua_CFunction function) {
  lua_pushcfunction(L, function);
  lua_setfield(L, table - 1, name);
}

// Pushes Lua's own library.
void Open(lua_State* L, const char* name, lua_CFunction open) {
  lua_pushcfunction(L, open);
  lua_pushstring(L, name);
  lua_call(L, 1, 1);
}

// Makes the table below the top a read-only field of the table below that, and pops both.
void Keep(lua_State* L, const char* name) {
  lua_pop(L, 1);
  FreezeTable(L);
  lua_setfield(L, -2, name);
}

}  // namespace

bool IsPairsFunction(lua_State* L, int index) { return lua_tocfunction(L, index) == NextPair; }

void OpenLuaLibrary(lua_State* L) {
  lua_newtable(L);

  // luaopen_base works on the globals. They contain nothing else, and no script sees them.
  Open(L, LUA_GNAME, luaopen_base);
  Take(L, {"assert", "error", "ipairs", "type"});
  Wrap(L, Charged, Cost::kArguments, {"select", "tonumber"});
  lua_pop(L, 1);
  Set(L, -1, "pairs", Pairs);
  Set(L, -1, "tostring", ToText);

  lua_newtable(L);
  Open(L, LUA_MATHLIBNAME, luaopen_math);
  Take(L, {"abs",   "acos", "asin", "atan", "ceil",       "cos",        "deg",  "exp",
           "floor", "fmod", "huge", "log",  "maxinteger", "mininteger", "modf", "pi",
           "rad",   "sin",  "sqrt", "tan",  "tointeger",  "type",       "ult"});
  Wrap(L, Charged, Cost::kArguments, {"max", "min"});
  Set(L, -2, "random", RandomNumber);
  Keep(L, LUA_MATHLIBNAME);

  lua_newtable(L);
  Open(L, LUA_TABLIBNAME, luaopen_table);
  Take(L, {"pack"});
  Wrap(L, Charged, Cost::kTable, {"insert", "remove"});
  Wrap(L, Charged, Cost::kConcat, {"concat"});
  Wrap(L, Charged, Cost::kUnpack, {"unpack"});
  Set(L, -2, "sort", SortList);
  Keep(L, LUA_TABLIBNAME);

  lua_newtable(L);
  Open(L, LUA_STRLIBNAME, luaopen_string);
  Take(L, {"len"});
  Wrap(L, Charged, Cost::kArguments, {"byte", "char", "lower", "reverse", "sub", "upper"});
  Wrap(L, Format, Cost::kArguments, {"format"});
  Wrap(L, Repeat, Cost::kArguments, {"rep"});
  Set(L, -2, "find", Find);
  Keep(L, LUA_STRLIBNAME);

  // luaopen_string has given all strings a metatable whose methods are its own library.
  lua_pushliteral(L, "");
  lua_newtable(L);
  lua_getfield(L, -3, LUA_STRLIBNAME);
  lua_setfield(L, -2, "__index");
  lua_setmetatable(L, -2);
  lua_pop(L, 1);
}

}  // namespace nowait

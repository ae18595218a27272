#include "src/script/lua_values.h"

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "src/base/result.h"
#include "src/script/lua_context.h"

namespace nowait {
namespace {

constexpr const char* kVec3 = "vec3";
constexpr const char* kObject = "object";

struct LuaObject {
  const FieldLayout* layout;
  const ScriptValue* values;
  ScriptValue* writable;  // null: read-only
};

// Light userdata that no script can make.
void* AsPointer(ObjectHandle handle) { return reinterpret_cast<void*>(BitsOf(handle)); }

ObjectHandle ToHandle(lua_State* L, int index) {
  if (!lua_islightuserdata(L, index)) luaL_typeerror(L, index, "handle");
  return HandleOf(reinterpret_cast<std::uint64_t>(lua_touserdata(L, index)));
}

float ToFloat(lua_State* L, int index) { return static_cast<float>(luaL_checknumber(L, index)); }

int MakeVec3(lua_State* L) {
  PushVec3(L, {ToFloat(L, 1), ToFloat(L, 2), ToFloat(L, 3)});
  return 1;
}
int IndexVec3(lua_State* L) {
  const Vec3 v = ToVec3(L, 1);
  std::size_t length = 0;
  const char* const key = lua_tolstring(L, 2, &length);
  if (key == nullptr || length != 1 || key[0] < 'x' || key[0] > 'z') {
    return luaL_error(L, "a vec3 has x, y and z");
  }
  lua_pushnumber(L, static_cast<double>(v[key[0] - 'x']));
  return 1;
}
int AddVec3(lua_State* L) {
  PushVec3(L, ToVec3(L, 1) + ToVec3(L, 2));
  return 1;
}
int SubtractVec3(lua_State* L) {
  PushVec3(L, ToVec3(L, 1) - ToVec3(L, 2));
  return 1;
}
int MultiplyVec3(lua_State* L) {
  if (lua_type(L, 1) == LUA_TNUMBER) {
    PushVec3(L, ToVec3(L, 2) * ToFloat(L, 1));
  } else {
    PushVec3(L, ToVec3(L, 1) * ToFloat(L, 2));
  }
  return 1;
}
int DivideVec3(lua_State* L) {
  PushVec3(L, ToVec3(L, 1) * (1.0f / ToFloat(L, 2)));
  return 1;
}
int NegateVec3(lua_State* L) {
  PushVec3(L, -ToVec3(L, 1));
  return 1;
}
int EqualVec3(lua_State* L) {
  lua_pushboolean(L, ToVec3(L, 1) == ToVec3(L, 2));
  return 1;
}
int DotVec3(lua_State* L) {
  lua_pushnumber(L, static_cast<double>(Dot(ToVec3(L, 1), ToVec3(L, 2))));
  return 1;
}
int LengthVec3(lua_State* L) {
  lua_pushnumber(L, static_cast<double>(Length(ToVec3(L, 1))));
  return 1;
}

// The slot of the field named at `index`, or a Lua error.
std::uint32_t SlotOf(lua_State* L, const LuaObject& object, int index) {
  std::size_t length = 0;
  if (lua_type(L, index) == LUA_TSTRING) {
    const char* const name = lua_tolstring(L, index, &length);
    if (const auto slot = object.layout->Find({name, length})) return *slot;
    luaL_error(L, "the object has no field '%s'", name);
  }
  luaL_error(L, "a field's name is a string");
  __builtin_unreachable();
}

int IndexObject(lua_State* L) {
  const LuaObject& object = *static_cast<const LuaObject*>(luaL_checkudata(L, 1, kObject));
  const std::uint32_t slot = SlotOf(L, object, 2);
  const ScriptValue& value = object.values[slot];
  switch (object.layout->fields()[slot].kind) {
    case FieldKind::kNumber:
      lua_pushnumber(L, value.number);
      break;
    case FieldKind::kBoolean:
      lua_pushboolean(L, value.boolean != 0);
      break;
    case FieldKind::kHandle:
      PushHandle(L, HandleOf(value.handle));
      break;
    case FieldKind::kVec3:
      PushVec3(L, FromScript(value.vec3));
      break;
  }
  return 1;
}

// Converts the value at `index` to this kind. Returns false if it is of another kind.
bool ToValue(lua_State* L, int index, FieldKind kind, ScriptValue& value) {
  switch (kind) {
    case FieldKind::kNumber:
      if (lua_type(L, index) != LUA_TNUMBER) return false;
      value.number = lua_tonumber(L, index);
      return true;
    case FieldKind::kBoolean:
      if (!lua_isboolean(L, index)) return false;
      value.boolean = static_cast<std::uint64_t>(lua_toboolean(L, index));
      return true;
    case FieldKind::kHandle:
      if (lua_isnil(L, index)) {
        value.handle = NOWAIT_NO_OBJECT;
        return true;
      }
      if (!lua_islightuserdata(L, index)) return false;
      value.handle = reinterpret_cast<std::uint64_t>(lua_touserdata(L, index));
      return true;
    case FieldKind::kVec3:
      if (!IsVec3(L, index)) return false;
      value.vec3 = ToScript(*static_cast<const Vec3*>(lua_touserdata(L, index)));
      return true;
  }
  return false;
}

int NewIndexObject(lua_State* L) {
  const LuaObject& object = *static_cast<const LuaObject*>(luaL_checkudata(L, 1, kObject));
  const std::uint32_t slot = SlotOf(L, object, 2);
  const ScriptField& field = object.layout->fields()[slot];
  if (object.writable == nullptr) {
    return luaL_error(L, "the object is read alone; write(handle) makes a copy to change");
  }
  if (!ToValue(L, 3, field.kind, object.writable[slot])) {
    return luaL_error(L, "the field '%s' is a %s, not a %s", field.name.c_str(), NameOf(field.kind),
                      IsVec3(L, 3) ? kVec3 : luaL_typename(L, 3));
  }
  return 0;
}

void PushObject(lua_State* L, const LuaObject& object) {
  *static_cast<LuaObject*>(lua_newuserdatauv(L, sizeof(LuaObject), 0)) = object;
  luaL_setmetatable(L, kObject);
}

// Returns nil for an object that is gone.
int PushView(lua_State* L, const Result<ScriptCall::View>& view) {
  if (!view) {
    if (view.error().code != ErrorCode::kStaleId) Raise(L, view.error());
    lua_pushnil(L);
    return 1;
  }
  PushObject(L, {view->layout, view->values, nullptr});
  return 1;
}
int ReadObject(lua_State* L) { return PushView(L, CallOf(L).Read(ToHandle(L, 1))); }
int ReadObjectAfter(lua_State* L) { return PushView(L, CallOf(L).ReadAfter(ToHandle(L, 1))); }
int WriteObject(lua_State* L) {
  const auto copy = CallOf(L).Write(ToHandle(L, 1));
  if (!copy) {
    if (copy.error().code != ErrorCode::kStaleId) Raise(L, copy.error());
    lua_pushnil(L);
    return 1;
  }
  PushCopy(L, *copy);
  return 1;
}

int SendEvent(lua_State* L) {
  ScriptCall& call = CallOf(L);
  ScriptEvent event{.to = ToHandle(L, 1), .from = call.self, .value = luaL_optnumber(L, 3, 0.0)};
  std::size_t length = 0;
  const char* const name = luaL_checklstring(L, 2, &length);
  if (!event.SetName({name, length})) {
    return luaL_error(L, "an event's name has at most %d characters, and no NUL",
                      static_cast<int>(ScriptEvent::kMostName));
  }
  if (const auto sent = call.Send(event); !sent) Raise(L, sent.error());
  return 0;
}

int Tick(lua_State* L) {
  lua_pushinteger(L, static_cast<lua_Integer>(CallOf(L).tick));
  return 1;
}
int TickSeconds(lua_State* L) {
  lua_pushnumber(L, CallOf(L).dt);
  return 1;
}
int Id(lua_State* L) {
  PushHandle(L, CallOf(L).self);
  return 1;
}

void MakeType(lua_State* L, const char* name, const luaL_Reg* functions) {
  luaL_newmetatable(L, name);
  luaL_setfuncs(L, functions, 0);
  lua_pop(L, 1);
}

}  // namespace

Vec3 ToVec3(lua_State* L, int index) {
  return *static_cast<const Vec3*>(luaL_checkudata(L, index, kVec3));
}

void Raise(lua_State* L, const Error& error) {
  if (error.code == ErrorCode::kNotOwner) {
    // Without a text: updates are put off and begun again in each frame, and allocate nothing then.
    ContextOf(L).is_dropped = true;
    lua_pushnil(L);
    lua_error(L);
  }
  {
    const std::string text = ToString(error);
    luaL_where(L, 1);
    lua_pushlstring(L, text.data(), text.size());
  }
  lua_concat(L, 2);
  lua_error(L);
  __builtin_unreachable();
}

bool IsVec3(lua_State* L, int index) { return luaL_testudata(L, index, kVec3) != nullptr; }

void PushVec3(lua_State* L, Vec3 value) {
  *static_cast<Vec3*>(lua_newuserdatauv(L, sizeof(Vec3), 0)) = value;
  luaL_setmetatable(L, kVec3);
}

void PushHandle(lua_State* L, ObjectHandle handle) {
  if (handle == ObjectHandle{}) {
    lua_pushnil(L);
  } else {
    lua_pushlightuserdata(L, AsPointer(handle));
  }
}

void PushCopy(lua_State* L, const ScriptCall::Copy& object) {
  PushObject(L, {object.layout, object.values, object.values});
}

void PushPhysicsEvent(lua_State* L, const PhysicsEvent& event) {
  // In the order of PhysicsEvent::Kind.
  constexpr const char* kKinds[] = {"began", "persists", "ended", "broke",
                                    "gone",  "woke",     "asleep"};
  lua_createtable(L, 0, 6);
  lua_pushstring(L, kKinds[static_cast<std::size_t>(event.kind)]);
  lua_setfield(L, -2, "kind");
  PushHandle(L, event.other);
  lua_setfield(L, -2, "other");
  if (event.kind != PhysicsEvent::Kind::kContactBegan) return;
  PushVec3(L, event.place);
  lua_setfield(L, -2, "place");
  PushVec3(L, event.normal);
  lua_setfield(L, -2, "normal");
  lua_pushnumber(L, static_cast<double>(event.speed));
  lua_setfield(L, -2, "speed");
  lua_pushnumber(L, static_cast<double>(event.slide));
  lua_setfield(L, -2, "slide");
}

bool ToField(lua_State* L, ScriptField& field) {
  for (const FieldKind kind :
       {FieldKind::kNumber, FieldKind::kBoolean, FieldKind::kHandle, FieldKind::kVec3}) {
    if (!lua_isnil(L, -1) && ToValue(L, -1, kind, field.initial)) {
      field.kind = kind;
      return true;
    }
  }
  return false;
}

void OpenLuaValues(lua_State* L) {
  constexpr luaL_Reg kOfVec3[] = {{"__index", IndexVec3},  {"__add", AddVec3},
                                  {"__sub", SubtractVec3}, {"__mul", MultiplyVec3},
                                  {"__div", DivideVec3},   {"__unm", NegateVec3},
                                  {"__eq", EqualVec3},     {nullptr, nullptr}};
  constexpr luaL_Reg kOfObject[] = {
      {"__index", IndexObject}, {"__newindex", NewIndexObject}, {nullptr, nullptr}};
  constexpr luaL_Reg kFunctions[] = {{"vec3", MakeVec3},         {"dot", DotVec3},
                                     {"length", LengthVec3},     {"read", ReadObject},
                                     {"after", ReadObjectAfter}, {"write", WriteObject},
                                     {"send", SendEvent},        {"tick", Tick},
                                     {"dt", TickSeconds},        {"id", Id},
                                     {nullptr, nullptr}};
  MakeType(L, kVec3, kOfVec3);
  MakeType(L, kObject, kOfObject);
  luaL_setfuncs(L, kFunctions, 0);
  lua_pushlightuserdata(L, AsPointer(ObjectHandle{}));
  lua_setfield(L, -2, "no_object");
}

}  // namespace nowait

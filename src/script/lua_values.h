// The engine's values in Lua: vec3, objects' handles, and objects with their fields.
//
//   vec3      an immutable value: + - * / == with vec3 and number, fields x, y, z
//   handle    an opaque value: only ==. No object is nil; in a declaration of fields, no_object
//   object    the result of read(handle), after(handle) and write(handle), and `self`: fields by
//             their names. after: the object as it is after its update of this phase
//
// An object's userdata contains pointers into a transaction. No script can keep one longer than the
// call lasts: see lua_freeze.h.
//
// Thread safety: one thread.
// Test: tests/script/lua_test.cc. Lecture: scripts on many threads.
#ifndef NOWAIT_SRC_SCRIPT_LUA_VALUES_H_
#define NOWAIT_SRC_SCRIPT_LUA_VALUES_H_

#include <lua5.4/lua.hpp>

#include "src/game/object_table.h"
#include "src/math/vec3.h"
#include "src/script/fields.h"
#include "src/script/language.h"
#include "src/script/physics_event.h"

namespace nowait {

// Registers the types and their functions (vec3, dot, length, read, after, write, send, tick, dt,
// id, no_object) in the table at the top of the stack.
void OpenLuaValues(lua_State* state);

void PushVec3(lua_State* state, Vec3 value);
void PushHandle(lua_State* state, ObjectHandle handle);
void PushCopy(lua_State* state, const ScriptCall::Copy& object);
// A new table with the fields kind and other and, of a contact that began, place, normal, speed and
// slide.
void PushPhysicsEvent(lua_State* state, const PhysicsEvent& event);

// Sets the field's kind and initial value from the top of the stack. False: it has no such kind.
bool ToField(lua_State* state, ScriptField& field);

bool IsVec3(lua_State* state, int index);
// Raises a Lua error if there is another value.
Vec3 ToVec3(lua_State* state, int index);

// Raises a Lua error with this text and the script's line. kNotOwner: the call is dropped, and
// nobody reads its error.
[[noreturn]] void Raise(lua_State* state, const Error& error);

}  // namespace nowait

#endif  // NOWAIT_SRC_SCRIPT_LUA_VALUES_H_

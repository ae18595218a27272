// Freezing: once a script is loaded, everything that its functions share is read-only.
//
//   local reach = {near = 2}        -- shared by all calls; reach.near = 3 is an error there
//   local calls = 0                 -- likewise; calls = calls + 1 is noticed when the call ends
//   function update(self) ... end
//
// An update may be run again, and another thread may update the next object with another Lua state.
// Nothing may therefore remain in a state from one call to the next. A function can reach its
// upvalues, including the globals, and everything to which these refer. Each table among them is
// replaced by an empty one whose metatable reads from the original and refuses writes. Lua 5.4
// cannot guard a local variable. Its value is kept, compared after each call, and restored; the
// error gives the line of a function that uses it.
//
// Thread safety: one thread.
// Test: tests/script/lua_sandbox_test.cc. Lecture: scripts on many threads.
#ifndef NOWAIT_SRC_SCRIPT_LUA_FREEZE_H_
#define NOWAIT_SRC_SCRIPT_LUA_FREEZE_H_

#include <lua5.4/lua.hpp>
#include <optional>
#include <string>
#include <vector>

namespace nowait {

// Replaces the table at the top of the stack by a read-only one. The tables in it are unchanged.
void FreezeTable(lua_State* state);

// Pushes the table behind the frozen one at `index`. Returns false if that table is not frozen.
bool PushFrozenTable(lua_State* state, int index);

// The local variables that the functions of a script share.
class LuaShared {
 public:
  // Freezes everything that the function at the top of the stack can reach, including the functions
  // that it reaches. Raises a Lua error if something cannot be frozen.
  void Freeze(lua_State* state);

  // Restores the variables that have changed. Returns "door.lua:7: ..." for one of them, if there
  // is one. Allocates nothing in Lua.
  std::optional<std::string> Restore(lua_State* state) const;

  // Releases its entry in the registry.
  void Drop(lua_State* state);

 private:
  struct Variable {
    const void* id;
    std::string name;
    std::string place;  // of the function
    int number;         // in its function
  };
  void FreezeValue(lua_State* state, int seen, int queue);

  std::vector<Variable> variables_;
  int reference_ = LUA_NOREF;  // a table: the function and the value of each variable
};

}  // namespace nowait

#endif  // NOWAIT_SRC_SCRIPT_LUA_FREEZE_H_

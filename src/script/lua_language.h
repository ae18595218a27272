// LuaLanguage: scripts in Lua 5.4, in a sandbox, with limits.
//
//   fields = {place = vec3(0, 0, 0), horse = no_object, hits = 0, tired = false}
//
//   function update(self)                       -- each tick of its phase; may be run again
//     local horse = read(self.horse)            -- another object, as it is; nil if it is gone
//     if horse then self.place = horse.place + vec3(0, 1.6, 0) end
//   end
//
//   function event(self, name, value, from)     -- what another object has sent in the last tick
//     if name == "hit" then self.hits = self.hits + value end
//   end
//
//   function on_contact(self, contact)          -- likewise on_joint, on_sleep: PushPhysicsEvent
//     if contact.kind == "began" and contact.speed > 5 then self.hits = self.hits + 1 end
//   end
//
// The source runs once, when it is loaded. Everything that it creates is read-only from then on
// (lua_freeze.h). A script has the functions of lua_library.h, lua_values.h and lua_queries.h, and
// no others. It is text, never compiled code. A call that exceeds its work or its memory
// (lua_budget.h) ends with an error, which the script cannot catch.
//
// A machine is one Lua state, for all scripts and objects of a thread: see behind the class.
//
// Cost: a call compares the shared variables, O(their number), and counts every instruction; for a
// comparison with plain Lua see tests/bench/script_bench.cc.
// Source: [ierusalimschy2020]: lua_Alloc, lua_sethook, lua_gc, lua_upvalueid.
// Test: tests/script/lua_test.cc, lua_sandbox_test.cc, lua_limits_test.cc.
// Lecture: scripts on many threads.
#ifndef NOWAIT_SRC_SCRIPT_LUA_LANGUAGE_H_
#define NOWAIT_SRC_SCRIPT_LUA_LANGUAGE_H_

#include <memory>
#include <string_view>

#include "src/base/result.h"
#include "src/script/language.h"
#include "src/script/lua_budget.h"

namespace nowait {

class LuaLanguage final : public ScriptLanguage {
 public:
  explicit LuaLanguage(const LuaDef& def = {}) : def_(def) {}
  std::string_view extension() const override { return ".lua"; }
  Result<std::unique_ptr<ScriptMachine>> CreateMachine() const override;

 private:
  LuaDef def_;
};

// Implementation: why one state per thread
//
// A single state for all threads would be a lock around all updates. A state per object would take
// tens of kilobytes each, and would load each script as often as there are objects. Between calls
// nothing changes in a state, so it does not matter which state updates an object.
//
// Garbage is collected between calls in small steps, and within a call only when its memory is used
// up. A step is about as much work as was allocated since the last one, and at most one cycle over
// `memory` bytes.

}  // namespace nowait

#endif  // NOWAIT_SRC_SCRIPT_LUA_LANGUAGE_H_

// LuaBudget: the memory and work that a call into a Lua state may use, and the state's allocator.
//
// A unit of work is an instruction of Lua's machine, 64 bytes of allocation, or a step of a library
// function that a script would write as a loop (lua_library.h). A single instruction may compare
// two texts, byte by byte: it is more work in a call that has a long text. The memory is that of
// the whole state. A block is the largest piece of it: no string is longer. When the memory is used
// up, Lua collects garbage and asks again; such a collection counts as work, so that a script at
// its limit does not collect endlessly.
//
// A limit is not an exact point: how much a state has allocated before a call depends on the calls
// before it. No script can see the difference, because no script can continue after a limit.
//
// Thread safety: one thread.
// Test: tests/script/lua_limits_test.cc. Lecture: scripts on many threads.
#ifndef NOWAIT_SRC_SCRIPT_LUA_BUDGET_H_
#define NOWAIT_SRC_SCRIPT_LUA_BUDGET_H_

#include <cstddef>
#include <cstdint>
#include <lua5.4/lua.hpp>
#include <string>

namespace nowait {

struct LuaDef {
  std::uint32_t work = 200'000;           // per call, and for loading a script
  std::uint32_t memory = 1u << 20;        // bytes per state; the libraries take about 30,000
  std::uint32_t block = 1u << 16;         // bytes
  std::uint32_t collect_every = 1 << 14;  // bytes allocated between two steps of the collector
};

class LuaBudget {
 public:
  explicit LuaBudget(const LuaDef& def) : def_(def) {}

  // Begins a call, whose work is limited until End. longest_text: of its existing texts, in bytes.
  void Begin(lua_State* state, std::uint64_t longest_text);
  void End();

  // Raises a Lua error if the work is used up.
  void Charge(lua_State* state, std::uint64_t work);
  // The same for comparisons of values, which may be texts.
  void ChargeComparisons(lua_State* state, std::uint64_t count);

  // Whether enough has been allocated since the collector's last step for the next one to be due.
  bool HasGarbage() const { return allocated_ >= def_.collect_every; }
  // Makes a step: about as much work as was allocated, at most one cycle over the memory.
  void Collect(lua_State* state);

  // The longest text since Begin.
  std::uint64_t longest_text() const { return longest_text_; }
  // Where and why the allocator has refused memory since Begin; empty if it has not.
  const std::string& refusal() const { return refusal_; }
  const LuaDef& def() const { return def_; }
  std::uint64_t total_work() const { return total_work_; }
  std::uint64_t most_bytes() const { return most_bytes_; }

  // lua_Alloc, with the budget as its data.
  static void* Allocate(void* budget, void* block, std::size_t old_size, std::size_t new_size);

 private:
  static void CountHook(lua_State* state, lua_Debug* place);
  std::uint64_t WorkOfComparison() const;
  void* Refuse(const char* why);

  const LuaDef def_;
  lua_State* state_ = nullptr;  // between Begin and End
  std::uint64_t work_ = 0;
  std::uint64_t longest_text_ = 0;
  std::uint64_t bytes_ = 0;
  std::uint64_t most_bytes_ = 0;
  std::uint64_t allocated_ = 0;  // since the collector's last step
  std::uint64_t total_work_ = 0;
  std::string refusal_;
};

// The place of the innermost Lua function, "door.lua:7", or empty. Allocates nothing in Lua.
std::string LuaPlace(lua_State* state);

}  // namespace nowait

#endif  // NOWAIT_SRC_SCRIPT_LUA_BUDGET_H_

#include "src/script/lua_budget.h"

#include <algorithm>
#include <cstdlib>
#include <new>

#include "src/script/lua_context.h"

namespace nowait {
namespace {

constexpr int kHookEvery = 128;              // instructions
constexpr std::uint64_t kBytesPerWork = 64;  // allocated
constexpr std::uint64_t kTextPerWork = 128;  // compared bytes; in the worst case each is a NUL
constexpr const char* kTooMuchWork = "the call takes too long";

}  // namespace

void LuaBudget::Begin(lua_State* state, std::uint64_t longest_text) {
  work_ = 0;
  longest_text_ = longest_text;
  refusal_.clear();
  state_ = state;
  lua_sethook(state, &CountHook, LUA_MASKCOUNT, kHookEvery);
}

void LuaBudget::End() {
  total_work_ += work_;
  state_ = nullptr;
}

void LuaBudget::Charge(lua_State* state, std::uint64_t work) {
  work_ += work;
  if (work_ > def_.work) luaL_error(state, kTooMuchWork);
}

std::uint64_t LuaBudget::WorkOfComparison() const { return 1 + longest_text_ / kTextPerWork; }

void LuaBudget::ChargeComparisons(lua_State* state, std::uint64_t count) {
  Charge(state, count * WorkOfComparison());
}

void LuaBudget::CountHook(lua_State* state, lua_Debug* place) {
  LuaBudget& budget = ContextOf(state).budget;
  budget.work_ += kHookEvery * budget.WorkOfComparison();
  if (budget.work_ <= budget.def_.work) return;
  lua_getinfo(state, "Sl", place);
  lua_pushfstring(state, "%s:%d: %s", place->short_src, place->currentline, kTooMuchWork);
  lua_error(state);
}

void LuaBudget::Collect(lua_State* state) {
  allocated_ = 0;
  lua_gc(state, LUA_GCSTEP, 1);
}

void* LuaBudget::Refuse(const char* why) {
  // Lua collects all garbage and asks once more.
  work_ += bytes_ / kBytesPerWork;
  try {
    const std::string place = LuaPlace(state_);
    // After an error, when no function is running any more, Lua asks for a smaller stack.
    if (place.empty() && !refusal_.empty()) return nullptr;
    refusal_ = place + ": " + why;
  } catch (const std::bad_alloc&) {
  }
  return nullptr;
}

void* LuaBudget::Allocate(void* data, void* block, std::size_t old_size, std::size_t new_size) {
  LuaBudget& budget = *static_cast<LuaBudget*>(data);
  const bool is_text = block == nullptr && old_size == LUA_TSTRING;
  if (block == nullptr) old_size = 0;  // in that case it is a type
  if (new_size == 0) {
    std::free(block);
    budget.bytes_ -= old_size;
    return nullptr;
  }
  if (budget.state_ != nullptr && new_size > old_size) {
    if (new_size > budget.def_.block) return budget.Refuse("too large a block of memory");
    if (budget.bytes_ + new_size - old_size > budget.def_.memory) {
      return budget.Refuse("too much memory");
    }
    budget.work_ += (new_size - old_size) / kBytesPerWork;
    if (budget.work_ > budget.def_.work) return budget.Refuse(kTooMuchWork);
  }
  void* const moved = std::realloc(block, new_size);
  if (moved == nullptr) return nullptr;
  if (is_text) budget.longest_text_ = std::max<std::uint64_t>(budget.longest_text_, new_size);
  if (new_size > old_size) budget.allocated_ += new_size - old_size;
  budget.bytes_ += new_size - old_size;
  budget.most_bytes_ = std::max(budget.most_bytes_, budget.bytes_);
  return moved;
}

std::string LuaPlace(lua_State* state) {
  lua_Debug place;
  for (int level = 0; lua_getstack(state, level, &place) != 0; ++level) {
    lua_getinfo(state, "Sl", &place);
    if (place.currentline > 0) {
      return std::string(place.short_src) + ":" + std::to_string(place.currentline);
    }
  }
  return {};
}

}  // namespace nowait

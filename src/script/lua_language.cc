#include "src/script/lua_language.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <lua5.4/lua.hpp>
#include <new>
#include <string>
#include <utility>
#include <vector>

#include "src/profile/profile.h"
#include "src/script/lua_context.h"
#include "src/script/lua_freeze.h"
#include "src/script/lua_library.h"
#include "src/script/lua_queries.h"
#include "src/script/lua_values.h"

namespace nowait {
namespace {

// For lua_pcall: puts the place in front of the error, unless Lua has already done that.
int AddPlace(lua_State* L) {
  if (ContextOf(L).is_dropped) return 1;
  std::string text;
  if (lua_type(L, 1) == LUA_TSTRING) {
    text = lua_tostring(L, 1);
  } else {
    text = std::string("an error that is a ") + luaL_typename(L, 1);
  }
  const std::string place = LuaPlace(L);
  const std::string file = place.substr(0, place.rfind(':') + 1);
  if (!place.empty() && !text.starts_with(file)) text = place + ": " + text;
  lua_pushlstring(L, text.data(), text.size());
  return 1;
}

// Its end leaves a stack as it was, after an exception, too.
class StackScope {
 public:
  explicit StackScope(lua_State* L) : state_(L), top_(lua_gettop(L)) {}
  ~StackScope() { lua_settop(state_, top_); }
  StackScope(const StackScope&) = delete;
  StackScope& operator=(const StackScope&) = delete;
  int top() const { return top_; }

 private:
  lua_State* state_;
  int top_;
};

class LuaMachine;

class LuaScript final : public Script {
 public:
  LuaScript(LuaMachine& machine, std::string name) : machine_(machine), name_(std::move(name)) {
    functions_.fill(LUA_NOREF);
  }
  ~LuaScript() override;

  ScriptResult<void> Load(std::span<const std::byte> source);
  ScriptResult<void> Update(ScriptCall& call) override { return Run({this, kUpdate, &call}); }
  ScriptResult<void> Event(ScriptCall& call, const ScriptEvent& event) override {
    return Run({this, kEvent, &call, &event});
  }
  ScriptResult<void> Physics(ScriptCall& call, const PhysicsEvent& event) override {
    const PhysicsCallback callback = CallbackOf(event.kind);
    const Function function = callback == kOnContact ? kContact
                              : callback == kOnJoint ? kJoint
                                                     : kSleep;
    return Run({this, function, &call, nullptr, &event});
  }

 private:
  struct Loading {
    LuaScript* script;
    std::span<const std::byte> source;
  };
  // The functions of a script that the engine calls.
  enum Function : std::uint8_t { kUpdate, kEvent, kContact, kJoint, kSleep, kFunctionCount };
  static constexpr const char* kNames[kFunctionCount] = {"update", "event", "on_contact",
                                                         "on_joint", "on_sleep"};
  struct Entry {
    LuaScript* script;
    Function function;
    ScriptCall* call;
    const ScriptEvent* event = nullptr;
    const PhysicsEvent* physics = nullptr;
  };
  bool Has(Function function) const { return functions_[function] >= 0; }
  static int LoadInLua(lua_State* L);
  static int RunInLua(lua_State* L);
  void ReadFields(lua_State* L, int globals);
  int KeepFunction(lua_State* L, int globals, const char* name);
  ScriptResult<void> Run(Entry entry);

  LuaMachine& machine_;
  const std::string name_;
  LuaShared shared_;
  std::uint64_t longest_text_ = 0;             // among those that a call may find
  std::array<int, kFunctionCount> functions_;  // references
};

class LuaMachine final : public ScriptMachine {
 public:
  explicit LuaMachine(const LuaDef& def) : context_(def) {}
  ~LuaMachine() override {
    if (state_ != nullptr) lua_close(state_);
  }
  // kCapacity "memory".
  Result<void> Open() {
    state_ = lua_newstate(&LuaBudget::Allocate, &context_.budget);
    if (state_ == nullptr) return NoMemory();
    SetContext(state_, &context_);
    lua_pushcfunction(state_, [](lua_State* L) {
      OpenLuaLibrary(L);
      OpenLuaValues(L);
      OpenLuaQueries(L);
      lua_rawsetp(L, LUA_REGISTRYINDEX, &kLibrary);
      return 0;
    });
    if (lua_pcall(state_, 0, 0, 0) != LUA_OK) return NoMemory();
    lua_gc(state_, LUA_GCSTOP);
    return {};
  }

  ScriptResult<std::unique_ptr<Script>> Load(const std::string& name,
                                             std::span<const std::byte> source) override {
    auto script = std::make_unique<LuaScript>(*this, name);
    if (auto loaded = script->Load(source); !loaded) return std::unexpected(loaded.error());
    return script;
  }

  ScriptMachineCounts counts() const override {
    return {context_.budget.total_work(), context_.budget.most_bytes(), tidying_, most_tidying_};
  }

  // Calls function(data) and returns its error. Leaves the stack as it was.
  ScriptResult<void> Call(lua_CFunction function, void* data, ScriptCall* call,
                          const std::string& name, std::uint64_t longest_text = 0) {
    const StackScope stack(state_);
    context_.call = call;
    context_.is_dropped = false;
    context_.budget.Begin(state_, longest_text);
    lua_pushcfunction(state_, AddPlace);
    lua_pushcfunction(state_, function);
    lua_pushlightuserdata(state_, data);
    const int status = lua_pcall(state_, 1, 0, stack.top() + 1);
    context_.budget.End();
    context_.call = nullptr;
    ScriptResult<void> done;
    if (status != LUA_OK) {
      done = std::unexpected(context_.is_dropped ? ScriptError{} : OneLine(TextOf(status, name)));
    }
    return done;
  }

  void Tidy() override {
    if (!context_.budget.HasGarbage()) return;
    const std::uint64_t begin = SteadyNanoseconds();
    context_.budget.Collect(state_);
    const std::uint64_t time = SteadyNanoseconds() - begin;
    tidying_ += time;
    most_tidying_ = std::max(most_tidying_, time);
  }

  lua_State* state() { return state_; }
  const LuaBudget& budget() const { return context_.budget; }
  static void PushLibrary(lua_State* L) { lua_rawgetp(L, LUA_REGISTRYINDEX, &kLibrary); }

 private:
  static std::unexpected<Error> NoMemory() {
    return Fail(ErrorCode::kCapacity, "memory", 0, "for a Lua state");
  }

  std::string TextOf(int status, const std::string& name) const {
    const std::string& refusal = context_.budget.refusal();
    if (status == LUA_ERRRUN && lua_type(state_, -1) == LUA_TSTRING) {
      const std::string text = lua_tostring(state_, -1);
      return text.starts_with(name) ? text : name + ": " + text;
    }
    if (!refusal.empty()) return refusal.starts_with(':') ? name + refusal : refusal;
    return name + ": too little memory";
  }

  static constexpr char kLibrary = 0;  // its address is a key

  LuaContext context_;
  lua_State* state_ = nullptr;
  std::uint64_t tidying_ = 0;
  std::uint64_t most_tidying_ = 0;
};

LuaScript::~LuaScript() {
  lua_State* const L = machine_.state();
  shared_.Drop(L);
  for (const int function : functions_) luaL_unref(L, LUA_REGISTRYINDEX, function);
}

ScriptResult<void> LuaScript::Load(std::span<const std::byte> source) {
  Loading loading{this, source};
  auto loaded = machine_.Call(&LoadInLua, &loading, nullptr, name_);
  longest_text_ = machine_.budget().longest_text();
  machine_.Tidy();
  has_update_ = Has(kUpdate);
  has_event_ = Has(kEvent);
  if (Has(kContact)) callbacks_ |= kOnContact;
  if (Has(kJoint)) callbacks_ |= kOnJoint;
  if (Has(kSleep)) callbacks_ |= kOnSleep;
  return loaded;
}

int LuaScript::LoadInLua(lua_State* L) {
  const Loading& loading = *static_cast<const Loading*>(lua_touserdata(L, 1));
  LuaScript& script = *loading.script;
  // The script's globals: a copy of the library.
  lua_newtable(L);
  const int globals = lua_gettop(L);
  LuaMachine::PushLibrary(L);
  for (lua_pushnil(L); lua_next(L, -2) != 0;) {
    lua_pushvalue(L, -2);
    lua_insert(L, -2);
    lua_rawset(L, globals);
  }
  lua_pop(L, 1);

  const std::string chunk = "@" + script.name_;
  if (luaL_loadbufferx(L, reinterpret_cast<const char*>(loading.source.data()),
                       loading.source.size(), chunk.c_str(), "t") != LUA_OK) {
    return lua_error(L);
  }
  lua_pushvalue(L, globals);
  lua_setupvalue(L, -2, 1);
  lua_call(L, 0, 0);

  script.ReadFields(L, globals);
  lua_newtable(L);  // for all functions, which are frozen together
  for (const char* name : kNames) {
    lua_getfield(L, globals, name);
    lua_setfield(L, -2, name);
  }
  bool has_one = false;
  for (std::size_t i = 0; i < kFunctionCount; ++i) {
    script.functions_[i] = script.KeepFunction(L, globals, kNames[i]);
    has_one = has_one || script.functions_[i] >= 0;
  }
  if (!has_one) {
    luaL_error(L, "no function 'update', 'event', 'on_contact', 'on_joint' or 'on_sleep'");
  }
  script.shared_.Freeze(L);
  return 0;
}

// Returns a reference to a function among the globals, or LUA_NOREF.
int LuaScript::KeepFunction(lua_State* L, int globals, const char* name) {
  const int type = lua_getfield(L, globals, name);
  if (type == LUA_TNIL) {
    lua_pop(L, 1);
    return LUA_NOREF;
  }
  if (type != LUA_TFUNCTION || lua_iscfunction(L, -1)) {
    luaL_error(L, "'%s' is no function of the script", name);
  }
  return luaL_ref(L, LUA_REGISTRYINDEX);
}

// The global table `fields`, ordered by name.
void LuaScript::ReadFields(lua_State* L, int globals) {
  std::vector<ScriptField> fields;
  const int type = lua_getfield(L, globals, "fields");
  if (type != LUA_TNIL && type != LUA_TTABLE) luaL_error(L, "'fields' is no table");
  if (type == LUA_TTABLE) {
    for (lua_pushnil(L); lua_next(L, -2) != 0; lua_pop(L, 1)) {
      if (lua_type(L, -2) != LUA_TSTRING) luaL_error(L, "a field's name is a string");
      ScriptField& field = fields.emplace_back();
      std::size_t length = 0;
      const char* const name = lua_tolstring(L, -2, &length);
      field.name.assign(name, length);
      if (!ToField(L, field)) {
        luaL_error(L, "the field '%s' is a %s: no number, boolean, vec3 or object",
                   lua_tostring(L, -2), luaL_typename(L, -1));
      }
    }
  }
  lua_pop(L, 1);
  std::ranges::sort(fields, {}, &ScriptField::name);
  auto layout = FieldLayout::Create(std::move(fields));
  if (!layout) luaL_error(L, "%s", ToString(layout.error()).c_str());
  layout_ = std::move(*layout);
}

int LuaScript::RunInLua(lua_State* L) {
  const Entry& entry = *static_cast<const Entry*>(lua_touserdata(L, 1));
  const int top = lua_gettop(L);
  lua_rawgeti(L, LUA_REGISTRYINDEX, entry.script->functions_[entry.function]);
  const auto self = entry.call->Write(entry.call->self);
  // Its transaction knows the reason; nobody reads this text.
  if (!self) return luaL_error(L, "the object cannot be written");
  PushCopy(L, *self);
  if (entry.event != nullptr) {
    lua_pushstring(L, entry.event->name.data());
    lua_pushnumber(L, entry.event->value);
    PushHandle(L, entry.event->from);
  }
  if (entry.physics != nullptr) PushPhysicsEvent(L, *entry.physics);
  lua_call(L, lua_gettop(L) - top - 1, 0);
  return 0;
}

ScriptResult<void> LuaScript::Run(Entry entry) {
  auto done = machine_.Call(&RunInLua, &entry, entry.call, name_, longest_text_);
  const auto changed = shared_.Restore(machine_.state());
  if (done && changed) done = std::unexpected(OneLine(*changed));
  return done;
}

}  // namespace

Result<std::unique_ptr<ScriptMachine>> LuaLanguage::CreateMachine() const {
  auto machine = std::make_unique<LuaMachine>(def_);
  if (auto opened = machine->Open(); !opened) return std::unexpected(opened.error());
  return machine;
}

}  // namespace nowait

// The cost of a script's call: an empty update, a field that is read and written, a loop.
//
//   Plain     lua_pcall of a function with a table: no limits, no fields, no transaction
//   Call      Script::Update on a record: limits, fields, shared variables compared
//   System    a whole tick of a ScriptSystem on one thread, for 1,000 objects
//   After     likewise, for 1,000 objects of which each comes after another one: that is done (0),
//             or each call is put off once, and run again (1)
#include <benchmark/benchmark.h>

#include <cstdint>
#include <lua5.4/lua.hpp>
#include <memory>
#include <string>
#include <vector>

#include "src/jobs/task_pool.h"
#include "src/script/lua_language.h"
#include "src/script/system.h"
#include "tests/script/fake_call.h"

namespace nowait {
namespace {

constexpr const char* kEmpty = "fields = {n = 0} function update(self) end";
constexpr const char* kField = "fields = {n = 0} function update(self) self.n = self.n + 1 end";
constexpr const char* kLoop =
    "fields = {n = 0} function update(self) local x = 0 for i = 1, 1000 do x = x + i end end";
constexpr const char* kVec3 =
    "fields = {n = vec3(1, 2, 3)} function update(self) self.n = self.n * 0.5 + self.n end";
constexpr const char* kBodies[] = {kEmpty, kField, kLoop, kVec3};
constexpr const char* kNames[] = {"empty", "field", "1,000 additions", "vec3"};

void Plain(benchmark::State& state) {
  lua_State* const L = luaL_newstate();
  luaL_openlibs(L);
  luaL_dostring(L, kBodies[state.range(0)]);
  for (auto _ : state) {
    lua_getglobal(L, "update");
    lua_getglobal(L, "fields");
    if (lua_pcall(L, 1, 0, 0) != LUA_OK) state.SkipWithError(lua_tostring(L, -1));
  }
  lua_close(L);
  state.SetLabel(kNames[state.range(0)]);
}
BENCHMARK(Plain)->DenseRange(0, 2);

void Call(benchmark::State& state) {
  Bench bench{LuaLanguage()};
  const auto script = bench.Load(kBodies[state.range(0)]);
  FakeCall call(bench.objects, bench.objects.Add(script->layout()));
  for (auto _ : state) {
    if (!script->Update(call)) state.SkipWithError("the script fails");
    bench.machine->Tidy();
  }
  state.SetLabel(kNames[state.range(0)]);
}
BENCHMARK(Call)->DenseRange(0, 3);

void System(benchmark::State& state) {
  constexpr std::uint32_t kObjects = 1000;
  const auto pool = TaskPool::Create({.workers = 0});
  const auto here = (*pool)->Register("main");
  std::vector<std::unique_ptr<ScriptLanguage>> languages;
  languages.push_back(std::make_unique<LuaLanguage>());
  const auto system = ScriptSystem::Create({.objects = kObjects}, std::move(languages));
  const auto script = (*system)->Load("t.lua", BytesOf(kBodies[state.range(0)]));
  for (std::uint32_t i = 0; i < kObjects; ++i) {
    if (!(*system)->Spawn(*script, 0)) state.SkipWithError("no room");
  }
  std::uint64_t tick = 0;
  for (auto _ : state) {
    const bool done = (*system)->BeginTick(**pool, tick++, 0.1) && (*system)->RunPhase(**pool, 0) &&
                      (*system)->EndTick();
    if (!done) state.SkipWithError("the tick fails");
  }
  state.SetItemsProcessed(static_cast<std::int64_t>(state.iterations()) * kObjects);
  state.SetLabel(kNames[state.range(0)]);
}
BENCHMARK(System)->DenseRange(0, 3);

void After(benchmark::State& state) {
  constexpr std::uint32_t kPairs = 1000;
  constexpr const char* kBack =
      "fields = {n = 0, front = no_object} function update(self) self.n = after(self.front).n end";
  const auto pool = TaskPool::Create({.workers = 0});
  const auto here = (*pool)->Register("main");
  std::vector<std::unique_ptr<ScriptLanguage>> languages;
  languages.push_back(std::make_unique<LuaLanguage>());
  const auto system = ScriptSystem::Create({.objects = 2 * kPairs}, std::move(languages));
  const auto front = (*system)->Load("front.lua", BytesOf(kField));
  const auto back = (*system)->Load("back.lua", BytesOf(kBack));
  const bool put_off = state.range(0) != 0;
  for (std::uint32_t i = 0; i < kPairs; ++i) {
    const auto behind = (*system)->Spawn(*back, 1);
    const auto ahead = (*system)->Spawn(*front, put_off ? 1 : 0);
    ScriptValue value{};
    value.handle = BitsOf(*ahead);
    if (!(*system)->Set(*behind, "front", FieldKind::kHandle, value))
      state.SkipWithError("no field");
  }
  std::uint64_t tick = 0;
  for (auto _ : state) {
    const bool done = (*system)->BeginTick(**pool, tick++, 0.1) && (*system)->RunPhase(**pool, 0) &&
                      (*system)->RunPhase(**pool, 1) && (*system)->EndTick();
    if (!done) state.SkipWithError("the tick fails");
  }
  if ((*system)->Counts().put_off != (put_off ? tick * kPairs : 0)) state.SkipWithError("put off");
  state.SetItemsProcessed(static_cast<std::int64_t>(state.iterations()) * kPairs);
}
BENCHMARK(After)->Arg(0)->Arg(1);

}  // namespace
}  // namespace nowait

BENCHMARK_MAIN();

// Questions whose answers a task prepares: an update that asks comes after the task.
#include <array>
#include <atomic>
#include <catch2/catch.hpp>
#include <cmath>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "src/jobs/task_pool.h"
#include "src/resource/file.h"
#include "src/script/question.h"
#include "src/script/system.h"
#include "tests/script/play.h"

namespace nowait {
namespace {

// A task's work and its result: without the task, answers are wrong.
struct Map {
  double scale = 0;
  std::atomic<int> asked{0};
};
void Prepare(void* map) { static_cast<Map*>(map)->scale = 10; }
double Scaled(const void* map, Vec3 place) noexcept {
  auto& asked = *static_cast<Map*>(const_cast<void*>(map));
  ++asked.asked;
  return asked.scale * static_cast<double>(place.x);
}

// A tick of one phase with these questions. Returns the faults' texts, or the phase's error.
Texts TickWith(Play& play, std::span<const ScriptQuestion> questions) {
  REQUIRE(play.system->BeginTick(*play.pool, play.tick++, 0.5));
  const auto ran = play.system->RunPhase(*play.pool, 0, nullptr, questions);
  REQUIRE(play.system->EndTick());
  if (!ran) return {ToString(ran.error())};
  Texts texts;
  for (const ScriptFault& fault : play.system->faults()) texts.push_back(fault.text);
  return texts;
}
TaskId AddTask(Play& play, void (*work)(void*), void* data) {
  const auto task = play.pool->Add({.work = {work, data}});
  REQUIRE(task);
  return *task;
}

const char* const kAsks = R"(
  fields = {x = 1, front = no_object, updates = 0}
  function update(self)
    self.updates = self.updates + 1
    local front = self.front and after(self.front)
    self.x = ask("map", vec3(self.x, 0, 0)) + (front and front.x or 0)
  end)";

TEST_CASE("an update that asks comes after the task, and others come after it") {
  std::optional<std::uint64_t> checksum;
  for (const std::uint32_t threads : {1u, 2u, 4u}) {
    Play play({.objects = 200, .threads = threads, .twice = threads == 2});
    const auto asks = play.Load(kAsks);
    const auto idle =
        play.Load("fields = {x = 0} function update(self) self.x = self.x + 1 end", "idle.lua");
    std::vector<ObjectHandle> askers;
    for (int i = 0; i < 70; ++i) {
      askers.push_back(play.Spawn(asks));
      play.Spawn(idle);
      if (i % 3 != 0) play.Link(askers[i], "front", askers[i - 1]);
    }
    for (int frame = 1; frame <= 3; ++frame) {
      Map map;
      const ScriptQuestion question{"map", AddTask(play, &Prepare, &map), &Scaled, &map};
      CHECK(TickWith(play, {&question, 1}) == Texts{});
      CHECK(map.asked == 70 * (threads == 2 ? 2 : 1));
      CHECK(play.Get(askers[0], "x") == std::pow(10, frame));
      CHECK(play.Get(askers[0], "updates") == frame);
    }
    CHECK(play.Get(askers[1], "x") == 1000 + 10 * (100 + 10 * (10 + 10)));
    // 24 of the 70 ask at once; the others are put off for the one in front of them first.
    CHECK(play.system->Counts().updates == 3 * 140);
    if (!checksum) checksum = play.system->Checksum();
    CHECK(play.system->Checksum() == *checksum);
  }
}

TEST_CASE("the rounds are the same if the task is complete before the phase begins") {
  std::vector<std::uint64_t> put_off;
  for (const bool complete : {false, true}) {
    Play play({.objects = 8});
    const auto script = play.Load(kAsks);
    for (int i = 0; i < 5; ++i) play.Spawn(script);
    Map map;
    const ScriptQuestion question{"map", AddTask(play, &Prepare, &map), &Scaled, &map};
    if (complete) REQUIRE(play.pool->Wait(question.prepared));
    CHECK(TickWith(play, {&question, 1}) == Texts{});
    put_off.push_back(play.system->Counts().put_off);
  }
  CHECK(put_off == std::vector<std::uint64_t>{5, 5});
}

TEST_CASE("a phase waits for the tasks that are asked for, and for no other one") {
  Play play({.objects = 8, .threads = 2});
  play.Spawn(play.Load(kAsks));
  Map map;
  const auto held =
      play.pool->Add(TaskDef{.kind = TaskKind::kExternal});  // complete when the test says it
  REQUIRE(held);
  const ScriptQuestion questions[] = {{"other", *held, &Scaled, &map},
                                      {"map", AddTask(play, &Prepare, &map), &Scaled, &map}};
  CHECK(TickWith(play, questions) == Texts{});
  CHECK(map.asked == 1);
  CHECK(!play.pool->IsComplete(*held));
  CHECK(play.pool->CompleteExternal(*held));
}

TEST_CASE("an update may ask several questions, one after the other") {
  Play play({.objects = 8});
  const auto script = play.Load(R"(
    fields = {x = 0}
    function update(self)
      for _, name in ipairs({"a", "b", "c"}) do self.x = self.x + ask(name, vec3(1, 0, 0)) end
    end)");
  const ObjectHandle object = play.Spawn(script);
  std::array<Map, 3> maps;
  std::vector<ScriptQuestion> questions;
  for (std::size_t i = 0; i < maps.size(); ++i) {
    static constexpr const char* kNames[] = {"a", "b", "c"};
    questions.push_back({kNames[i], AddTask(play, &Prepare, &maps[i]), &Scaled, &maps[i]});
  }
  CHECK(TickWith(play, questions) == Texts{});
  CHECK(play.Get(object, "x") == 30);
  CHECK(play.system->Counts().put_off == 3);
}

TEST_CASE("an update may come after each question of a phase, and after other updates") {
  Play play({.objects = 8, .objects_of_call = 2});
  const auto script = play.Load(R"(
    fields = {x = 0, front = no_object}
    function update(self)
      local x = self.front and after(self.front).x or 0
      for i = 1, 32 do x = x + ask("q" .. i, vec3(1, 0, 0)) end
      self.x = x
    end)");
  const ObjectHandle front = play.Spawn(script), behind = play.Spawn(script);
  play.Link(behind, "front", front);
  Map map;
  std::vector<std::string> names;
  for (std::size_t i = 1; i <= ScriptQuestion::kMost; ++i) names.push_back("q" + std::to_string(i));
  std::vector<ScriptQuestion> questions;
  for (const std::string& name : names) {
    questions.push_back({name, AddTask(play, &Prepare, &map), &Scaled, &map});
  }
  CHECK(TickWith(play, questions) == Texts{});
  CHECK(play.Get(front, "x") == 320);
  CHECK(play.Get(behind, "x") == 640);
  CHECK(play.system->Counts().put_off == 33);
}

TEST_CASE("a cycle behind an update that asks is named when the task is done") {
  Play play({.objects = 8});
  const auto script = play.Load(R"(
    fields = {x = 1, front = no_object}
    function update(self)
      ask("map", vec3(1, 0, 0))
      if self.front then after(self.front) end
    end)");
  const ObjectHandle a = play.Spawn(script), b = play.Spawn(script);
  play.Link(a, "front", b);
  play.Link(b, "front", a);
  Map map;
  const ScriptQuestion question{"map", AddTask(play, &Prepare, &map), &Scaled, &map};
  const std::string cycle = "t.lua: updates in a cycle: object 0 (t.lua), after 1 (t.lua), after 0";
  CHECK(TickWith(play, {&question, 1}) == Texts{cycle, cycle});
}

TEST_CASE("a question that a phase does not have is a fault, and so is one outside an update") {
  Play play({.objects = 8});
  const auto asks = play.Load(kAsks);
  play.Spawn(asks);
  CHECK(TickWith(play, {}) == Texts{"t.lua:6: question not found: this phase does not have it"});
  const auto hears = play.Load(
      "fields = {x = 0} function event(self) self.x = ask('map', vec3(1, 0, 0)) end", "ears.lua");
  play.system->Send({.to = play.Spawn(hears), .from = {}});
  const Texts texts = TickWith(play, {});
  REQUIRE(texts.size() == 1);
  CHECK(texts[0].starts_with("ears.lua:1: question not found"));
}

TEST_CASE("too many questions are refused, and the tick can be ended") {
  Play play({.objects = 8});
  const std::vector<ScriptQuestion> questions(ScriptQuestion::kMost + 1);
  CHECK(TickWith(play, questions) == Texts{"invalid questions: too many"});
  CHECK(TickWith(play, {}) == Texts{});
}

TEST_CASE("two questions of one name are refused, and one without an answer") {
  Play play({.objects = 8});
  const ObjectHandle object = play.Spawn(play.Load(kAsks));
  Map map;
  const TaskId task = AddTask(play, &Prepare, &map);
  const ScriptQuestion same[] = {
      {"map", task, &Scaled, &map}, {"crowd", task, &Scaled, &map}, {"map", task, &Scaled, &map}};
  CHECK(TickWith(play, same) == Texts{"invalid question: another one has its name"});
  const ScriptQuestion silent[] = {{"crowd", task, &Scaled, &map}, {"map", task}};
  CHECK(TickWith(play, silent) == Texts{"invalid question: it has no answer"});
  CHECK(map.asked == 0);
  CHECK(TickWith(play, {same, 1}) == Texts{});
  CHECK(play.Get(object, "x") == 10);
}

TEST_CASE("a task that may not be waited for is the phase's error, and the next tick goes on") {
  Play play({.objects = 8});
  const ObjectHandle object = play.Spawn(play.Load(kAsks));
  Map map;
  const ScriptQuestion broken{"map", TaskId(), &Scaled, &map};
  CHECK(TickWith(play, {&broken, 1}).size() == 1);
  CHECK(map.asked == 0);
  const ScriptQuestion question{"map", AddTask(play, &Prepare, &map), &Scaled, &map};
  CHECK(TickWith(play, {&question, 1}) == Texts{});
  CHECK(play.Get(object, "x") == 10);
}

TEST_CASE("a shared object asks, whether it says that it failed or hides it") {
  for (const double count : {799.0, 800.0}) {
    Play play({.objects = 8});
    const std::vector<std::byte> file = *ReadFile("tests/script/counter.so");
    const auto loaded = play.system->Load("counter.so", file);
    REQUIRE(loaded);
    const ObjectHandle object = play.Spawn(*loaded);
    play.Set(object, "count", count);
    Map map;
    const ScriptQuestion question{"map", AddTask(play, &Prepare, &map), &Scaled, &map};
    CHECK(TickWith(play, {&question, 1}) == Texts{});
    const auto place = play.system->Get(object, "place", FieldKind::kVec3);
    REQUIRE(place);
    CHECK(place->vec3.x == 40);
    CHECK(play.Get(object, "count") == count + 1);
    CHECK(play.system->Counts().put_off == 1);
    // Without the question it fails, whatever it returns.
    play.Set(object, "count", count);
    CHECK(TickWith(play, {}).size() == 1);
  }
}

}  // namespace
}  // namespace nowait

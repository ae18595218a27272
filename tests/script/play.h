// Play: a system with all languages, and a pool, for the tests of src/script/system.h.
//
//   Play play({.objects = 8, .threads = 2});
//   const auto script = play.Load("fields = {x = 0} function update(self) self.x = 1 end");
//   const ObjectHandle object = play.Spawn(script);
//   CHECK(play.Tick() == Texts{});                    // the faults' texts
#ifndef NOWAIT_TESTS_SCRIPT_PLAY_H_
#define NOWAIT_TESTS_SCRIPT_PLAY_H_

#include <catch2/catch.hpp>
#include <cstdint>
#include <memory>
#include <new>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "src/jobs/task_pool.h"
#include "src/script/lua_language.h"
#include "src/script/shared_object.h"
#include "src/script/system.h"
#include "tests/script/fake_call.h"

namespace nowait {

// A language for tests: the name of a script says what each update does.
class OddLanguage final : public ScriptLanguage {
 public:
  std::string_view extension() const override { return ".odd"; }
  Result<std::unique_ptr<ScriptMachine>> CreateMachine() const override {
    return std::make_unique<Machine>();
  }

 private:
  class Odd final : public Script {
   public:
    explicit Odd(const std::string& name) : name_(name) {
      layout_ = *FieldLayout::Create({{"n"}});
      has_update_ = true;
    }
    ScriptResult<void> Update(ScriptCall& call) override {
      ++calls_;
      if (name_ == "throws.odd" && calls_ < 4) throw std::bad_alloc();
      // Itself unchanged, and something in the next object, the second time.
      const bool second = name_ == "other.odd" && calls_ % 2 == 0;
      if (name_ == "later.odd" && calls_ % 2 == 0) static_cast<void>(call.ReadAfter(call.self));
      const auto copy = call.Write({call.self.slot + (second ? 1 : 0), 1});
      if (copy) copy->values[0].number += name_ == "other.odd" && !second ? 0 : 1;
      return {};
    }
    ScriptResult<void> Event(ScriptCall&, const ScriptEvent&) override { return {}; }
    ScriptResult<void> Physics(ScriptCall&, const PhysicsEvent&) override { return {}; }

   private:
    const std::string name_;
    int calls_ = 0;
  };
  class Machine final : public ScriptMachine {
    ScriptResult<std::unique_ptr<Script>> Load(const std::string& name,
                                               std::span<const std::byte>) override {
      return std::make_unique<Odd>(name);
    }
  };
};

using Texts = std::vector<std::string>;

class Play {
 public:
  explicit Play(ScriptSystemDef def = {}) {
    auto made = TaskPool::Create({.workers = def.threads - 1});
    REQUIRE(made);
    pool = std::move(*made);
    here.emplace(std::move(*pool->Register("main")));
    std::vector<std::unique_ptr<ScriptLanguage>> languages;
    languages.push_back(std::make_unique<LuaLanguage>());
    languages.push_back(std::make_unique<SharedObjectLanguage>());
    languages.push_back(std::make_unique<OddLanguage>());
    auto created = ScriptSystem::Create(def, std::move(languages));
    REQUIRE(created);
    system = std::move(*created);
  }

  std::uint32_t Load(const std::string& source, const std::string& name = "t.lua") {
    const auto loaded = system->Load(name, BytesOf(source));
    INFO((loaded ? "" : loaded.error().text));
    REQUIRE(loaded);
    return *loaded;
  }
  std::string LoadError(const std::string& source, const std::string& name = "t.lua") {
    const auto loaded = system->Load(name, BytesOf(source));
    return loaded ? "" : loaded.error().text;
  }
  ObjectHandle Spawn(std::uint32_t script, std::uint32_t phase = 0) {
    const auto object = system->Spawn(script, phase);
    REQUIRE(object);
    return *object;
  }
  void Link(ObjectHandle object, const char* field, ObjectHandle to) {
    ScriptValue value{};
    value.handle = BitsOf(to);
    REQUIRE(system->Set(object, field, FieldKind::kHandle, value));
  }
  void Set(ObjectHandle object, const char* field, double number) {
    ScriptValue value{};
    value.number = number;
    REQUIRE(system->Set(object, field, FieldKind::kNumber, value));
  }
  double Get(ObjectHandle object, const char* field) {
    const auto value = system->Get(object, field, FieldKind::kNumber);
    REQUIRE(value);
    return value->number;
  }
  // Returns the faults' texts.
  std::vector<std::string> Tick(ScriptQueries* queries = nullptr) {
    REQUIRE(system->BeginTick(*pool, tick++, 0.5));
    for (std::uint32_t phase = 0; phase < 3; ++phase) {
      REQUIRE(system->RunPhase(*pool, phase, queries));
    }
    REQUIRE(system->EndTick());
    std::vector<std::string> texts;
    for (const ScriptFault& fault : system->faults()) texts.push_back(fault.text);
    return texts;
  }

  std::unique_ptr<TaskPool> pool;
  std::optional<TaskPool::Registration> here;
  std::unique_ptr<ScriptSystem> system;
  std::uint64_t tick = 0;
};
using Texts = std::vector<std::string>;

}  // namespace nowait

#endif  // NOWAIT_TESTS_SCRIPT_PLAY_H_

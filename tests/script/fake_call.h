// FakeCall: the engine's side of a script's call, over records in a vector and without
// transactions.
#ifndef NOWAIT_TESTS_SCRIPT_FAKE_CALL_H_
#define NOWAIT_TESTS_SCRIPT_FAKE_CALL_H_

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "src/script/language.h"

namespace nowait {

inline std::span<const std::byte> BytesOf(std::string_view text) {
  return std::as_bytes(std::span(text));
}

// Objects by slot, all of generation 1.
class FakeObjects {
 public:
  ObjectHandle Add(const FieldLayout& layout) {
    layouts.push_back(layout);
    records.push_back(layout.Initial(0));
    return {static_cast<std::uint32_t>(records.size()) - 1, 1};
  }
  const ScriptValue& Get(ObjectHandle object, std::string_view field) const {
    return records[object.slot].values[layouts[object.slot].Find(field).value()];
  }

  std::deque<FieldLayout> layouts;
  std::deque<ScriptRecord> records;
  std::vector<ScriptEvent> sent;
  ObjectHandle late;          // not done when an update asks for it
  bool queries = true;        // whether there are any
  std::uint32_t bodies = 0;   // that a box finds
  std::optional<float> wall;  // that a ray meets
  std::optional<float> near;  // metres to the nearest body
};

class FakeCall final : public ScriptCall {
 public:
  FakeCall(FakeObjects& objects, ObjectHandle self, std::uint64_t tick = 1)
      : ScriptCall(self, tick, 0.25, 1), objects_(objects) {}

  Result<View> Read(ObjectHandle object) override {
    const auto copy = Write(object);
    if (!copy) return std::unexpected(copy.error());
    return View{copy->layout, copy->values};
  }
  Result<View> ReadAfter(ObjectHandle object) override {
    if (object == objects_.late) return Fail(ErrorCode::kNotOwner, "object", object.slot);
    return Read(object);
  }
  Result<Copy> Write(ObjectHandle object) override {
    if (object.slot >= objects_.records.size() || object.generation != 1) {
      return Fail(ErrorCode::kStaleId, "object handle", object.slot);
    }
    return Copy{&objects_.layouts[object.slot], objects_.records[object.slot].values.data()};
  }
  Result<void> Send(const ScriptEvent& event) override {
    if (objects_.sent.size() == 2) return Fail(ErrorCode::kCapacity, "delayed effects", 2);
    objects_.sent.push_back(event);
    return {};
  }
  Result<std::optional<float>> CastRay(Vec3, Vec3) override {
    if (!objects_.queries) return Fail(ErrorCode::kWrongPhase, "query");
    return objects_.wall;
  }
  Result<std::uint32_t> CountIn(const Bounds<3>&) override {
    if (!objects_.queries) return Fail(ErrorCode::kWrongPhase, "query");
    return objects_.bodies;
  }
  Result<std::optional<float>> Nearest(Vec3, float reach) override {
    if (!objects_.queries) return Fail(ErrorCode::kWrongPhase, "query");
    if (objects_.near && *objects_.near > reach) return std::optional<float>();
    return objects_.near;
  }
  Result<double> Ask(std::string_view question, Vec3 place) override {
    if (question == "late") return Fail(ErrorCode::kNotOwner, "question");
    if (question != "x") return Fail(ErrorCode::kNotFound, "question");
    return static_cast<double>(place.x);
  }

 private:
  FakeObjects& objects_;
};

// A machine of a language, its scripts, and objects. An error's text is the result; "" without one.
class Bench {
 public:
  explicit Bench(const ScriptLanguage& language) : machine(*language.CreateMachine()) {}

  // The script with this source, or null; `error` has the reason.
  std::unique_ptr<Script> Load(std::string_view source, const std::string& name = "t.lua") {
    auto script = machine->Load(name, BytesOf(source));
    error = script ? "" : script.error().text;
    return script ? std::move(*script) : nullptr;
  }
  std::string Update(Script& script, ObjectHandle self, std::uint64_t tick = 1) {
    FakeCall call(objects, self, tick);
    const auto done = script.Update(call);
    return done ? "" : done.error().text;
  }
  // Loads it and updates a new object once.
  std::string Run(std::string_view source) {
    const auto script = Load(source);
    if (script == nullptr) return error;
    last = objects.Add(script->layout());
    return Update(*script, last);
  }
  double Number(std::string_view field) const { return objects.Get(last, field).number; }

  std::unique_ptr<ScriptMachine> machine;
  FakeObjects objects;
  ObjectHandle last;
  std::string error;
};

}  // namespace nowait

#endif  // NOWAIT_TESTS_SCRIPT_FAKE_CALL_H_

// A call of a script: a transaction, which may be run twice and compared.
#include <algorithm>
#include <cstring>
#include <utility>

#include "src/base/assert.h"
#include "src/script/system.h"

namespace nowait {
namespace {

constexpr const char* kFault = "script";
constexpr const char* kPutOff = "update";

bool AreSame(const ScriptRecord& a, const ScriptRecord& b) {
  return std::memcmp(&a, &b, sizeof a) == 0;
}
bool AreSame(const ScriptEvent& a, const ScriptEvent& b) {
  return std::memcmp(&a, &b, sizeof a) == 0;
}

bool HasFunction(const Script& script, const ScriptEvent* event, const PhysicsEvent* physics) {
  if (physics != nullptr) return script.has(CallbackOf(physics->kind));
  return event != nullptr ? script.has_event() : script.has_update();
}

}  // namespace

// A call inside a transaction. The worker stores the call's changes and its events.
class ScriptSystem::Call final : public ScriptCall {
 public:
  Call(ScriptSystem& system, Worker& worker, Tx& tx, ObjectHandle object, const Cause& cause)
      : ScriptCall(object, system.tick_, system.dt_, system.def_.seed),
        system_(system),
        worker_(worker),
        tx_(tx),
        cause_(cause) {
    worker.written.clear();
    worker.sent.clear();
    worker.put_off.reset();
  }

  Result<View> Read(ObjectHandle object) override {
    const auto view = tx_.Read(object);
    if (!view) return std::unexpected(view.error());
    const ScriptRecord& record = **view;
    return View{&system_.layouts_[record.script], record.values.data()};
  }
  Result<View> ReadAfter(ObjectHandle object) override {
    const auto wrong = [&](const char* why) {
      return Fail(ErrorCode::kWrongPhase, "object", object.slot, why);
    };
    if (!cause_.is_update()) return wrong("only an update comes after another one");
    auto view = Read(object);
    if (!view) return view;
    if (system_.phase_of_[object.slot] > system_.phase_) return wrong("its phase comes later");
    if (system_.rounds_.IsDone(object)) return view;
    worker_.put_off = {.object = object};
    return Fail(ErrorCode::kNotOwner, "object", object.slot, "the update is put off");
  }
  Result<Copy> Write(ObjectHandle object) override {
    const auto copy = tx_.Write(object);
    if (!copy) return std::unexpected(copy.error());
    const auto known = std::ranges::find(worker_.written, object, &Written::object);
    if (known == worker_.written.end()) worker_.written.push_back({object, *copy, **copy});
    return Copy{&system_.layouts_[(*copy)->script], (*copy)->values.data()};
  }
  Result<void> Send(const ScriptEvent& event) override {
    if (worker_.sent.size() == system_.def_.sends_of_call) {
      return Fail(ErrorCode::kCapacity, "delayed effects", system_.def_.sends_of_call);
    }
    worker_.sent.push_back(event);
    return {};
  }
  Result<std::optional<float>> CastRay(Vec3 from, Vec3 to) override {
    if (cause_.queries == nullptr) return NoQuery();
    return cause_.queries->CastRay(worker_.number, from, to);
  }
  Result<std::uint32_t> CountIn(const Bounds<3>& box) override {
    if (cause_.queries == nullptr) return NoQuery();
    if (!box.IsUsable()) return Fail(ErrorCode::kInvalidArgument, "box");
    return cause_.queries->CountIn(worker_.number, box);
  }
  Result<std::optional<float>> Nearest(Vec3 point, float reach) override {
    if (cause_.queries == nullptr) return NoQuery();
    return cause_.queries->Nearest(worker_.number, point, reach);
  }
  Result<double> Ask(std::string_view question, Vec3 place) override {
    const auto known = std::ranges::find(cause_.questions, question, &ScriptQuestion::name);
    if (known == cause_.questions.end()) {
      return Fail(ErrorCode::kNotFound, "question", 0, "this phase does not have it");
    }
    const std::uint32_t bit = std::uint32_t{1} << (known - cause_.questions.begin());
    if ((system_.answered_ & bit) != 0) return known->answer(known->data, place);
    worker_.put_off = {.question = bit};
    return Fail(ErrorCode::kNotOwner, "question", 0, "the update is put off");
  }

 private:
  static std::unexpected<Error> NoQuery() {
    return Fail(ErrorCode::kWrongPhase, "query", 0, "the world may change meanwhile");
  }

  ScriptSystem& system_;
  Worker& worker_;
  Tx& tx_;
  const Cause cause_;
};

ScriptResult<void> ScriptSystem::CallOnce(Worker& worker, Tx& tx, ObjectHandle object,
                                          const Cause& cause) {
  Script& script = *worker.scripts[script_of_[object.slot]];
  Call call(*this, worker, tx, object, cause);
  if (cause.physics != nullptr) return script.Physics(call, *cause.physics);
  return cause.event != nullptr ? script.Event(call, *cause.event) : script.Update(call);
}

ScriptResult<void> ScriptSystem::CallTwice(Worker& worker, Tx& tx, ObjectHandle object,
                                           const Cause& cause) {
  auto first = CallOnce(worker, tx, object, cause);
  if (worker.put_off) return first;
  std::vector<ScriptRecord> after;
  for (const Written& written : worker.written) {
    after.push_back(*written.copy);
    *written.copy = written.before;
  }
  const std::vector<Written> written_first = worker.written;
  const std::vector<ScriptEvent> sent_first = worker.sent;
  const auto second = CallOnce(worker, tx, object, cause);
  const bool also_ran = !worker.put_off;
  worker.put_off.reset();
  bool same =
      also_ran && first.has_value() == second.has_value() &&
      (first || first.error().text == second.error().text) &&
      std::ranges::equal(worker.written, written_first, {}, &Written::object, &Written::object) &&
      std::ranges::equal(worker.sent, sent_first,
                         [](const auto& a, const auto& b) { return AreSame(a, b); });
  for (std::size_t i = 0; i < after.size(); ++i) {
    same = same && AreSame(*written_first[i].copy, after[i]);
  }
  if (same) return first;
  return std::unexpected(ScriptError{names_[script_of_[object.slot]] +
                                     ": a second run of the call differs from the first"});
}

bool ScriptSystem::RunOne(Worker& worker, EventLanes::Section& section, ObjectHandle object,
                          const Cause& cause) {
  if (object.slot >= disabled_.size() || disabled_[object.slot] != 0) return false;
  const std::uint32_t number = script_of_[object.slot];
  if (number == kNoScript) return false;
  const Script& script = *worker.scripts[number];
  if (!HasFunction(script, cause.event, cause.physics)) return false;
  const auto done = worker.transaction.Run([&](Tx& tx) -> Result<void> {
    if (auto self = tx.Write(object); !self) return std::unexpected(self.error());
    const auto called =
        def_.twice ? CallTwice(worker, tx, object, cause) : CallOnce(worker, tx, object, cause);
    if (worker.put_off) return Fail(ErrorCode::kNotOwner, kPutOff);
    if (!called) {
      worker.error = called.error().text;
      return Fail(ErrorCode::kInvalidArgument, kFault);
    }
    for (const ScriptEvent& sent : worker.sent) {
      auto kept = tx.AfterCommit([&section, sent]() noexcept { section.Post(sent); });
      if (!kept) return kept;
    }
    return {};
  });
  for (const auto& machine : worker.machines) machine->Tidy();
  if (done) return true;
  if (done.error().code == ErrorCode::kStaleId) return false;
  if (done.error().subject == kPutOff) {
    // A call asks for fewer other objects, and for each question once, so that one which goes on
    // like that has read a race.
    if (rounds_.times_put_off(object) == def_.objects_of_call + cause.questions.size()) {
      AddFault(worker, object, names_[number] + ": an update is put off too often");
      return false;
    }
    if (worker.put_off->question != 0) {
      worker.asked |= worker.put_off->question;
      rounds_.PutOffForTask(object);
    } else {
      rounds_.PutOff(object, worker.put_off->object);
    }
    ++worker.counts.put_off;
    return false;
  }
  if (done.error().subject != kFault) {
    worker.done = done;
    return false;
  }
  AddFault(worker, object, worker.error);
  return false;
}

void ScriptSystem::AddFault(Worker& worker, ObjectHandle object, std::string text) {
  // First, because it may find no memory: an object is not disabled without a fault.
  worker.faults.push_back({tick_, loop_ - 1, object, std::move(text)});
  disabled_[object.slot] = 1;
  ++worker.counts.faults;
}

}  // namespace nowait

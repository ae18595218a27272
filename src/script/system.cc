#include "src/script/system.h"

#include <algorithm>
#include <cstring>
#include <tuple>
#include <utility>

#include "src/base/assert.h"
#include "src/base/or_no_memory.h"
#include "src/math/hash.h"
#include "src/profile/profile.h"

namespace nowait {
namespace {

constexpr std::uint32_t kPiece = 32;  // objects that a thread takes at a time
constexpr const char* kFault = "script";
constexpr const char* kPutOff = "update";

std::uint32_t WorkersOf(std::uint32_t threads) {
  return std::clamp(threads, 1u, JobBatch::kMostHands);
}

bool AreSame(const ScriptRecord& a, const ScriptRecord& b) {
  return std::memcmp(&a, &b, sizeof a) == 0;
}
bool AreSame(const ScriptEvent& a, const ScriptEvent& b) {
  return std::memcmp(&a, &b, sizeof a) == 0;
}

// Where the events of each receiver begin. events: sorted by receiver.
template <class Event>
void FindReceivers(std::span<const Event> events, std::vector<std::uint32_t>& begins) {
  begins.clear();
  for (std::uint32_t i = 0; i < events.size(); ++i) {
    if (i == 0 || events[i - 1].to.slot != events[i].to.slot) begins.push_back(i);
  }
}

bool HasFunction(const Script& script, const ScriptEvent* event, const PhysicsEvent* physics) {
  if (physics != nullptr) return script.has(CallbackOf(physics->kind));
  return event != nullptr ? script.has_event() : script.has_update();
}

}  // namespace

// A thread's position in a loop, until the piece ends or throws.
struct ScriptSystem::Hand {
  explicit Hand(IndexPool<>& pool) : free(pool), index(pool.Take()) {}
  ~Hand() { free.Return(index); }
  IndexPool<>& free;
  const std::uint32_t index;
};

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
    worker.put_off_for.reset();
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
    worker_.put_off_for = object;
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

 private:
  static std::unexpected<Error> NoQuery() {
    return Fail(ErrorCode::kWrongPhase, "query", 0, "the world may change meanwhile");
  }

  ScriptSystem& system_;
  Worker& worker_;
  Tx& tx_;
  const Cause cause_;
};

ScriptSystem::Worker::Worker(Table& table, const ScriptSystemDef& def)
    : transaction(table, {.objects = def.objects_of_call, .effects = def.sends_of_call}) {
  written.reserve(def.objects_of_call);
  sent.reserve(def.sends_of_call);
}

ScriptSystem::ScriptSystem(const ScriptSystemDef& def)
    : def_(def),
      table_(def.objects, def.objects + 2 * def.objects_of_call * WorkersOf(def.threads)),
      free_workers_(WorkersOf(def.threads)),
      rounds_(def.objects),
      script_of_(def.objects, kNoScript),
      phase_of_(def.objects),
      disabled_(def.objects) {
  for (std::uint32_t i = 0; i < WorkersOf(def.threads); ++i) {
    workers_.emplace_back(table_, def).number = i;
  }
}

Result<std::unique_ptr<ScriptSystem>> ScriptSystem::Create(
    const ScriptSystemDef& def, std::vector<std::unique_ptr<ScriptLanguage>> languages) {
  if (def.objects_of_call == 0) return Fail(ErrorCode::kInvalidArgument, "objects of a call");
  const std::uint64_t versions =
      def.objects + 2 * std::uint64_t{def.objects_of_call} * WorkersOf(def.threads);
  if (versions > Table::kMostVersions) {
    return Fail(ErrorCode::kInvalidArgument, "objects", def.objects, "too many, with their copies");
  }
  return OrNoMemory([&]() -> Result<std::unique_ptr<ScriptSystem>> {
    std::unique_ptr<ScriptSystem> system(new ScriptSystem(def));
    auto lanes = EventLanes::Create({.lanes = system->workers(), .most_bytes = def.event_bytes});
    if (!lanes) return std::unexpected(lanes.error());
    system->lanes_ = std::move(*lanes);
    if (auto added = system->AddMachines(std::move(languages)); !added) {
      return std::unexpected(added.error());
    }
    return system;
  });
}

Result<void> ScriptSystem::AddMachines(std::vector<std::unique_ptr<ScriptLanguage>> languages) {
  languages_ = std::move(languages);
  for (Worker& worker : workers_) {
    for (const auto& language : languages_) {
      auto machine = language->CreateMachine();
      if (!machine) return std::unexpected(machine.error());
      worker.machines.push_back(std::move(*machine));
    }
  }
  return {};
}

ScriptResult<std::uint32_t> ScriptSystem::Load(const std::string& name,
                                               std::span<const std::byte> source) {
  NOWAIT_ASSERT(!in_tick_, "scripts are loaded between ticks");
  const auto fails = [&](const char* why) {
    return std::unexpected(ScriptError{name + ": " + why});
  };
  const auto language = std::ranges::find_if(
      languages_, [&](const auto& known) { return name.ends_with(known->extension()); });
  if (language == languages_.end()) return fails("no language has files of this name");
  std::vector<std::unique_ptr<Script>> loaded;
  for (Worker& worker : workers_) {
    auto script = worker.machines[language - languages_.begin()]->Load(name, source);
    if (!script) return std::unexpected(script.error());
    loaded.push_back(std::move(*script));
  }
  auto known = std::ranges::find(names_, name);
  if (known != names_.end()) {
    if (!loaded[0]->layout().Fits(layouts_[known - names_.begin()])) {
      return fails("other fields than those of the objects that are there");
    }
  } else {
    known = std::ranges::find(names_, std::string());
  }
  const auto number = static_cast<std::uint32_t>(known - names_.begin());
  if (number < names_.size()) {
    names_[number] = name;
  } else {
    names_.push_back(name);
    layouts_.emplace_back();
    for (Worker& worker : workers_) worker.scripts.emplace_back();
  }
  layouts_[number] = loaded[0]->layout();
  for (std::size_t i = 0; i < workers_.size(); ++i) {
    workers_[i].scripts[number] = std::move(loaded[i]);
  }
  for (const ObjectHandle object : objects_) {
    if (script_of_[object.slot] == number) disabled_[object.slot] = 0;
  }
  return number;
}

void ScriptSystem::Unload(std::uint32_t script) {
  NOWAIT_ASSERT(!in_tick_ && script < names_.size() && !names_[script].empty(),
                "scripts are unloaded between ticks, once");
  const auto ends = [&](ObjectHandle object) { return script_of_[object.slot] == script; };
  for (std::vector<ObjectHandle>& phase : phases_) std::erase_if(phase, ends);
  std::erase_if(objects_, [&](ObjectHandle object) {
    if (!ends(object)) return false;
    const auto destroyed = table_.Destroy(object);
    NOWAIT_ASSERT(destroyed, "nobody else destroys objects");
    script_of_[object.slot] = kNoScript;
    disabled_[object.slot] = 0;
    return true;
  });
  for (Worker& worker : workers_) worker.scripts[script].reset();
  layouts_[script] = {};
  names_[script].clear();
}

void ScriptSystem::Send(const ScriptEvent& event) {
  NOWAIT_ASSERT(!in_tick_, "the program sends between ticks");
  const auto at = std::ranges::upper_bound(events_, event.to.slot, {},
                                           [](const ScriptEvent& sent) { return sent.to.slot; });
  events_.insert(at, event);
}

Result<ObjectHandle> ScriptSystem::Spawn(std::uint32_t script, std::uint32_t phase) {
  NOWAIT_ASSERT(!in_tick_ && script < names_.size() && !names_[script].empty(),
                "objects are made between ticks, of scripts that are loaded");
  if (phase >= kMostPhases) return Fail(ErrorCode::kInvalidArgument, "phase", phase);
  const auto object = table_.Create(layouts_[script].Initial(script));
  if (!object) return object;
  script_of_[object->slot] = script;
  phase_of_[object->slot] = static_cast<std::uint8_t>(phase);
  objects_.push_back(*object);
  if (phase >= phases_.size()) phases_.resize(phase + 1);
  phases_[phase].push_back(*object);
  return object;
}

Result<ScriptValue> ScriptSystem::Get(ObjectHandle object, std::string_view field, FieldKind kind) {
  const auto view = table_.Read(object);
  if (!view) return std::unexpected(view.error());
  const FieldLayout& layout = layouts_[(*view)->script];
  const auto slot = layout.Find(field);
  if (!slot || layout.fields()[*slot].kind != kind) return Fail(ErrorCode::kNotFound, "field");
  return (*view)->values[*slot];
}

Result<void> ScriptSystem::Set(ObjectHandle object, std::string_view field, FieldKind kind,
                               ScriptValue value) {
  NOWAIT_ASSERT(!in_tick_, "the program sets fields between ticks");
  auto edit = table_.Edit(object);
  if (!edit) return std::unexpected(edit.error());
  const FieldLayout& layout = layouts_[(*edit)->script];
  const auto slot = layout.Find(field);
  if (!slot || layout.fields()[*slot].kind != kind) return Fail(ErrorCode::kNotFound, "field");
  (*edit)->values[*slot] = OnlyOf(kind, value);
  const bool committed = edit->Commit();
  NOWAIT_ASSERT(committed, "nobody else changes objects between ticks");
  return {};
}

void ScriptSystem::BeginLoop() {
  ++loop_;
  earlier_ = 0;
}

template <class F>
Result<void> ScriptSystem::Loop(TaskPool& pool, std::uint32_t count, const F& one) {
  BeginLoop();
  return RunRound(pool, count, one);
}

template <class F>
Result<void> ScriptSystem::RunRound(TaskPool& pool, std::uint32_t count, const F& one) {
  if (std::min(pool.threads(), JobBatch::kMostHands) > workers_.size()) {
    return Fail(ErrorCode::kInvalidArgument, "threads", pool.threads(), "more than the system's");
  }
  for (Worker& worker : workers_) worker.done = {};
  const std::uint64_t first_key = (std::uint64_t{loop_} << 32) + earlier_;
  earlier_ += count;
  auto piece = [&](std::uint32_t begin, std::uint32_t end) {
    const Hand hand(free_workers_);
    NOWAIT_ASSERT(hand.index < workers_.size(), "a loop has so many hands at most");
    Worker& worker = workers_[hand.index];
    const std::uint64_t began = SteadyNanoseconds();
    {
      // Pieces depend only on the lengths of the rounds, and so do the events' keys.
      auto section = lanes_->Open(first_key + begin);
      if (!section) {
        worker.done = std::unexpected(section.error());
      } else {
        for (std::uint32_t i = begin; i < end && worker.done; ++i) one(worker, *section, i);
      }
    }
    worker.counts.busy += SteadyNanoseconds() - began;
  };
  if (auto added = batch_.AddLoop(count, kPiece, piece); !added) return added;
  auto ran = batch_.Run(pool);
  batch_.Clear();  // if nothing ran, because `piece` ends here
  if (!ran) return ran;
  for (const Worker& worker : workers_) {
    if (!worker.done) return worker.done;
  }
  return {};
}

Result<void> ScriptSystem::BeginTick(TaskPool& pool, std::uint64_t tick, double dt) {
  if (in_tick_) return Fail(ErrorCode::kWrongPhase, "tick", 0, "the last one has not ended");
  in_tick_ = true;
  tick_ = tick;
  dt_ = dt;
  loop_ = 0;
  FindReceivers<ScriptEvent>(events_, receivers_);
  return Loop(pool, static_cast<std::uint32_t>(receivers_.size()),
              [this](Worker& worker, EventLanes::Section& section, std::uint32_t i) {
                const std::size_t end =
                    i + 1 < receivers_.size() ? receivers_[i + 1] : events_.size();
                for (std::size_t at = receivers_[i]; at < end && worker.done; ++at) {
                  const ScriptEvent& event = events_[at];
                  const bool received = RunOne(worker, section, event.to, {.event = &event});
                  ++(received ? worker.counts.events : worker.counts.unreceived);
                }
              });
}

Result<void> ScriptSystem::RunPhase(TaskPool& pool, std::uint32_t phase, ScriptQueries* queries) {
  if (!in_tick_) return Fail(ErrorCode::kWrongPhase, "tick", 0, "it has not begun");
  if (phase >= phases_.size()) return {};
  phase_ = phase;
  BeginLoop();
  rounds_.Begin(phases_[phase]);
  do {
    const std::span<const ObjectHandle> ready = rounds_.ready();
    auto ran = RunRound(pool, static_cast<std::uint32_t>(ready.size()),
                        [&](Worker& worker, EventLanes::Section& section, std::uint32_t i) {
                          if (RunOne(worker, section, ready[i], {.queries = queries})) {
                            ++worker.counts.updates;
                          }
                        });
    if (!ran) return ran;
    rounds_.EndRound();
    auto ended = OrNoMemory([this]() -> Result<void> {
      while (rounds_.IsStuck()) EndCycle(rounds_.BreakCycle());
      return {};
    });
    if (!ended) return ended;
  } while (!rounds_.ready().empty());
  return {};
}

void ScriptSystem::EndCycle(std::span<const ObjectHandle> cycle) {
  const auto name = [this](ObjectHandle object) { return names_[script_of_[object.slot]]; };
  std::string chain;
  for (const ObjectHandle object : cycle) {
    chain += std::to_string(object.slot) + " (" + name(object) + "), after ";
  }
  chain += std::to_string(cycle.front().slot);
  // Cut once, and not for each object: a cycle may be as long as its phase.
  chain = OneLine(std::move(chain)).text;
  for (const ObjectHandle object : cycle) {
    AddFault(workers_.front(), object,
             OneLine(name(object) + ": updates in a cycle: object " + chain).text);
  }
}

void ScriptSystem::AddFault(Worker& worker, ObjectHandle object, std::string text) {
  disabled_[object.slot] = 1;
  ++worker.counts.faults;
  worker.faults.push_back({tick_, loop_ - 1, object, std::move(text)});
}

Result<void> ScriptSystem::RunPhysics(TaskPool& pool, std::span<const PhysicsEvent> calls,
                                      ScriptQueries* queries) {
  if (!in_tick_) return Fail(ErrorCode::kWrongPhase, "tick", 0, "it has not begun");
  NOWAIT_ASSERT(std::ranges::is_sorted(calls, {}, [](const auto& call) { return call.to.slot; }),
                "one thread makes all calls of one object");
  FindReceivers(calls, called_);
  return Loop(pool, static_cast<std::uint32_t>(called_.size()),
              [&](Worker& worker, EventLanes::Section& section, std::uint32_t i) {
                const std::size_t end = i + 1 < called_.size() ? called_[i + 1] : calls.size();
                for (std::size_t at = called_[i]; at < end && worker.done; ++at) {
                  const Cause cause{.physics = &calls[at], .queries = queries};
                  const bool received = RunOne(worker, section, calls[at].to, cause);
                  ++(received ? worker.counts.callbacks : worker.counts.unreceived);
                }
              });
}

Result<void> ScriptSystem::EndTick() {
  if (!in_tick_) return Fail(ErrorCode::kWrongPhase, "tick", 0, "it has not begun");
  in_tick_ = false;
  faults_.clear();
  for (Worker& worker : workers_) {
    std::ranges::move(worker.faults, std::back_inserter(faults_));
    worker.faults.clear();
  }
  std::ranges::sort(faults_, {}, [](const ScriptFault& fault) {
    return std::tuple(fault.loop, fault.object.slot);
  });
  const auto stream = lanes_->Merge();
  if (!stream) return std::unexpected(stream.error());
  lost_ += lanes_->lost();
  events_.clear();
  for (const EventView event : *stream) {
    if (const auto* sent = event.As<ScriptEvent>()) events_.push_back(*sent);
  }
  std::stable_sort(events_.begin(), events_.end(), [](const ScriptEvent& a, const ScriptEvent& b) {
    return a.to.slot < b.to.slot;
  });
  return {};
}

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
  if (worker.put_off_for) return first;
  std::vector<ScriptRecord> after;
  for (const Written& written : worker.written) {
    after.push_back(*written.copy);
    *written.copy = written.before;
  }
  const std::vector<Written> written_first = worker.written;
  const std::vector<ScriptEvent> sent_first = worker.sent;
  const auto second = CallOnce(worker, tx, object, cause);
  const bool also_ran = !worker.put_off_for;
  worker.put_off_for.reset();
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
    if (worker.put_off_for) return Fail(ErrorCode::kNotOwner, kPutOff);
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
    // A call asks for fewer others, so that one which goes on like that has read a race.
    if (rounds_.times_put_off(object) == def_.objects_of_call) {
      AddFault(worker, object, names_[number] + ": an update is put off too often");
      return false;
    }
    rounds_.PutOff(object, *worker.put_off_for);
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

ScriptCounts ScriptSystem::Counts() const {
  ScriptCounts sum;
  sum.lost = lost_;
  for (const Worker& worker : workers_) {
    sum.updates += worker.counts.updates;
    sum.put_off += worker.counts.put_off;
    sum.events += worker.counts.events;
    sum.callbacks += worker.counts.callbacks;
    sum.unreceived += worker.counts.unreceived;
    sum.faults += worker.counts.faults;
    sum.busy += worker.counts.busy;
    sum.transactions += worker.transaction.counts();
    for (const auto& machine : worker.machines) {
      const ScriptMachineCounts counts = machine->counts();
      sum.machines.work += counts.work;
      sum.machines.tidying += counts.tidying;
      sum.machines.most_bytes = std::max(sum.machines.most_bytes, counts.most_bytes);
      sum.machines.most_tidying = std::max(sum.machines.most_tidying, counts.most_tidying);
    }
  }
  return sum;
}

std::uint64_t ScriptSystem::Checksum() {
  Hash hash;
  for (const ObjectHandle object : objects_) {
    const auto view = table_.Read(object);
    NOWAIT_ASSERT(view, "an object ends with its script alone");
    for (const ScriptValue& value : (*view)->values) {
      for (const std::uint64_t bits : value.bits) {
        hash.Add(static_cast<std::uint32_t>(bits));
        hash.Add(static_cast<std::uint32_t>(bits >> 32));
      }
    }
  }
  return hash.value();
}

std::uint32_t ScriptSystem::disabled() const {
  return static_cast<std::uint32_t>(std::ranges::count(disabled_, 1));
}

}  // namespace nowait

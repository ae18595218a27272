#include "src/script/shared_object.h"

#include <dlfcn.h>
#include <elf.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "src/script/abi.h"

namespace nowait {
namespace {

// The state of a call, to which NowaitCall::engine points.
struct Running {
  ScriptCall& call;
  std::string error;
  bool failed = false;   // whatever the function returns
  bool dropped = false;  // the engine runs the call again: nobody reads its error

  void Keep(const Error& why) {
    if (why.code == ErrorCode::kNotOwner) {
      dropped = true;
    } else {
      error = ToString(why);
    }
  }
};

Running& RunningOf(const NowaitCall* call) { return *static_cast<Running*>(call->engine); }

template <class Found>
auto* FieldIn(const Found& found, Running& running, const char* field, std::uint32_t kind) {
  using Value = decltype(found->values);
  if (!found) {
    running.Keep(found.error());
    return Value{nullptr};
  }
  const auto slot = found->layout->Find(field);
  if (slot && static_cast<std::uint32_t>(found->layout->fields()[*slot].kind) == kind) {
    return found->values + *slot;
  }
  running.error = std::string("the object has no field '") + field + "' of that kind";
  return Value{nullptr};
}

const NowaitValue* ReadField(const NowaitCall* call, std::uint64_t object, const char* field,
                             std::uint32_t kind) {
  Running& running = RunningOf(call);
  return FieldIn(running.call.Read(HandleOf(object)), running, field, kind);
}
const NowaitValue* ReadFieldAfter(const NowaitCall* call, std::uint64_t object, const char* field,
                                  std::uint32_t kind) {
  Running& running = RunningOf(call);
  const auto view = running.call.ReadAfter(HandleOf(object));
  // To the script it would look like an object that is gone.
  if (!view && view.error().code == ErrorCode::kWrongPhase) running.failed = true;
  return FieldIn(view, running, field, kind);
}
NowaitValue* WriteField(const NowaitCall* call, std::uint64_t object, const char* field,
                        std::uint32_t kind) {
  Running& running = RunningOf(call);
  return FieldIn(running.call.Write(HandleOf(object)), running, field, kind);
}
int SendEvent(const NowaitCall* call, std::uint64_t object, const char* name, double value) {
  Running& running = RunningOf(call);
  ScriptEvent event{.to = HandleOf(object), .from = running.call.self, .value = value};
  if (!event.SetName(name)) {
    running.error = "too long a name of an event";
    return 1;
  }
  const auto sent = running.call.Send(event);
  if (!sent) running.error = ToString(sent.error());
  return sent ? 0 : 1;
}
// The value that a script gets has no room for an error: the call will fail.
template <class Question>
auto Answer(Running& running, const Question& question) {
  const auto answer = question(running.call);
  if (!answer) {
    running.Keep(answer.error());
    running.failed = true;
  }
  return answer;
}
float CastRay(const NowaitCall* call, NowaitVec3 from, NowaitVec3 to) {
  const auto hit = Answer(RunningOf(call), [&](ScriptCall& asked) {
    return asked.CastRay(FromScript(from), FromScript(to));
  });
  return hit && *hit ? **hit : 2.0f;
}
std::uint32_t CountIn(const NowaitCall* call, NowaitVec3 centre, NowaitVec3 half) {
  const Vec3 low = FromScript(centre) - FromScript(half);
  const Vec3 high = FromScript(centre) + FromScript(half);
  return Answer(RunningOf(call),
                [&](ScriptCall& asked) {
                  return asked.CountIn({{low.x, low.y, low.z}, {high.x, high.y, high.z}});
                })
      .value_or(0);
}
float Nearest(const NowaitCall* call, NowaitVec3 point, float reach) {
  const auto distance = Answer(
      RunningOf(call), [&](ScriptCall& asked) { return asked.Nearest(FromScript(point), reach); });
  return distance && *distance ? **distance : -1.0f;
}
double Ask(const NowaitCall* call, const char* question, NowaitVec3 place) {
  return Answer(RunningOf(call),
                [&](ScriptCall& asked) { return asked.Ask(question, FromScript(place)); })
      .value_or(std::numeric_limits<double>::quiet_NaN());
}
double RandomNumber(const NowaitCall* call) {
  return static_cast<double>(RunningOf(call).call.random.Unit());
}
int SayFailed(const NowaitCall* call, const char* file, int line, const char* text) {
  Running& running = RunningOf(call);
  if (!running.dropped) {
    running.error = std::string(file) + ":" + std::to_string(line) + ": " + text;
  }
  return 1;
}

static_assert(static_cast<int>(PhysicsEvent::Kind::kContactBegan) == NOWAIT_CONTACT_BEGAN &&
              static_cast<int>(PhysicsEvent::Kind::kContactPersists) == NOWAIT_CONTACT_PERSISTS &&
              static_cast<int>(PhysicsEvent::Kind::kContactEnded) == NOWAIT_CONTACT_ENDED &&
              static_cast<int>(PhysicsEvent::Kind::kJointBroke) == NOWAIT_JOINT_BROKE &&
              static_cast<int>(PhysicsEvent::Kind::kJointGone) == NOWAIT_JOINT_GONE &&
              static_cast<int>(PhysicsEvent::Kind::kWoke) == NOWAIT_WOKE &&
              static_cast<int>(PhysicsEvent::Kind::kFellAsleep) == NOWAIT_FELL_ASLEEP);

// Whether the file contains everything that its headers promise. The loader maps the file without
// checking: the missing end of a file that is still being written would end the program.
bool IsWhole(std::span<const std::byte> file) {
  Elf64_Ehdr header;
  if (file.size() < sizeof header) return false;
  std::memcpy(&header, file.data(), sizeof header);
  if (std::memcmp(header.e_ident, ELFMAG, SELFMAG) != 0) return false;
  if (header.e_ident[EI_CLASS] != ELFCLASS64 || header.e_phentsize != sizeof(Elf64_Phdr)) {
    return false;
  }
  const auto is_inside = [&](std::uint64_t offset, std::uint64_t bytes) {
    return offset <= file.size() && bytes <= file.size() - offset;
  };
  if (!is_inside(header.e_phoff, std::uint64_t{header.e_phnum} * sizeof(Elf64_Phdr)) ||
      !is_inside(header.e_shoff, std::uint64_t{header.e_shnum} * header.e_shentsize)) {
    return false;
  }
  for (std::uint32_t i = 0; i < header.e_phnum; ++i) {
    Elf64_Phdr part;
    std::memcpy(&part, file.data() + header.e_phoff + i * sizeof part, sizeof part);
    if (!is_inside(part.p_offset, part.p_filesz)) return false;
  }
  return true;
}

// A shared object that was loaded; its destructor unloads it.
class Loaded {
 public:
  Loaded() = default;
  Loaded(Loaded&& other) noexcept : handle_(std::exchange(other.handle_, nullptr)) {}
  Loaded& operator=(Loaded&&) = delete;
  ~Loaded() {
    if (handle_ != nullptr) dlclose(handle_);
  }
  // Returns the reason if the object cannot be loaded; otherwise an empty text.
  std::string Load(std::span<const std::byte> source) {
    if (!IsWhole(source)) return "no shared object, or a part of one";
    int file = memfd_create("script", MFD_CLOEXEC);
    if (file < 0) return "no memory for a shared object";
    std::size_t written = 0;
    while (written < source.size()) {
      const auto more = write(file, source.data() + written, source.size() - written);
      if (more <= 0) break;
      written += static_cast<std::size_t>(more);
    }
    // The loader identifies shared objects by path, so each loaded one gets a path of its own.
    const auto path = [&file] { return "/proc/self/fd/" + std::to_string(file); };
    while (void* const other = dlopen(path().c_str(), RTLD_NOW | RTLD_NOLOAD)) {
      dlclose(other);
      const int next = fcntl(file, F_DUPFD_CLOEXEC, file + 1);
      if (next < 0) break;
      close(std::exchange(file, next));
    }
    if (written == source.size()) handle_ = dlopen(path().c_str(), RTLD_NOW | RTLD_LOCAL);
    std::string why;
    if (handle_ == nullptr) {
      const char* const said = dlerror();
      why = said == nullptr ? "could not be copied" : said;
      why = why.substr(why.find(": ") == std::string::npos ? 0 : why.find(": ") + 2);
    }
    close(file);
    return why;
  }
  void* Find(const char* name) const { return dlsym(handle_, name); }

 private:
  void* handle_ = nullptr;
};

class SharedObjectScript final : public Script {
 public:
  SharedObjectScript(std::string name, Loaded object)
      : name_(std::move(name)), object_(std::move(object)) {}

  ScriptResult<void> Open() {
    using Entry = const NowaitScript* (*)();
    const auto entry = reinterpret_cast<Entry>(object_.Find("nowait_script"));
    if (entry == nullptr) return Fails("no function 'nowait_script'");
    script_ = entry();
    if (script_ == nullptr || script_->abi != NOWAIT_SCRIPT_ABI) {
      return Fails("made for another version of the interface");
    }
    if (script_->update == nullptr && script_->event == nullptr && script_->physics == nullptr) {
      return Fails("no function 'update', 'event' or 'physics'");
    }
    if (script_->field_count > kMostFields) {
      return Fails("more than " + std::to_string(kMostFields) + " fields");
    }
    if (script_->field_count != 0 && script_->fields == nullptr) return Fails("no fields");
    std::vector<ScriptField> fields;
    for (std::uint32_t i = 0; i < script_->field_count; ++i) {
      const NowaitField& field = script_->fields[i];
      if (field.name == nullptr) return Fails("a field without a name");
      fields.push_back({field.name, static_cast<FieldKind>(field.kind), field.initial});
    }
    auto layout = FieldLayout::Create(std::move(fields));
    if (!layout) return Fails(ToString(layout.error()));
    layout_ = std::move(*layout);
    has_update_ = script_->update != nullptr;
    has_event_ = script_->event != nullptr;
    if (script_->physics != nullptr) callbacks_ = kOnContact | kOnJoint | kOnSleep;
    return {};
  }

  ScriptResult<void> Update(ScriptCall& call) override {
    return Run(call, [this](const NowaitCall& c) { return script_->update(&c); });
  }
  ScriptResult<void> Event(ScriptCall& call, const ScriptEvent& event) override {
    return Run(call, [&](const NowaitCall& c) {
      return script_->event(&c, event.name.data(), event.value, BitsOf(event.from));
    });
  }
  ScriptResult<void> Physics(ScriptCall& call, const PhysicsEvent& event) override {
    const NowaitPhysicsEvent passed{static_cast<std::uint32_t>(event.kind),
                                    BitsOf(event.other),
                                    ToScript(event.place),
                                    ToScript(event.normal),
                                    event.speed,
                                    event.slide};
    return Run(call, [&](const NowaitCall& c) { return script_->physics(&c, &passed); });
  }

 private:
  std::unexpected<ScriptError> Fails(const std::string& text) const {
    return std::unexpected(OneLine(name_ + ": " + text));
  }

  template <class Function>
  ScriptResult<void> Run(ScriptCall& call, const Function& function) {
    const auto self = call.Write(call.self);
    if (!self) return Fails(ToString(self.error()));
    Running running{call, {}};
    const NowaitCall passed{&running,     call.tick,     call.dt,     BitsOf(call.self),
                            self->values, &ReadField,    &WriteField, &ReadFieldAfter,
                            &SendEvent,   &CastRay,      &CountIn,    &Nearest,
                            &Ask,         &RandomNumber, &SayFailed};
    try {
      if (function(passed) == 0 && !running.failed) return {};
    } catch (...) {
      return Fails("an exception");
    }
    if (running.dropped) return std::unexpected(ScriptError{});
    return Fails(running.error.empty() ? "an error without a text" : running.error);
  }

  const std::string name_;
  const Loaded object_;
  const NowaitScript* script_ = nullptr;
};

class SharedObjectMachine final : public ScriptMachine {
 public:
  ScriptResult<std::unique_ptr<Script>> Load(const std::string& name,
                                             std::span<const std::byte> source) override {
    Loaded object;
    if (const std::string why = object.Load(source); !why.empty()) {
      return std::unexpected(OneLine(name + ": " + why));
    }
    auto script = std::make_unique<SharedObjectScript>(name, std::move(object));
    if (auto opened = script->Open(); !opened) return std::unexpected(opened.error());
    return script;
  }
};

}  // namespace

Result<std::unique_ptr<ScriptMachine>> SharedObjectLanguage::CreateMachine() const {
  return std::make_unique<SharedObjectMachine>();
}

}  // namespace nowait

// ScriptLanguage: languages behind one interface. ScriptCall: a script's interface to the engine.
//
//   const auto machine = language.CreateMachine();           // one a thread
//   if (!machine) return std::unexpected(machine.error());
//   auto script = (*machine)->Load("door.lua", source);      // an expected, with a text
//   if (!script) Say(script.error().text);                   // "door.lua:7: ..."
//   const auto done = (*script)->Update(call);               // inside a transaction
//
// The engine knows scripts only through these classes. A script is a component of an object: its
// state is the object's fields (fields.h), which its functions change: one for an update, one for
// an event, and those for the physics' events (physics_event.h). A function may be run again before
// its effects take place, and must then do the same. Whatever else a language lets outlive a call,
// it must keep from changing.
//
// Thread safety: a language from any thread. A machine, with its scripts, belongs to one thread at
// a time. Scripts must end before their machine.
// Errors: one-line texts that begin with the script's name, followed by the line if there is one.
// A call that the engine drops, to run it again (kNotOwner), ends with an error without a text.
// Source: [bitsquid2010], "Picking a scripting language". Lecture: scripts on many threads.
#ifndef NOWAIT_SRC_SCRIPT_LANGUAGE_H_
#define NOWAIT_SRC_SCRIPT_LANGUAGE_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <expected>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "src/base/result.h"
#include "src/events/event.h"
#include "src/game/object_table.h"
#include "src/math/bounds.h"
#include "src/math/random.h"
#include "src/math/vec3.h"
#include "src/script/fields.h"
#include "src/script/physics_event.h"

namespace nowait {

struct ScriptError {
  std::string text;
};
// Makes one line of bounded length, whatever a script has written into the text.
inline ScriptError OneLine(std::string text) {
  constexpr std::size_t kMost = 500;
  if (text.size() > kMost) text.replace(kMost, std::string::npos, "...");
  for (char& c : text) {
    if ((c >= '\0' && c < ' ') || c == '\x7f') c = ' ';
  }
  return {std::move(text)};
}
template <class T>
using ScriptResult = std::expected<T, ScriptError>;

// An event from a script to the object `to`, which receives it in the next tick.
struct ScriptEvent {
  static constexpr std::uint32_t kType = FourCharacters("ScEv");
  static constexpr std::size_t kMostName = 15;  // characters
  ObjectHandle to;
  ObjectHandle from;
  double value = 0.0;
  std::array<char, kMostName + 1> name{};  // padded with zeros

  // Returns false if the name is too long or contains a NUL.
  bool SetName(std::string_view text) {
    if (text.size() > kMostName || text.find('\0') != text.npos) return false;
    name.fill('\0');
    for (std::size_t i = 0; i < text.size(); ++i) name[i] = text[i];
    return true;
  }
};

// A double has no padding either.
static_assert(sizeof(ScriptEvent) ==
              2 * sizeof(ObjectHandle) + sizeof(double) + ScriptEvent::kMostName + 1);

// The engine's side of one call, for one object in one tick.
class ScriptCall {
 public:
  struct View {
    const FieldLayout* layout;
    const ScriptValue* values;
  };
  struct Copy {
    const FieldLayout* layout;
    ScriptValue* values;
  };

  ScriptCall(ObjectHandle self, std::uint64_t tick, double dt, std::uint64_t seed)
      : self(self), tick(tick), dt(dt), random(SeedOf(seed, self, tick)) {}
  virtual ~ScriptCall() = default;

  // Like Transaction's Read and Write: valid until the call ends.
  virtual Result<View> Read(ObjectHandle object) = 0;
  virtual Result<Copy> Write(ObjectHandle object) = 0;
  // Like Read, but of the object after its update of this phase. kNotOwner "object": this update is
  // dropped, and run later in the phase. kWrongPhase "object": the object's phase comes later, or
  // this is no update.
  virtual Result<View> ReadAfter(ObjectHandle object) = 0;
  // Takes place after the commit. kCapacity "delayed effects".
  virtual Result<void> Send(const ScriptEvent& event) = 0;
  // The fraction of the ray at which it meets a body. kWrongPhase "query": not in this phase.
  virtual Result<std::optional<float>> CastRay(Vec3 from, Vec3 to) = 0;
  // The number of bodies whose boxes overlap `box`. Errors are those of CastRay.
  virtual Result<std::uint32_t> CountIn(const Bounds<3>& box) = 0;
  // Metres from the point to the nearest box of a body, at most `reach`; nothing if it is farther.
  // Errors are those of CastRay.
  virtual Result<std::optional<float>> Nearest(Vec3 point, float reach) = 0;
  // The answer to a question of this phase (question.h). kNotOwner "question": it is not prepared
  // yet; this update is dropped, and run later in the phase. kNotFound "question": there is no such
  // question in this phase, or this is no update.
  virtual Result<double> Ask(std::string_view question, Vec3 place) = 0;

  const ObjectHandle self;
  const std::uint64_t tick;
  const double dt;
  Random random;

 private:
  static constexpr std::uint64_t SeedOf(std::uint64_t seed, ObjectHandle self, std::uint64_t tick) {
    return (seed ^ BitsOf(self)) * 0x9e3779b97f4a7c15ull + tick * 0xd1342543de82ef95ull;
  }
};

class Script {
 public:
  virtual ~Script() = default;
  const FieldLayout& layout() const { return layout_; }
  bool has_update() const { return has_update_; }
  bool has_event() const { return has_event_; }
  bool has(PhysicsCallback callback) const { return (callbacks_ & callback) != 0; }

  // For call.self, whose record must have this script's layout. An error of the transaction behind
  // `call` also ends the function with an error.
  virtual ScriptResult<void> Update(ScriptCall& call) = 0;
  virtual ScriptResult<void> Event(ScriptCall& call, const ScriptEvent& event) = 0;
  // For an event whose callback the script has.
  virtual ScriptResult<void> Physics(ScriptCall& call, const PhysicsEvent& event) = 0;

 protected:
  FieldLayout layout_;
  bool has_update_ = false;
  bool has_event_ = false;
  std::uint8_t callbacks_ = kNoCallback;  // of PhysicsCallback
};

struct ScriptMachineCounts {
  std::uint64_t work = 0;          // in the language's own units, over all calls
  std::uint64_t most_bytes = 0;    // of memory, at any time
  std::uint64_t tidying = 0;       // nanoseconds in total
  std::uint64_t most_tidying = 0;  // nanoseconds of the longest piece
};

class ScriptMachine {
 public:
  virtual ~ScriptMachine() = default;
  virtual ScriptResult<std::unique_ptr<Script>> Load(const std::string& name,
                                                     std::span<const std::byte> source) = 0;
  // Called between two calls, when no transaction is open: does a bounded piece of remaining work.
  virtual void Tidy() {}
  virtual ScriptMachineCounts counts() const { return {}; }
};

class ScriptLanguage {
 public:
  virtual ~ScriptLanguage() = default;
  virtual std::string_view extension() const = 0;  // of its files: ".lua"
  // kCapacity "memory".
  virtual Result<std::unique_ptr<ScriptMachine>> CreateMachine() const = 0;
};

}  // namespace nowait

#endif  // NOWAIT_SRC_SCRIPT_LANGUAGE_H_

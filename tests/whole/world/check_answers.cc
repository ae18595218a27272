#include <algorithm>
#include <string_view>
#include <utility>
#include <variant>

#include "tests/whole/scheduler/fault_scope.h"
#include "tests/whole/world/check.h"
#include "tests/whole/world/dictionary.h"

namespace nowait::world_programs {
namespace {

using std::string_view_literals::operator""sv;

bool Is(const Record& record, ErrorCode code, std::string_view subject) {
  return record.error && record.error->code == code && record.error->subject == subject;
}

class Answers {
 public:
  Answers(const WorldProgram& program, const History& history, const LivesOfWorlds& lives)
      : program_(program), history_(history), lives_(lives) {
    has_views_ = std::ranges::any_of(
        history.records, [](const Record& record) { return record.call.kind == Kind::kRead; });
  }

  Failure Judge() const {
    if (lives_.failure) return lives_.failure;
    for (const Lives& lives : lives_.worlds) {
      for (const auto& [id, life] : lives) {
        if (life.ever_was() && (life.here_by < life.come_begin || life.gone_from > life.go_end)) {
          const Stamp at = life.here_by < life.come_begin ? life.here_by : life.gone_from;
          return Broken("an answer names a body before it came or after it went: id " +
                            std::to_string(id.bits()),
                        at);
        }
      }
    }
    for (const Record& record : history_.records) {
      if (Failure failure = Judge(record)) {
        return Broken(failure->promise + ": " + ToString(record), record.end);
      }
    }
    return Counts();
  }

 private:
  Failure Judge(const Record& record) const {
    switch (record.call.kind) {
      case Kind::kCreate:
      case Kind::kPrepare:
        return Made(record);
      case Kind::kFinalise:
        return Finalised(record);
      case Kind::kJoin:
        return Joined(record);
      case Kind::kUnjoin:
        return Unjoined(record);
      case Kind::kDestroy:
      case Kind::kMove:
      case Kind::kSetVelocity:
      case Kind::kSetTarget:
      case Kind::kWake:
      case Kind::kReform:
      case Kind::kGet:
        return OfOne(record);
      default:
        return {};
    }
  }

  Failure Made(const Record& record) const {
    if (record.error && whole::IsOfFault(*record.error)) return {};
    const WorldPlan& plan = program_.worlds[record.call.world];
    std::optional<const char*> refusal;
    for (const BodyDef& def : record.defs) {
      if (!refusal) refusal = RefusalOf(def, plan);
    }
    if (refusal) {
      if (Is(record, ErrorCode::kInvalidArgument, *refusal)) return {};
      return std::string("a definition that is refused for its ") + *refusal + " was not";
    }
    if (!record.error) return {};
    if (Is(record, ErrorCode::kCapacity, "tree nodes")) {
      return has_views_ ? Failure() : "tree nodes are missing though no view holds any";
    }
    if (!Is(record, ErrorCode::kCapacity, "bodies")) return "an error that does not fit the call";
    if (MostHeld(record) + record.defs.size() <= plan.bodies) {
      return "the capacity of bodies is said to be reached while there is room";
    }
    return {};
  }

  // Slots that may have been held by others at some moment of the call.
  std::size_t MostHeld(const Record& record) const {
    std::size_t held = 0;
    for (const auto& [id, life] : lives_.worlds[record.call.world]) {
      if (life.reserved <= record.end && record.begin <= life.freed) ++held;
    }
    // Calls that failed in the end held what they had until then.
    for (const Record& other : history_.records) {
      const bool makes = other.call.kind == Kind::kCreate || other.call.kind == Kind::kPrepare;
      if (&other != &record && makes && other.error && other.call.world == record.call.world &&
          other.begin <= record.end && record.begin <= other.end) {
        held += other.defs.size();
      }
    }
    return held;
  }

  Failure Finalised(const Record& record) const {
    if (!record.error) return {};
    const bool is_right = Is(record, ErrorCode::kInvalidArgument, "batch");
    return is_right ? Failure() : "FinaliseBatch fails with an error that does not fit";
  }

  const Life* LifeOf(BodyId id, std::uint8_t world) const {
    const Lives& lives = lives_.worlds[world];
    const auto at = lives.find(id);
    return at == lives.end() ? nullptr : &at->second;
  }

  Failure Joined(const Record& record) const {
    if (record.error && whole::IsOfFault(*record.error)) return {};
    const JointDef& def = record.joint_def;
    if (def.a == def.b) {
      return Is(record, ErrorCode::kInvalidArgument, "bodies") ? Failure()
                                                               : "a body was joined to itself";
    }
    if (const auto refusal = RefusalOf(def)) {
      return Is(record, ErrorCode::kInvalidArgument, *refusal)
                 ? Failure()
                 : std::string("a joint that is refused for its ") + *refusal + " was not";
    }
    const Life* const a = LifeOf(def.a, record.call.world);
    const Life* const b = LifeOf(def.b, record.call.world);
    const auto may_be_here = [&](const Life* life) {
      return life != nullptr && life->MayBeHere(record.begin, record.end);
    };
    const auto is_here = [&](const Life* life) {
      return life != nullptr && life->ever_was() && life->IsHere(record.begin, record.end);
    };
    const auto is_fixed = [](const Life* life) { return life->def.type != BodyType::kDynamic; };
    if (Is(record, ErrorCode::kStaleId, "body id")) {
      return is_here(a) && is_here(b) ? Failure("a joint's bodies are said to be stale")
                                      : Failure();
    }
    if (Is(record, ErrorCode::kInvalidArgument, "body id")) {
      return a != nullptr && b != nullptr ? Failure("a joint's bodies are said to be another's")
                                          : Failure();
    }
    if (!may_be_here(a) || !may_be_here(b)) return "a body that is not there was joined";
    const bool is_gear = std::holds_alternative<GearJoint>(def.kind);
    if (is_gear && record.error && !Is(record, ErrorCode::kCapacity, "joints")) {
      return GearRefused(record, is_fixed(a) || is_fixed(b));
    }
    if (is_gear) {
      if (is_fixed(a) || is_fixed(b)) return "a gear has a fixed body";
      const auto& gear = std::get<GearJoint>(def.kind);
      for (const auto& [joint, wheel] :
           {std::pair(gear.first, def.a), std::pair(gear.second, def.b)}) {
        const Record* made = MakerOf(joint, record.call.world);
        if (made == nullptr || made->begin > record.end || EndOf(joint) < record.begin) {
          return "a gear was made of a joint that is not there";
        }
        if (!FitsGear(*made, wheel)) return "a gear was made of a joint that does not fit";
      }
    }
    if (is_fixed(a) && is_fixed(b)) {
      return Is(record, ErrorCode::kInvalidArgument, "bodies") ? Failure()
                                                               : "two fixed bodies were joined";
    }
    if (!record.error) return {};
    if (!Is(record, ErrorCode::kCapacity, "joints")) return "an error that does not fit the call";
    return MostJoints(record) < DefOf(program_.worlds[record.call.world]).max_joints
               ? Failure("the capacity of joints is said to be reached while there is room")
               : Failure();
  }

  // The call that made the joint in this world, or null.
  const Record* MakerOf(JointId joint, std::uint8_t world) const {
    const auto made = std::ranges::find_if(history_.records, [&](const Record& record) {
      return record.call.kind == Kind::kJoin && !record.error && record.joint == joint &&
             record.call.world == world;
    });
    return made == history_.records.end() ? nullptr : &*made;
  }

  static bool FitsGear(const Record& made, BodyId wheel) {
    const JointDef& def = made.joint_def;
    const bool has_axis = std::holds_alternative<HingeJoint>(def.kind) ||
                          std::holds_alternative<SliderJoint>(def.kind);
    return has_axis && (def.a == wheel || def.b == wheel);
  }

  // Whether the error of a gear whose own bodies may be there fits.
  Failure GearRefused(const Record& record, bool has_fixed) const {
    const JointDef& def = record.joint_def;
    const auto& gear = std::get<GearJoint>(def.kind);
    const struct {
      JointId joint;
      BodyId wheel;
      const char* name;
      const char* body;
    } sides[] = {{gear.first, def.a, "first", "a"}, {gear.second, def.b, "second", "b"}};
    for (const auto& [joint, wheel, name, body] : sides) {
      const Record* made = MakerOf(joint, record.call.world);
      const bool is_there =
          made != nullptr && made->end < record.begin && record.end < EndOf(joint);
      if (Is(record, ErrorCode::kStaleId, name)) {
        return is_there ? Failure("a gear's joint is said to be stale") : Failure();
      }
      const bool is_refused = Is(record, ErrorCode::kInvalidArgument, name) ||
                              Is(record, ErrorCode::kInvalidArgument, body);
      if (!is_refused) continue;
      return made != nullptr && FitsGear(*made, wheel)
                 ? Failure("a gear's joint is refused although it fits")
                 : Failure();
    }
    if (!Is(record, ErrorCode::kInvalidArgument, "bodies")) {
      return "an error that does not fit the call";
    }
    return has_fixed ? Failure() : Failure("a gear's bodies are said to be fixed");
  }

  // Joints that may have been there at some moment of the call.
  std::size_t MostJoints(const Record& record) const {
    std::size_t most = 0;
    for (const Record& other : history_.records) {
      const bool made = other.call.kind == Kind::kJoin && !other.error;
      if (!made || other.call.world != record.call.world || other.begin > record.end) continue;
      const bool is_over = EndOf(other.joint) < record.begin;
      most += is_over ? 0 : 1;
    }
    return most;
  }

  // The end of the call or update that ended the joint.
  Stamp EndOf(JointId joint) const {
    for (const Record& record : history_.records) {
      const bool ends = record.call.kind == Kind::kUnjoin && !record.error;
      if (ends && record.joint == joint) return record.end;
    }
    for (const Frame& frame : history_.frames) {
      for (const JointEvent& event : frame.joints) {
        if (event.joint == joint) return frame.end;
      }
    }
    return kNever;
  }

  // A joint goes once: by one call, or by an update.
  Failure Unjoined(const Record& record) const {
    const auto is_made = [&](const Record& other) {
      return other.call.kind == Kind::kJoin && !other.error && other.joint == record.joint;
    };
    const auto made = std::ranges::find_if(history_.records, is_made);
    const bool is_own = made != history_.records.end() && made->call.world == record.call.world;
    if (!record.error) {
      if (!is_own) return "a joint that was never made was destroyed";
      const auto ends = [&](const Record& other) {
        return other.call.kind == Kind::kUnjoin && !other.error && other.joint == record.joint;
      };
      return std::ranges::count_if(history_.records, ends) == 1
                 ? Failure()
                 : Failure("a joint was destroyed twice");
    }
    if (Is(record, ErrorCode::kInvalidArgument, "joint id")) {
      return is_own ? Failure("a joint is said to be another world's") : Failure();
    }
    if (!Is(record, ErrorCode::kStaleId, "joint id")) return "an error that does not fit the call";
    return is_own && EndOf(record.joint) == kNever
               ? Failure("a joint that is there is said to be stale")
               : Failure();
  }

  Failure OfOne(const Record& record) const {
    const Lives& lives = lives_.worlds[record.call.world];
    const auto at = lives.find(record.id);
    const Life* const life = at == lives.end() ? nullptr : &at->second;
    if (record.call.kind == Kind::kSetVelocity && record.call.shape % 16 == 15) {
      return Is(record, ErrorCode::kInvalidArgument, "velocity")
                 ? Failure()
                 : "a velocity that is not finite was not refused";
    }
    if (!record.error || record.error->code != ErrorCode::kStaleId) {
      if (life == nullptr || !life->MayBeHere(record.begin, record.end)) {
        if (life == nullptr && record.error && record.error->code == ErrorCode::kInvalidArgument) {
          return {};  // an id of another world
        }
        return "an id whose body is not there was taken";
      }
      return OfOneThere(record, *life);
    }
    if (life != nullptr && life->ever_was() && life->IsHere(record.begin, record.end)) {
      return "an id whose body was there all the time is said to be stale";
    }
    return {};
  }

  Failure OfOneThere(const Record& record, const Life& life) const {
    if (record.error && whole::IsOfFault(*record.error)) return {};
    std::optional<const char*> refusal;
    if (record.call.kind == Kind::kMove) {
      if (!IsPlace(record.call.place)) refusal = "position";
      if (!refusal && RotationOf(record.call) != Quat{}) {
        const auto shapes = HadOf(life.shapes, record.begin, record.end);
        const auto fields = std::ranges::count(shapes, ShapeKind::kHeightField, &Shape::kind);
        if (fields == std::ssize(shapes)) refusal = "rotation";
        if (fields > 0 && Is(record, ErrorCode::kInvalidArgument, "rotation")) return {};
      }
    }
    if (record.call.kind == Kind::kReform) {
      const BodyChange change = ChangeOf(record.call);
      refusal = RefusalOf(change, life.def.type, program_.worlds[record.call.world]);
      if (change.shape && change.shape->kind == ShapeKind::kHeightField && refusal != "shape"sv) {
        const auto places = PlacesOf(life, record.begin, record.end);
        const auto turned =
            std::ranges::count_if(*places, [](const Put& put) { return put.rotation != Quat{}; });
        if (turned == std::ssize(*places)) refusal = "rotation";
        if (turned > 0 && Is(record, ErrorCode::kInvalidArgument, "rotation")) return {};
      }
      if (change.layer && Is(record, ErrorCode::kCapacity, "tree nodes")) {
        return has_views_ ? Failure() : "tree nodes are missing though no view holds any";
      }
    }
    if (record.call.kind == Kind::kSetVelocity && life.def.type == BodyType::kStatic) {
      refusal = "body";
    }
    if (record.call.kind == Kind::kSetTarget) {
      refusal = life.def.type == BodyType::kKinematic ? RefusalOf(record.call) : "body";
    }
    if (refusal) {
      return Is(record, ErrorCode::kInvalidArgument, *refusal)
                 ? Failure()
                 : std::string("a change that is refused for its ") + *refusal + " was not";
    }
    return record.error ? Failure("a change of a body fails with an error that does not fit")
                        : Failure();
  }

  // Each call that removed something, and each body that is gone.
  std::string Removals(std::size_t world) const {
    std::string text;
    for (const Record& record : history_.records) {
      const bool removes = record.call.kind == Kind::kDestroy || record.call.kind == Kind::kRemove;
      if (record.call.world == world && !record.error && removes)
        text += "\n    " + ToString(record);
    }
    text += "\n    gone:";
    for (const auto& [id, life] : lives_.worlds[world]) {
      if (life.go_end != kNever) text += ' ' + std::to_string(id.bits());
    }
    return text;
  }

  // Each body that is gone was removed by one call, and by no other.
  Failure Counts() const {
    for (std::size_t world = 0; world < lives_.worlds.size(); ++world) {
      std::uint64_t removed = 0;
      std::uint64_t gone = 0;
      for (const Record& record : history_.records) {
        if (record.call.world != world || record.error) continue;
        if (record.call.kind == Kind::kDestroy) ++removed;
        if (record.call.kind == Kind::kRemove) removed += record.removed;
      }
      for (const auto& [id, life] : lives_.worlds[world]) {
        if (life.go_end != kNever) ++gone;
        if (life.ever_was() && life.go_end == kNever)
          return "a body outlived its removal at the end";
      }
      if (removed != gone) {
        return "bodies are not removed once each: " + std::to_string(removed) + " removals of " +
               std::to_string(gone) + Removals(world);
      }
    }
    return {};
  }

  const WorldProgram& program_;
  const History& history_;
  const LivesOfWorlds& lives_;
  bool has_views_ = false;
};

}  // namespace

Failure CheckAnswers(const WorldProgram& program, const History& history,
                     const LivesOfWorlds& lives) {
  return Answers(program, history, lives).Judge();
}

// One allocation fails in a run, at most.
Failure CheckFaults(const History& history) {
  const auto of_fault = [](const auto& call) {
    return call.error && whole::IsOfFault(*call.error);
  };
  const auto told = std::ranges::count_if(history.records, of_fault) +
                    std::ranges::count_if(history.frames, of_fault);
  return told > 1 ? Failure("one allocation fails, and more calls say so") : Failure();
}

Failure Check(const WorldProgram& program, const History& history) {
  if (!history.failures.empty()) return history.failures.front();
  if (Failure failure = CheckFaults(history)) return failure;
  const LivesOfWorlds lives = LivesOf(program, history);
  if (Failure failure = CheckAnswers(program, history, lives)) return failure;
  if (Failure failure = CheckQueries(program, history, lives)) return failure;
  return CheckFrames(program, history);
}

}  // namespace nowait::world_programs

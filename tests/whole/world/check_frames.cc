// Updates: contacts begin and end as the bodies touch, bodies wake and fall asleep with an event, a
// step that fails has not happened, and between updates nothing changes but by calls.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "tests/whole/scheduler/fault_scope.h"
#include "tests/whole/world/check.h"
#include "tests/whole/world/dictionary.h"
#include "tests/whole/world/expected_step.h"

namespace nowait::world_programs {
namespace {

std::string Text(BodyId id) { return std::to_string(id.bits()); }

bool ChangesBody(const Record& record) {
  return record.call.kind == Kind::kMove || record.call.kind == Kind::kSetVelocity ||
         record.call.kind == Kind::kSetTarget || record.call.kind == Kind::kWake ||
         record.call.kind == Kind::kReform;
}

// A world from frame to frame.
class Follower {
 public:
  Follower(const WorldPlan& plan, const History& history, std::uint8_t world)
      : def_(DefOf(plan)), history_(history), world_(world) {}

  Failure Judge(const Frame& frame) {
    TakeChanges(frame);
    if (Failure failure = Between(frame)) return failure;
    std::set<BodyId> disturbed = disturbed_;
    disturbed.insert(perhaps_disturbed_.begin(), perhaps_disturbed_.end());
    std::set<BodyId> moved = moved_;
    moved.insert(perhaps_moved_.begin(), perhaps_moved_.end());
    for (const BodyId id : known_) {
      if (!Has(frame.before, id)) disturbed.insert(id);
    }
    std::set<BodyId> fresh;
    for (const BodySnapshot& body : frame.before) {
      if (!stepped_.contains(body.id)) fresh.insert(body.id);
    }
    const std::set<Pair> contacts = contacts_;
    std::vector<Joined> joints;
    for (const auto& [id, def] : joints_) {
      const bool has_bodies = Has(frame.before, def.a) && Has(frame.before, def.b);
      joints.push_back(
          {def.a, def.b, def.bodies_touch, has_bodies && HasLostJoint(def, frame.before)});
    }
    const BeforeStep before{frame.before, contacts, disturbed, moved, fresh, joints, WaysOf(frame)};
    const ExpectedStep expected = Expect(before, def_);
    if (Failure failure = JointEvents(frame)) return failure;
    if (frame.error) return Failed(frame, expected);
    if (Failure failure = Contacts(frame)) return failure;
    if (Failure failure = Sleep(frame)) return failure;
    if (frame.steps == 1) {
      Failure failure = OneStep(frame, expected);
      if (failure && IsPerhapsStepped()) {
        for (const BodyId id : perhaps_stepped_) fresh.erase(id);
        std::erase_if(disturbed, [&](BodyId id) {
          return perhaps_disturbed_.contains(id) && !disturbed_.contains(id);
        });
        const BeforeStep again{frame.before, contacts, disturbed,    moved_,
                               fresh,        joints,   WaysOf(frame)};
        failure = OneStep(frame, Expect(again, def_));
      }
      if (failure) return failure;
    }
    if (Failure failure = Counts(frame)) return failure;
    for (const BodySnapshot& body : frame.after) {
      if (!IsFinite(body.position)) return "a body is nowhere after an update: " + Text(body.id);
    }
    Remember(frame);
    return {};
  }

 private:
  static bool Has(const std::vector<BodySnapshot>& bodies, BodyId id) {
    return std::ranges::find(bodies, id, &BodySnapshot::id) != bodies.end();
  }

  // The game's changes since the last frame. `changed_` forgets with each frame; what an update has
  // to wake stays until one succeeds.
  void TakeChanges(const Frame& frame) {
    changed_.clear();
    for (; next_record_ < history_.records.size(); ++next_record_) {
      const Record& record = history_.records[next_record_];
      if (record.begin > frame.begin) break;
      if (record.call.world != world_ || record.error) continue;
      if (record.call.kind == Kind::kJoin) joints_[record.joint.bits()] = record.joint_def;
      if (record.call.kind == Kind::kJoin || record.call.kind == Kind::kUnjoin) {
        const JointDef& def = joints_.at(record.joint.bits());
        changed_.insert(def.a);
        changed_.insert(def.b);
      }
      if (record.call.kind == Kind::kUnjoin) joints_.erase(record.joint.bits());
      if (!ChangesBody(record)) continue;
      changed_.insert(record.id);
      // Its place has not been searched with the new shape, or in the new layer.
      if (record.call.kind == Kind::kMove || record.call.kind == Kind::kReform) {
        moved_.insert(record.id);
      }
      if (record.call.kind != Kind::kWake && !StandsOn(record, frame)) {
        disturbed_.insert(record.id);
      }
    }
  }

  // Whether a kinematic body stood, and the call leaves it where it stands.
  bool StandsOn(const Record& record, const Frame& frame) {
    const auto body = std::ranges::find(frame.before, record.id, &BodySnapshot::id);
    if (body == frame.before.end() || body->type != BodyType::kKinematic) return false;
    if (record.call.kind == Kind::kMove || record.call.kind == Kind::kReform) return false;
    const bool goes = record.call.kind == Kind::kSetVelocity
                          ? VelocityOf(record.call) != Vec3{}
                          : PlaceOf(record.call.place) != body->position ||
                                Normalise(RotationOf(record.call)) != body->rotation;
    const bool stood = !moving_.contains(record.id) && !BeginsMoving(record.id);
    // Where it got in the last step, no step has looked for sleepers.
    if (!stood) moved_.insert(record.id);
    if (goes) moving_.insert(record.id);
    return stood && !goes;
  }

  // Of the kinematic bodies that move in this update, if it has one step.
  static std::map<BodyId, Sweep> WaysOf(const Frame& frame) {
    std::map<BodyId, Sweep> ways;
    for (const BodySnapshot& body : frame.before) {
      if (body.type != BodyType::kKinematic) continue;
      const auto after = std::ranges::find(frame.after, body.id, &BodySnapshot::id);
      if (after == frame.after.end()) continue;
      const Sweep way{body.position, after->position, body.rotation, after->rotation};
      const bool moves = body.linear_velocity != Vec3{} || body.angular_velocity != Vec3{} ||
                         way.start != way.end || way.start_rotation != way.end_rotation;
      if (moves) ways.emplace(body.id, way);
    }
    return ways;
  }

  // A new body sleeps if its definition says it; an old one is as the last update has left it.
  Failure Between(const Frame& frame) {
    for (const BodySnapshot& body : frame.before) {
      const auto last = std::ranges::find(after_, body.id, &BodySnapshot::id);
      if (last == after_.end()) {
        if (!slept_.contains(body.id))
          slept_[body.id] =
              body.asleep || changed_.contains(body.id) ? SleptAtFirst(body.id) : body.asleep;
        continue;
      }
      if (changed_.contains(body.id)) continue;
      if (last->position != body.position || last->linear_velocity != body.linear_velocity ||
          last->asleep != body.asleep) {
        return "a body changed between two updates though no call has changed it: " + Text(body.id);
      }
    }
    return {};
  }

  // Null for a body that no call of this history has made.
  const BodyDef* DefOfBody(BodyId id) const {
    for (const Record& record : history_.records) {
      const bool makes = record.call.kind == Kind::kCreate || record.call.kind == Kind::kPrepare;
      if (!makes || record.call.world != world_ || record.error) continue;
      for (std::size_t i = 0; i < record.ids.size(); ++i) {
        if (record.ids[i] == id) return &record.defs[i];
      }
    }
    return nullptr;
  }

  bool SleptAtFirst(BodyId id) const {
    const BodyDef* def = DefOfBody(id);
    return def != nullptr && def->type == BodyType::kDynamic && def->asleep;
  }

  // Whether a body that was in no step yet was made with a velocity.
  bool BeginsMoving(BodyId id) const {
    if (std::ranges::find(after_, id, &BodySnapshot::id) != after_.end()) return false;
    const BodyDef* def = DefOfBody(id);
    return def != nullptr && (def->linear_velocity != Vec3{} || def->angular_velocity != Vec3{});
  }

  Failure Failed(const Frame& frame, const ExpectedStep& expected) {
    if (whole::IsOfFault(*frame.error)) return CutShort(frame);
    if (frame.error->code != ErrorCode::kCapacity ||
        std::string_view(frame.error->subject) != "contacts") {
      return "an update fails with an error that does not fit: " + ToString(*frame.error);
    }
    if (frame.stats.steps == 0 && frame.hash_after != frame.hash_before) {
      return "a step that failed has changed the world";
    }
    if (frame.stats.steps == 0 &&
        (!frame.contacts.empty() || !frame.sleep.empty() || !frame.joints.empty())) {
      return "a step that failed has events";
    }
    // Where a kinematic body was to go is not known: the step has not moved it.
    const bool is_certain = std::ranges::none_of(
        frame.before, [](const BodySnapshot& body) { return body.type == BodyType::kKinematic; });
    if (frame.steps == 1 && is_certain && expected.contacts.size() <= def_.max_contacts) {
      return "a step fails for contacts that there is room for: " +
             std::to_string(expected.contacts.size());
    }
    if (frame.stats.steps > 0) {
      if (Failure failure = Contacts(frame)) return failure;
      if (Failure failure = Sleep(frame)) return failure;
      Remember(frame);
      return {};
    }
    Keep(frame);
    return {};
  }

  // A step found no memory. The events hold what it had done by then, which may be any part: it may
  // still have to do what the game's changes want, to report which bodies they have woken, and to
  // end the contacts of removed bodies. Its bodies count as in a step, all of them or no body, and
  // the game's changes have had their effects in it, all of them or no change.
  Failure CutShort(const Frame& frame) {
    if (Failure failure = ContactEvents(frame)) return failure;
    if (Failure failure = SleepEvents(frame)) return failure;
    if (frame.stats.steps > 0) {
      Remember(frame);
    } else {
      slept_before_ = slept_;
      for (const BodySnapshot& body : frame.before) {
        if (!stepped_.contains(body.id)) perhaps_stepped_.insert(body.id);
      }
      perhaps_disturbed_.merge(disturbed_);
      disturbed_.clear();
      perhaps_moved_.merge(moved_);
      moved_.clear();
      Keep(frame);
    }
    return {};
  }

  // Whether it is a gear of which a joint is gone, or will be in the next step with its bodies.
  bool HasLostJoint(const JointDef& def, const std::vector<BodySnapshot>& bodies) const {
    const auto* gear = std::get_if<GearJoint>(&def.kind);
    if (gear == nullptr) return false;
    const auto is_lost = [&](JointId id) {
      const auto at = joints_.find(id.bits());
      if (at == joints_.end()) return true;
      return !Has(bodies, at->second.a) || !Has(bodies, at->second.b);
    };
    return is_lost(gear->first) || is_lost(gear->second);
  }

  Failure JointEvents(const Frame& frame) {
    std::map<std::uint64_t, JointDef> left = joints_;
    std::erase_if(left, [&](const auto& of) { return !HasLostJoint(of.second, frame.before); });
    for (const JointEvent& event : frame.joints) {
      const auto joint = joints_.find(event.joint.bits());
      const std::string name = std::to_string(event.joint.bits());
      if (joint == joints_.end()) return "a joint ends that is not there: " + name;
      const JointDef def = joint->second;
      joints_.erase(joint);
      if (!(def.a == event.a) || !(def.b == event.b)) return "a joint ends with others' bodies";
      const bool are_there = Has(frame.before, def.a) && Has(frame.before, def.b);
      const bool breaks = event.kind == JointEvent::Kind::kBroke;
      const bool goes = event.kind == JointEvent::Kind::kBodyGone;
      if (goes == are_there) return "a joint ends for another reason than it says: " + name;
      if (!breaks && !goes && !HasLostJoint(def, frame.before)) {
        return "a gear ends that has both its joints: " + name;
      }
      if (breaks && left.contains(event.joint.bits())) {
        return "a gear breaks that had ended with its joint: " + name;
      }
      left.erase(event.joint.bits());
      if (breaks && !std::isfinite(def.break_force)) {
        return "a joint breaks that cannot be broken: " + name;
      }
    }
    if (frame.error) return {};
    if (!left.empty()) {
      return "a gear has not ended with its joint: " + std::to_string(left.begin()->first);
    }
    for (const auto& [bits, def] : joints_) {
      if (!Has(frame.after, def.a) || !Has(frame.after, def.b)) {
        return "a joint of a body that is gone has not ended: " + std::to_string(bits);
      }
    }
    return {};
  }

  Failure ContactEvents(const Frame& frame) {
    for (const ContactEvent& event : frame.contacts) {
      if (!(event.a < event.b)) return "a contact event's bodies do not ascend";
      const Pair pair{event.a, event.b};
      const std::string name = Text(event.a) + " and " + Text(event.b);
      if (event.kind == ContactEvent::Kind::kBegan) {
        if (!Has(frame.before, event.a) || !Has(frame.before, event.b)) {
          return "a contact begins with a body that is not there: " + name;
        }
        if (!contacts_.insert(pair).second) return "a contact begins twice: " + name;
      } else if (contacts_.erase(pair) == 0) {
        return "a contact ends that never began, or under other ids: " + name;
      }
    }
    return {};
  }

  Failure Contacts(const Frame& frame) {
    if (Failure failure = ContactEvents(frame)) return failure;
    for (const auto& [a, b] : contacts_) {
      if (!Has(frame.after, a) || !Has(frame.after, b)) {
        return "a contact of a body that is gone has not ended: " + Text(a) + " and " + Text(b);
      }
    }
    if (contacts_.size() > def_.max_contacts) return "more contacts than there is room for";
    return {};
  }

  static bool InOrder(const ContactEvent& x, const ContactEvent& y) {
    if (!(x.a == y.a)) return x.a < y.a;
    if (!(x.b == y.b)) return x.b < y.b;
    return x.kind == ContactEvent::Kind::kEnded && y.kind == ContactEvent::Kind::kBegan;
  }

  Failure SleepEvents(const Frame& frame) {
    woken_.clear();
    for (const SleepEvent& event : frame.sleep) {
      const bool woke = event.kind == SleepEvent::Kind::kWoke;
      if (!Has(frame.before, event.body)) return "a sleep event of a body that is not there";
      bool& slept = slept_[event.body];
      if (slept != woke) {
        return std::string("a body ") + (woke ? "wakes" : "falls asleep") +
               " that does already: " + Text(event.body);
      }
      slept = !woke;
      if (woke) woken_.insert(event.body);
    }
    return {};
  }

  Failure Sleep(const Frame& frame) {
    if (Failure failure = SleepEvents(frame)) return failure;
    for (const BodySnapshot& body : frame.after) {
      if (body.type == BodyType::kDynamic && slept_[body.id] != body.asleep) {
        return "a body woke or fell asleep without an event: " + Text(body.id);
      }
    }
    return {};
  }

  Failure OneStep(const Frame& frame, const ExpectedStep& expected) {
    if (!std::ranges::is_sorted(frame.contacts, InOrder)) {
      return "contact events are not in the order that contact_event.h states";
    }
    const auto rank = [](const SleepEvent& event) {
      return std::pair(event.kind == SleepEvent::Kind::kFellAsleep, event.body);
    };
    if (!std::ranges::is_sorted(frame.sleep, {}, rank)) {
      return "sleep events are not in the order that update_stats.h states";
    }
    if (contacts_ != expected.contacts) {
      for (const auto& [a, b] : expected.contacts) {
        if (!contacts_.contains({a, b})) {
          return "two bodies touch and have no contact: " + Text(a) + " and " + Text(b);
        }
      }
      return "a contact stays although the bodies do not touch";
    }
    for (const BodySnapshot& body : frame.before) {
      const bool slept =
          slept_before_.contains(body.id) ? slept_before_.at(body.id) : SleptAtFirst(body.id);
      const bool wakes = slept && expected.awake.contains(body.id);
      if (wakes && !woken_.contains(body.id)) {
        return "a body does not wake though something has woken it: " + Text(body.id);
      }
      if (!wakes && woken_.contains(body.id)) {
        return "a body wakes though nothing touches or changes it: " + Text(body.id);
      }
    }
    if (frame.stats.contacts != expected.found.size()) return "stats().contacts is another number";
    if (frame.stats.woken != woken_.size()) return "stats().woken is not the number of events";
    return {};
  }

  static Failure Counts(const Frame& frame) {
    const auto is_awake = [](const BodySnapshot& body) {
      return body.type == BodyType::kDynamic && !body.asleep;
    };
    const auto awake = static_cast<std::uint32_t>(std::ranges::count_if(frame.after, is_awake));
    if (frame.stats.steps != frame.steps) return "an update without an error did too few steps";
    if (frame.stats.bodies != frame.after.size() || frame.body_count != frame.after.size()) {
      return "stats().bodies or body_count() is not the number of bodies";
    }
    if (frame.stats.awake != awake) return "stats().awake is another number";
    return {};
  }

  bool IsPerhapsStepped() const {
    return !perhaps_stepped_.empty() || !perhaps_disturbed_.empty() || !perhaps_moved_.empty();
  }

  // After a step that did not come to its end.
  void Keep(const Frame& frame) {
    for (const BodySnapshot& body : frame.before) known_.insert(body.id);
    after_ = frame.after;
  }

  void Remember(const Frame& frame) {
    after_ = frame.after;
    slept_before_ = slept_;
    disturbed_.clear();
    moved_.clear();
    known_.clear();
    moving_.clear();
    for (const BodySnapshot& body : frame.after) {
      known_.insert(body.id);
      const bool moves = body.linear_velocity != Vec3{} || body.angular_velocity != Vec3{};
      if (body.type != BodyType::kKinematic) continue;
      if (moves) moving_.insert(body.id);
      const auto before = std::ranges::find(frame.before, body.id, &BodySnapshot::id);
      // It has come to a stand: where that is, no step has looked for sleepers.
      const bool came = before != frame.before.end() &&
                        (before->position != body.position || before->rotation != body.rotation);
      if (came && !moves) moved_.insert(body.id);
    }
    stepped_ = known_;
    perhaps_stepped_.clear();
    perhaps_disturbed_.clear();
    perhaps_moved_.clear();
  }

  const WorldDef def_;
  const History& history_;
  const std::uint8_t world_;
  std::size_t next_record_ = 0;
  std::set<Pair> contacts_;
  std::map<std::uint64_t, JointDef> joints_;  // by the bits of their ids
  std::map<BodyId, bool> slept_;              // as the definitions and the events tell
  std::map<BodyId, bool> slept_before_;
  std::set<BodyId> changed_;
  std::set<BodyId> disturbed_;
  std::set<BodyId> moved_;    // of these, those that were put elsewhere
  std::set<BodyId> moving_;   // kinematic bodies that move, or were to move since the last update
  std::set<BodyId> known_;    // of the last frames; which are gone, disturbed what they touched
  std::set<BodyId> stepped_;  // that were in a step
  // In a step that did not come to its end, and in no other one.
  std::set<BodyId> perhaps_stepped_;
  std::set<BodyId> perhaps_disturbed_;
  std::set<BodyId> perhaps_moved_;
  std::set<BodyId> woken_;
  std::vector<BodySnapshot> after_;
};

}  // namespace

Failure CheckFrames(const WorldProgram& program, const History& history) {
  std::vector<Follower> followers;
  for (std::size_t i = 0; i < program.worlds.size(); ++i) {
    followers.emplace_back(program.worlds[i], history, static_cast<std::uint8_t>(i));
  }
  for (std::size_t i = 0; i < history.frames.size(); ++i) {
    const Frame& frame = history.frames[i];
    if (Failure failure = followers[frame.world].Judge(frame)) {
      return Broken(failure->promise + ": update " + std::to_string(i) + " of world " +
                        std::to_string(frame.world),
                    frame.end);
    }
  }
  return {};
}

}  // namespace nowait::world_programs

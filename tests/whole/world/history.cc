#include "tests/whole/world/history.h"

#include <string>

namespace nowait::world_programs {
namespace {

// Without the world, whose number may differ from run to run.
template <class Id>
std::string Name(Id id) {
  return std::to_string(id.slot()) + '.' + std::to_string(id.generation());
}

}  // namespace

std::string Outcome(const Frame& frame) {
  std::string text = "world " + std::to_string(frame.world) + ": " +
                     std::to_string(frame.hash_before) + " -> " + std::to_string(frame.hash_after);
  if (frame.error) text += ", " + ToString(*frame.error);
  for (const ContactEvent& event : frame.contacts) {
    text += event.kind == ContactEvent::Kind::kBegan ? " +" : " -";
    text += Name(event.a) + '/' + Name(event.b);
  }
  for (const SleepEvent& event : frame.sleep) {
    text += event.kind == SleepEvent::Kind::kWoke ? " wakes " : " sleeps ";
    text += Name(event.body);
  }
  for (const JointEvent& event : frame.joints) {
    text += event.kind == JointEvent::Kind::kBroke ? " breaks " : " ends ";
    text += Name(event.joint) + ':' + Name(event.a) + '/' + Name(event.b);
  }
  return text + '\n';
}

std::string Outcome(const History& history) {
  std::string text;
  for (const Frame& frame : history.frames) text += Outcome(frame);
  return text;
}

std::string ToString(const Record& record) {
  std::string text = record.by + ": " + ToString(record.call) + " of " +
                     std::to_string(record.id.bits()) + " at " + std::to_string(record.begin) +
                     " .. " + std::to_string(record.end);
  text += record.error ? ": " + ToString(*record.error) : std::string(": done");
  if (!record.ids.empty()) text += "; ids";
  for (const BodyId id : record.ids) text += ' ' + std::to_string(id.bits());
  if (record.joint.valid()) text += "; joint " + std::to_string(record.joint.bits());
  if (record.removed != 0) text += "; removed " + std::to_string(record.removed);
  return text;
}

}  // namespace nowait::world_programs

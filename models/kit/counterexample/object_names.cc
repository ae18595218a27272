#include "models/kit/counterexample/object_names.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

#include "models/kit/counterexample/from_trace.h"
#include "models/kit/counterexample/member_names.h"

namespace nowait::model::counterexample {
namespace {

// The object's name at the site of the event. The use of a block names the object that lies in it.
std::string ReceiverOf(const model::Event& event, SourceText& text) {
  return event.kind == OperationKind::kUse ? "" : text.ReceiverAt(PlaceOf(event.site));
}

// The objects of each kind in the order in which they were made, which is the order of their
// numbers.
std::map<ObjectKind, std::vector<Made>> MadeIn(const Trace& whole, SourceText& text) {
  std::map<ObjectKind, std::vector<Made>> made;
  for (EventNumber number = 1; number <= whole.last(); ++number) {
    const model::Event& event = whole[number];
    const ObjectKind kind = KindOfObject(event.kind);
    if (kind == ObjectKind::kNone || event.object == 0) continue;
    std::vector<Made>& objects = made[kind];
    objects.resize(std::max<std::size_t>(objects.size(), event.object));
    Made& object = objects[event.object - 1];
    const Place place = PlaceOf(event.site);
    // The initial value of an atomic is a store at the place of its construction.
    if (kind == ObjectKind::kAtomic && event.place == 0 && object.at.empty()) {
      object.at = fmt::format("{}:{}:{}", place.file, place.line, place.column);
    } else if (std::string receiver = ReceiverOf(event, text); !receiver.empty()) {
      object.receivers.push_back(std::move(receiver));
    }
  }
  return made;
}

}  // namespace

const char* Name(ObjectKind kind) {
  switch (kind) {
    case ObjectKind::kAtomic:
      return "atomic";
    case ObjectKind::kPlain:
      return "plain";
    case ObjectKind::kMutex:
      return "mutex";
    case ObjectKind::kCondition:
      return "condition";
    case ObjectKind::kBlock:
      return "block";
    case ObjectKind::kNone:
      break;
  }
  return "";
}

std::map<ObjectKey, std::string> NamesOf(const Trace& trace, const Trace& whole, SourceText& text) {
  std::map<ObjectKind, std::vector<std::string>> of_kind;
  for (const auto& [kind, objects] : MadeIn(whole, text)) of_kind[kind] = MemberNames(objects);
  std::map<ObjectKey, std::vector<std::string>> shown;  // each object's names at its uses
  for (EventNumber number = 1; number <= trace.last(); ++number) {
    const model::Event& event = trace[number];
    const ObjectKind kind = KindOfObject(event.kind);
    if (kind == ObjectKind::kNone || event.object == 0) continue;
    std::vector<std::string>& receivers = shown[{kind, event.object}];
    std::string receiver = ReceiverOf(event, text);
    if (!receiver.empty()) receivers.push_back(std::move(receiver));
  }
  std::map<ObjectKey, std::string> names;
  for (const auto& [key, receivers] : shown) {
    const std::vector<std::string>& members = of_kind[key.first];
    std::string& name = names[key];
    if (key.second <= members.size()) name = members[key.second - 1];
    if (name.empty()) name = BestReceiver(receivers);
    if (name.empty()) name = fmt::format("{} {}", Name(key.first), key.second);
  }
  std::map<std::string, int> count;
  for (const auto& [key, name] : names) ++count[name];
  std::map<std::string, int> given;
  for (auto& [key, name] : names) {
    if (count[name] > 1) name = fmt::format("{} #{}", name, ++given[name]);
  }
  return names;
}

}  // namespace nowait::model::counterexample

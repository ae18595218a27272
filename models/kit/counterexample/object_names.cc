#include "models/kit/counterexample/object_names.h"

#include <fmt/format.h>

#include <cstddef>
#include <optional>
#include <vector>

#include "models/kit/counterexample/from_trace.h"

namespace nowait::model::counterexample {
namespace {

// "links_" of "links_[i]": a name and one subscript.
std::optional<std::string> ArrayOf(const std::string& receiver) {
  const std::size_t bracket = receiver.find('[');
  if (bracket == 0 || bracket == receiver.npos || receiver.back() != ']') return std::nullopt;
  const std::string name = receiver.substr(0, bracket);
  const bool is_name = name.find_first_of(".->()") == name.npos;
  if (!is_name || receiver.find('[', bracket + 1) != receiver.npos) return std::nullopt;
  return name;
}

// For each atomic that was made in one row with others, at one place of the source: its index there,
// and the first of them.
struct Element {
  std::uint32_t first;
  std::uint32_t index;
};
std::map<std::uint32_t, Element> RowsOf(const Trace& whole) {
  std::map<std::uint32_t, Element> rows;
  std::uint32_t before = 0;
  Place made_at;
  for (EventNumber number = 1; number <= whole.last(); ++number) {
    const model::Event& event = whole[number];
    if (event.kind != OperationKind::kStore || event.place != 0 || rows.contains(event.object)) {
      continue;
    }
    const Place place = PlaceOf(event.site);
    const bool goes_on = before != 0 && event.object == before + 1 && place == made_at;
    rows[event.object] =
        goes_on ? Element{rows[before].first, rows[before].index + 1} : Element{event.object, 0};
    before = event.object;
    made_at = place;
  }
  return rows;
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
  std::map<ObjectKey, std::string> names;
  for (EventNumber number = 1; number <= trace.last(); ++number) {
    const model::Event& event = trace[number];
    const ObjectKind kind = KindOfObject(event.kind);
    if (kind == ObjectKind::kNone || event.object == 0) continue;
    std::string& name = names[{kind, event.object}];
    if (name.empty()) name = text.ReceiverAt(PlaceOf(event.site));
  }
  const std::map<std::uint32_t, Element> rows = RowsOf(whole);
  std::map<std::uint32_t, std::optional<std::string>> arrays;  // by the row's first: its one name
  for (const auto& [key, name] : names) {
    const auto row = rows.find(key.second);
    if (key.first != ObjectKind::kAtomic || row == rows.end()) continue;
    const std::optional<std::string> array = ArrayOf(name);
    const auto [entry, is_new] = arrays.try_emplace(row->second.first, array);
    if (!is_new && entry->second != array) entry->second.reset();
  }
  std::map<std::string, int> count;
  for (auto& [key, name] : names) {
    const auto row = rows.find(key.second);
    if (key.first == ObjectKind::kAtomic && row != rows.end()) {
      if (const auto& array = arrays[row->second.first]) {
        name = fmt::format("{}[{}]", *array, row->second.index);
      }
    }
    if (name.empty()) name = fmt::format("{} {}", Name(key.first), key.second);
    ++count[name];
  }
  std::map<std::string, int> given;
  for (auto& [key, name] : names) {
    if (count[name] > 1) name = fmt::format("{} #{}", name, ++given[name]);
  }
  return names;
}

}  // namespace nowait::model::counterexample

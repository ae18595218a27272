#include "src/resource/merge.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string_view>
#include <utility>

#include "src/base/or_no_memory.h"
#include "src/resource/merge_order.h"
#include "src/resource/sequence_match.h"

namespace nowait {
namespace {

constexpr std::string_view kConflict = "$conflict";

// One place in the three documents; null where a document has nothing there.
struct Place {
  const Value* base;
  const Value* left;
  const Value* right;

  std::array<const Value*, 3> all() const { return {base, left, right}; }
};

bool Equal(const Value* a, const Value* b) {
  return a == nullptr || b == nullptr ? a == b : Equal(*a, *b);
}

bool Same(const Value* a, const Value* b) {
  return a == nullptr || b == nullptr ? a == b : Same(*a, *b);
}

std::optional<Value> Copy(const Value* value) {
  return value == nullptr ? std::optional<Value>() : *value;
}

Value Conflict(const char* kind, const Value* base, const Value* left, const Value* right,
               const Value* merged = nullptr) {
  Value::Members members;
  members.push_back({std::string(kConflict), Value::String(kind)});
  if (base != nullptr) members.push_back({"base", *base});
  if (left != nullptr) members.push_back({"left", *left});
  if (right != nullptr) members.push_back({"right", *right});
  if (merged != nullptr) members.push_back({"merged", *merged});
  return Value::Object(std::move(members));
}

// Named values in an order: an object's members, or an array's objects by their identities.
struct Named {
  std::vector<std::string> texts;  // what `names` refers to, where it is not in the document
  Names names;
  std::map<std::string_view, const Value*> values;

  const Value* Find(std::string_view name) const {
    const auto found = values.find(name);
    return found == values.end() ? nullptr : found->second;
  }
};

Named MembersOf(const Value* object) {
  Named named;
  if (object == nullptr) return named;
  for (const Value::Member& member : *object->members()) {
    named.names.push_back(member.key);
    named.values.emplace(member.key, &member.value);
  }
  return named;
}

bool IsConflict(const Value* value) {
  return value != nullptr && value->Find(kConflict) != nullptr;
}

// The value that identifies an item, or null. A conflict in a base has that of its states.
const Value* IdOf(const Value& item, std::string_view member) {
  if (!IsConflict(&item)) return item.Find(member);
  for (const char* state : {"base", "left", "right"}) {
    if (const Value* value = item.Find(state)) return value->Find(member);
  }
  return nullptr;
}

// The identity as one text: a string and a number never have the same, equal numbers have.
std::optional<std::string> IdentityOf(const Value& item, std::string_view member) {
  const Value* const id = IdOf(item, member);
  if (id == nullptr) return {};
  if (const std::string* text = id->string()) return '"' + *text;
  if (const Value::Number* number = id->number()) return MeaningOf(*number);
  return {};
}

// Nothing if the array's items are not all objects with identities of their own.
std::optional<Named> ObjectsOf(const Value* array, std::string_view member) {
  Named named;
  if (array == nullptr) return named;
  const Value::Items& items = *array->items();
  named.texts.reserve(items.size());  // the names refer to the texts
  for (const Value& item : items) {
    std::optional<std::string> identity = IdentityOf(item, member);
    if (!identity) return {};
    named.texts.push_back(*std::move(identity));
    named.names.push_back(named.texts.back());
    if (!named.values.emplace(named.texts.back(), &item).second) return {};
  }
  return named;
}

// A base as its sides know it: of a conflict of order, the items as they stand there.
const Value* Settled(const Value* base) {
  if (!IsConflict(base)) return base;
  const std::string* const kind = base->Find(kConflict)->string();
  if (kind == nullptr || *kind != "order") return base;
  const Value* const merged = base->Find("merged");
  return merged == nullptr ? base : merged;
}

// A run of items.
using Run = std::span<const Value>;

bool EqualRuns(Run a, Run b) {
  return std::ranges::equal(a, b, [](const Value& x, const Value& y) { return Equal(x, y); });
}

Value RunAsArray(Run run) { return Value::Array(Value::Items(run.begin(), run.end())); }

class Merger {
 public:
  explicit Merger(const MergeOptions& options) : options_(options) {}

  // Nothing if the result has nothing there.
  std::optional<Value> Join(Place place) const {
    place.base = Settled(place.base);
    const auto& [base, left, right] = place;
    if (Same(left, base)) return Copy(right);
    if (Same(right, base) || Equal(left, right)) return Copy(left);
    if (left != nullptr && right != nullptr) {
      if (AreAll(place, &Value::members)) return JoinObjects(place);
      if (AreAll(place, &Value::items)) {
        if (std::optional<Value> joined = JoinArrays(place)) return joined;
      }
    }
    // A side that changed the form alone gives way.
    if (Equal(left, base)) return Copy(right);
    if (Equal(right, base)) return Copy(left);
    return Conflict("value", base, left, right);
  }

 private:
  // Whether what is there is of one type.
  template <class Content>
  static bool AreAll(Place place, Content content) {
    return std::ranges::all_of(place.all(), [&](const Value* value) {
      return value == nullptr || (value->*content)() != nullptr;
    });
  }

  struct JoinedNames {
    Order order;
    std::map<std::string_view, Value> values;
  };

  JoinedNames JoinNamed(const Named& base, const Named& left, const Named& right) const {
    JoinedNames joined;
    std::set<std::string_view> kept;
    for (const Named* named : {&base, &left, &right}) {
      for (const std::string_view name : named->names) {
        if (joined.values.contains(name)) continue;
        std::optional<Value> value = Join({base.Find(name), left.Find(name), right.Find(name)});
        if (!value) continue;
        joined.values.emplace(name, *std::move(value));
        kept.insert(name);
      }
    }
    joined.order = MergeOrder(base.names, left.names, right.names, kept);
    return joined;
  }

  Value JoinObjects(Place place) const {
    // A conflict's members are none of the document's, even where they have the same keys.
    const Named base = IsConflict(place.base) ? Named() : MembersOf(place.base);
    JoinedNames joined = JoinNamed(base, MembersOf(place.left), MembersOf(place.right));
    Value::Members members;
    for (const std::string_view name : joined.order.names) {
      members.push_back({std::string(name), std::move(joined.values.at(name))});
    }
    return Value::Object(std::move(members));
  }

  // Nothing if the arrays are values that cannot be joined from within.
  std::optional<Value> JoinArrays(Place place) const {
    for (const std::string& member : options_.identities) {
      const std::optional<Named> base = ObjectsOf(place.base, member);
      const std::optional<Named> left = ObjectsOf(place.left, member);
      const std::optional<Named> right = ObjectsOf(place.right, member);
      if (base && left && right) return JoinByIdentity(place, member, *base, *left, *right);
    }
    if (place.base == nullptr || AreNumbers(place)) return {};
    return JoinSequences(*place.base->items(), *place.left->items(), *place.right->items());
  }

  static bool AreNumbers(Place place) {
    return std::ranges::all_of(place.all(), [](const Value* array) {
      return std::ranges::all_of(*array->items(),
                                 [](const Value& item) { return item.number() != nullptr; });
    });
  }

  Value JoinByIdentity(Place place, const std::string& member, const Named& base, const Named& left,
                       const Named& right) const {
    JoinedNames joined = JoinNamed(base, left, right);
    Value::Items items;
    for (const std::string_view name : joined.order.names) {
      items.push_back(std::move(joined.values.at(name)));
    }
    Value merged = Value::Array(std::move(items));
    if (!joined.order.conflict) return merged;
    const auto identities = [&](const Value& array) {
      Value::Items ids;
      for (const Value& item : *array.items()) ids.push_back(*IdOf(item, member));
      return Value::Array(std::move(ids));
    };
    const Value of_base = identities(*place.base), of_left = identities(*place.left),
                of_right = identities(*place.right);
    return Conflict("order", &of_base, &of_left, &of_right, &merged);
  }

  // Items that all three have divide the sequences; between them are runs that were changed.
  Value JoinSequences(Run base, Run left, Run right) const {
    const std::vector<std::size_t> in_left = PlacesIn(left, base);
    const std::vector<std::size_t> in_right = PlacesIn(right, base);
    Value::Items result;
    std::size_t b = 0, l = 0, r = 0;
    for (std::size_t common = 0; common < base.size(); ++common) {
      if (in_left[common] == kNone || in_right[common] == kNone) continue;
      JoinRuns(base.subspan(b, common - b), left.subspan(l, in_left[common] - l),
               right.subspan(r, in_right[common] - r), result);
      l = in_left[common];
      r = in_right[common];
      b = common;
      result.push_back(*Join({&base[b++], &left[l++], &right[r++]}));
    }
    JoinRuns(base.subspan(b), left.subspan(l), right.subspan(r), result);
    return Value::Array(std::move(result));
  }

  static constexpr std::size_t kNone = ~std::size_t{0};

  // For each item of the base its place on the side.
  static std::vector<std::size_t> PlacesIn(Run side, Run base) {
    std::vector<std::size_t> places(base.size(), kNone);
    const auto same = [&](std::size_t i, std::size_t j) { return Equal(base[i], side[j]); };
    for (const auto& [i, j] : MatchSequences(base.size(), side.size(), same)) places[i] = j;
    return places;
  }

  void JoinRuns(Run base, Run left, Run right, Value::Items& result) const {
    const auto append = [&](Run run) { result.insert(result.end(), run.begin(), run.end()); };
    if (EqualRuns(left, base)) return append(right);
    if (EqualRuns(right, base) || EqualRuns(left, right)) return append(left);
    if (ItemByItem(base, left, right)) {
      for (std::size_t i = 0; i < base.size(); ++i) {
        result.push_back(*Join({&base[i], &left[i], &right[i]}));
      }
      return;
    }
    const Value of_base = RunAsArray(base), of_left = RunAsArray(left),
                of_right = RunAsArray(right);
    result.push_back(Conflict("items", &of_base, &of_left, &of_right));
  }

  // Whether the runs are the same items, each changed by one side alone or joined from within.
  static bool ItemByItem(Run base, Run left, Run right) {
    if (base.size() != left.size() || base.size() != right.size()) return false;
    for (std::size_t i = 0; i < base.size(); ++i) {
      const Place place{&base[i], &left[i], &right[i]};
      if (Equal(base[i], left[i]) || Equal(base[i], right[i]) || Equal(left[i], right[i])) continue;
      if (!AreAll(place, &Value::members) && !AreAll(place, &Value::items)) return false;
    }
    return true;
  }

  const MergeOptions& options_;
};

std::string Escaped(std::string_view key) {
  std::string text;
  for (const char c : key) text += c == '~' ? "~0" : c == '/' ? "~1" : std::string(1, c);
  return text;
}

// The places of conflicts, until they have more than `most` bytes.
struct Places {
  std::size_t most;
  std::size_t bytes = 0;
  std::vector<std::string> texts;
};

// Adds those of `value`, which is at `path`. The path is one text that grows and shrinks: a key may
// be long, and have many values below it. A conflict in the base of another one is past.
void FindConflicts(const Value& value, std::string& path, Places& places) {
  if (places.bytes > places.most) return;
  const bool is_conflict = IsConflict(&value);
  if (is_conflict) {
    places.texts.push_back(path);
    places.bytes += path.size() + 1;
  }
  const std::size_t length = path.size();
  const auto find_in = [&](const std::string& step, const Value& inner) {
    path += '/';
    path += step;
    FindConflicts(inner, path, places);
    path.resize(length);
  };
  if (const Value::Members* members = value.members()) {
    for (const auto& [key, inner] : *members) {
      if (!is_conflict || key != "base") find_in(Escaped(key), inner);
    }
  } else if (const Value::Items* items = value.items()) {
    for (std::size_t i = 0; i < items->size(); ++i) find_in(std::to_string(i), (*items)[i]);
  }
}

std::vector<std::string> ConflictsIn(const Value& document, std::size_t most) {
  Places places{.most = most, .bytes = 0, .texts = {}};
  std::string path;
  FindConflicts(document, path, places);
  return std::move(places.texts);
}

Result<void> CheckResolved(const Value& document, const char* subject) {
  if (ConflictsIn(document, 0).empty()) return {};
  return Fail(ErrorCode::kInvalidArgument, subject, 0, "it holds a conflict already");
}

}  // namespace

Result<Merged> Merge(const Value* base, const Value& left, const Value& right,
                     const MergeOptions& options) {
  return OrNoMemory([&]() -> Result<Merged> {
    if (const auto good = CheckResolved(left, "left"); !good) return std::unexpected(good.error());
    if (const auto good = CheckResolved(right, "right"); !good)
      return std::unexpected(good.error());
    Merged merged{.document = *Merger(options).Join({base, &left, &right}), .conflicts = {}};
    merged.conflicts = ConflictsIn(merged.document, kMostPlaceBytes);
    return merged;
  });
}

}  // namespace nowait

// Merges every three states of a field, two fields at a time.
#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <vector>

#include "lectures/judge.h"

namespace nowait {
namespace {

constexpr std::array<std::optional<int>, 4> kStates = {std::nullopt, 0, 1, 2};

Fields Make(std::optional<int> a, std::optional<int> b) {
  Fields fields;
  if (a) fields["a"] = *a;
  if (b) fields["b"] = *b;
  return fields;
}
std::optional<int> Get(const Fields& fields, const std::string& field) {
  const auto found = fields.find(field);
  return found == fields.end() ? std::nullopt : std::optional(found->second);
}
const FieldConflict* Find(const MergedFields& merged, const std::string& field) {
  const auto found = std::ranges::find(merged.conflicts, field, &FieldConflict::field);
  return found == merged.conflicts.end() ? nullptr : &*found;
}

struct Findings {
  bool alone = true;    // a side's change, where the other one made none or the same
  bool kept = true;     // two different changes are a conflict with both
  bool apart = true;    // a field is in the result or in a conflict, in order
  bool mirrors = true;  // swapped sides swap the conflicts
};

void Look(const Fields& base, const Fields& left, const Fields& right, Findings& found) {
  const MergedFields merged = MergeFields(base, left, right);
  for (const std::string field : {"a", "b"}) {
    const auto b = Get(base, field), l = Get(left, field), r = Get(right, field);
    const FieldConflict* conflict = Find(merged, field);
    const auto result = Get(merged.fields, field);
    if (conflict != nullptr && result) found.apart = false;
    if (l == b || r == b || l == r) {
      found.alone &= conflict == nullptr && result == (l == b ? r : l);
    } else {
      found.kept &= conflict != nullptr && *conflict == FieldConflict{field, b, l, r};
    }
  }
  found.apart &= std::ranges::is_sorted(merged.conflicts, {}, &FieldConflict::field);
  found.apart &= std::ranges::adjacent_find(merged.conflicts, {}, &FieldConflict::field) ==
                 merged.conflicts.end();
  MergedFields mirror = MergeFields(base, right, left);
  for (FieldConflict& conflict : mirror.conflicts) std::swap(conflict.left, conflict.right);
  found.mirrors &= mirror.fields == merged.fields && mirror.conflicts == merged.conflicts;
}

int Main() {
  Findings found;
  // All states of one field beside all states of the other one: 4 to the 6th.
  for (int i = 0; i < 4 * 4 * 4 * 4 * 4 * 4; ++i) {
    const auto state = [i](int digit) { return kStates[(i >> 2 * digit) % 4]; };
    Look(Make(state(0), state(1)), Make(state(2), state(3)), Make(state(4), state(5)), found);
  }
  Judge judge;
  judge.Ask(found.alone, "a change that one side made, or both, is in the result");
  judge.Ask(found.kept, "no edit is lost: two different changes are a conflict that holds both");
  judge.Ask(found.apart, "a field is in the result or in one conflict, by ascending names");
  judge.Ask(found.mirrors, "swapped sides swap the sides of conflicts, and nothing else");
  return judge.End();
}

}  // namespace
}  // namespace nowait

int main() { return nowait::Main(); }

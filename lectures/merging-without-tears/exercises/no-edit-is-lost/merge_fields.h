// A merge of two changes of one object: fields with numbers, without anything nested.
#ifndef NOWAIT_LECTURES_NO_EDIT_IS_LOST_MERGE_FIELDS_H_
#define NOWAIT_LECTURES_NO_EDIT_IS_LOST_MERGE_FIELDS_H_

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace nowait {

using Fields = std::map<std::string, int>;

// Two different changes of one field. A side without a value has removed it, or never had it.
struct FieldConflict {
  std::string field;
  std::optional<int> base, left, right;

  friend bool operator==(const FieldConflict&, const FieldConflict&) = default;
};

struct MergedFields {
  Fields fields;                         // without those in conflict
  std::vector<FieldConflict> conflicts;  // by ascending names
};

inline MergedFields MergeFields(const Fields& base, const Fields& left, const Fields& right) {
  MergedFields merged;
  for (const auto& [field, value] : base) {
    const auto l = left.find(field);
    const auto r = right.find(field);
    if (l == left.end() || r == right.end()) continue;  // removed
    if (l->second == value || l->second == r->second) {
      merged.fields[field] = r->second;
    } else if (r->second == value) {
      merged.fields[field] = l->second;
    } else {
      merged.conflicts.push_back({field, value, l->second, r->second});
    }
  }
  for (const Fields* side : {&left, &right}) {
    for (const auto& [field, value] : *side) {
      if (!base.contains(field)) merged.fields.insert({field, value});
    }
  }
  return merged;
}

}  // namespace nowait

#endif  // NOWAIT_LECTURES_NO_EDIT_IS_LOST_MERGE_FIELDS_H_

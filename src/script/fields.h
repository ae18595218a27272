// FieldLayout and ScriptRecord: the state of an object that has a script.
//
//   const auto layout = FieldLayout::Create({{"place", FieldKind::kVec3, {}}});
//   if (!layout) return std::unexpected(layout.error());
//   if (const auto slot = layout->Find("place")) record.values[*slot].vec3 = {1, 2, 3};
//
// A record is plain data of one size, so it can be the value of an ObjectTable, and an update of it
// can be a transaction. The layout, which all objects of a script share, gives the slots their
// names and kinds. Another language reads the same record by the same layout.
//
// Thread safety: a layout does not change.
// Errors: of Create, kInvalidArgument "field name" or "field kind", kCapacity "fields".
// Test: tests/script/fields_test.cc. Lecture: scripts on many threads.
#ifndef NOWAIT_SRC_SCRIPT_FIELDS_H_
#define NOWAIT_SRC_SCRIPT_FIELDS_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "src/base/result.h"
#include "src/game/object_table.h"
#include "src/math/vec3.h"
#include "src/script/abi.h"

namespace nowait {

inline constexpr std::size_t kMostFields = 12;

enum class FieldKind : std::uint32_t {
  kNumber = NOWAIT_NUMBER,
  kBoolean = NOWAIT_BOOLEAN,
  kHandle = NOWAIT_HANDLE,
  kVec3 = NOWAIT_VEC3,
};
inline constexpr std::array<const char*, 4> kFieldKindNames = {"number", "boolean", "object",
                                                               "vec3"};
constexpr const char* NameOf(FieldKind kind) {
  return kFieldKindNames[static_cast<std::size_t>(kind)];
}

using ScriptValue = NowaitValue;
static_assert(sizeof(ScriptValue) == 16);

// The value reduced to this kind. The bytes of a union outside of the member that was set may have
// any value.
inline ScriptValue OnlyOf(FieldKind kind, const ScriptValue& value) {
  ScriptValue only{};
  switch (kind) {
    case FieldKind::kNumber:
      only.number = value.number;
      break;
    case FieldKind::kBoolean:
      only.boolean = value.boolean != 0 ? 1 : 0;
      break;
    case FieldKind::kHandle:
      only.handle = value.handle;
      break;
    case FieldKind::kVec3:
      only.vec3 = value.vec3;
      break;
  }
  return only;
}

constexpr std::uint64_t BitsOf(ObjectHandle handle) {
  return std::uint64_t{handle.generation} << 32 | handle.slot;
}
constexpr ObjectHandle HandleOf(std::uint64_t bits) {
  return {static_cast<std::uint32_t>(bits), static_cast<std::uint32_t>(bits >> 32)};
}
static_assert(BitsOf(ObjectHandle{}) == NOWAIT_NO_OBJECT);

constexpr Vec3 FromScript(NowaitVec3 v) { return {v.x, v.y, v.z}; }
constexpr NowaitVec3 ToScript(Vec3 v) { return {v.x, v.y, v.z}; }

// The value of an object: its script, and the script's fields. It has no padding; slots without a
// field are zero.
struct ScriptRecord {
  std::uint64_t script = 0;
  std::array<ScriptValue, kMostFields> values{};
};
static_assert(sizeof(ScriptRecord) == sizeof(std::uint64_t) + kMostFields * sizeof(ScriptValue));

struct ScriptField {
  std::string name;
  FieldKind kind = FieldKind::kNumber;
  ScriptValue initial{};
};

class FieldLayout {
 public:
  FieldLayout() = default;

  static Result<FieldLayout> Create(std::vector<ScriptField> fields) {
    if (fields.size() > kMostFields) return Fail(ErrorCode::kCapacity, "fields", kMostFields);
    for (std::size_t i = 0; i < fields.size(); ++i) {
      if (!IsName(fields[i].name)) {
        return Fail(ErrorCode::kInvalidArgument, "field name", static_cast<std::int64_t>(i));
      }
      for (std::size_t j = 0; j < i; ++j) {
        if (fields[j].name != fields[i].name) continue;
        return Fail(ErrorCode::kInvalidArgument, "field name", static_cast<std::int64_t>(i),
                    "two fields have it");
      }
      if (static_cast<std::size_t>(fields[i].kind) >= kFieldKindNames.size()) {
        return Fail(ErrorCode::kInvalidArgument, "field kind", static_cast<std::int64_t>(i));
      }
    }
    for (ScriptField& field : fields) field.initial = OnlyOf(field.kind, field.initial);
    FieldLayout layout;
    layout.fields_ = std::move(fields);
    return layout;
  }

  const std::vector<ScriptField>& fields() const { return fields_; }

  // The slot of the field with this name.
  std::optional<std::uint32_t> Find(std::string_view name) const {
    for (std::uint32_t slot = 0; slot < fields_.size(); ++slot) {
      if (fields_[slot].name == name) return slot;
    }
    return {};
  }

  // The fields of a new object.
  ScriptRecord Initial(std::uint32_t script) const {
    ScriptRecord record{.script = script};
    for (std::size_t slot = 0; slot < fields_.size(); ++slot) {
      record.values[slot] = fields_[slot].initial;
    }
    return record;
  }

  // Whether records of one layout are records of the other. Initial values may differ.
  bool Fits(const FieldLayout& other) const {
    if (fields_.size() != other.fields_.size()) return false;
    for (std::size_t slot = 0; slot < fields_.size(); ++slot) {
      if (fields_[slot].name != other.fields_[slot].name) return false;
      if (fields_[slot].kind != other.fields_[slot].kind) return false;
    }
    return true;
  }

 private:
  static bool IsName(std::string_view name) {
    const auto is_letter = [](char c) {
      return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
    };
    if (name.empty() || name.size() > 31 || !is_letter(name[0])) return false;
    for (const char c : name) {
      if (!is_letter(c) && !(c >= '0' && c <= '9')) return false;
    }
    return true;
  }

  std::vector<ScriptField> fields_;
};

}  // namespace nowait

#endif  // NOWAIT_SRC_SCRIPT_FIELDS_H_

#include "src/script/fields.h"

#include <catch2/catch.hpp>
#include <string>
#include <vector>

namespace nowait {
namespace {

Result<FieldLayout> Make(std::vector<ScriptField> fields) {
  return FieldLayout::Create(std::move(fields));
}

TEST_CASE("fields have names, kinds and slots") {
  ScriptValue seven{};
  seven.number = 7;
  const auto layout =
      Make({{"health", FieldKind::kNumber, seven}, {"_place2", FieldKind::kVec3, {}}});
  REQUIRE(layout);
  CHECK(layout->Find("health") == 0u);
  CHECK(layout->Find("_place2") == 1u);
  CHECK(!layout->Find("healt"));
  const ScriptRecord record = layout->Initial(3);
  CHECK(record.script == 3);
  CHECK(record.values[0].number == 7);
  CHECK(record.values[1].bits[0] == 0);
  CHECK(record.values[kMostFields - 1].bits[1] == 0);
}

TEST_CASE("bytes that a kind does not use are zero") {
  ScriptValue dirty{};
  dirty.bits[0] = dirty.bits[1] = 0x0101010101010101;
  const auto layout = Make({{"n", FieldKind::kNumber, dirty},
                            {"on", FieldKind::kBoolean, dirty},
                            {"other", FieldKind::kHandle, dirty},
                            {"place", FieldKind::kVec3, dirty}});
  REQUIRE(layout);
  const ScriptRecord record = layout->Initial(0);
  for (int slot = 0; slot < 3; ++slot) CHECK(record.values[slot].bits[1] == 0);
  CHECK(record.values[0].bits[0] == dirty.bits[0]);
  CHECK(record.values[1].bits[0] == 1);
  CHECK(record.values[3].bits[1] == 0x01010101);
}

TEST_CASE("layouts that are refused") {
  const auto error = [](std::vector<ScriptField> fields) {
    return Make(std::move(fields)).error();
  };
  CHECK(error(std::vector<ScriptField>(kMostFields + 1)) ==
        Error{ErrorCode::kCapacity, "fields", kMostFields});
  for (const std::string name : {"", "2a", "a b", "a\"", "ä"}) {
    CAPTURE(name);
    CHECK(error({{"a"}, {name}}) == Error{ErrorCode::kInvalidArgument, "field name", 1});
  }
  CHECK(error({{std::string(32, 'a')}}).subject == std::string("field name"));
  CHECK(Make({{std::string(31, 'a')}}));
  CHECK(error({{"a"}, {"b"}, {"a"}}) ==
        Error{ErrorCode::kInvalidArgument, "field name", 2, "two fields have it"});
  CHECK(error({{"a", static_cast<FieldKind>(4), {}}}).subject == std::string("field kind"));
}

TEST_CASE("a layout fits records of the same fields in the same order") {
  const auto a = Make({{"x", FieldKind::kNumber, {}}, {"y", FieldKind::kBoolean, {}}});
  const auto other_value =
      Make({{"x", FieldKind::kNumber, {.number = 1}}, {"y", FieldKind::kBoolean, {}}});
  const auto other_kind = Make({{"x", FieldKind::kNumber, {}}, {"y", FieldKind::kNumber, {}}});
  const auto other_order = Make({{"y", FieldKind::kBoolean, {}}, {"x", FieldKind::kNumber, {}}});
  const auto fewer = Make({{"x", FieldKind::kNumber, {}}});
  CHECK(a->Fits(*other_value));
  CHECK(!a->Fits(*other_kind));
  CHECK(!a->Fits(*other_order));
  CHECK(!a->Fits(*fewer));
}

TEST_CASE("a handle is its bits, and no object is a handle of its own") {
  const ObjectHandle handle{17, 0x80000003};
  CHECK(HandleOf(BitsOf(handle)) == handle);
  CHECK(HandleOf(NOWAIT_NO_OBJECT) == ObjectHandle{});
}

TEST_CASE("as many fields as there may be have their slots, and a name may be any of letters") {
  std::vector<ScriptField> fields;
  for (std::size_t i = 0; i < kMostFields; ++i) {
    ScriptField field{std::string(1, static_cast<char>('A' + i)) + "z9_", FieldKind::kNumber, {}};
    field.initial.number = static_cast<double>(i);
    fields.push_back(field);
  }
  const auto layout = Make(fields);
  REQUIRE(layout);
  CHECK(layout->Find("Lz9_") == 11u);
  CHECK(layout->Initial(0).values[11].number == 11);
  for (std::size_t kind = 0; kind < 4; ++kind) {
    CHECK(Make({{"a", static_cast<FieldKind>(kind), {}}}));
  }
  CHECK(Make({{"a"}, {"b", static_cast<FieldKind>(9), {}}}).error().amount == 1);
}

}  // namespace
}  // namespace nowait

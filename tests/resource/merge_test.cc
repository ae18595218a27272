#include "src/resource/merge.h"

#include <catch2/catch.hpp>
#include <string>
#include <utility>
#include <vector>

#include "src/base/result.h"
#include "src/resource/document_text.h"

namespace nowait {
namespace {

Value Parsed(const std::string& text) {
  auto document = ParseDocument(text);
  INFO(text);
  REQUIRE(document);
  return *std::move(document);
}

struct Joined {
  std::string text;
  std::vector<std::string> conflicts;
};

// base "": the document is new on both sides.
Joined Join(const std::string& base, const std::string& left, const std::string& right,
            const MergeOptions& options = {}) {
  const Value before = base.empty() ? Value() : Parsed(base);
  const auto merged = Merge(base.empty() ? nullptr : &before, Parsed(left), Parsed(right), options);
  REQUIRE(merged);
  return {WriteDocument(merged->document, {.indent = "", .lines = false, .newline = false}),
          merged->conflicts};
}

void Check(const std::string& base, const std::string& left, const std::string& right,
           const std::string& expected) {
  const Joined joined = Join(base, left, right);
  CHECK(joined.text == expected);
  CHECK(joined.conflicts.empty());
}

void CheckConflict(const std::string& base, const std::string& left, const std::string& right,
                   const std::string& expected, const std::vector<std::string>& places) {
  const Joined joined = Join(base, left, right);
  CHECK(joined.text == expected);
  CHECK(joined.conflicts == places);
}

TEST_CASE("Fields that one side changes are joined") {
  Check(R"({"a":1,"b":2,"c":3})", R"({"a":7,"b":2,"c":3})", R"({"a":1,"b":2,"c":8})",
        R"({"a":7,"b":2,"c":8})");
  Check(R"({"a":{"b":{"x":1,"y":1}}})", R"({"a":{"b":{"x":2,"y":1}}})",
        R"({"a":{"b":{"x":1,"y":2}}})", R"({"a":{"b":{"x":2,"y":2}}})");
  // Removed here, added there.
  Check(R"({"a":1,"b":2})", R"({"b":2})", R"({"a":1,"b":2,"c":3})", R"({"b":2,"c":3})");
  // Both do the same.
  Check(R"({"a":1,"b":2})", R"({"a":5})", R"({"a":5})", R"({"a":5})");
  // A type that changes is a change as any.
  Check(R"({"a":1,"b":[]})", R"({"a":{"x":1},"b":[]})", R"({"a":1,"b":"none"})",
        R"({"a":{"x":1},"b":"none"})");
  Check("1", "2", "1", "2");
}

TEST_CASE("A key has the place that its side gave it") {
  Check(R"({"a":1,"b":2})", R"({"a":1,"x":0,"b":2})", R"({"a":1,"b":2,"y":0})",
        R"({"a":1,"x":0,"b":2,"y":0})");
  Check(R"({"a":1,"b":2})", R"({"b":2,"a":1})", R"({"a":1,"b":3})", R"({"b":3,"a":1})");
  // Both add at one place: the block with the smaller first name comes first, on either side.
  Check(R"({"a":1})", R"({"a":1,"y":0,"b":0})", R"({"a":1,"x":0,"z":0})",
        R"({"a":1,"x":0,"z":0,"y":0,"b":0})");
  Check(R"({"a":1})", R"({"a":1,"x":0,"z":0})", R"({"a":1,"y":0,"b":0})",
        R"({"a":1,"x":0,"z":0,"y":0,"b":0})");
}

TEST_CASE("The form that one side gives a value is kept") {
  Check(R"({"a":1,"b":2})", R"({"a":1.0,"b":2})", R"({"a":1,"b":3})", R"({"a":1.0,"b":3})");
  Check(R"({"a":1,"b":2})", R"({"a":1,"b":3})", R"({"a":1.0,"b":2})", R"({"a":1.0,"b":3})");
  // The meaning that the other side gives it counts more.
  Check(R"([1,2])", R"([1.0,2])", R"([1,3])", "[1,3]");
  Check("1", "2", "1.0", "2");
}

TEST_CASE("A field that both sides change is a conflict, and stands there with all three") {
  CheckConflict(R"({"a":1,"b":2})", R"({"a":3,"b":4})", R"({"a":5,"b":2})",
                R"({"a":{"$conflict":"value","base":1,"left":3,"right":5},"b":4})", {"/a"});
  // Removed against changed; added in two ways; an object against a number.
  CheckConflict(R"({"a":{"x":1},"b":0})", R"({"b":0})", R"({"a":{"x":2},"b":0})",
                R"({"a":{"$conflict":"value","base":{"x":1},"right":{"x":2}},"b":0})", {"/a"});
  CheckConflict(R"({})", R"({"a":1})", R"({"a":2})",
                R"({"a":{"$conflict":"value","left":1,"right":2}})", {"/a"});
  CheckConflict(R"({"a":{"x":1}})", R"({"a":{"x":2}})", R"({"a":3})",
                R"({"a":{"$conflict":"value","base":{"x":1},"left":{"x":2},"right":3}})", {"/a"});
  CheckConflict("1", "2", "3", R"({"$conflict":"value","base":1,"left":2,"right":3})", {""});
  // A place with the characters that pointers escape.
  CheckConflict(R"({"a/b~":[{"id":1,"x":1}]})", R"({"a/b~":[{"id":1,"x":2}]})",
                R"({"a/b~":[{"id":1,"x":3}]})",
                R"({"a/b~":[{"id":1,"x":{"$conflict":"value","base":1,"left":2,"right":3}}]})",
                {"/a~1b~0/0/x"});
}

TEST_CASE("What both sides add as objects is joined by key") {
  Check(R"({})", R"({"a":{"x":1}})", R"({"a":{"y":2}})", R"({"a":{"x":1,"y":2}})");
  const Joined joined = Join("", R"({"a":1,"b":2})", R"({"a":1,"c":3})");
  CHECK(joined.text == R"({"a":1,"b":2,"c":3})");
  CHECK(joined.conflicts.empty());
}

TEST_CASE("Objects of an array are known by their identities") {
  // Changed here, moved there; one removed, one added on each side.
  Check(R"([{"id":"a","x":1},{"id":"b","x":1},{"id":"c","x":1}])",
        R"([{"id":"a","x":2},{"id":"c","x":1},{"id":"d"}])",
        R"([{"id":"c","x":1},{"id":"e"},{"id":"a","x":1},{"id":"b","x":1}])",
        R"([{"id":"c","x":1},{"id":"d"},{"id":"e"},{"id":"a","x":2}])");
  // A number and a string are two identities; 1 and 1.0 are two names.
  Check(R"([{"id":1}])", R"([{"id":1},{"id":"1"}])", R"([{"id":1,"x":0}])",
        R"([{"id":1,"x":0},{"id":"1"}])");
  CheckConflict(R"([{"id":1,"x":0},{"id":2}])", R"([{"id":2}])", R"([{"id":1,"x":5},{"id":2}])",
                R"([{"$conflict":"value","base":{"id":1,"x":0},"right":{"id":1,"x":5}},{"id":2}])",
                {"/0"});
  CheckConflict(R"([{"id":1},{"id":2},{"id":3}])", R"([{"id":2},{"id":1},{"id":3}])",
                R"([{"id":1},{"id":3},{"id":2,"x":4}])",
                R"({"$conflict":"order","base":[1,2,3],"left":[2,1,3],"right":[1,3,2],)"
                R"("merged":[{"id":1},{"id":2,"x":4},{"id":3}]})",
                {""});
  // Each side has moved another one; then both the same one.
  Check(R"([{"id":1},{"id":2},{"id":3},{"id":4},{"id":5}])",
        R"([{"id":2},{"id":3},{"id":4},{"id":5},{"id":1}])",
        R"([{"id":4},{"id":1},{"id":2},{"id":3},{"id":5}])",
        R"([{"id":4},{"id":2},{"id":3},{"id":5},{"id":1}])");
  CheckConflict(R"([{"id":1},{"id":2},{"id":3},{"id":4}])",
                R"([{"id":2},{"id":3},{"id":4},{"id":1}])",
                R"([{"id":2},{"id":3},{"id":1},{"id":4}])",
                R"({"$conflict":"order","base":[1,2,3,4],"left":[2,3,4,1],"right":[2,3,1,4],)"
                R"("merged":[{"id":1},{"id":2},{"id":3},{"id":4}]})",
                {""});
  const Joined named = Join(R"([{"name":"a","x":1,"y":1}])", R"([{"name":"a","x":2,"y":1}])",
                            R"([{"name":"a","x":1,"y":2}])", {.identities = {"id", "name"}});
  CHECK(named.text == R"([{"name":"a","x":2,"y":2}])");
}

TEST_CASE("An identity that is a number keeps its object when a tool writes it in another form") {
  Check(R"([{"id":1,"x":1}])", R"([{"id":1.0,"x":1}])", R"([{"id":1,"x":2}])",
        R"([{"id":1.0,"x":2}])");
  Check("[]", R"([{"id":10,"x":1}])", R"([{"id":1e1,"x":1}])", R"([{"id":10,"x":1}])");
  // The text "1" is not the number.
  Check("[]", R"([{"id":1,"x":1}])", R"([{"id":"1","x":2}])",
        R"([{"id":"1","x":2},{"id":1,"x":1}])");
  // Twice the same number: no identities, hence a sequence.
  Check(R"([{"id":1,"x":1},{"id":1.0,"x":1}])", R"([{"id":1,"x":2},{"id":1.0,"x":1}])",
        R"([{"id":1,"x":1},{"id":1.0,"x":1},{"id":3}])",
        R"([{"id":1,"x":2},{"id":1.0,"x":1},{"id":3}])");
}

TEST_CASE("A long list of objects is joined") {
  const auto list = [](const std::string& first, const std::string& last) {
    std::string text = first;
    for (int i = 0; i < 100'000; ++i) text += "{\"id\":" + std::to_string(i) + "},";
    return "[" + text + last + "]";
  };
  const std::string a = R"({"id":"a"})", b = R"({"id":"b"})", z = R"({"id":"z"})";
  Check(list("", z), list(a + ",", z), list(b + ",", z), list(a + "," + b + ",", z));
}

TEST_CASE("Many values below a long key are joined") {
  const auto document = [](int z) {
    std::string text = "{\"" + std::string(1'000'000, 'k') + "\":[";
    for (int i = 0; i < 200'000; ++i) text += "0,";
    return Parsed(text + "0],\"z\":" + std::to_string(z) + "}");
  };
  const Value base = document(1), left = document(2), right = document(3);
  const auto merged = Merge(&base, left, right, {});
  REQUIRE(merged);
  CHECK(merged->conflicts == std::vector<std::string>{"/z"});
}

TEST_CASE("The places of many conflicts below a long key are the first ones") {
  constexpr std::size_t kConflicts = 200;
  const std::string key(kMostPlaceBytes / 100, 'k');
  const auto document = [&](const std::string& value) {
    Value::Members members;
    for (std::size_t i = 0; i < kConflicts; ++i) {
      members.push_back({std::to_string(i), Value::FromNumber(value)});
    }
    return Value::Object({{key, Value::Object(std::move(members))}});
  };
  const Value base = document("0"), left = document("1"), right = document("2");
  const auto merged = Merge(&base, left, right, {});
  REQUIRE(merged);
  CHECK(merged->conflicts.size() == 100);  // the last one is the one that has no room
  CHECK(merged->conflicts.front() == "/" + key + "/0");
  CHECK(merged->conflicts.back() == "/" + key + "/99");
  // In the document are all.
  CHECK(merged->document.Find(key)->Find("199")->Find("$conflict") != nullptr);
}

TEST_CASE("Other arrays are joined as sequences") {
  Check(R"(["a","b","c","d"])", R"(["x","a","b","c","d"])", R"(["a","b","d","e"])",
        R"(["x","a","b","d","e"])");
  // Objects without identities: item by item, where each has one change or is joined from within.
  Check(R"([{"x":1,"y":1},{"x":2}])", R"([{"x":5,"y":1},{"x":2}])", R"([{"x":1,"y":6},{"x":7}])",
        R"([{"x":5,"y":6},{"x":7}])");
  CheckConflict(R"(["a","b","c"])", R"(["a","x","y","c"])", R"(["a","z","c"])",
                R"(["a",{"$conflict":"items","base":["b"],"left":["x","y"],"right":["z"]},"c"])",
                {"/1"});
  // An identity that occurs twice does not count.
  Check(R"([{"id":1},{"id":1}])", R"([{"id":1},{"id":1},{"id":2}])",
        R"([{"id":0},{"id":1},{"id":1}])", R"([{"id":0},{"id":1},{"id":1},{"id":2}])");
}

TEST_CASE("Numbers in an array are one value") {
  Check(R"({"at":[1,2,3],"by":0})", R"({"at":[1,2,4],"by":0})", R"({"at":[1,2,3],"by":1})",
        R"({"at":[1,2,4],"by":1})");
  CheckConflict(R"([0,0,0])", R"([1,0,0])", R"([0,1,0])",
                R"({"$conflict":"value","base":[0,0,0],"left":[1,0,0],"right":[0,1,0]})", {""});
}

TEST_CASE("A conflict that nobody has resolved is refused") {
  const Value good = Parsed("{}"), bad = Parsed(R"({"a":[{"$conflict":"value","left":1}]})");
  const auto check = [](const Result<Merged>& merged, const std::string& line) {
    REQUIRE_FALSE(merged);
    CHECK(ToString(merged.error()) == line);
  };
  check(Merge(&good, bad, good, {}), "invalid left: it holds a conflict already");
  check(Merge(&good, good, bad, {}), "invalid right: it holds a conflict already");
}

TEST_CASE("A conflict in a base is a value that both sides have changed") {
  // A field: decided alike, in two ways, and taken away by one.
  const std::string field = R"({"a":{"$conflict":"value","base":0,"left":1,"right":2},"b":0})";
  Check(field, R"({"a":3,"b":1})", R"({"a":3,"b":0})", R"({"a":3,"b":1})");
  CheckConflict(field, R"({"a":3,"b":0})", R"({"a":0,"b":4})",
                R"({"a":{"$conflict":"value","base":{"$conflict":"value","base":0,"left":1,)"
                R"("right":2},"left":3,"right":0},"b":4})",
                {"/a"});
  CheckConflict(field, R"({"b":0})", R"({"a":1,"b":0})",
                R"({"a":{"$conflict":"value","base":{"$conflict":"value","base":0,"left":1,)"
                R"("right":2},"right":1},"b":0})",
                {"/a"});
  // An object of an array, which one side had taken away: it has its identity.
  const std::string object =
      R"([{"$conflict":"value","base":{"id":1,"x":0},"right":{"id":1,"x":5}},{"id":2,"y":0}])";
  Check(object, R"([{"id":1,"x":5},{"id":2,"y":7}])", R"([{"id":1,"x":5},{"id":2,"y":0,"z":1}])",
        R"([{"id":1,"x":5},{"id":2,"y":7,"z":1}])");
  CheckConflict(object, R"([{"id":2,"y":0}])", R"([{"id":2,"y":8},{"id":1,"x":5}])",
                R"([{"$conflict":"value","base":{"$conflict":"value","base":{"id":1,"x":0},)"
                R"("right":{"id":1,"x":5}},"right":{"id":1,"x":5}},{"id":2,"y":8}])",
                {"/0"});
  // Objects that have the keys of a conflict.
  Check(R"({"a":{"$conflict":"value","base":1,"right":{"k":5}}})",
        R"({"a":{"right":{"k":5},"x":1}})", R"({"a":{"base":1,"x":1}})",
        R"({"a":{"base":1,"x":1,"right":{"k":5}}})");
  // An order: the items as they stand there.
  const std::string order = R"({"$conflict":"order","base":[1,2,3],"left":[2,1,3],"right":[1,3,2],)"
                            R"("merged":[{"id":1},{"id":2},{"id":3}]})";
  Check(order, R"([{"id":3},{"id":1},{"id":2}])", R"([{"id":1},{"id":2},{"id":3},{"id":4}])",
        R"([{"id":3},{"id":4},{"id":1},{"id":2}])");
  // Items of a sequence.
  const std::string items =
      R"(["a",{"$conflict":"items","base":[],"left":["b"],"right":["c"]},"d"])";
  Check(items, R"(["a","b","c","d"])", R"(["a","b","c","d"])", R"(["a","b","c","d"])");
  Check(items, R"(["a","b","d"])", R"(["a","b","d","e"])", R"(["a","b","d","e"])");
  const Joined two = Join(items, R"(["a","b","d"])", R"(["a","c","d"])");
  CHECK(two.conflicts == std::vector<std::string>{"/1"});
}

TEST_CASE("Both sides move objects of which the base holds one as a conflict") {
  const std::string base =
      R"([{"$conflict":"value","base":{"id":1},"left":{"id":1,"x":1},"right":{"id":1,"x":2}},)"
      R"({"id":2},{"id":3}])";
  const Joined joined =
      Join(base, R"([{"id":2},{"id":1,"x":3},{"id":3}])", R"([{"id":1,"x":3},{"id":3},{"id":2}])");
  CHECK(joined.text.starts_with(
      R"({"$conflict":"order","base":[1,2,3],"left":[2,1,3],"right":[1,3,2])"));
}

TEST_CASE("The first identity that all objects have, each with another value, is theirs") {
  const auto merged = [](const std::string& base, const std::string& left, const std::string& right,
                         std::vector<std::string> identities) {
    return Join(base, left, right, {.identities = std::move(identities)}).text;
  };
  // Both would do: it is the first one, and the change of the name is a change of a field.
  const std::string both = R"([{"id":1,"name":"a"},{"id":2,"name":"b"}])";
  CHECK(merged(both, R"([{"id":1,"name":"b"},{"id":2,"name":"a"}])",
               R"([{"id":1,"name":"a","x":1},{"id":2,"name":"b"}])",
               {"id", "name"}) == R"([{"id":1,"name":"b","x":1},{"id":2,"name":"a"}])");
  // The last object has no "id".
  const std::string some = R"([{"id":1,"name":"a"},{"name":"b"}])";
  CHECK(merged(some, R"([{"name":"b"},{"id":1,"name":"a"}])",
               R"([{"id":1,"name":"a","x":1},{"name":"b"}])",
               {"id", "name"}) == R"([{"name":"b"},{"id":1,"name":"a","x":1}])");
  // Two have the same "id".
  const std::string same = R"([{"id":1,"name":"a"},{"id":1,"name":"b"}])";
  CHECK(merged(same, R"([{"id":1,"name":"b"},{"id":1,"name":"a"}])",
               R"([{"id":1,"name":"a","x":1},{"id":1,"name":"b"}])",
               {"id", "name"}) == R"([{"id":1,"name":"b"},{"id":1,"name":"a","x":1}])");
}

}  // namespace
}  // namespace nowait

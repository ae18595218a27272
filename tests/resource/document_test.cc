#include "src/resource/document.h"

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

std::string Again(const std::string& text) { return WriteDocument(Parsed(text), LayoutOf(text)); }

TEST_CASE("A document keeps its keys' order, its numbers' texts and its layout") {
  for (const std::string text : {
           "{\n  \"b\": 1.50,\n  \"a\": [1, 2.0, -0, 1e3, -12, 12345678901234567890123]\n}\n",
           "{\n\t\"list\": [\n\t\t{\n\t\t\t\"x\": null\n\t\t},\n\t\t[true, false]\n\t]\n}\n",
           "{\"a\":{\"b\":[]},\"c\":\"\"}\n",
           "{\"a\":{},\"c\":[1,2]}",
           "{\n\"a\": 1\n}\n",
           "{\r\n  \"a\": [\r\n    {}\r\n  ]\r\n}\r\n",
           "{\"a\":1}\r\n",
           "[]\n",
           "\"text\"",
           "{\n    \"quote\": \"\\\"\\\\\\n\\u0001/\",\n    \"\xC3\xA4\": \"\xE2\x82\xAC\"\n}\n",
       }) {
    CHECK(Again(text) == text);
  }
  CHECK(Again("{\"a\" : \"\\u00e4\\/\"}") == "{\"a\":\"\xC3\xA4/\"}");
}

TEST_CASE("What is not JSON is refused, with the place") {
  const auto fails = [](const std::string& text, const std::string& place, const std::string& why) {
    const auto document = ParseDocument(text);
    INFO(text);
    REQUIRE_FALSE(document);
    CHECK(document.error().code == ErrorCode::kCorrupt);
    CHECK(PlaceOf(text, static_cast<std::size_t>(document.error().amount)) == place);
    CHECK(ToString(document.error()) == "JSON is damaged: " + why);
  };
  const std::string odd = "this does not continue a document";
  fails("", "1:1", odd);
  fails("{\n  \"a\": 1,\n}", "3:1", odd);
  fails("[1, 2] 3", "1:8", odd);
  fails("{\"a\": nul}", "1:10", odd);
  fails("[01]", "1:3", odd);
  fails("\"\xFF\"", "1:2", odd);
  fails("[\"a\nb\"]", "1:4", odd);
  fails(std::string("[1]\n\0 [2]", 8), "2:1", odd);
  fails(std::string("[1\0]", 4), "1:3", odd);
  fails("[1e999]", "1:8", "a number beyond the range of a double");
  fails("{\n\"a\": 1, \"b\": 2,\n\"a\": 3}", "3:4", "a key occurs twice in its object");
}

TEST_CASE("Documents are nested to a bound") {
  const auto nested = [](int levels) {
    return std::string(static_cast<std::size_t>(levels), '[') +
           std::string(static_cast<std::size_t>(levels), ']');
  };
  CHECK(ParseDocument(nested(kMostLevels)));
  const auto deeper = ParseDocument(nested(kMostLevels + 1));
  REQUIRE_FALSE(deeper);
  CHECK(ToString(deeper.error()) == "capacity of levels of JSON reached (200)");
  CHECK_FALSE(ParseDocument(std::string(1'000'000, '[')));
}

TEST_CASE("Equal compares meanings, and Same forms as well") {
  const std::vector<std::pair<const char*, const char*>> equal = {
      {"1", "1.0"},
      {"1", "10e-1"},
      {"-0", "0"},
      {"0", "0.00e5"},
      {"1200", "1.2E+3"},
      {"-0.05", "-5e-2"},
      {"{\"a\":1,\"b\":2}", "{\"b\":2.0,\"a\":1}"},
      {"[{\"a\":1,\"b\":[0]}]", "[{\"b\":[0.0],\"a\":1}]"},
  };
  for (const auto& [a, b] : equal) {
    INFO(a << " and " << b);
    CHECK(Equal(Parsed(a), Parsed(b)));
    CHECK_FALSE(Same(Parsed(a), Parsed(b)));
    CHECK(Same(Parsed(a), Parsed(a)));
  }
  const std::vector<std::pair<const char*, const char*>> different = {
      {"1", "2"},
      {"1", "-1"},
      {"1", "\"1\""},
      {"9007199254740993", "9007199254740992"},
      {"0.1", "0.10000000000000000001"},
      {"10", "1"},
      {"true", "false"},
      {"null", "false"},
      {"[]", "{}"},
      {"[1,2]", "[2,1]"},
      {"[1]", "[1,1]"},
      {"{\"a\":1}", "{\"b\":1}"},
      {"{\"a\":1}", "{\"a\":1,\"b\":1}"},
      {"{\"a\":\"b\"}", "{\"b\":\"a\"}"},
      {"\"a\"", "\"b\""},
  };
  for (const auto& [a, b] : different) {
    INFO(a << " and " << b);
    CHECK_FALSE(Equal(Parsed(a), Parsed(b)));
    CHECK_FALSE(Same(Parsed(a), Parsed(b)));
  }
}

TEST_CASE("Equal numbers have one meaning, and others have others") {
  const std::vector<std::vector<const char*>> groups = {{"0", "-0", "0.0", "0e9"},
                                                        {"1", "1.0", "10e-1", "0.1e1"},
                                                        {"-1", "-1.0"},
                                                        {"120", "1.2e2", "12e1"},
                                                        {"12"},
                                                        {"1200"},
                                                        {"0.12", "12e-2"},
                                                        {"1e400", "10e399"},
                                                        {"1e-400"}};
  for (std::size_t i = 0; i < groups.size(); ++i) {
    for (std::size_t k = 0; k < groups.size(); ++k) {
      for (const char* const a : groups[i]) {
        for (const char* const b : groups[k]) {
          CAPTURE(a, b);
          CHECK((MeaningOf({a}) == MeaningOf({b})) == (i == k));
          CHECK(Equal(Value::FromNumber(a), Value::FromNumber(b)) == (i == k));
        }
      }
    }
  }
  CHECK(MeaningOf({"120"}) == "120");
}

TEST_CASE("Large objects with their keys in other orders are compared") {
  Value::Members rising, falling;
  constexpr int kKeys = 100'000;
  for (int i = 0; i < kKeys; ++i) {
    rising.push_back({"key " + std::to_string(i), Value::Null()});
    falling.push_back({"key " + std::to_string(kKeys - 1 - i), Value::Null()});
  }
  const Value a = Value::Object(std::move(rising)), b = Value::Object(std::move(falling));
  CHECK(Equal(a, b));
  CHECK_FALSE(Same(a, b));
}

TEST_CASE("A member is found by its key") {
  const Value object = Parsed("{\"a\": 1, \"b\": {\"a\": 2}}");
  REQUIRE(object.Find("b") != nullptr);
  CHECK(object.Find("b")->Find("a")->number()->text == "2");
  CHECK(object.Find("c") == nullptr);
  CHECK(Parsed("[1]").Find("a") == nullptr);
}

}  // namespace
}  // namespace nowait

#include "src/streaming/document_reader.h"

#include <catch2/catch.hpp>
#include <string>

#include "src/resource/document_text.h"

namespace nowait {
namespace {

Value Parsed(const std::string& text) {
  const auto value = ParseDocument(text);
  REQUIRE(value);
  return *value;
}

TEST_CASE("numbers are taken from their least to their most value, both included") {
  DocumentReader in("a.json");
  const Value object = Parsed(R"({"a": 1, "b": 125, "c": 7, "d": [-3, 3, 0], "e": true})");
  CHECK(in.Number(object, "a", 1, 125) == 1);
  CHECK(in.Number(object, "b", 1, 125) == 125);
  CHECK(in.Whole(object, "c", 7, 7) == 7);
  CHECK(in.Vector(object, "d", 3) == Vec3{-3, 3, 0});
  CHECK(in.Flag(object, "e"));
  CHECK(in.error().empty());
}

TEST_CASE("the first error is kept with its place, and a field that fails has its least value") {
  DocumentReader in("a.json");
  const Value object = Parsed(R"({"a": 0.5, "b": "x", "c": 2.5})");
  in.Enter("objects[2].");
  CHECK(in.Number(object, "a", 1, 9) == 1);
  const std::string first = "a.json: objects[2].a: not a number from 1 to 9";
  CHECK(in.error() == first);
  in.Enter("");
  CHECK(in.Number(object, "none", 3, 9) == 3);
  CHECK(in.Whole(object, "b", 4, 9) == 4);
  CHECK(in.Vector(object, "b", 9) == Vec3{});
  CHECK(in.Choice(object, "a", {"x", "y"}) == 0);
  CHECK_FALSE(in.Flag(object, "b"));
  CHECK(in.Items(object, "b").empty());
  CHECK(in.Text(object, "b").empty());
  in.Expect(object, {"a"});
  in.Fail("b", "why");
  CHECK(in.error() == first);
}

TEST_CASE("each way in which a field is wrong has its words") {
  const Value object = Parsed(R"({"n": 2.5, "t": "z", "v": [1, 2], "far": [1, 2, 9.5]})");
  const auto error = [&](auto read) {
    DocumentReader in("f");
    read(in);
    return in.error();
  };
  CHECK(error([&](auto& in) { in.Whole(object, "n", 0, 9); }) == "f: n: not a whole number");
  CHECK(error([&](auto& in) { in.Number(object, "m", 0, 9); }) == "f: m: it is missing");
  CHECK(error([&](auto& in) { in.Number(object, "t", 0, 9); }) == "f: t: not a number from 0 to 9");
  CHECK(error([&](auto& in) { in.Vector(object, "v", 9); }) == "f: v: not an array of 3 numbers");
  CHECK(error([&](auto& in) { in.Vector(object, "far", 9); }) ==
        "f: far: not a number from -9 to 9");
  CHECK(error([&](auto& in) { in.Choice(object, "t", {"x", "y"}); }) == "f: t: not one of x, y");
  CHECK(error([&](auto& in) { in.Flag(object, "t"); }) == "f: t: neither true nor false");
  CHECK(error([&](auto& in) { in.Items(object, "t"); }) == "f: t: not an array");
  CHECK(error([&](auto& in) { in.Text(object, "all"); }) == "f: all: not a text");
  CHECK(error([&](auto& in) { in.Expect(object, {"n", "t", "v"}); }) == "f: far: an unknown field");
  CHECK(error([&](auto& in) { in.Expect(object, {"n", "t", "v", "far", "w"}); }).empty());
  CHECK(error([&](auto& in) { in.Choice(Parsed(R"({"t": "y"})"), "t", {"x", "y"}); }).empty());
}

}  // namespace
}  // namespace nowait

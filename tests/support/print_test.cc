// Catch2's words for the engine's values, as a failing test shows them. This file does not include
// the header that it tests, as no test has to.
#include <catch2/catch.hpp>
#include <cstdint>
#include <expected>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "src/base/result.h"
#include "src/bodies/body_id.h"
#include "src/bodies/proxy_id.h"
#include "src/jobs/task_id.h"
#include "src/math/bounds.h"
#include "src/math/quat.h"
#include "src/math/ray.h"
#include "src/math/vec3.h"

namespace nowait {
namespace {

template <class T>
std::string Shown(const T& value) {
  return Catch::Detail::stringify(value);
}

TEST_CASE("ids are shown by their parts") {
  CHECK(Shown(BodyId(3, 7, 2)) == "(slot 7, generation 2, world 3)");
  CHECK(Shown(ProxyId(7, 2)) == "(slot 7, generation 2)");
  CHECK(Shown(TaskId(4, 7, 2)) == "(slot 7, generation 2, tag 4)");
  CHECK(Shown(BodyId()).starts_with("(none: slot "));
  CHECK(Shown(std::vector{ProxyId(1, 0), ProxyId(2, 0)}) ==
        "{ (slot 1, generation 0), (slot 2, generation 0) }");
}

TEST_CASE("vectors are shown with all their digits") {
  CHECK(Shown(Vec3{1, 0.25f, -3}) == "(1, 0.25, -3)");
  CHECK(Shown(Quat{0, 0, 0, 1}) == "(0, 0, 0, 1)");
  // The next number above 1.
  CHECK(Shown(Vec3{1.0000001f, 1, 1}) != Shown(Vec3{1, 1, 1}));
  CHECK(Shown(Bounds<3>{{0, 0, 0}, {1, 2, 0.5f}}) == "(0, 0, 0) to (1, 2, 0.5)");
  CHECK(Shown(Ray<2>{{0, 1}, {1, 0}, 0.5f}) == "(0, 1) + (1, 0) * 0.5");
}

TEST_CASE("errors and results are shown in words") {
  const Error full{ErrorCode::kCapacity, "bodies", 8};
  CHECK(Shown(full) == "error: capacity of bodies reached (8) (code 0, amount 8)");
  // Two that differ in one field are not equal, and do not look equal.
  CHECK(Shown(Error{ErrorCode::kInvalidArgument, "mass", 1}) !=
        Shown(Error{ErrorCode::kInvalidArgument, "mass", 2}));
  CHECK(Shown(Result<BodyId>(std::unexpected(full))) == Shown(full));
  CHECK(Shown(Result<BodyId>(BodyId(3, 7, 2))) == "(slot 7, generation 2, world 3)");
  CHECK(Shown(Result<void>()) == "done");
  CHECK(Shown(Result<std::vector<int>>(std::vector{1, 2})) == "{ 1, 2 }");
}

TEST_CASE("optionals and pairs are shown by their values") {
  CHECK(Shown(std::optional<Vec3>()) == "nothing");
  CHECK(Shown(std::optional(Vec3{1, 2, 3})) == "(1, 2, 3)");
  CHECK(Shown(std::pair(ProxyId(1, 0), 5)) == "((slot 1, generation 0), 5)");
}

TEST_CASE("Catch2's own words stay") {
  CHECK(Shown(7) == "7");
  CHECK(Shown(std::string("seven")) == "\"seven\"");
  CHECK(Shown(std::vector{7}) == "{ 7 }");
}

}  // namespace
}  // namespace nowait

#include "src/base/result.h"

#include <catch2/catch.hpp>
#include <expected>
#include <new>
#include <string>
#include <utility>

#include "src/base/or_no_memory.h"

namespace nowait {
namespace {

Result<int> HalfOf(int value) {
  if (value % 2 != 0) return Fail(ErrorCode::kInvalidArgument, "value", value, "it must be even");
  return value / 2;
}

TEST_CASE("a result is a value or an error that names its subject") {
  REQUIRE(HalfOf(8).value() == 4);
  const auto odd = HalfOf(7);
  REQUIRE_FALSE(odd.has_value());
  REQUIRE(odd.error().code == ErrorCode::kInvalidArgument);
  REQUIRE(odd.error().subject == std::string("value"));
  REQUIRE(odd.error().amount == 7);
}

TEST_CASE("results are compared with results, values and errors") {
  REQUIRE(HalfOf(8) == HalfOf(8));
  REQUIRE(HalfOf(8) != HalfOf(6));
  REQUIRE(HalfOf(7) == HalfOf(7));
  REQUIRE(HalfOf(7) != HalfOf(5));
  REQUIRE(HalfOf(8) != HalfOf(7));
  REQUIRE(HalfOf(8) == Result<long>(4));
  REQUIRE(HalfOf(8) == 4);
  REQUIRE(HalfOf(7) != 3);
  REQUIRE(HalfOf(7) == std::unexpected(HalfOf(7).error()));
  const Result<void> nothing, failed = Fail(ErrorCode::kIo, "file");
  REQUIRE(nothing == Result<void>());
  REQUIRE(nothing != failed);
  REQUIRE(failed == failed);
}

TEST_CASE("a copy of a result has its value, also where that is whether there is one") {
  Result<bool> no = false;
  Result<bool> copy(no);
  REQUIRE_FALSE(copy.value());
  REQUIRE_FALSE(Result<bool>(std::move(copy)).value());
}

TEST_CASE("errors are equal when their texts are, wherever these lie") {
  const std::string one = "tree nodes", other = "tree nodes";
  REQUIRE(Error{ErrorCode::kCapacity, one.c_str(), 8} ==
          Error{ErrorCode::kCapacity, other.c_str(), 8});
  REQUIRE(Error{ErrorCode::kCapacity, "nodes", 8, one.c_str()} ==
          Error{ErrorCode::kCapacity, "nodes", 8, other.c_str()});
  REQUIRE_FALSE(Error{ErrorCode::kCapacity, "bodies", 8} ==
                Error{ErrorCode::kCapacity, "contacts", 8});
}

TEST_CASE("errors that differ in one field are different, whichever it is") {
  const Error error{ErrorCode::kIo, "file", 5, "it is gone"};
  CHECK(error == Error{ErrorCode::kIo, "file", 5, "it is gone"});
  CHECK_FALSE(error == Error{ErrorCode::kNotFound, "file", 5, "it is gone"});
  CHECK_FALSE(error == Error{ErrorCode::kIo, "folder", 5, "it is gone"});
  CHECK_FALSE(error == Error{ErrorCode::kIo, "file", 6, "it is gone"});
  CHECK_FALSE(error == Error{ErrorCode::kIo, "file", 5, "it is not there"});
  const Error bare = Fail(ErrorCode::kIo, "file").error();
  CHECK(bare.amount == 0);
  CHECK(std::string(bare.detail).empty());
}

TEST_CASE("a call without memory is a capacity, every other result is the call's") {
  CHECK(OrNoMemory([] { return HalfOf(8); }) == 4);
  CHECK(OrNoMemory([] { return HalfOf(7); }) == std::unexpected(HalfOf(7).error()));
  const auto none = OrNoMemory([]() -> Result<int> { throw std::bad_alloc(); });
  REQUIRE_FALSE(none.has_value());
  CHECK(none.error() == Error{ErrorCode::kCapacity, "memory", 0});
  // Another exception is not a lack of memory.
  CHECK_THROWS_AS(OrNoMemory([]() -> Result<int> { throw 7; }), int);
}

TEST_CASE("an error becomes one line for a person") {
  const auto line = [](ErrorCode code, const char* detail = "") {
    return ToString(Error{code, "tree nodes", 4096, detail});
  };
  REQUIRE(line(ErrorCode::kCapacity) == "capacity of tree nodes reached (4096)");
  REQUIRE(line(ErrorCode::kCapacity, "a reader pins old nodes") ==
          "capacity of tree nodes reached (4096): a reader pins old nodes");
  REQUIRE(line(ErrorCode::kInvalidArgument) == "invalid tree nodes");
  REQUIRE(line(ErrorCode::kStaleId) == "stale tree nodes (4096)");
  REQUIRE(line(ErrorCode::kNotFound) == "tree nodes not found");
  REQUIRE(line(ErrorCode::kCorrupt) == "tree nodes is damaged");
  REQUIRE(line(ErrorCode::kIo) == "tree nodes: input or output failed (errno 4096)");
  REQUIRE(line(ErrorCode::kWrongPhase) == "tree nodes is not allowed in this phase");
  REQUIRE(line(ErrorCode::kCycle) == "tree nodes would close a cycle");
  REQUIRE(line(ErrorCode::kNotOwner) == "tree nodes belongs to another");
  REQUIRE(line(ErrorCode::kNotOwner, "the device's") ==
          "tree nodes belongs to another: the device's");
}

}  // namespace
}  // namespace nowait

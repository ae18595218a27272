#include "src/base/cpu.h"

#include <catch2/catch.hpp>
#include <string>

namespace nowait {
namespace {

TEST_CASE(
    "a machine that runs this test is good enough for it, and the message names what is asked") {
  REQUIRE(CpuIsSufficient());
  REQUIRE_THAT(kCpuMessage, Catch::Contains("x86-64-v3"));
}

}  // namespace
}  // namespace nowait

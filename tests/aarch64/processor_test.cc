// Which code the atomic operations of this program take: that of the processor that was asked for.
#include <catch2/catch.hpp>
#include <cstdlib>
#include <string>

// libgcc's: whether its functions for atomic operations use the instructions of ARMv8.1.
extern "C" bool __aarch64_have_lse_atomics;

namespace nowait {
namespace {

TEST_CASE("atomic operations use the instructions of ARMv8.1 where the processor has them") {
  const char* const processor = std::getenv("NOWAIT_PROCESSOR");
  REQUIRE(processor != nullptr);
  CHECK(__aarch64_have_lse_atomics == (std::string(processor) == "max"));
}

}  // namespace
}  // namespace nowait

// The threads of a game may round as they like: a world comes out the same.
#include <xmmintrin.h>

#include <catch2/catch.hpp>
#include <vector>

#include "tests/whole/numbers/number_program.h"
#include "tests/whole/numbers/run_program.h"

namespace nowait::number_programs {
namespace {

// Denormals are read and written as zero, and results are rounded up.
constexpr unsigned kOther = 0x1f80 | 0x8040 | 0x4000;

// Threads that are started meanwhile inherit the mode.
Outcome RunInOtherMode(const NumberProgram& program, std::uint32_t threads) {
  const unsigned before = _mm_getcsr();
  _mm_setcsr(kOther);
  Outcome outcome = RunProgram(program, threads);
  _mm_setcsr(before);
  return outcome;
}

TEST_CASE("a thread's float mode changes nothing of a world, its own or a worker's") {
  std::size_t frames = 0;
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    NumberProgram program = MakeProgram(seed);
    // The heights and the hits are computed by the caller, in the mode that it is in.
    program.ground.reset();
    for (Frame& frame : program.frames) frame.rays.clear();
    const Outcome usual = RunProgram(program, 2);
    const Outcome other = RunInOtherMode(program, 2);
    CAPTURE(seed);
    REQUIRE(usual.broken == "");
    REQUIRE(other.broken == "");
    REQUIRE(other.hashes == usual.hashes);
    frames += usual.hashes.size();
  }
  CHECK(frames > 500);
}

}  // namespace
}  // namespace nowait::number_programs

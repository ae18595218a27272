// Each thread that a call starts is refused once, on real threads.
#include <catch2/catch.hpp>
#include <cstdint>
#include <string>

#include "src/apps/demo/scene.h"
#include "src/apps/frame/run.h"
#include "tests/whole/faults/temporary_directory.h"
#include "tests/whole/faults/threaded_calls.h"
#include "tests/whole/faults/threads.h"

namespace nowait::whole {
namespace {

// The error of a run whose n-th thread is refused; false in `struck`: it starts fewer.
std::string RunWithout(const ThreadedCall& call, std::uint64_t n, bool& struck) {
  const ThreadFault fault(n);
  const std::string error = call.run();
  struck = fault.has_struck();
  return error;
}

TEST_CASE("a thread that is refused is the call's error, for each of its threads; none is left") {
  const auto ground = LoadGround("assets/terrain/jacksboro.elevation");
  REQUIRE(ground);
  const TemporaryDirectory directory;
  REQUIRE(WriteMusic(directory / "music"));
  for (const ThreadedCall& call : ThreadedCalls(*ground, directory / "music")) {
    std::uint64_t n = 1;
    for (bool struck = true; struck; ++n) {
      INFO(call.name << ", thread " << n << " is refused");
      const std::string error = RunWithout(call, n, struck);
      CHECK(error == (struck ? kRefused : ""));
      CHECK(LiveThreads() == 0);
    }
    INFO(call.name);
    CHECK(n > 3);  // it starts two threads at least
    CHECK(call.run() == "");
  }
}

}  // namespace
}  // namespace nowait::whole

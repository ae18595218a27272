// A system that refuses threads: a limit that the process gives itself.
#include <sys/resource.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <cstdint>
#include <fstream>
#include <memory>
#include <string>
#include <type_traits>

#include "src/base/result.h"
#include "src/jobs/task_pool.h"

namespace nowait {
namespace {

// The address space that the process has in use.
rlim_t SpaceInUse() {
  std::uint64_t pages = 0;
  std::ifstream("/proc/self/statm") >> pages;
  REQUIRE(pages != 0);
  return pages * static_cast<rlim_t>(sysconf(_SC_PAGESIZE));
}

// While it lives, the process has no address space for the stacks of many further threads.
class FewStacks {
 public:
  FewStacks() {
    REQUIRE(getrlimit(RLIMIT_AS, &before_) == 0);
    rlimit little = before_;
    little.rlim_cur = SpaceInUse() + kMore;
    REQUIRE(setrlimit(RLIMIT_AS, &little) == 0);
  }
  ~FewStacks() { setrlimit(RLIMIT_AS, &before_); }

 private:
  static constexpr rlim_t kMore = rlim_t{192} << 20;  // of 8 MiB each, as a rule
  rlimit before_{};
};

static_assert(!std::is_constructible_v<TaskPool, TaskPoolDef>,
              "only Create, which can say that a thread was refused, makes pools");

TEMPLATE_TEST_CASE(
    "a pool whose threads the system refuses is an error, and its threads have ended", "", TaskPool,
    OneQueueTaskPool) {
  if (SpaceInUse() > rlim_t{1} << 40) {
    WARN("a sanitizer has reserved the address space: it cannot be limited");
    return;
  }
  for (const bool devices : {false, true}) {
    TaskPoolDef def{.workers = devices ? 0u : 100u};
    for (int i = 0; devices && i < 100; ++i) def.devices.push_back("device " + std::to_string(i));
    Result<std::unique_ptr<TestType>> made = Fail(ErrorCode::kNotFound, "nothing");
    {
      const FewStacks few;
      made = TestType::Create(def);
    }
    REQUIRE_FALSE(made);
    CHECK(made.error().code == ErrorCode::kCapacity);
    INFO(ToString(made.error()));
  }
  // And the process is as it was.
  const auto pool = TestType::Create({.workers = 2});
  REQUIRE(pool);
}

}  // namespace
}  // namespace nowait

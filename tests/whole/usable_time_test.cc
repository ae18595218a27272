#include "tests/whole/usable_time.h"

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <chrono>

namespace nowait::whole {
namespace {

using std::chrono::milliseconds;
using std::chrono::nanoseconds;
using Clock = std::chrono::steady_clock;

// A child that does work, for as long as this object lives.
class Child {
 public:
  explicit Child(void (*work)()) : process_(fork()) {
    if (process_ == 0) {
      work();
      _exit(0);
    }
  }
  ~Child() {
    kill(process_, SIGKILL);
    waitpid(process_, nullptr, 0);
  }

  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;

  pid_t process() const { return process_; }

 private:
  pid_t process_;
};

// Looks until the wall clock has gone on by at least span. The first look is not counted: it is
// from before the child came to its state.
nanoseconds UsableWithin(const Child& child, nanoseconds span) {
  UsableTime usable(child.process());
  nanoseconds sum{0};
  const Clock::time_point start = Clock::now();
  while (Clock::now() - start < span) {
    usleep(1'000);
    sum += usable.SinceLastLook();
  }
  return sum;
}

TEST_CASE("A process that sleeps could have run all the time") {
  const Child child([] {
    for (;;) pause();
  });
  // It sleeps sooner or later, and then all of the time is its own.
  bool all_usable = false;
  while (!all_usable) all_usable = UsableWithin(child, milliseconds(20)) >= milliseconds(20);
  CHECK(all_usable);
}

TEST_CASE("A process that spins could have run for as long as it ran") {
  const Child child([] {
    for (volatile bool on = true; on;) {
    }
  });
  nanoseconds sum{0};
  while (sum < milliseconds(50)) {
    const nanoseconds more = UsableWithin(child, milliseconds(10));
    REQUIRE(more >= nanoseconds(0));
    sum += more;
  }
  CHECK(sum >= milliseconds(50));
}

TEST_CASE("A process that gets no processor could not have run") {
  const Child child([] {
    for (volatile bool on = true; on;) {
    }
  });
  REQUIRE(kill(child.process(), SIGSTOP) == 0);
  REQUIRE(waitpid(child.process(), nullptr, WUNTRACED) == child.process());
  CHECK(UsableWithin(child, milliseconds(50)) == nanoseconds(0));
}

}  // namespace
}  // namespace nowait::whole

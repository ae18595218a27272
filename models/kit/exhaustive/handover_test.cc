// A handover as processes use it, as far as one process can show it.
#include "models/kit/exhaustive/handover.h"

#include <sys/wait.h>
#include <unistd.h>

#include <catch2/catch.hpp>

namespace nowait::model {
namespace {

TEST_CASE("the list is distributed once") {
  Handover handover(2, 2);
  CHECK(handover.listed_taken() == 0);
  CHECK(handover.TakeListed() == 0);
  CHECK(handover.listed_taken() == 1);
  CHECK(handover.TakeListed() == 1);
  CHECK_FALSE(handover.TakeListed());
  CHECK_FALSE(handover.TakeListed());
  CHECK(handover.listed_taken() == 2);
}

TEST_CASE("only hungry processes are fed, and when all are hungry, the search is over") {
  Handover handover(0, 1);
  CHECK_FALSE(handover.Claims());
  CHECK_FALSE(handover.Wait());
}

TEST_CASE("a hungry process gets a part, and just one") {
  Handover handover(0, 2);
  const TreePath path = {3, 0, 12};
  // How many parts come before the search is over.
  const auto parts = [&] {
    int count = 0;
    while (const auto part = handover.Wait()) count += *part == path ? 1 : 100;
    return count;
  };
  const pid_t hungry = fork();
  if (hungry == 0) _exit(parts());
  while (!handover.Claims()) {
  }
  CHECK_FALSE(handover.Claims());
  CHECK(handover.Give(path));
  // The giver is hungry now, and either of the two may be the one that gets it.
  const int own = parts();
  int status = -1;
  REQUIRE(waitpid(hungry, &status, 0) == hungry);
  CHECK(WEXITSTATUS(status) + own == 1);
}

TEST_CASE("parts given before the stop arrive, and nothing after it") {
  Handover handover(0, 2);
  CHECK(handover.stops() == 0);
  CHECK(handover.Give({7}));
  handover.Stop();
  CHECK(handover.stops() != 0);
  CHECK_FALSE(handover.Give({8}));
  CHECK(handover.Wait() == TreePath{7});
  CHECK_FALSE(handover.Wait());
}

TEST_CASE("the processes' executions are added up") {
  Handover handover(0, 3);
  handover.Publish(0, {5, 0.25});
  handover.Publish(2, {7, 0.5});
  handover.Publish(2, {8, 0.5});
  CHECK(handover.Published().executions == 13);
  CHECK(handover.Published().done == 0.75);
}

}  // namespace
}  // namespace nowait::model

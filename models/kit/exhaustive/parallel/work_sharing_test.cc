// Work sharing as processes use it, as far as a single process can show it.
#include "models/kit/exhaustive/parallel/work_sharing.h"

#include <sys/wait.h>
#include <unistd.h>

#include <catch2/catch.hpp>

namespace nowait::model {
namespace {

TEST_CASE("the list is distributed once") {
  WorkSharing sharing(2, 2);
  CHECK(sharing.listed_taken() == 0);
  CHECK(sharing.TakeListed() == 0);
  CHECK(sharing.listed_taken() == 1);
  CHECK(sharing.TakeListed() == 1);
  CHECK_FALSE(sharing.TakeListed());
  CHECK_FALSE(sharing.TakeListed());
  CHECK(sharing.listed_taken() == 2);
}

TEST_CASE("only hungry processes are fed, and when all are hungry, the search is over") {
  WorkSharing sharing(0, 1);
  CHECK_FALSE(sharing.Claims());
  CHECK_FALSE(sharing.Wait());
}

TEST_CASE("a hungry process gets a part, and just one") {
  WorkSharing sharing(0, 2);
  const TreePath path = {3, 0, 12};
  // The number of parts until the search is over.
  const auto parts = [&] {
    int count = 0;
    while (const auto part = sharing.Wait()) count += *part == path ? 1 : 100;
    return count;
  };
  const pid_t hungry = fork();
  if (hungry == 0) _exit(parts());
  while (!sharing.Claims()) {
  }
  CHECK_FALSE(sharing.Claims());
  CHECK(sharing.Give(path));
  // The giver is hungry as well now, and either of the two may receive the part.
  const int own = parts();
  int status = -1;
  REQUIRE(waitpid(hungry, &status, 0) == hungry);
  CHECK(WEXITSTATUS(status) + own == 1);
}

TEST_CASE("parts given before the stop arrive, and nothing after it") {
  WorkSharing sharing(0, 2);
  CHECK(sharing.stops() == 0);
  CHECK(sharing.Give({7}));
  sharing.Stop();
  CHECK(sharing.stops() != 0);
  CHECK_FALSE(sharing.Give({8}));
  CHECK(sharing.Wait() == TreePath{7});
  CHECK_FALSE(sharing.Wait());
}

TEST_CASE("the processes' executions are added up") {
  WorkSharing sharing(0, 3);
  sharing.Publish(0, {5, 0.25});
  sharing.Publish(2, {7, 0.5});
  sharing.Publish(2, {8, 0.5});
  CHECK(sharing.Published().executions == 13);
  CHECK(sharing.Published().done == 0.75);
}

}  // namespace
}  // namespace nowait::model

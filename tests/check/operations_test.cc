// check::Operations: our own structures beside their written scenarios, and a defect in its
// smallest program.
#include <nowait_check/check.h>

#include <catch2/catch.hpp>
#include <cstdint>
#include <vector>

#include "models/kit/scenario/model.h"
#include "src/sync/quota.h"

namespace {

struct TwoOf : nowait::Quota<nowait::ModelSync> {
  TwoOf() : Quota(2) {}
};

struct Counter {
  long left = 2;
};

// Takes what it has seen, not what is there.
struct Racy {
  bool Take() {
    const long seen = left.load();
    if (seen == 0) return false;
    left.store(seen - 1);
    return true;
  }
  check::atomic<long> left{2};
};

template <class Structure>
check::Operations<Structure, Counter> Takes() {
  check::Operations<Structure, Counter> operations;
  operations.add(
      "Take()", [](Structure& quota) -> long { return quota.Take(); },
      [](Counter& counter) -> long { return counter.left > 0 && counter.left-- > 0; });
  return operations;
}

}  // namespace

TEST_CASE("a quota answers as a counter does, in every program up to a size") {
  const auto checked = Takes<TwoOf>().check({.threads = 3, .calls = 2});
  CAPTURE(checked.program, checked.answers, checked.result);
  CHECK(checked.passed());
  CHECK(checked.programs == 7);  // two threads: 1|1, 1|2, 2|2; three: 111, 112, 122, 222
  CHECK(checked.executions > checked.programs);
}

TEST_CASE("a quota that takes in two steps fails in a smallest program") {
  const auto checked = Takes<Racy>().check({.threads = 2, .calls = 2});
  CHECK_FALSE(checked.passed());
  REQUIRE(checked.result);
  CHECK(checked.result->failure == "the answers could have come from the calls one after another");
  CHECK(checked.program == "Take() | Take()");
  CHECK(checked.answers == std::vector<long>{1, 1, 1});  // three of two
}

TEST_CASE("nothing to check has not passed") {
  CHECK_FALSE((check::Operations<TwoOf, Counter>().check({}).passed()));
}

// S in programs that random ones hardly ever are: each stands for a rule of its own, and the search
// finds the executions that brute force finds.
#include <algorithm>
#include <catch2/catch.hpp>
#include <string>
#include <utility>
#include <vector>

#include "models/kit/exhaustive/oracle/brute_force.h"
#include "models/kit/exhaustive/oracle/checker.h"
#include "models/kit/exhaustive/oracle/statements.h"

namespace nowait::model::oracle {
namespace {

// How many executions both find.
std::size_t Count(Threads threads) {
  const StraightLine program{std::move(threads)};
  Findings found = FindByGraphs(program);
  Findings expected = BruteForce(program);
  CHECK(found.complaint.empty());
  std::sort(found.executions.begin(), found.executions.end());
  std::sort(expected.executions.begin(), expected.executions.end());
  CHECK(found.executions == expected.executions);
  return found.executions.size();
}

TEST_CASE("store buffering by releases that each thread reads back") {
  const auto program = [](Order order) {
    return Threads{{Store(x, 1, order), Load(x, sc), Load(y, sc)},
                   {Store(y, 1, order), Load(y, sc), Load(x, sc)}};
  };
  CHECK(Count(program(rel)) == 4);  // LWG 3941: both may read 0 in the end
  CHECK(Count(program(sc)) == 3);
}

TEST_CASE("store buffering by read-modify-writes that each thread reads back") {
  CHECK(Count({{Add(x, 1, rlx), Load(x, sc), Load(y, sc)},
               {Add(y, 1, rlx), Load(y, sc), Load(x, sc)}}) == 3);
}

// The circle: x = 0 is read before x = 1 is stored, that happens before x = 2 is read, y = 0 is
// read after that, and before y = 1 is stored, and then x = 0 is read.
TEST_CASE("a load comes after a seq_cst store that happens before it, and reads a later one") {
  const auto program = [](Order last) {
    return Threads{{Store(x, 1, sc)},
                   {Load(x, acq), Load(x, last), Load(y, sc)},
                   {Store(y, 1, sc), Load(x, sc)},
                   {Store(x, 2, rlx)}};
  };
  CHECK(Count(program(rlx)) > Count(program(sc)));
}

// The circle: the fence comes before x = 1 is read, y = 0 is read after that, and before y = 1 is
// stored, then z = 0 is read, and the store of z that it does not see happens before the fence. In
// the second program the store of x comes after the fence and tells nobody.
TEST_CASE("a fence comes before the load that reads a relaxed store after it") {
  const auto own = [](Order order) {
    return Threads{{Store(z, 1, rlx), Fence(order), Store(x, 1, rlx)},
                   {Load(x, sc), Load(y, sc)},
                   {Store(y, 1, sc), Load(z, sc)}};
  };
  CHECK(Count(own(Order::acq_rel)) == 8);
  CHECK(Count(own(sc)) == 7);
  const auto told = [](Order order) {
    return Threads{{Store(z, 1, rlx), Fence(order), Store(z, 2, rel)},
                   {Load(z, acq), Store(x, 1, rlx)},
                   {Load(x, sc), Load(y, sc)},
                   {Store(y, 1, sc), Load(z, sc)}};
  };
  // Two of the three values that thread 1 may read say nothing of the fence.
  CHECK(Count(told(Order::acq_rel)) == 3 * 2 * 2 * 3);
  CHECK(Count(told(sc)) == 3 * 2 * 2 * 3 - 1);
}

}  // namespace
}  // namespace nowait::model::oracle

// The brute force judges the checker, and these programs judge the brute force. Their executions
// were counted by hand. Each case explains the count.
#include "models/kit/exhaustive/oracle/brute_force.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "models/kit/exhaustive/oracle/statements.h"

namespace nowait::model::oracle {
namespace {

std::size_t Count(Threads threads) {
  std::vector<std::string> all = BruteForce({std::move(threads)}).executions;
  std::sort(all.begin(), all.end());
  REQUIRE(std::adjacent_find(all.begin(), all.end()) == all.end());
  return all.size();
}
bool Allows(Threads threads, const std::string& signature) {
  const std::vector<std::string> all = BruteForce({std::move(threads)}).executions;
  return std::find(all.begin(), all.end(), signature) != all.end();
}
bool Races(Threads threads) { return BruteForce({std::move(threads)}).race; }

TEST_CASE("store buffering: each load reads one of two, and S forbids that both read the old") {
  const auto program = [](Order order, bool fences) {
    Threads threads = {{Store(x, 1, order), Load(y, order)}, {Store(y, 1, order), Load(x, order)}};
    if (fences) {
      for (auto& thread : threads) thread.insert(thread.begin() + 1, Fence(sc));
    }
    return threads;
  };
  CHECK(Count({{Store(x, 1, rel), Load(y, acq)}, {Store(y, 1, rel), Load(x, acq)}}) == 4);
  CHECK(Count(program(rlx, false)) == 4);
  CHECK(Count(program(sc, false)) == 3);
  CHECK(Count(program(rlx, true)) == 3);
}

TEST_CASE("message passing: the flag without the message is one of four") {
  const auto program = [](Order store, Order load) {
    return Threads{{Store(x, 1, rlx), Store(y, 1, store)}, {Load(y, load), Load(x, rlx)}};
  };
  CHECK(Count(program(rlx, rlx)) == 4);
  CHECK(Count(program(rel, rlx)) == 4);
  CHECK(Count(program(rlx, acq)) == 4);
  CHECK(Count(program(rel, acq)) == 3);
  CHECK(Count({{Store(x, 1, rlx), Fence(rel), Store(y, 1, rlx)},
               {Load(y, rlx), Fence(acq), Load(x, rlx)}}) == 3);
  CHECK(Count({{Store(x, 1, rlx), Fence(rel), Store(y, 1, rlx)}, {Load(y, acq), Load(x, rlx)}}) ==
        3);
  CHECK(Count({{Store(x, 1, rlx), Store(y, 1, rel)}, {Load(y, rlx), Fence(acq), Load(x, rlx)}}) ==
        3);
  // On the wrong side of the access, a fence has no effect.
  CHECK(Count({{Store(x, 1, rlx), Store(y, 1, rlx), Fence(rel)},
               {Fence(acq), Load(y, rlx), Load(x, rlx)}}) == 4);
}

TEST_CASE("load buffering is left out, relaxed or not") {
  CHECK(Count({{Load(x, rlx), Store(y, 1, rlx)}, {Load(y, rlx), Store(x, 1, rlx)}}) == 3);
  CHECK(Count({{Load(x, acq), Store(y, 1, rel)}, {Load(y, acq), Store(x, 1, rel)}}) == 3);
}

TEST_CASE("2+2W: two orders of each atomic, and S forbids that both end with the first store") {
  const auto program = [](Order order) {
    return Threads{{Store(x, 1, order), Store(y, 2, order)},
                   {Store(y, 1, order), Store(x, 2, order)}};
  };
  CHECK(Count(program(rlx)) == 4);
  CHECK(Count(program(rel)) == 4);
  CHECK(Count(program(sc)) == 3);
}

TEST_CASE("S: a store that happens before another one comes first") {
  const auto program = [](Order store, Order load) {
    return Threads{{Store(x, 2, rlx), Store(y, 1, store)}, {Load(y, load), Store(x, 1, rlx)}};
  };
  CHECK(Count(program(rlx, rlx)) == 4);
  CHECK(Count(program(rel, acq)) == 3);
}

TEST_CASE("coherence: a thread does not go back to an older value") {
  CHECK(Count({{Store(x, 1, rlx)}, {Load(x, rlx), Load(x, rlx)}}) == 3);
  // Two stores in either order. For each order, six of the nine pairs of reads do not go backwards.
  CHECK(Count({{Store(x, 1, rlx)}, {Store(x, 2, rlx)}, {Load(x, rlx), Load(x, rlx)}}) == 12);
  // A store, then a load of that store, or of the other one if it came later.
  CHECK(Count({{Store(x, 1, rlx), Load(x, rlx)}, {Store(x, 2, rlx)}}) == 3);
  // A load, then a store by the same thread, which is later than the store that was read.
  CHECK(Count({{Load(x, rlx), Store(x, 1, rlx)}, {Store(x, 2, rlx)}}) == 3);
}

TEST_CASE("IRIW: sixteen, one less when all is seq_cst, or the readers have fences") {
  const auto program = [](Order store, Order load, bool fences) {
    Threads threads = {
        {Store(x, 1, store)}, {Store(y, 1, store)}, {Load(x, load), Load(y, load)}, {}};
    threads[3] = {Load(y, load), Load(x, load)};
    if (fences) {
      threads[2].insert(threads[2].begin() + 1, Fence(sc));
      threads[3].insert(threads[3].begin() + 1, Fence(sc));
    }
    return threads;
  };
  CHECK(Count(program(rlx, rlx, false)) == 16);
  CHECK(Count(program(rel, acq, false)) == 16);
  CHECK(Count(program(sc, sc, false)) == 15);
  CHECK(Count(program(rlx, rlx, true)) == 15);
  // With acquire for the readers' first loads, C++20 allows it: S need not follow happens-before.
  CHECK(Count({{Store(x, 1, sc)},
               {Store(y, 1, sc)},
               {Load(x, acq), Load(y, sc)},
               {Load(y, acq), Load(x, sc)}}) == 16);
}

TEST_CASE("RWC: the read in the middle makes a cycle only with seq_cst") {
  CHECK(Count({{Store(x, 1, sc)}, {Load(x, sc), Load(y, sc)}, {Store(y, 1, sc), Load(x, sc)}}) ==
        7);
  CHECK(
      Count({{Store(x, 1, rel)}, {Load(x, acq), Load(y, acq)}, {Store(y, 1, rel), Load(x, acq)}}) ==
      8);
  CHECK(Count({{Store(x, 1, rlx)},
               {Load(x, rlx), Fence(sc), Load(y, rlx)},
               {Store(y, 1, rlx), Fence(sc), Load(x, rlx)}}) == 7);
}

TEST_CASE("WRC: acquire and release carry over a third thread") {
  const auto program = [](Order store, Order load) {
    return Threads{
        {Store(x, 1, rlx)}, {Load(x, load), Store(y, 1, store)}, {Load(y, load), Load(x, rlx)}};
  };
  CHECK(Count(program(rlx, rlx)) == 8);
  CHECK(Count(program(rel, acq)) == 7);  // x by read-read coherence: its store is not a release
  CHECK(
      Count({{Store(x, 1, rel)}, {Load(x, acq), Store(y, 1, rel)}, {Load(y, acq), Load(x, rlx)}}) ==
      7);
}

// y's stores are 1, the update, and 3. The update directly follows the store that it reads: six
// orders, in which the load after it may read 3, 1, 2, 2, 1 and 3 stores. With two loads of x that
// makes 24, all allowed by C++20; in C++11, S had to follow happens-before.
TEST_CASE("Z6.U: S may contradict happens-before") {
  const Threads program = {{Store(x, 1, sc), Store(y, 1, rel)},
                           {Add(y, 1, sc), Load(y, rlx)},
                           {Store(y, 3, sc), Load(x, sc)}};
  CHECK(Count(program) == 24);
  CHECK(Allows(program, "- - | 0.1! 2.0 | - init | x: 0.0 y: 0.1 1.0 2.0 "));
}

TEST_CASE("release sequences go on through read-modify-writes only") {
  // The load of y reads one of three stores, that of x one of two; y = 1 without x is excluded.
  CHECK(Count({{Store(x, 1, rlx), Store(y, 1, rel), Store(y, 2, rlx)},
               {Load(y, acq), Load(x, rlx)}}) == 5);
  CHECK(Count({{Store(x, 1, rlx), Store(y, 1, rel), Add(y, 1, rlx)},
               {Load(y, acq), Load(x, rlx)}}) == 4);
  // Another thread's update reads one of two stores, y's load one of three, and x's one of two.
  // Without x, executions are excluded in which y's load reads the release, or an update of it.
  CHECK(Count({{Store(x, 1, rlx), Store(y, 1, rel)},
               {Add(y, 1, rlx)},
               {Load(y, acq), Load(x, rlx)}}) == 9);
  CHECK(Count({{Store(x, 1, rlx), Fence(rel), Store(y, 1, rlx)},
               {Add(y, 1, rlx)},
               {Load(y, rlx), Fence(acq), Load(x, rlx)}}) == 9);
}

TEST_CASE("read-modify-writes are atomic") {
  // Three updates in a row, in any order.
  CHECK(Count({{Add(x, 1, rlx)}, {Add(x, 1, rlx)}, {Add(x, 1, rlx)}}) == 6);
  // Either one succeeds first, and the other one sees that.
  CHECK(Count({{Exchange(x, 0, 1, rlx)}, {Exchange(x, 0, 2, rlx)}}) == 2);
  // The second exchange reads the first one's value and continues from there, or it fails.
  CHECK(Count({{Exchange(x, 0, 1, rlx)}, {Exchange(x, 1, 2, rlx)}}) == 2);
  // A store comes before the update or behind it, never between the update and its source.
  CHECK(Count({{Add(x, 1, rlx)}, {Store(x, 5, rlx)}}) == 2);
}

TEST_CASE("a compare-exchange fails as a load of its own order") {
  const auto program = [](Order failure) {
    Statement exchange = Exchange(y, 7, 8, Order::acq_rel);
    exchange.failure = failure;
    return Threads{{Store(x, 1, rlx), Store(y, 1, rel)}, {exchange, Load(x, rlx)}};
  };
  CHECK(Count(program(rlx)) == 4);
  CHECK(Count(program(acq)) == 3);
}

TEST_CASE("a weak exchange fails spuriously once in each thread") {
  CHECK(Count({{Weak(x, 0, 1, rlx)}, {}}) == 2);
  CHECK(Count({{Weak(x, 1, 2, rlx)}, {}}) == 1);  // fails on another value
  // Success, then another value; or a spurious failure, then success.
  CHECK(Count({{Weak(x, 0, 1, rlx), Weak(x, 0, 1, rlx)}, {}}) == 2);
  CHECK(Count({{Weak(x, 0, 1, rlx), Weak(y, 0, 1, rlx)}, {}}) == 3);
  // Each fails spuriously or not. They never both succeed, because the second finds another value.
  // Both fail, or one of two succeeds alone; or one succeeds and the other reads its value, either
  // way.
  CHECK(Count({{Weak(x, 0, 1, rlx)}, {Weak(x, 0, 2, rlx)}}) == 1 + 2 + 2);
}

TEST_CASE("a race is two accesses without an order, in some execution") {
  const auto program = [](Order store, Order load) {
    return Threads{{Write(), Store(x, 1, store)}, {Load(x, load), ReadIf(1)}};
  };
  CHECK_FALSE(Races(program(rel, acq)));
  CHECK(Count(program(rel, acq)) == 2);
  CHECK(Races(program(rlx, acq)));
  CHECK(Races(program(rel, rlx)));
  CHECK_FALSE(
      Races({{Write(), Fence(rel), Store(x, 1, rlx)}, {Load(x, rlx), Fence(acq), ReadIf(1)}}));
  // A second store ends the release sequence; an update does not.
  CHECK(Races({{Write(), Store(x, 1, rel), Store(x, 2, rlx)}, {Load(x, acq), ReadIf(2)}}));
  CHECK_FALSE(Races({{Write(), Store(x, 1, rel), Add(x, 1, rlx)}, {Load(x, acq), ReadIf(2)}}));
  // Two seq_cst fences that are ordered by S alone do not synchronise.
  CHECK(Races({{Write(), Fence(sc), Load(x, rlx)}, {Store(x, 1, rlx), Fence(sc), ReadIf(0)}}));
  // Reads do not conflict, and neither do accesses of one thread.
  CHECK_FALSE(Races({{ReadIf(0)}, {ReadIf(0)}}));
  CHECK_FALSE(Races({{Write(), ReadIf(0)}, {}}));
}

}  // namespace
}  // namespace nowait::model::oracle

// The brute force over unrolled loops: programs with executions counted by hand, and programs whose
// executions are interleavings.
#include "models/kit/exhaustive/oracle/unrolled.h"

#include <algorithm>
#include <atomic>
#include <catch2/catch.hpp>
#include <cstdint>
#include <string>
#include <string_view>

#include "models/kit/exhaustive/oracle/waiting.h"

namespace nowait::model::oracle {
namespace {

using Kind = Step::Kind;
using Order = std::memory_order;

const WaitingStyle& StyleNamed(std::string_view name) {
  return *std::ranges::find(WaitingStyles(), name, &WaitingStyle::name);
}

Step Load(std::size_t object, Order order) {
  return {.kind = Kind::kLoad, .object = object, .order = order};
}
Step Store(std::size_t object, int value, Order order) {
  return {.kind = Kind::kStore, .object = object, .value = value, .order = order};
}
Step Await(std::size_t object, int value, Order order) {
  return {.kind = Kind::kAwait, .object = object, .value = value, .order = order};
}
Step If(int found, Step step) {
  step.only_if = found;
  return step;
}

TEST_CASE("a loop that waits has a round for each value that it finds before") {
  // At once; after the first value; after the first value and 2; after 2.
  const Outcomes outcomes = Unroll({{{Store(0, 2, Order::relaxed), Store(0, 1, Order::relaxed)},
                                     {Await(0, 1, Order::relaxed)}}});
  CHECK(outcomes.executions.size() == 4);
  CHECK(outcomes.ends.empty());
}

TEST_CASE("a thread that waits for what never comes has read the newest value") {
  const Outcomes outcomes =
      Unroll({{{Store(0, 2, Order::relaxed)}, {Await(0, 1, Order::relaxed)}}});
  CHECK(outcomes.executions.empty());
  CHECK(outcomes.ends == std::set<std::string>{"livelock at 1 0, x y m n are 2 0 0 0"});
}

TEST_CASE("a loop that has seen a message orders the data, if its orders do") {
  const auto message = [](Order sent, Order seen) {
    return Waiting{
        {{{.kind = Kind::kWrite}, Store(0, 1, sent)}, {Await(0, 1, seen), {.kind = Kind::kRead}}}};
  };
  CHECK_FALSE(Unroll(message(Order::release, Order::acquire)).race);
  CHECK(Unroll(message(Order::release, Order::relaxed)).race);
  CHECK(Unroll(message(Order::relaxed, Order::acquire)).race);
}

TEST_CASE("a notification wakes a thread if a change happens before it") {
  const auto relayed = [](Order sent, Order seen) {
    Waiting program{{{Store(0, 1, sent)},
                     {Load(0, seen), If(1, {.kind = Kind::kWakeAll})},
                     {{.kind = Kind::kWait, .order = Order::relaxed}}}};
    return Unroll(program);
  };
  const std::string unseen = "deadlock at 1 2 0, x y m n are 1 0 0 0";
  // A thread that has not seen the change does not notify: under every order that ends in a wait.
  CHECK(relayed(Order::release, Order::acquire).ends == std::set<std::string>{unseen});
  Waiting own{{{Store(0, 1, Order::relaxed), {.kind = Kind::kWakeAll}}, {{.kind = Kind::kWait}}}};
  CHECK(Unroll(own).ends.empty());
  CHECK(Unroll(own).executions.size() == 1);
  std::swap(own.threads[0][0], own.threads[0][1]);
  CHECK(Unroll(own).ends.size() == 1);
}

TEST_CASE("a change that is read relaxed does not happen before the notification") {
  const auto ends = [](Order sent, Order seen) {
    return Unroll({{{Store(0, 1, sent)},
                    {Await(0, 1, seen), {.kind = Kind::kWakeAll}},
                    {{.kind = Kind::kWait, .order = Order::relaxed}}}})
        .ends.size();
  };
  CHECK(ends(Order::release, Order::acquire) == 0);
  CHECK(ends(Order::release, Order::relaxed) == 1);
  CHECK(ends(Order::relaxed, Order::acquire) == 1);
}

TEST_CASE("where every order is seq_cst the executions are the interleavings") {
  std::size_t executions = 0;
  for (std::uint64_t number = 0; number < 150; ++number) {
    Waiting program = Generate(StyleNamed("spins"), 5, number);
    for (auto& thread : program.threads) {
      for (Step& step : thread) step.order = step.failure = Order::seq_cst;
    }
    INFO(Format(program));
    const Outcomes unrolled = Unroll(program);
    REQUIRE(Compare(Interleave(program), unrolled, {}) == "");
    executions += unrolled.executions.size();
  }
  CHECK(executions > 300);
}

TEST_CASE("of threads that are alike one execution stands for those under other names") {
  Waiting program{{{{.kind = Kind::kSwap, .value = kOwn}}, {}}, true};
  program.threads[1] = program.threads[0];
  const Outcomes both = Unroll(program);
  REQUIRE(both.executions.size() == 2);
  Outcomes one = both;
  one.executions.erase(one.executions.begin());
  CHECK(CompareAlike(both, one, 2) == "");
  CHECK(CompareAlike(both, both, 2) == "");
  one.executions.clear();
  CHECK_THAT(CompareAlike(both, one, 2), Catch::Contains("missing"));
  Outcomes twice = both;
  twice.executions.insert(*both.executions.begin());
  CHECK_THAT(CompareAlike(both, twice, 2), Catch::Contains("more than once"));
  const Outcomes ends{
      .ends = {"livelock at 1 3, x y m n are 10 0 0 0", "livelock at 3 1, x y m n are 11 0 0 0"}};
  CHECK(CompareAlike(ends, {.ends = {"livelock at 1 3, x y m n are 10 0 0 0"}}, 2) == "");
  CHECK_THAT(CompareAlike(ends, {.ends = {"livelock at 1 3, x y m n are 11 0 0 0"}}, 2),
             Catch::Contains("ends"));
}

}  // namespace
}  // namespace nowait::model::oracle

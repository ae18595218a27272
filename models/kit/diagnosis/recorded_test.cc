// All executions of a scenario are recorded, including the failing ones to their ends.
#include "models/kit/diagnosis/recorded.h"

#include <algorithm>
#include <atomic>
#include <catch2/catch.hpp>
#include <set>
#include <string>

#include "models/kit/diagnosis/diagnosed.h"

namespace nowait::model {
namespace {

using diagnosed::Buffering;
using diagnosed::Entry;
using diagnosed::LostUpdate;
using diagnosed::Order;
using diagnosed::Publication;
using Verdict = Recorded::Verdict;

std::size_t Count(const Recorded& recorded, Verdict verdict) {
  return static_cast<std::size_t>(
      std::ranges::count(recorded.executions, verdict, &Recorded::Execution::verdict));
}

// An execution as its operations and the stores that they read, independent of their order.
std::set<std::string> Steps(const Recorded::Execution& execution) {
  std::set<std::string> steps;
  for (const Recorded::Step& step : execution.steps) {
    std::string words = std::to_string(step.operation);
    if (step.from != Recorded::kFirstValue) {
      words +=
          " from " + std::to_string(execution.steps[static_cast<std::size_t>(step.from)].operation);
    }
    steps.insert(words);
  }
  return steps;
}

TEST_CASE("all executions are there, each once, and the operations they share once") {
  const Recorded recorded =
      RecordExecutions(Entry<Buffering<Order::relaxed, Order::relaxed>>("buffering"));
  CHECK(recorded.complete);
  CHECK(recorded.words == "all 4 executions");
  REQUIRE(recorded.executions.size() == 4);
  CHECK(Count(recorded, Verdict::kPasses) == 3);
  CHECK(Count(recorded, Verdict::kFails) == 1);
  CHECK(recorded.operations.size() == 6);  // two stores, and two loads with two values each
  std::set<std::set<std::string>> different;
  for (const Recorded::Execution& execution : recorded.executions) {
    CHECK(execution.steps.size() == 4);
    CHECK(execution.words ==
          (execution.verdict == Verdict::kFails ? "one of them sees the other" : ""));
    different.insert(Steps(execution));
    for (std::size_t i = 0; i < execution.steps.size(); ++i) {
      CHECK(execution.steps[i].from < static_cast<std::int32_t>(i));
    }
  }
  CHECK(different.size() == 4);
}

TEST_CASE("an execution that fails in a thread is recorded to the others' ends") {
  const Recorded recorded =
      RecordExecutions(Entry<Publication<Order::relaxed, Order::acquire>>("publication"));
  REQUIRE(recorded.executions.size() == 2);
  CHECK(Count(recorded, Verdict::kPasses) == 1);
  CHECK(Count(recorded, Verdict::kFails) == 1);
  for (const Recorded::Execution& execution : recorded.executions) {
    const bool fails = execution.verdict == Verdict::kFails;
    CHECK(execution.words == (fails ? "data race" : ""));
    CHECK(execution.steps.size() == (fails ? 4 : 3));
  }
}

struct Deadlock {
  static constexpr int kThreads = 2;
  void Thread(int t) {
    mutexes[t].lock();
    mutexes[1 - t].lock();
    mutexes[t].unlock();
    mutexes[1 - t].unlock();
  }
  ModelSync::mutex mutexes[2];
};

// Thread 0 fails on any value other than 1, before thread 1 has executed a step.
struct FailsAtOnce {
  static constexpr int kThreads = 2;
  void Thread(int t) {
    if (t == 1) {
      x.store(1, Order::relaxed);
      x.store(2, Order::relaxed);
    } else {
      Check(x.load(Order::relaxed) == 1, "one was stored");
    }
  }
  ModelSync::atomic<int> x{0};
};

TEST_CASE("steps of others after a failure lead to further executions") {
  const Recorded recorded = RecordExecutions(Entry<FailsAtOnce>("at once"));
  CHECK(recorded.words == "all 3 executions");
  CHECK(Count(recorded, Verdict::kPasses) == 1);
  CHECK(Count(recorded, Verdict::kFails) == 2);
}

TEST_CASE("threads that wait for ever are distinguished from failures") {
  const Recorded recorded = RecordExecutions(Entry<Deadlock>("deadlock"));
  CHECK(recorded.complete);
  CHECK(Count(recorded, Verdict::kBlocks) == 1);
  CHECK(Count(recorded, Verdict::kPasses) == 2);
}

TEST_CASE("when there are too many, the words say so") {
  const Recorded recorded = RecordExecutions(
      Entry<LostUpdate<Order::relaxed, Order::relaxed>>("lost"), {.executions = 2});
  CHECK_FALSE(recorded.complete);
  CHECK(recorded.executions.size() == 2);
  CHECK(recorded.words.starts_with("2 of about "));
  CHECK(recorded.words.ends_with(" executions"));
}

TEST_CASE("few long executions are as many as many short ones, and the words say so") {
  const auto lost = Entry<LostUpdate<Order::relaxed, Order::relaxed>>("lost");
  const Recorded recorded = RecordExecutions(lost, {.steps = 10});
  CHECK_FALSE(recorded.complete);
  CHECK(recorded.executions.size() == 3);  // of four steps
  CHECK(recorded.words.ends_with(" executions, as many as 10 steps hold"));
  CHECK(RecordExecutions(lost).complete);
}

}  // namespace
}  // namespace nowait::model

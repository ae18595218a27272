// Requests from all sides: main threads and tasks ask two devices, depend on requests and have
// requests depend on tasks, cancel some, stop a device at some moment, and shut the pool down.
#include <array>
#include <atomic>
#include <catch2/catch.hpp>
#include <cstdint>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "src/jobs/device.h"
#include "src/jobs/task_pool.h"
#include "tests/jobs/make_pool.h"
#include "tests/stress/findings.h"
#include "tests/stress/together.h"

namespace nowait {
namespace {

constexpr std::array<const char*, 2> kDevices = {"disk", "net"};

// A task, a request after it, a task after that; the values are plain: a data race if they were not
// ordered.
struct Chain {
  static void Make(void* data) { static_cast<Chain*>(data)->made = 1; }
  static Result<void> Serve(void* data) {
    auto& chain = *static_cast<Chain*>(data);
    chain.served = chain.made;
    return {};
  }
  static void Use(void* data) {
    auto& chain = *static_cast<Chain*>(data);
    chain.used = true;
    chain.answered = chain.request.answer().has_value();
    chain.seen = chain.served;
  }

  // Whether it is as it should be once `Use` is complete.
  bool IsRight() const { return used && seen == (answered ? 1 : 0); }

  int made = 0, served = 0, seen = 0;
  bool used = false, answered = false;
  DeviceRequest request{"serve", &Serve, this};
};

// Puts a chain together. Returns its last task, or no task if there was no room.
template <class Pool>
TaskId Add(Pool& pool, Chain& chain, std::string_view device, std::mt19937& random) {
  const auto made = pool.Add({.work = {&Chain::Make, &chain}});
  if (!made) return TaskId();
  const auto request = pool.AddRequest(device, chain.request, {}, *made);
  if (!request) return TaskId();
  const auto used = pool.Add({.work = {&Chain::Use, &chain}, .dependency = *request});
  if (!used) return TaskId();
  if (random() % 8 == 0) static_cast<void>(pool.Cancel(*request));
  return *used;
}

template <class Pool>
void Ask(Pool& pool, int rounds, std::uint32_t seed, Findings& wrong) {
  std::mt19937 random(seed);
  for (int round = 0; round < rounds; ++round) {
    std::array<Chain, 4> chains;
    std::array<TaskId, 4> last;
    for (std::size_t i = 0; i < chains.size(); ++i) {
      last[i] = Add(pool, chains[i], kDevices[random() % 2], random);
      if (!last[i].IsTask()) wrong.Add("a chain is refused: seed, round, chain", seed, round, i);
    }
    for (std::size_t i = 0; i < chains.size(); ++i) {
      Doing::Now("waits for the last task of a chain");
      if (!pool.Wait(last[i])) wrong.Add("a wait is refused: seed, round, chain", seed, round, i);
      if (!chains[i].IsRight()) {
        wrong.Add("a task has not seen its request's answer: seed, round, chain", seed, round, i);
      }
    }
  }
}

#define EACH_POLICY TaskPool, OneQueueTaskPool

TEMPLATE_TEST_CASE("threads and tasks ask two devices, one of which stops", "", EACH_POLICY) {
  const std::uint32_t workers = GENERATE(0u, 1u, 4u);
  const std::uint32_t seed = 20110801;
  CAPTURE(seed, workers);
  const auto owned = MakePool<TestType>({.main_threads = {"0", "1", "2"},
                                         .devices = {kDevices.begin(), kDevices.end()},
                                         .workers = workers});
  TestType& pool = *owned;
  Findings wrong;
  struct InTask {
    static void Run(void* data) {
      auto& task = *static_cast<InTask*>(data);
      Ask(task.pool, 20, task.seed, task.wrong);
    }
    TestType& pool;
    std::uint32_t seed;
    Findings& wrong;
  };
  Together(3, [&](std::uint32_t t) {
    const auto here = pool.Register(std::to_string(t));
    for (int round = 0; round < 10; ++round) {
      const std::uint32_t number = seed + t * 1000 + static_cast<std::uint32_t>(round);
      InTask inside{pool, number + 500, wrong};
      const auto task = pool.Add({.work = {&InTask::Run, &inside}});
      if (!task || !pool.Submit(*task)) wrong.Add("a task is refused: round", round);
      Ask(pool, 20, number, wrong);
      if (t == 0 && round == 5 && !pool.StopDevice("net")) wrong.Add("a stop is refused");
      Doing::Now("waits for a task that asks devices");
      if (!pool.Wait(*task)) wrong.Add("a wait is refused: round", round);
    }
  });
  REQUIRE(wrong.Words() == "");
}

TEMPLATE_TEST_CASE("shutdown with requests under way, over and over", "", EACH_POLICY) {
  const auto how = GENERATE(TaskShutdown::kFinish, TaskShutdown::kCancel);
  const std::uint32_t workers = GENERATE(0u, 1u, 4u);
  const std::uint32_t seed = 20110801;
  CAPTURE(seed, workers);
  std::mt19937 random(seed);
  for (int round = 0; round < 200; ++round) {
    std::array<Chain, 8> chains;
    {
      const auto owned =
          MakePool<TestType>({.devices = {kDevices.begin(), kDevices.end()}, .workers = workers});
      TestType& pool = *owned;
      const auto here = pool.Register("main");
      for (Chain& chain : chains)
        REQUIRE(Add(pool, chain, kDevices[random() % 2], random).IsTask());
      REQUIRE(pool.Close(how));
    }
    for (const Chain& chain : chains) {
      if (how == TaskShutdown::kFinish) REQUIRE(chain.IsRight());
      REQUIRE((chain.request.answer().has_value() == (chain.served == 1)));
    }
  }
}

}  // namespace
}  // namespace nowait

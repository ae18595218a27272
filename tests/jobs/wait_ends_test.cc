// A wait ends when its task is complete, whatever else there is to help with. Counted
// in jobs and tasks of the waiting thread.
#include <atomic>
#include <catch2/catch.hpp>
#include <chrono>
#include <cstdint>
#include <memory>
#include <thread>

#include "src/jobs/idempotent_job.h"
#include "src/jobs/job_list.h"
#include "src/jobs/task_pool.h"
#include "src/jobs/task_scheduler.h"
#include "tests/jobs/make_pool.h"

namespace nowait {
namespace {

void Until(const std::atomic<bool>& flag) {
  while (!flag.load()) std::this_thread::yield();
}

// One thread waits for a task that the second one is in. Meanwhile it helps with a list of the
// third one, which stands still in the list's first job. The second job goes on until the task is
// complete.
struct BesideList {
  static constexpr std::uint32_t kJobs = 1000;

  static void RunAwaited(void* data) {
    auto& all = *static_cast<BesideList*>(data);
    all.awaited_began = true;
    Until(all.helps);
  }
  static void RunFirst(void* data) {
    auto& all = *static_cast<BesideList*>(data);
    all.list_began = true;
    Until(all.over);
  }
  static void RunOther(void* data) {
    auto& all = *static_cast<BesideList*>(data);
    if (all.ran++ != 0) return;
    all.helps = true;
    while (!all.pool->IsComplete(all.awaited)) std::this_thread::yield();
  }
  // On the thread that waits: in a task or outside.
  static void Wait(void* data) {
    auto& all = *static_cast<BesideList*>(data);
    all.begun = true;
    all.awaited = all.pool->Add({.work = {&RunAwaited, data}, .affinity = all.second}).value();
    all.submitted = all.pool->Submit(all.awaited).has_value();
    Until(all.awaited_began);
    Until(all.list_began);
    all.waited = all.pool->Wait(all.awaited).has_value();
    all.ran_in_wait = all.ran;
  }
  // The second begins when it can no longer take the first one's task, the third when the second
  // can no longer help with the list.
  void BeSecond() {
    const auto here = pool->Register("second").value();
    Until(begun);
    static_cast<void>(pool->DoWorkWhileWaitingFor([this] { return awaited_began.load(); }));
    Until(over);
  }
  void BeThird() {
    const auto here = pool->Register("third").value();
    Until(awaited_began);
    static_cast<void>(list.Add({&RunFirst, this}));
    for (std::uint32_t i = 1; i < kJobs; ++i) static_cast<void>(list.Add({&RunOther, this}));
    static_cast<void>(pool->Wait(pool->AddList(list).value()));
  }

  const std::unique_ptr<TaskPool> pool =
      MakePool({.main_threads = {"first", "second", "third"}, .workers = 0});
  const std::uint8_t second = pool->AffinityTo("second").value();
  JobList<> list{kJobs};
  TaskId awaited;
  std::atomic<std::uint32_t> ran = 0;  // of the jobs but the first one
  std::uint32_t ran_in_wait = 0;
  bool submitted = false;
  bool waited = false;
  std::atomic<bool> begun = false;
  std::atomic<bool> awaited_began = false;
  std::atomic<bool> list_began = false;
  std::atomic<bool> helps = false;
  std::atomic<bool> over = false;
};

TEST_CASE("a helping thread leaves a list when the task that it waits for is complete") {
  const bool in_task = GENERATE(false, true);
  CAPTURE(in_task);
  BesideList all;
  std::thread second(&BesideList::BeSecond, &all);
  std::thread third(&BesideList::BeThird, &all);
  {
    const auto here = all.pool->Register("first").value();
    if (in_task) {
      const auto task = all.pool->Add({.work = {&BesideList::Wait, &all}});
      CHECK(all.pool->Wait(task.value()));
    } else {
      BesideList::Wait(&all);
    }
    CHECK(all.submitted);
    CHECK(all.waited);
    CHECK(all.ran_in_wait != 0);
    CHECK(all.ran_in_wait <= 32);  // a batch or two
    all.over = true;
  }
  second.join();
  third.join();
  CHECK(all.ran == BesideList::kJobs - 1);
}

// A row of tasks with the waiting thread's name, each of which makes the next.
struct BesideRow {
  static constexpr std::uint32_t kRow = 10'000;

  static void RunRow(void* data) {
    auto& all = *static_cast<BesideRow*>(data);
    if (++all.begun == kRow) return;
    static_cast<void>(all.pool->Add({.work = {&RunRow, data}, .affinity = 1}).value());
  }
  // The needed task can begin when the first of the row is complete. A task that is not needed lies
  // above it among those that the thread has made ready.
  static void Wait(void* data) {
    auto& all = *static_cast<BesideRow*>(data);
    const TaskId first = all.pool->Add({.work = {&RunRow, data}, .affinity = 1}).value();
    static_cast<void>(
        all.pool->Add({.work = {[](void*) {}, nullptr}, .dependency = first}).value());
    const auto note = [](void* to) {
      auto& noted = *static_cast<BesideRow*>(to);
      noted.begun_before = noted.begun;
    };
    const TaskId needed = all.pool->Add({.work = {note, data}, .dependency = first}).value();
    all.waited = all.pool->Wait(needed).has_value();
  }

  const std::unique_ptr<TaskPool> pool = MakePool({.workers = 0});
  std::uint32_t begun = 0;
  std::uint32_t begun_before = 0;
  bool waited = false;
};

TEST_CASE("a task's dependency is begun beside an endless row of the thread's own tasks") {
  BesideRow all;
  const auto here = all.pool->Register("main").value();
  const TaskId task = all.pool->Add({.work = {&BesideRow::Wait, &all}}).value();
  REQUIRE(all.pool->Wait(task));
  CHECK(all.waited);
  CHECK(all.begun_before != 0);
  CHECK(all.begun_before <= TaskScheduler<>::kTurn + 1);
}

// A thread that has run a child of a parent may keep its item back. In each of the two tests the
// parent's other child ends while that thread goes on with what may last.
constexpr auto kLong = std::chrono::seconds(10);

// The worker runs a child and then the first run of an idempotent one, which lasts until the main
// thread has waited for the parent.
struct BesideRun {
  static void RunChild(void* data) { Until(static_cast<BesideRun*>(data)->go_on); }
  static void Compute(void* data, int run) {
    auto& all = *static_cast<BesideRun*>(data);
    if (run != 0) return;
    all.runs = true;
    const auto begin = std::chrono::steady_clock::now();
    while (!all.over.load()) {
      all.in_vain = std::chrono::steady_clock::now() - begin > kLong;
      if (all.in_vain) return;
      std::this_thread::yield();
    }
  }

  IdempotentJob job{&Compute, [](void*, int) {}, [](void*) {}, this};
  std::atomic<bool> go_on = false;
  std::atomic<bool> runs = false;
  std::atomic<bool> over = false;
  std::atomic<bool> in_vain = false;
  const std::unique_ptr<TaskPool> pool = MakePool({.workers = 1});
};

TEST_CASE("a wait for a parent ends when another run of its idempotent child is done") {
  BesideRun all;
  const auto here = all.pool->Register("main").value();
  const TaskId parent = all.pool->AddEmpty().value();
  const TaskId child =
      all.pool->Add({.work = {&BesideRun::RunChild, &all}, .parent = parent}).value();
  const TaskId idempotent =
      all.pool->AddIdempotent(all.job, {.parent = parent, .priority = 1}).value();
  for (const TaskId task : {child, idempotent, parent}) REQUIRE(all.pool->Submit(task));
  all.go_on = true;
  Until(all.runs);
  CHECK(all.pool->Wait(parent));
  CHECK_FALSE(all.in_vain);
  all.over = true;
  CHECK(all.pool->Close(TaskShutdown::kFinish));
}

// The main thread runs a child. The condition that it helps for then waits, in serial code, for the
// parent, whose other child the worker is in.
struct BesideDone {
  static void RunOther(void* data) {
    auto& all = *static_cast<BesideDone*>(data);
    all.other_began = true;
    Until(all.asks);
  }
  bool IsDone() {
    if (!named_ran) return false;
    asks = true;
    const auto begin = std::chrono::steady_clock::now();
    while (!pool->IsComplete(parent) && !in_vain) {
      in_vain = std::chrono::steady_clock::now() - begin > kLong;
      std::this_thread::yield();
    }
    return true;
  }

  TaskId parent;
  std::atomic<bool> other_began = false;
  std::atomic<bool> asks = false;
  bool named_ran = false;
  bool in_vain = false;
  const std::unique_ptr<TaskPool> pool = MakePool({.workers = 1});
};

TEST_CASE(
    "a parent is complete while a thread that has run one of its children asks its condition") {
  BesideDone all;
  const auto here = all.pool->Register("main").value();
  all.parent = all.pool->AddEmpty().value();
  const TaskId parent = all.parent;
  const TaskId other =
      all.pool->Add({.work = {&BesideDone::RunOther, &all}, .parent = parent}).value();
  const auto note = [](void* data) { static_cast<BesideDone*>(data)->named_ran = true; };
  const TaskId named =
      all.pool->Add({.work = {note, &all}, .parent = parent, .affinity = 1}).value();
  REQUIRE(all.pool->Submit(other));
  Until(all.other_began);
  for (const TaskId task : {named, parent}) REQUIRE(all.pool->Submit(task));
  CHECK(all.pool->DoWorkWhileWaitingFor([&] { return all.IsDone(); }));
  CHECK_FALSE(all.in_vain);
}

}  // namespace
}  // namespace nowait

// A wait's further effects, and the reports of exceptions; on one thread.
#include <catch2/catch.hpp>
#include <cstdint>
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "src/base/result.h"
#include "src/jobs/idempotent_job.h"
#include "src/jobs/job.h"
#include "src/jobs/run_job.h"
#include "src/jobs/shared_part.h"
#include "src/jobs/task_counts.h"
#include "src/jobs/task_id.h"
#include "src/jobs/task_pool.h"
#include "tests/jobs/make_pool.h"

namespace nowait {
namespace {

#define EACH_POLICY TaskPool, OneQueueTaskPool

Job Call(std::function<void()>& work) {
  return {[](void* data) { (*static_cast<std::function<void()>*>(data))(); }, &work};
}

TEMPLATE_TEST_CASE("a wait for a complete task submits what its caller holds, and runs none of it",
                   "", EACH_POLICY) {
  const auto pool = MakePool<TestType>({.workers = 0});
  const auto here = pool->Register("main");
  int ran = 0;
  std::function<void()> count = [&] { ++ran; };
  const TaskId done = *pool->AddEmpty();
  REQUIRE(pool->Wait(done));
  const TaskId held = *pool->Add({.work = Call(count)});
  REQUIRE(pool->Wait(done));
  CHECK(ran == 0);
  CHECK(pool->Submit(held).error().detail == std::string("it has been submitted"));
  REQUIRE(pool->Wait(held));
  CHECK(ran == 1);
}

TEMPLATE_TEST_CASE("a wait that is refused submits nothing", "", EACH_POLICY) {
  const auto pool = MakePool<TestType>({.workers = 0});
  const auto here = pool->Register("main");
  const TaskId held = *pool->AddEmpty();
  CHECK_FALSE(pool->Wait(TaskId()));
  CHECK(pool->Submit(held));
}

TEMPLATE_TEST_CASE("a condition that is true at once is asked once, here, and nothing is run", "",
                   EACH_POLICY) {
  const auto pool = MakePool<TestType>({.workers = 0});
  const auto here = pool->Register("main");
  int ran = 0, asked = 0;
  std::thread::id asker;
  std::function<void()> count = [&] { ++ran; };
  const TaskId held = *pool->Add({.work = Call(count)});
  REQUIRE(pool->DoWorkWhileWaitingFor([&] {
    ++asked;
    asker = std::this_thread::get_id();
    return true;
  }));
  CHECK(asked == 1);
  CHECK(asker == std::this_thread::get_id());
  CHECK(ran == 0);
  CHECK_FALSE(pool->Submit(held));  // but it has been submitted
}

TEMPLATE_TEST_CASE("outside tasks a wait helps with anything, in a task with what it needs alone",
                   "", EACH_POLICY) {
  const auto pool = MakePool<TestType>({.workers = 0});
  const auto here = pool->Register("main");
  std::string written, in_wait;
  std::function<void()> other = [&] { written += 'o'; }, needed = [&] { written += 'n'; };
  std::function<void()> outer = [&] {
    static_cast<void>(pool->Submit(*pool->Add({.work = Call(other)})));
    const TaskId first = *pool->Add({.work = Call(needed)});
    static_cast<void>(pool->Submit(*pool->Add({.work = Call(other)})));
    static_cast<void>(pool->Wait(first));
    in_wait = written;
  };
  REQUIRE(pool->Wait(*pool->Add({.work = Call(outer)})));
  CHECK(in_wait == "n");
  written.clear();
  REQUIRE(pool->Wait(*pool->Add({.work = Call(needed), .priority = 2})));
  CHECK(written == "oon");
}

TEMPLATE_TEST_CASE("an idempotent task that is cancelled calls none of its functions", "",
                   EACH_POLICY) {
  const auto pool = MakePool<TestType>({.workers = 0});
  int called = 0;
  IdempotentJob job{[](void* data, int) { ++*static_cast<int*>(data); },
                    [](void* data, int) { ++*static_cast<int*>(data); },
                    [](void* data) { ++*static_cast<int*>(data); }, &called};
  const auto here = pool->Register("main");
  const TaskId task = *pool->AddIdempotent(job);
  CHECK(*pool->Cancel(task));
  REQUIRE(pool->Wait(task));
  CHECK(called == 0);
  REQUIRE(pool->Wait(*pool->AddIdempotent(job)));
  CHECK(called == 3);
}

TEMPLATE_TEST_CASE("a pool has the threads and the room that it was asked for", "", EACH_POLICY) {
  const TaskPoolDef defaults;
  CHECK(defaults.main_threads == std::vector<std::string>{"main"});
  CHECK(defaults.devices.empty());
  CHECK(defaults.capacity == 4096);
  const auto pool = MakePool<TestType>(
      {.main_threads = {"a", "b"}, .devices = {"disk"}, .workers = 3, .capacity = 5});
  CHECK(pool->workers() == 3);
  CHECK(pool->threads() == 5);
  const auto here = pool->Register("b");
  for (int i = 0; i < 5; ++i) CHECK(pool->AddEmpty());
}

// A pool that notes its reports.
template <class Pool>
struct Noted {
  std::vector<std::pair<TaskId, std::string>> reports;
  std::unique_ptr<Pool> pool =
      MakePool<Pool>({.workers = 0, .on_throw = [this](TaskId task, const char* what) {
                        reports.emplace_back(task, what);
                      }});
  void Report() {
    try {
      throw std::runtime_error("lost");
    } catch (...) {
      pool->ReportThrown();
    }
  }
};

TEMPLATE_TEST_CASE("what a thread of the pool reports is its task's, and that of others is not", "",
                   EACH_POLICY) {
  Noted<TestType> all;
  all.Report();
  CHECK(all.reports.empty());  // not registered
  const auto here = all.pool->Register("main");
  all.Report();
  REQUIRE(all.reports.size() == 1);
  CHECK_FALSE(all.reports[0].first.IsTask());
  CHECK(all.reports[0].second == "lost");
  std::function<void()> work = [&] { all.Report(); };
  const TaskId task = *all.pool->Add({.work = Call(work)});
  REQUIRE(all.pool->Wait(task));
  REQUIRE(all.reports.size() == 2);
  CHECK(all.reports[1].first == task);
  REQUIRE(all.pool->Close(TaskShutdown::kFinish));
  CHECK(all.pool->Counts().threw == 2);
  CHECK(all.pool->Counts().ran == 1);  // the job went on
}

struct Reports {
  static void Note(void* data, TaskId task, const char* what) {
    auto& reports = *static_cast<Reports*>(data);
    ++reports.count;
    reports.task = task;
    reports.what = what;
    if (reports.throws) throw 1;
  }
  int count = 0;
  TaskId task;
  std::string what;
  bool throws = false;
};

TEST_CASE("a job's exception is reported with its task and its words, and counted, once") {
  Reports reports;
  TaskCounts counts;
  const TaskId task(1, 2, 3);
  const auto run = [&](void (*function)(void*)) {
    return RunJob({function, nullptr}, task, {&Reports::Note, &reports}, counts);
  };
  CHECK(run([](void*) {}));
  CHECK(reports.count == 0);
  CHECK(counts.threw == 0);
  CHECK_FALSE(run([](void*) { throw std::logic_error("no mesh"); }));
  CHECK(reports.count == 1);
  CHECK(reports.task == task);
  CHECK(reports.what == "no mesh");
  CHECK_FALSE(run([](void*) { throw 7; }));
  CHECK(reports.count == 2);
  CHECK(reports.what == "not a std::exception");
  CHECK(counts.threw == 2);
  CHECK(counts.reports_threw == 0);
  reports.throws = true;
  CHECK_FALSE(run([](void*) { throw 7; }));
  CHECK(counts.threw == 3);
  CHECK(counts.reports_threw == 1);
  CHECK_FALSE(RunJob({[](void*) { throw 7; }, nullptr}, task, {}, counts));  // to no receiver
  CHECK(counts.threw == 4);
  CHECK(counts.reports_threw == 1);
}

struct Presence {
  Presence(int& of, int& now) : thread(of), present(now) { ++present; }
  ~Presence() { --present; }
  int& thread;
  int& present;
};

TEST_CASE("a thread without a part is present in the shared one during its call, and only then") {
  SharedPart<> shared;
  int guests = 0, mine = 0, present = 0, entered = 0;
  const auto enter = [&] {
    ++entered;
    return Presence(guests, present);
  };
  CHECK(shared.Run(static_cast<const Presence*>(nullptr), enter, [&](int& part) {
    CHECK(&part == &guests);
    CHECK(present == 1);
    // A call inside it is that of a present thread: it does not ask for the lock, which is held.
    int inner = 0;
    const Presence here(guests, inner);
    return shared.Run(&here, enter, [&](int& again) { return &again == &guests; });
  }));
  CHECK(present == 0);
  CHECK(entered == 1);
  const Presence own(mine, present);
  CHECK(shared.Run(&own, enter, [&](int& part) { return &part == &mine; }));
  CHECK(entered == 1);
}

}  // namespace
}  // namespace nowait

#include "src/jobs/task_pool.h"

#include <algorithm>
#include <atomic>
#include <catch2/catch.hpp>
#include <cstdint>
#include <functional>
#include <latch>
#include <mutex>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "src/base/result.h"
#include "src/jobs/device.h"
#include "src/jobs/job_list.h"
#include "src/jobs/parallel_for.h"
#include "src/profile/profile.h"
#include "tests/jobs/make_pool.h"

namespace nowait {
namespace {

// A task's work from a callable that outlives it.
Job Call(std::function<void()>& work) {
  return {[](void* data) { (*static_cast<std::function<void()>*>(data))(); }, &work};
}

// Letters in the order in which they were written.
class Letters {
 public:
  std::function<void()> Write(char letter) {
    return [this, letter] {
      const std::scoped_lock lock(mutex_);
      written_ += letter;
    };
  }
  std::string written() const {
    const std::scoped_lock lock(mutex_);
    return written_;
  }

 private:
  mutable std::mutex mutex_;
  std::string written_;
};

template <class T>
T Get(Result<T> result) {
  INFO((result ? std::string() : ToString(result.error())));
  REQUIRE(result);
  return *std::move(result);
}
void Do(const Result<void>& result) {
  INFO((result ? std::string() : ToString(result.error())));
  REQUIRE(result);
}
template <class T>
ErrorCode CodeOf(const Result<T>& result) {
  REQUIRE_FALSE(result);
  return result.error().code;
}

#define EACH_POLICY TaskPool, OneQueueTaskPool

TEMPLATE_TEST_CASE("the blog's example", "", EACH_POLICY) {
  const std::uint32_t workers = GENERATE(0u, 1u, 3u, 8u);
  const auto owned = MakePool<TestType>({.main_threads = {"update"}, .workers = workers});
  TestType& tasks = *owned;
  const auto here = Get(tasks.Register("update"));
  for (int frame = 0; frame < 50; ++frame) {
    Letters letters;
    std::function<void()> animation_task = letters.Write('a'),
                          scene_graph_task = letters.Write('s'), gui_task = letters.Write('g'),
                          render_task = letters.Write('r'), sound_task = letters.Write('S');
    const TaskId animation = Get(tasks.Add({.work = Call(animation_task)}));
    const TaskId scene_graph = Get(tasks.Add({.work = Call(scene_graph_task)}));
    Do(tasks.DependsOn(scene_graph, animation));
    const TaskId gui = Get(tasks.Add({.work = Call(gui_task)}));
    const TaskId gui_scene = Get(tasks.AddEmpty());
    Do(tasks.AddChild(gui_scene, scene_graph));
    Do(tasks.AddChild(gui_scene, gui));
    const TaskId render = Get(tasks.Add({.work = Call(render_task)}));
    Do(tasks.DependsOn(render, gui_scene));
    const TaskId sound = Get(tasks.Add({.work = Call(sound_task)}));
    const TaskId done = Get(tasks.AddEmpty());
    Do(tasks.AddChild(done, render));
    Do(tasks.AddChild(done, sound));
    REQUIRE(letters.written().empty());  // all are held
    Do(tasks.Wait(done));
    const std::string order = letters.written();
    REQUIRE(order.size() == 5);
    REQUIRE(order.find('a') < order.find('s'));
    REQUIRE(order.find('s') < order.find('r'));
    REQUIRE(order.find('g') < order.find('r'));
    REQUIRE(order.find('S') != std::string::npos);
    REQUIRE(tasks.IsComplete(gui_scene));
  }
}

TEMPLATE_TEST_CASE("workers are the cores that main threads leave, and at least none", "",
                   EACH_POLICY) {
  std::vector<std::string> names;
  for (std::uint32_t i = 0; i <= std::thread::hardware_concurrency(); ++i) {
    names.push_back("main " + std::to_string(i));
  }
  REQUIRE(MakePool<TestType>({.main_threads = names})->workers() == 0);
  REQUIRE(MakePool<TestType>({})->threads() == std::max(1u, std::thread::hardware_concurrency()));
}

TEMPLATE_TEST_CASE("more urgent tasks go first, in the order in which they became ready", "",
                   EACH_POLICY) {
  const auto owned = MakePool<TestType>({.workers = 0});
  TestType& tasks = *owned;
  const auto here = Get(tasks.Register("main"));
  Letters letters;
  std::function<void()> works[] = {letters.Write('x'), letters.Write('b'), letters.Write('a'),
                                   letters.Write('y'), letters.Write('c')};
  const std::uint8_t priorities[] = {2, 1, 0, 2, 1};
  TaskId last;
  const TaskId all = Get(tasks.AddEmpty());
  for (int i = 0; i < 5; ++i) {
    last = Get(tasks.Add({.work = Call(works[i]), .parent = all, .priority = priorities[i]}));
  }
  Do(tasks.Wait(all));
  REQUIRE(letters.written() == "abcxy");
}

TEMPLATE_TEST_CASE("a task with an affinity runs on the thread of that name", "", EACH_POLICY) {
  const std::uint32_t workers = GENERATE(0u, 1u, 3u);
  const auto owned = MakePool<TestType>({.main_threads = {"update", "render"}, .workers = workers});
  TestType& tasks = *owned;
  const std::uint8_t to_render = Get(tasks.AffinityTo("render"));
  REQUIRE(CodeOf(tasks.AffinityTo("sound")) == ErrorCode::kNotFound);
  std::atomic<bool> stop = false;
  std::thread::id render_id;
  std::latch registered(1);
  std::jthread render([&] {
    const auto here = tasks.Register("render");
    render_id = std::this_thread::get_id();
    registered.count_down();
    static_cast<void>(tasks.DoWorkWhileWaitingFor([&] { return stop.load(); }));
  });
  registered.wait();
  const auto here = Get(tasks.Register("update"));
  std::atomic<int> elsewhere = 0, ran = 0;
  std::function<void()> draw = [&] {
    ++ran;
    if (std::this_thread::get_id() != render_id) ++elsewhere;
  };
  const TaskId all = Get(tasks.AddEmpty());
  for (int i = 0; i < 200; ++i) {
    static_cast<void>(Get(tasks.Add({.work = Call(draw), .parent = all, .affinity = to_render})));
  }
  Do(tasks.Wait(all));
  REQUIRE(ran == 200);
  REQUIRE(elsewhere == 0);
  // Needed by a task in its wait, while its thread waits for another task's.
  std::function<void()> outer = [&] {
    const auto child = tasks.Add({.work = Call(draw), .affinity = to_render});
    static_cast<void>(tasks.Wait(*child));
  };
  const TaskId waits = Get(tasks.Add({.work = Call(outer)}));
  Do(tasks.Wait(waits));
  REQUIRE(ran == 201);
  REQUIRE(elsewhere == 0);
  // It does not wait itself: it would keep its thread from others with the same name.
  Result<void> waited, looped;
  Result<TaskId> not_waited_for = TaskId{};
  std::function<void()> named = [&] {
    not_waited_for = tasks.Add({.work = Call(draw), .affinity = to_render});
    waited = tasks.Wait(*not_waited_for);
    looped = ParallelFor(tasks, 10, 1, [](std::uint32_t, std::uint32_t) {});
  };
  Do(tasks.Wait(Get(tasks.Add({.work = Call(named), .affinity = to_render}))));
  REQUIRE(CodeOf(waited) == ErrorCode::kWrongPhase);
  REQUIRE(CodeOf(looped) == ErrorCode::kWrongPhase);
  Do(tasks.Wait(Get(not_waited_for)));
  REQUIRE(ran == 202);
  REQUIRE(elsewhere == 0);
  stop = true;
  tasks.Wake();
}

// With help only for what each of them needs, they would wait for each other for ever.
TEMPLATE_TEST_CASE("two threads in tasks that each wait for one of the other's", "", EACH_POLICY) {
  const auto owned = MakePool<TestType>({.main_threads = {"0", "1"}, .workers = GENERATE(0u, 1u)});
  TestType& tasks = *owned;
  std::latch in_task(2);
  std::atomic<int> ran = 0, failed = 0;
  std::function<void()> leaf = [&] { ++ran; };
  const auto other_than = [](std::thread::id first) {
    return static_cast<std::uint8_t>(std::this_thread::get_id() == first ? 2 : 1);
  };
  std::thread::id first;
  std::function<void()> waits = [&] {
    in_task.arrive_and_wait();  // on both main threads, or on one and a worker
    const auto child = tasks.Add({.work = Call(leaf), .affinity = other_than(first)});
    if (!child || !tasks.Wait(*child)) ++failed;
  };
  std::latch registered(2);
  const auto body = [&](const char* name) {
    const auto here = tasks.Register(name);
    if (name[0] == '0') first = std::this_thread::get_id();
    registered.arrive_and_wait();
    if (!tasks.Wait(*tasks.Add({.work = Call(waits)}))) ++failed;
    // Until the other has had what it needs of this thread.
    if (!tasks.DoWorkWhileWaitingFor([&] { return ran == 2; })) ++failed;
    tasks.Wake();
  };
  { std::jthread zero(body, "0"), one(body, "1"); }
  REQUIRE(failed == 0);
  REQUIRE(ran == 2);
}

TEMPLATE_TEST_CASE("a job that throws is reported and counted, and its task is done", "",
                   EACH_POLICY) {
  const std::uint32_t workers = GENERATE(0u, 1u, 3u);
  std::mutex mutex;
  std::vector<std::pair<TaskId, std::string>> thrown;
  const auto owned =
      MakePool<TestType>({.workers = workers, .on_throw = [&](TaskId task, const char* what) {
                            const std::scoped_lock lock(mutex);
                            thrown.emplace_back(task, what);
                          }});
  TestType& tasks = *owned;
  const auto here = Get(tasks.Register("main"));
  Letters letters;
  std::function<void()> bad = [] { throw std::runtime_error("no such mesh"); };
  std::function<void()> worse = [] { throw 7; };
  std::function<void()> good = letters.Write('g');
  const TaskId first = Get(tasks.Add({.work = Call(bad)}));
  const TaskId second = Get(tasks.Add({.work = Call(worse), .dependency = first}));
  const TaskId third = Get(tasks.Add({.work = Call(good), .dependency = second}));
  Do(tasks.Wait(third));
  REQUIRE(letters.written() == "g");
  REQUIRE(thrown == std::vector<std::pair<TaskId, std::string>>{{first, "no such mesh"},
                                                                {second, "not a std::exception"}});
  Do(tasks.Close(TaskShutdown::kFinish));
  REQUIRE(tasks.Counts().threw == 2);
  REQUIRE(tasks.Counts().ran == 3);
}

TEMPLATE_TEST_CASE("a report that throws ends no thread, and is counted", "", EACH_POLICY) {
  const std::uint32_t workers = GENERATE(0u, 1u, 3u);
  const auto owned = MakePool<TestType>(
      {.devices = {"disk"}, .workers = workers, .on_throw = [](TaskId, const char*) {
         throw std::runtime_error("no log");
       }});
  TestType& tasks = *owned;
  const auto here = Get(tasks.Register("main"));
  std::function<void()> bad = [] { throw std::runtime_error("no such mesh"); };
  JobList<> list(1);
  Do(list.Add(Call(bad)));
  DeviceRequest request(
      "ask", [](void*) -> Result<void> { throw 7; }, nullptr);
  const TaskId task = Get(tasks.Add({.work = Call(bad)}));
  const TaskId jobs = Get(tasks.AddList(list, {.dependency = task}));
  const TaskId asked = Get(tasks.AddRequest("disk", request, {}, jobs));
  Do(tasks.Wait(asked));
  Do(tasks.Close(TaskShutdown::kFinish));
  REQUIRE(tasks.Counts().threw == 3);
  REQUIRE(tasks.Counts().reports_threw == 3);
}

// Work that can be done twice; each run has a buffer of its own.
struct Twice {
  explicit Twice(std::function<int(int run)> work) : compute(std::move(work)) {}

  IdempotentJob job{[](void* data, int run) {
                      auto& twice = *static_cast<Twice*>(data);
                      twice.buffers[run] = twice.compute(run);
                    },
                    [](void* data, int run) {
                      auto& twice = *static_cast<Twice*>(data);
                      twice.result = twice.buffers[run];
                      ++twice.commits;
                      twice.committed.count_down();
                    },
                    [](void* data) { static_cast<Twice*>(data)->released.count_down(); }, this};
  std::function<int(int)> compute;
  int buffers[2] = {};
  int result = 0, commits = 0;
  std::latch committed{1}, released{1};
};

// Hangs where the worker, which sleeps by then as a rule, is not woken for the other task.
TEMPLATE_TEST_CASE("a wait for a list of one job wakes others for the tasks that the job submits",
                   "", EACH_POLICY) {
  const auto owned = MakePool<TestType>({.workers = 1});
  TestType& tasks = *owned;
  const auto here = Get(tasks.Register("main"));
  for (int round = 0; round < 100; ++round) {
    std::latch other_done(1);
    std::function<void()> other = [&] { other_done.count_down(); };
    std::function<void()> job = [&] { other_done.wait(); };
    JobList<> list(1);
    Do(list.Add(Call(job)));
    Get(tasks.Add({.work = Call(other)}));
    Do(tasks.Wait(Get(tasks.AddList(list))));
  }
}

TEMPLATE_TEST_CASE("a waiting thread does the idempotent work that a worker stalls in", "",
                   EACH_POLICY) {
  const auto owned = MakePool<TestType>({.workers = GENERATE(1u, 3u)});
  TestType& tasks = *owned;
  const auto here = Get(tasks.Register("main"));
  std::latch started(1);
  Twice twice([&](int run) {
    if (run == 0) {
      started.count_down();
      twice.committed.wait();
    }
    return 42;
  });
  const TaskId task = Get(tasks.AddIdempotent(twice.job));
  Do(tasks.Submit(task));
  started.wait();  // not by helping: a worker has begun it
  SECTION("outside all tasks") { Do(tasks.Wait(task)); }
  SECTION("below another one") {
    const TaskId top = Get(tasks.Add({.dependency = task}));
    Do(tasks.Wait(top));
  }
  REQUIRE(twice.result == 42);
  twice.released.wait();
  REQUIRE(twice.commits == 1);
  REQUIRE(twice.buffers[0] == 42);
  Do(tasks.Close(TaskShutdown::kFinish));
  REQUIRE(tasks.Counts().again == 1);
}

TEMPLATE_TEST_CASE("idempotent work that throws completes its task without a commit", "",
                   EACH_POLICY) {
  const auto owned = MakePool<TestType>({.workers = 0});
  TestType& tasks = *owned;
  const auto here = Get(tasks.Register("main"));
  Twice twice([](int) -> int { throw std::runtime_error("no result"); });
  Do(tasks.Wait(Get(tasks.AddIdempotent(twice.job))));
  twice.released.wait();
  REQUIRE(twice.commits == 0);
  REQUIRE(tasks.Close(TaskShutdown::kFinish));
  REQUIRE(tasks.Counts().threw == 1);
}

TEMPLATE_TEST_CASE("a wrong definition of idempotent work is refused", "", EACH_POLICY) {
  const auto owned = MakePool<TestType>({.workers = 0});
  TestType& tasks = *owned;
  const auto here = Get(tasks.Register("main"));
  ErrorCode made{};
  Twice twice([&](int) {
    made = CodeOf(tasks.Add({}));
    return 1;
  });
  REQUIRE(CodeOf(tasks.AddIdempotent(twice.job, {.affinity = 1})) == ErrorCode::kInvalidArgument);
  REQUIRE(CodeOf(tasks.AddIdempotent(twice.job, {.kind = TaskKind::kExternal})) ==
          ErrorCode::kInvalidArgument);
  REQUIRE(CodeOf(tasks.Add({.kind = TaskKind::kIdempotent})) == ErrorCode::kInvalidArgument);
  IdempotentJob without_release = twice.job;
  without_release.release = nullptr;
  REQUIRE(CodeOf(tasks.AddIdempotent(without_release)) == ErrorCode::kInvalidArgument);
  Do(tasks.Wait(Get(tasks.AddIdempotent(twice.job))));
  REQUIRE(made == ErrorCode::kWrongPhase);
}

TEMPLATE_TEST_CASE("a cancelled task is complete without its work", "", EACH_POLICY) {
  const auto owned = MakePool<TestType>({.workers = GENERATE(0u, 1u, 3u)});
  TestType& tasks = *owned;
  const auto here = Get(tasks.Register("main"));
  Letters letters;
  std::function<void()> x = letters.Write('x'), y = letters.Write('y');
  const TaskId first = Get(tasks.Add({.work = Call(x)}));
  const TaskId second = Get(tasks.Add({.work = Call(y), .dependency = first}));
  REQUIRE(Get(tasks.Cancel(first)));
  REQUIRE_FALSE(Get(tasks.Cancel(first)));
  Do(tasks.Wait(second));
  REQUIRE(tasks.IsComplete(first));
  REQUIRE(letters.written() == "y");
}

TEMPLATE_TEST_CASE("tasks wait for their children, any number of levels down", "", EACH_POLICY) {
  const auto owned = MakePool<TestType>({.workers = GENERATE(0u, 1u, 3u, 8u)});
  TestType& tasks = *owned;
  const auto here = Get(tasks.Register("main"));
  struct Sum {  // of the numbers begin .. end-1, by halves
    static void Run(void* data) {
      Sum& sum = *static_cast<Sum*>(data);
      if (sum.end - sum.begin == 1) {
        sum.result = sum.begin;
        return;
      }
      const int middle = (sum.begin + sum.end) / 2;
      Sum low{sum.tasks, sum.begin, middle}, high{sum.tasks, middle, sum.end};
      const auto other = sum.tasks->Add({.work = {&Run, &low}});
      const auto one = sum.tasks->Add({.work = {&Run, &high}});
      if (!other || !one || !sum.tasks->Wait(*one) || !sum.tasks->Wait(*other)) return;
      sum.result = low.result + high.result;
    }
    TestType* tasks;
    int begin;
    int end;
    int result = -1;
  };
  Sum sum{&tasks, 0, 500};
  Do(tasks.Wait(Get(tasks.Add({.work = {&Sum::Run, &sum}}))));
  REQUIRE(sum.result == 500 * 499 / 2);
}

TEMPLATE_TEST_CASE("waits and calls that are refused say why", "", EACH_POLICY) {
  const auto owned = MakePool<TestType>({.workers = 0, .capacity = 64});
  TestType& tasks = *owned;
  const auto owned_others = MakePool<TestType>({.workers = 0});
  TestType& others = *owned_others;
  std::function<void()> nothing = [] {};
  REQUIRE(CodeOf(tasks.Add({.work = Call(nothing)})) == ErrorCode::kNotOwner);
  const auto here = Get(tasks.Register("main"));
  REQUIRE(CodeOf(tasks.Register("main")) == ErrorCode::kWrongPhase);
  REQUIRE(CodeOf(tasks.Register("other")) == ErrorCode::kNotFound);
  REQUIRE(CodeOf(tasks.Add({.affinity = 2})) == ErrorCode::kInvalidArgument);
  REQUIRE(CodeOf(tasks.Add({.priority = 3})) == ErrorCode::kInvalidArgument);

  const TaskId task = Get(tasks.Add({.work = Call(nothing)}));
  REQUIRE(CodeOf(tasks.DependsOn(task, task)) == ErrorCode::kCycle);
  REQUIRE(CodeOf(tasks.AddChild(task, task)) == ErrorCode::kCycle);
  {
    const auto there = Get(others.Register("main"));
    REQUIRE(CodeOf(others.Wait(task)) == ErrorCode::kInvalidArgument);
  }
  // From inside a task: for another's, for itself, and for what is no task.
  ErrorCode stranger{}, itself{}, condition{}, shutdown{};
  std::function<void()> waits = [&] {
    stranger = tasks.Wait(task).error().code;
    itself = tasks.Wait(*tasks.Current()).error().code;
    condition = tasks.DoWorkWhileWaitingFor([] { return true; }).error().code;
    shutdown = tasks.Close(TaskShutdown::kFinish).error().code;
  };
  const TaskId waiter = Get(tasks.Add({.work = Call(waits)}));
  Do(tasks.Submit(waiter));
  Do(tasks.DependsOn(task, waiter));
  Do(tasks.Wait(waiter));
  REQUIRE(stranger == ErrorCode::kNotOwner);
  REQUIRE((itself == ErrorCode::kCycle || itself == ErrorCode::kNotOwner));
  REQUIRE(condition == ErrorCode::kWrongPhase);
  REQUIRE(shutdown == ErrorCode::kWrongPhase);

  const TaskId all = Get(tasks.AddEmpty());
  Result<TaskId> last = all;
  for (int i = 0; i < 1000 && last; ++i) last = tasks.Add({.work = Call(nothing), .parent = all});
  REQUIRE(CodeOf(last) == ErrorCode::kCapacity);
  Do(tasks.Wait(all));
}

TEMPLATE_TEST_CASE("a pool that there cannot be is refused", "", EACH_POLICY) {
  const auto refusal = [](TaskPoolDef def) {
    CAPTURE(def.main_threads, def.devices, def.workers.value_or(0), def.capacity);
    const auto made = TestType::Create(std::move(def));
    REQUIRE_FALSE(made);
    return made.error();
  };
  const char* const tasks = "with 32 more for each thread, and 32, there are more than 65,534";
  // Four threads, and one for all that have not registered: 65,534 - 5 * 32 = 65,374.
  REQUIRE(refusal({.devices = {"disk"}, .workers = 2, .capacity = 65'375}) ==
          Error{ErrorCode::kInvalidArgument, "open tasks", 65'375, tasks});
  REQUIRE(refusal({.workers = 0, .capacity = ~0u}) ==
          Error{ErrorCode::kInvalidArgument, "open tasks", 0xffff'ffff, tasks});
  REQUIRE(refusal({.main_threads = {}, .workers = 0}) ==
          Error{ErrorCode::kInvalidArgument, "main threads", 0, "a pool has from 1 to 255"});
  REQUIRE(refusal({.main_threads = {"a", "b", "a"}, .workers = 0}) ==
          Error{ErrorCode::kInvalidArgument, "main threads", 2, "two have the same name"});
  REQUIRE(refusal({.devices = {"disk", "disk"}, .workers = 0}) ==
          Error{ErrorCode::kInvalidArgument, "devices", 1, "two have the same name"});
  REQUIRE(refusal({.main_threads = std::vector<std::string>(256), .workers = 0}) ==
          Error{ErrorCode::kInvalidArgument, "main threads", 256, "a pool has from 1 to 255"});
  REQUIRE(refusal({.workers = 2'046}) ==
          Error{ErrorCode::kInvalidArgument, "threads", 2'047,
                "and one: with 32 tasks for each there are more than 65,534"});

  const auto largest =
      Get(TestType::Create({.devices = {"disk"}, .workers = 2, .capacity = 65'374}));
  const auto here = Get(largest->Register("main"));
  std::function<void()> nothing = [] {};
  const TaskId all = Get(largest->AddEmpty());
  std::uint32_t made = 1;
  while (largest->Add({.work = Call(nothing), .parent = all})) ++made;
  REQUIRE(made >= 65'374);
  Do(largest->Wait(all));
}

TEMPLATE_TEST_CASE("shut down, a pool has finished all tasks, and those that they made", "",
                   EACH_POLICY) {
  const auto owned = MakePool<TestType>(
      {.main_threads = {"update", "render"}, .workers = GENERATE(0u, 1u, 3u, 8u)});
  TestType& tasks = *owned;
  auto here = Get(tasks.Register("update"));
  const std::uint8_t to_update = Get(tasks.AffinityTo("update"));
  const std::uint8_t to_render = Get(tasks.AffinityTo("render"));
  std::atomic<int> ran = 0, wrong = 0;
  std::function<void()> leaf = [&] { ++ran; };
  std::function<void()> spawns = [&] {
    ++ran;
    const auto child = tasks.Add({.work = Call(leaf)});
    const auto own = tasks.Add({.work = Call(leaf), .affinity = to_update});
    const auto gone = tasks.Add({.work = Call(leaf), .affinity = to_render});
    if (!child || !own || !gone || !tasks.Wait(*child) || !tasks.Wait(*gone)) ++wrong;
  };
  for (int i = 0; i < 20; ++i) {
    static_cast<void>(Get(tasks.Add({.work = Call(spawns)})));
  }
  Do(tasks.Close(TaskShutdown::kFinish));
  REQUIRE(ran == 60);  // what was for "render" has been cancelled, because it is gone
  REQUIRE(wrong == 0);
  REQUIRE(tasks.Counts().ran == 60);
  REQUIRE(tasks.Counts().cancelled == 20);
  REQUIRE(tasks.Add({.work = Call(leaf)}).error() ==
          Error{ErrorCode::kWrongPhase, "task", 0, "the pool has been shut down"});
  REQUIRE(CodeOf(tasks.Close(TaskShutdown::kFinish)) == ErrorCode::kWrongPhase);
}

TEMPLATE_TEST_CASE("shut down the other way, a pool has begun nothing more", "", EACH_POLICY) {
  const std::uint32_t workers = GENERATE(0u, 1u, 3u, 8u);
  const auto owned = MakePool<TestType>({.workers = workers});
  TestType& tasks = *owned;
  auto here = Get(tasks.Register("main"));
  std::atomic<int> ran = 0, refused = 0;
  std::atomic<bool> started = false, closing = false;
  std::function<void()> leaf = [&] { ++ran; };
  // Runs from before the shutdown until after it has begun.
  std::function<void()> lasts = [&] {
    const auto child = tasks.Add({.work = Call(leaf)});
    started = true;
    started.notify_all();
    while (!closing) std::this_thread::yield();
    for (;;) {
      const auto more = tasks.AddEmpty();
      if (!more) break;
      static_cast<void>(tasks.Submit(*more));
    }
    ++refused;
    static_cast<void>(tasks.Wait(*child));
  };
  if (workers > 0) {
    Do(tasks.Submit(Get(tasks.Add({.work = Call(lasts)}))));
    started.wait(false);
  }
  const TaskId held = Get(tasks.AddEmpty());
  for (int i = 0; i < 20; ++i) {
    static_cast<void>(Get(tasks.Add({.work = Call(leaf), .parent = held})));
  }
  closing = true;
  Do(tasks.Close(TaskShutdown::kCancel));
  REQUIRE(tasks.IsComplete(held));
  REQUIRE(ran == 0);
  REQUIRE(refused == (workers > 0 ? 1 : 0));
}

TEMPLATE_TEST_CASE("a pool may be destroyed with work outstanding", "", EACH_POLICY) {
  const std::uint32_t workers = GENERATE(0u, 1u, 3u);
  std::atomic<int> ran = 0;
  std::function<void()> leaf = [&] { ++ran; };
  for (int round = 0; round < 50; ++round) {
    const auto owned = MakePool<TestType>({.workers = workers});
    TestType& tasks = *owned;
    const auto here = tasks.Register("main");
    for (int i = 0; i < 20; ++i) static_cast<void>(Get(tasks.Add({.work = Call(leaf)})));
  }
  REQUIRE(ran <= 50 * 20);
}

TEMPLATE_TEST_CASE("every thread may wait at once", "", EACH_POLICY) {
  const auto owned =
      MakePool<TestType>({.main_threads = {"0", "1", "2", "3"}, .workers = GENERATE(0u, 1u, 3u)});
  TestType& tasks = *owned;
  std::atomic<int> ran = 0, failed = 0;
  std::function<void()> leaf = [&] { ++ran; };
  {
    std::vector<std::jthread> threads;
    for (int t = 0; t < 4; ++t) {
      threads.emplace_back([&, t] {
        const auto here = tasks.Register(std::to_string(t));
        for (int round = 0; round < 100; ++round) {
          const auto all = tasks.AddEmpty();
          TaskId previous;
          for (int i = 0; i < 5; ++i) {
            const auto task =
                tasks.Add({.work = Call(leaf), .parent = *all, .dependency = previous});
            if (!task) ++failed;
            previous = task.value_or(TaskId());
          }
          if (!tasks.Wait(*all)) ++failed;
        }
      });
    }
  }
  REQUIRE(failed == 0);
  REQUIRE(ran == 4 * 100 * 5);
}

TEMPLATE_TEST_CASE("external work is handed over at once and completes when the device says", "",
                   EACH_POLICY) {
  const auto owned =
      MakePool<TestType>({.main_threads = {"main", "disk"}, .workers = GENERATE(0u, 1u, 3u)});
  TestType& tasks = *owned;
  const auto here = Get(tasks.Register("main"));
  std::atomic<int> requests = 0;
  std::atomic<std::uint64_t> requested = 0;
  Letters letters;
  std::function<void()> ask = [&] {
    ++requests;
    requests.notify_all();
  };
  std::function<void()> use = letters.Write('u');
  std::jthread disk([&] {
    const auto there = tasks.Register("disk");
    requests.wait(0);
    static_cast<void>(tasks.CompleteExternal(TaskId::FromBits(requested.load())));
  });
  const TaskId read = Get(tasks.Add({.work = Call(ask), .kind = TaskKind::kExternal}));
  const TaskId after = Get(tasks.Add({.work = Call(use), .dependency = read}));
  requested = read.bits();
  REQUIRE(CodeOf(tasks.CompleteExternal(after)) == ErrorCode::kInvalidArgument);
  Do(tasks.Submit(read));
  REQUIRE(requests == 1);
  Do(tasks.Wait(after));
  REQUIRE(letters.written() == "u");
}

TEMPLATE_TEST_CASE("a loop is cut into at most five pieces a thread", "", EACH_POLICY) {
  const std::uint32_t workers = GENERATE(0u, 1u, 3u);
  const std::uint32_t count = GENERATE(0u, 1u, 63u, 64u, 10007u);
  const auto owned = MakePool<TestType>({.workers = workers});
  TestType& tasks = *owned;
  const auto here = Get(tasks.Register("main"));
  std::vector<int> touched(count, 0);
  std::atomic<std::uint32_t> pieces = 0;
  Do(ParallelFor(tasks, count, 7, [&](std::uint32_t begin, std::uint32_t end) {
    ++pieces;
    for (std::uint32_t i = begin; i < end; ++i) ++touched[i];
  }));
  REQUIRE(touched == std::vector<int>(count, 1));
  REQUIRE(pieces <= 5 * tasks.threads());
  REQUIRE(pieces <= (count + 6) / 7);
  const auto thrown = ParallelFor(tasks, 10, 10, [](std::uint32_t, std::uint32_t) { throw 1; });
  REQUIRE_FALSE(thrown);
  REQUIRE(thrown.error() ==
          Error{ErrorCode::kWrongPhase, "loop", 1, "pieces threw or were cancelled"});
}

TEMPLATE_TEST_CASE("a loop that finds no room for its tasks is done all the same", "",
                   EACH_POLICY) {
  const auto owned = MakePool<TestType>({.workers = 3, .capacity = 1});
  TestType& tasks = *owned;
  const auto here = Get(tasks.Register("main"));
  const TaskId all = Get(tasks.AddEmpty());
  while (tasks.Add({.parent = all})) {
  }
  std::vector<int> touched(1000, 0);
  Do(ParallelFor(tasks, 1000, 1, [&](std::uint32_t begin, std::uint32_t end) {
    for (std::uint32_t i = begin; i < end; ++i) ++touched[i];
  }));
  REQUIRE(touched == std::vector<int>(1000, 1));
}

TEMPLATE_TEST_CASE("a trace shows a waiting thread at work", "", EACH_POLICY) {
  Profile profile({});
  {
    const auto owned = MakePool<TestType>({.workers = 1, .profile = &profile});
    TestType& tasks = *owned;
    const auto here = Get(tasks.Register("main"));
    std::function<void()> nothing = [] {};
    for (int i = 0; i < 10; ++i) static_cast<void>(Get(tasks.Add({.work = Call(nothing)})));
    Do(tasks.Wait(Get(tasks.AddEmpty())));
    Do(tasks.Close(TaskShutdown::kFinish));
  }
  REQUIRE(profile.lanes().size() == 2);
  REQUIRE(profile.lanes()[0].name == "main");
  REQUIRE(profile.lanes()[1].name == "worker 1");
  std::size_t tasks_seen = 0, waits_seen = 0;
  for (const Lane& lane : profile.lanes()) {
    for (const Span& span : lane.spans) {
      tasks_seen += std::string(span.name) == "task" ? 1 : 0;
      waits_seen += std::string(span.name) == "wait" ? 1 : 0;
    }
  }
  REQUIRE(tasks_seen == 10);
  REQUIRE(waits_seen == 1);
}

// Two tasks that go on when both have begun, and nobody but two main threads that wait.
TEMPLATE_TEST_CASE("a trace shows main threads helping while they wait", "", EACH_POLICY) {
  Profile profile({});
  {
    const auto owned = MakePool<TestType>(
        {.main_threads = {"update", "render"}, .workers = 0, .profile = &profile});
    TestType& tasks = *owned;
    std::latch begun(2), registered(2);
    std::atomic<int> failed = 0;
    std::function<void()> meets = [&] { begun.arrive_and_wait(); };
    const auto body = [&](const char* name) {
      const auto here = tasks.Register(name);
      registered.arrive_and_wait();
      const auto task = tasks.Add({.work = Call(meets)});
      if (!task || !tasks.Wait(*task)) ++failed;
    };
    { std::jthread update(body, "update"), render(body, "render"); }
    REQUIRE(failed == 0);
  }
  REQUIRE(profile.lanes().size() == 2);
  for (const Lane& lane : profile.lanes()) {
    INFO(lane.name);
    const auto count = [&](const std::string& name) {
      return std::ranges::count_if(lane.spans, [&](const Span& span) { return span.name == name; });
    };
    REQUIRE(count("task") == 1);
    REQUIRE(count("wait") == 1);
    const auto find = [&](const std::string& name) {
      return *std::ranges::find_if(lane.spans, [&](const Span& span) { return span.name == name; });
    };
    const Span task = find("task"), wait = find("wait");
    REQUIRE(wait.begin <= task.begin);
    REQUIRE(task.end <= wait.end);
  }
}

}  // namespace
}  // namespace nowait

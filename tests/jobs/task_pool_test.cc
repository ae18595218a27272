// The order of tasks: dependencies, priorities, affinities, children, waits, devices and loops.
#include "src/jobs/task_pool.h"

#include <algorithm>
#include <atomic>
#include <catch2/catch.hpp>
#include <cstdint>
#include <functional>
#include <latch>
#include <string>
#include <thread>
#include <vector>

#include "src/jobs/device.h"
#include "src/jobs/job_list.h"
#include "src/jobs/parallel_for.h"
#include "tests/jobs/make_pool.h"
#include "tests/jobs/pool_calls.h"

namespace nowait {
namespace {

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

}  // namespace
}  // namespace nowait

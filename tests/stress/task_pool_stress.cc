// Random graphs on a pool: each task runs exactly once or is cancelled, after what it depends on
// with all of that one's children; tasks that make tasks and wait for them, names, priorities; and
// no thread sleeps for ever.
#include <atomic>
#include <catch2/catch.hpp>
#include <cstdint>
#include <deque>
#include <memory>
#include <random>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "src/jobs/task_pool.h"
#include "tests/jobs/make_pool.h"
#include "tests/stress/findings.h"
#include "tests/stress/together.h"

namespace nowait {
namespace {

template <class Pool>
struct Stress {
  // A task's record of itself. `runs` is plain: reading that of an earlier task is a data race if
  // the pool does not order the two.
  struct Node {
    Stress* stress = nullptr;
    TaskId id;
    Node* dependency = nullptr;
    std::vector<Node*> children;  // those that its creator gave it
    std::uint8_t name = 0;
    int spawns = 0;  // so many levels of tasks that it makes and waits for, if it has no name
    bool cancelled = false;  // written by its creator before it is submitted
    int runs = 0;
  };

  static void Run(void* data) {
    auto& node = *static_cast<Node*>(data);
    Stress& stress = *node.stress;
    if (node.name != 0 && node.name != here) {
      stress.wrong.Add("a task for a certain thread ran on another: theirs", node.name, here);
    }
    if (node.dependency != nullptr) stress.CheckDone(*node.dependency);
    ++node.runs;
    if (node.name == 0 && node.spawns > 0) stress.SpawnAndWait(node.spawns - 1);
  }

  // The same as idempotent work, which two threads may be in. Nobody but its release knows when it
  // may go; and a run that does not count may go on when the task is complete and the node is gone.
  struct Duplicate {
    explicit Duplicate(Node& of) : node(of) {}
    static void Compute(void* data, int run) { static_cast<Duplicate*>(data)->buffers[run] = 1; }
    static void Commit(void* data, int run) {
      auto& duplicate = *static_cast<Duplicate*>(data);
      Node& node = duplicate.node;
      if (node.dependency != nullptr) node.stress->CheckDone(*node.dependency);
      node.runs += duplicate.buffers[run];
    }
    static void Release(void* data) {
      auto* duplicate = static_cast<Duplicate*>(data);
      // Plain, of both runs: a data race if one is still in there.
      if (duplicate->buffers[0] != 1) std::abort();
      delete duplicate;
    }
    Node& node;
    IdempotentJob job{&Compute, &Commit, &Release, this};
    int buffers[2] = {};
  };

  // It and all below it are done: the caller comes after its completion.
  void CheckDone(const Node& node) {
    if (node.runs != (node.cancelled ? 0 : 1)) {
      wrong.Add("a task ended with so many runs, cancelled or not", node.runs, node.cancelled);
    }
    for (const Node* child : node.children) CheckDone(*child);
  }

  // A few tasks one after another, some for a certain thread, below an empty one.
  void SpawnAndWait(int levels) {
    Node nodes[3];
    const auto top = pool.AddEmpty();
    if (!top) {
      ++refused;
      return;
    }
    TaskId previous;
    Node* before = nullptr;  // whose task that is
    for (Node& node : nodes) {
      node.stress = this;
      node.spawns = levels;
      node.dependency = before;
      // relaxed: only the numbers' being spread matters.
      const std::uint32_t number = spread.fetch_add(1, std::memory_order::relaxed);
      TaskDef def = {.parent = *top,
                     .dependency = previous,
                     .priority = static_cast<std::uint8_t>(number % 3)};
      Duplicate* duplicate = number % 5 == 0 ? new Duplicate(node) : nullptr;
      if (duplicate == nullptr) {
        if (number % 7 == 0) node.name = static_cast<std::uint8_t>(1 + number / 7 % mains);
        def.work = {&Run, &node};
        def.affinity = node.name;
      }
      const auto id =
          duplicate != nullptr ? pool.AddIdempotent(duplicate->job, def) : pool.Add(def);
      if (!id) {
        delete duplicate;
        ++refused;
        node.cancelled = true;
        continue;
      }
      previous = *id;
      before = &node;
    }
    Doing::Now("waits inside a task for tasks that it has made");
    if (!pool.Wait(*top)) wrong.Add("a wait inside a task is refused");
    for (const Node& node : nodes) CheckDone(node);
  }

  // One thread's tasks, in random order of calls. `strangers`: tasks that others have submitted
  // before.
  TaskId Make(std::vector<Node>& nodes, std::mt19937& random,
              const std::vector<TaskId>& strangers) {
    const auto top = pool.AddEmpty();
    if (!top) {
      ++refused;
      return TaskId();
    }
    for (Node& node : nodes) {
      node.stress = this;
      node.spawns = random() % 4 == 0 ? 1 + static_cast<int>(random() % 2) : 0;
      if (random() % 8 == 0) node.name = static_cast<std::uint8_t>(1 + random() % mains);
      const auto id = pool.Add({.work = {&Run, &node},
                                .dependency = strangers.empty() || random() % 4 != 0
                                                  ? TaskId()
                                                  : strangers[random() % strangers.size()],
                                .priority = static_cast<std::uint8_t>(random() % 3),
                                .affinity = node.name});
      if (!id) {
        ++refused;
        node.cancelled = true;
        continue;
      }
      node.id = *id;
      Link(nodes, node, *top, random);
    }
    return *top;
  }

  // Edges may be refused because of a cycle; the random graph is then what was not refused.
  void Link(std::vector<Node>& nodes, Node& node, TaskId top, std::mt19937& random) {
    Node& other = nodes[random() % nodes.size()];
    if (other.id.IsTask() && random() % 2 == 0 && pool.DependsOn(node.id, other.id)) {
      node.dependency = &other;
    }
    Node& parent = nodes[random() % nodes.size()];
    if (parent.id.IsTask() && random() % 3 == 0 && pool.AddChild(parent.id, node.id)) {
      parent.children.push_back(&node);
    } else if (!pool.AddChild(top, node.id)) {
      wrong.Add("a child is refused");
    }
    if (random() % 8 == 0) {
      const auto cancelled = pool.Cancel(node.id);
      node.cancelled = cancelled.has_value() && *cancelled;
    }
  }

  static std::vector<std::string> Names(std::uint32_t mains) {
    std::vector<std::string> names;
    for (std::uint32_t i = 0; i < mains; ++i) names.push_back(std::to_string(i));
    return names;
  }

  Stress(std::uint32_t mains, std::uint32_t workers, std::uint32_t capacity)
      : mains(mains),
        made(MakePool<Pool>(
            {.main_threads = Names(mains), .workers = workers, .capacity = capacity})),
        pool(*made) {}

  const std::uint32_t mains;
  const std::unique_ptr<Pool> made;
  Pool& pool;
  Findings wrong;
  std::atomic<int> refused{0};
  std::atomic<std::uint32_t> spread{0};
  static thread_local std::uint8_t here;  // this thread's name
};
template <class Pool>
thread_local std::uint8_t Stress<Pool>::here = 0;

template <class Pool>
void RunRounds(std::uint32_t mains, std::uint32_t workers, std::uint32_t capacity, int rounds,
               std::size_t count = 16) {
  const std::uint32_t seed = 20100325;
  CAPTURE(seed, mains, workers, capacity);
  Stress<Pool> stress(mains, workers, capacity);
  // The latest submitted task of each main thread, for the others to depend on.
  std::vector<std::atomic<std::uint64_t>> latest(mains);
  std::atomic<std::uint32_t> busy{mains};
  Together(mains, [&](std::uint32_t t) {
    const auto here = stress.pool.Register(std::to_string(t));
    Stress<Pool>::here = static_cast<std::uint8_t>(t + 1);
    for (int round = 0; round < rounds; ++round) {
      std::mt19937 random(seed + t * 1000 + static_cast<std::uint32_t>(round));
      std::vector<typename Stress<Pool>::Node> nodes(count);
      std::vector<TaskId> strangers;
      for (const auto& id : latest) {
        const auto task = TaskId::FromBits(id.load(std::memory_order::acquire));
        if (task.IsTask()) strangers.push_back(task);
      }
      const TaskId top = stress.Make(nodes, random, strangers);
      if (!top.IsTask()) continue;
      if (!stress.pool.Submit(top)) stress.wrong.Add("a submission is refused: round", round);
      latest[t].store(top.bits(), std::memory_order::release);
      Doing::Now("waits for its tasks");
      if (!stress.pool.Wait(top)) stress.wrong.Add("a wait is refused: round", round);
      for (const auto& node : nodes) stress.CheckDone(node);
    }
    // Others may have tasks for this one yet.
    busy.fetch_sub(1, std::memory_order::release);
    stress.pool.Wake();
    const auto all_done = [&] { return busy.load(std::memory_order::acquire) == 0; };
    Doing::Now("does the others' work until all threads are done");
    if (!stress.pool.DoWorkWhileWaitingFor(all_done)) stress.wrong.Add("the last wait is refused");
  });
  REQUIRE(stress.wrong.Words() == "");
  WARN(mains << " main threads, " << workers << " workers, capacity " << capacity << ": "
             << stress.refused << " refused for lack of room");
}

#define EACH_POLICY TaskPool, OneQueueTaskPool

TEMPLATE_TEST_CASE("random graphs, eight threads", "", EACH_POLICY) {
  RunRounds<TestType>(2, 6, 1024, 2000);
}
TEMPLATE_TEST_CASE("random graphs, main threads alone", "", EACH_POLICY) {
  RunRounds<TestType>(4, 0, 1024, 1000);
  RunRounds<TestType>(1, 0, 1024, 1000);
}
TEMPLATE_TEST_CASE("random graphs, one worker", "", EACH_POLICY) {
  RunRounds<TestType>(2, 1, 1024, 2000);
}
TEMPLATE_TEST_CASE("random graphs in a pool that is often full", "", EACH_POLICY) {
  RunRounds<TestType>(3, 3, 1, 500, 64);
}

// Threads that submit tasks one by one, and cancel their own and the others' that may just be
// started. in_tasks: each of them from inside a task, where it also waits.
template <class Pool>
struct CancelRace {
  static constexpr std::uint32_t kItems = 24;
  static constexpr std::uint32_t kRounds = 150;

  struct Item {
    int runs = 0;  // plain: two runs would be a data race
    std::atomic<int> cancelled{0};
    std::atomic<std::uint64_t> id{0};  // when it has been submitted
  };
  struct Main {
    CancelRace* race = nullptr;
    std::uint32_t number = 0;
    std::mt19937 random;
    std::vector<Item> items{kItems * kRounds};
    std::atomic<std::uint32_t> round{0};
  };

  CancelRace(std::uint32_t count, std::uint32_t workers)
      : mains(count),
        made(MakePool<Pool>({.main_threads = Stress<Pool>::Names(count), .workers = workers})),
        pool(*made) {
    for (std::uint32_t t = 0; t < count; ++t) {
      mains[t].race = this;
      mains[t].number = t;
      mains[t].random.seed(kSeed + t);
    }
  }

  static void RunItem(void* item) { ++static_cast<Item*>(item)->runs; }
  static void RunRound(void* data) {
    auto& main = *static_cast<Main*>(data);
    main.race->Round(main);
  }

  void Round(Main& main) {
    const auto top = pool.AddEmpty();
    if (!top) {
      wrong.Add("an empty task is refused");
      return;
    }
    Item* const items = ItemsOf(main);
    for (std::uint32_t i = 0; i < kItems; ++i) {
      const auto id = pool.Add({.work = {&RunItem, &items[i]},
                                .parent = *top,
                                .priority = static_cast<std::uint8_t>(i % 3)});
      if (!id || !pool.Submit(*id)) {
        wrong.Add("a task is refused: item", i);
        continue;
      }
      items[i].id.store(id->bits(), std::memory_order::release);
      if (main.random() % 4 == 0) TryToCancel(items[main.random() % (i + 1)]);
      TryToCancel(ItemsOf(mains[main.random() % mains.size()])[main.random() % kItems]);
    }
    Doing::Now("waits for tasks, some of which are cancelled");
    if (!pool.Wait(*top)) wrong.Add("a wait is refused");
  }

  Item* ItemsOf(Main& main) {
    return &main.items[main.round.load(std::memory_order::relaxed) * kItems];
  }
  void TryToCancel(Item& item) {
    const auto task = TaskId::FromBits(item.id.load(std::memory_order::acquire));
    if (!task.IsTask()) return;
    const auto cancelled = pool.Cancel(task);
    if (!cancelled) wrong.Add("a cancellation is refused");
    if (cancelled && *cancelled) ++item.cancelled;
  }

  static constexpr std::uint32_t kSeed = 20121120;
  std::deque<Main> mains;
  const std::unique_ptr<Pool> made;
  Pool& pool;
  Findings wrong;
};

template <class Pool>
void RaceToCancel(std::uint32_t mains, std::uint32_t workers, bool in_tasks) {
  CAPTURE(CancelRace<Pool>::kSeed, mains, workers, in_tasks);
  CancelRace<Pool> race(mains, workers);
  Together(mains, [&](std::uint32_t t) {
    const auto here = race.pool.Register(std::to_string(t));
    auto& main = race.mains[t];
    for (std::uint32_t round = 0; round < CancelRace<Pool>::kRounds; ++round) {
      main.round.store(round, std::memory_order::relaxed);
      if (!in_tasks) {
        race.Round(main);
        continue;
      }
      const auto outer = race.pool.Add({.work = {&CancelRace<Pool>::RunRound, &main}});
      if (!outer || !race.pool.Wait(*outer))
        race.wrong.Add("a round in a task is refused: round", round);
    }
  });
  REQUIRE(race.wrong.Words() == "");
  int ran = 0, cancelled = 0, other = 0;
  for (const auto& main : race.mains) {
    for (const auto& item : main.items) {
      ran += item.runs;
      cancelled += item.cancelled;
      if (item.runs + item.cancelled != 1) ++other;
    }
  }
  REQUIRE(other == 0);
  REQUIRE(ran > 0);
  REQUIRE(cancelled > 0);
}

TEMPLATE_TEST_CASE(
    "a task that is cancelled while it may start has either run once or been cancelled", "",
    EACH_POLICY) {
  const bool in_tasks = GENERATE(false, true);
  RaceToCancel<TestType>(1, 0, in_tasks);
  RaceToCancel<TestType>(4, 0, in_tasks);
  RaceToCancel<TestType>(2, 1, in_tasks);
  RaceToCancel<TestType>(2, 8, in_tasks);
}

// Shut down at any moment, by one thread, with everything under way.
TEMPLATE_TEST_CASE("shutdown with tasks that make tasks, over and over", "", EACH_POLICY) {
  const auto how = GENERATE(TaskShutdown::kFinish, TaskShutdown::kCancel);
  const std::uint32_t workers = GENERATE(0u, 1u, 4u);
  struct Tree {
    static void Run(void* data) {
      auto& tree = *static_cast<Tree*>(data);
      tree.runs.fetch_add(1, std::memory_order::relaxed);
      Tree below[2] = {{tree.pool, tree.levels - 1}, {tree.pool, tree.levels - 1}};
      if (tree.levels == 0) return;
      for (Tree& child : below) {
        const auto id = tree.pool.Add({.work = {&Run, &child}});
        if (id && !tree.pool.Wait(*id)) std::abort();
      }
      for (Tree& child : below) {
        tree.runs.fetch_add(child.runs.load(std::memory_order::relaxed),
                            std::memory_order::relaxed);
      }
    }
    TestType& pool;
    int levels;
    std::atomic<int> runs{0};
  };
  for (int round = 0; round < 100; ++round) {
    const auto owned = MakePool<TestType>({.workers = workers});
    TestType& pool = *owned;
    const auto here = pool.Register("main");
    Tree trees[4] = {{pool, 3}, {pool, 3}, {pool, 3}, {pool, 3}};
    for (Tree& tree : trees) {
      const auto id = pool.Add({.work = {&Tree::Run, &tree}});
      REQUIRE(id);
      REQUIRE(pool.Submit(*id));
    }
    REQUIRE(pool.Close(how));
    for (const Tree& tree : trees) {
      if (how == TaskShutdown::kFinish) REQUIRE(tree.runs == 15);
    }
  }
}

}  // namespace
}  // namespace nowait

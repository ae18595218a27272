#include "src/jobs/task_graph.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cstddef>
#include <deque>
#include <string>
#include <vector>

#include "tests/jobs/ready_queue.h"

namespace nowait {
namespace {

using Graph = TaskGraph<StdSync, 2>;

// Tasks that write their letter.
class Alphabet {
 public:
  Job Write(char letter) {
    letters_.push_back({this, letter});
    return {&Run, &letters_.back()};
  }
  const std::string& written() const { return written_; }

 private:
  struct Letter {
    Alphabet* alphabet;
    char letter;
  };
  static void Run(void* data) {
    auto& letter = *static_cast<Letter*>(data);
    letter.alphabet->written_ += letter.letter;
  }
  std::deque<Letter> letters_;
  std::string written_;
};

struct Fixture {
  explicit Fixture(std::uint32_t capacity = 16) : graph({capacity, 2, 5}) {}

  TaskId Add(char letter) { return Add({.work = alphabet.Write(letter)}); }
  TaskId Add(const TaskDef& def) {
    const auto task = graph.Create(main, def, queue);
    REQUIRE(task);
    return *task;
  }
  TaskId AddEmpty() { return Add(TaskDef{}); }
  void DependsOn(TaskId task, TaskId dependency) {
    REQUIRE(graph.SetDependency(main, task, dependency));
  }
  void AddChild(TaskId parent, TaskId child) {
    REQUIRE(graph.AddChild(main, parent, child, queue));
  }
  void Submit(TaskId task) { REQUIRE(graph.Submit(main, task, queue)); }

  void RunAll() {
    while (queue.RunOne(graph, main)) {
    }
  }
  // The wait of a thread outside all tasks.
  void Wait(TaskId task) {
    REQUIRE(graph.BeginWait(main, task, queue));
    while (!graph.IsComplete(task)) REQUIRE(queue.RunOne(graph, main));
    graph.EndWait(main);
  }

  Graph graph;
  Graph::Thread main{graph, 0};
  Graph::Thread other{graph, 1};
  ReadyQueue queue;
  Alphabet alphabet;
};

template <class T>
ErrorCode CodeOf(const Result<T>& result) {
  REQUIRE_FALSE(result);
  return result.error().code;
}

TEST_CASE("the blog's example: tasks first, dependencies and children afterwards") {
  Fixture tasks;
  const TaskId animation = tasks.Add('a');
  const TaskId scene_graph = tasks.Add('s');
  tasks.DependsOn(scene_graph, animation);
  const TaskId gui = tasks.Add('g');
  const TaskId gui_scene = tasks.AddEmpty();
  tasks.AddChild(gui_scene, scene_graph);
  tasks.AddChild(gui_scene, gui);
  const TaskId render = tasks.Add('r');
  tasks.DependsOn(render, gui_scene);
  const TaskId sound = tasks.Add('S');
  const TaskId done = tasks.AddEmpty();
  tasks.AddChild(done, render);
  tasks.AddChild(done, sound);
  REQUIRE(tasks.queue.empty());  // all are held
  tasks.Wait(done);
  const std::string& order = tasks.alphabet.written();
  REQUIRE(order.size() == 5);
  REQUIRE(order.find('a') < order.find('s'));
  REQUIRE(order.find('s') < order.find('r'));
  REQUIRE(order.find('g') < order.find('r'));
  REQUIRE(order.find('S') != std::string::npos);
  REQUIRE(tasks.graph.IsComplete(gui_scene));
}

TEST_CASE("a task is complete when its work and its children are") {
  Fixture tasks;
  const TaskId parent = tasks.Add('p');
  const TaskId child = tasks.Add({.work = tasks.alphabet.Write('c'), .parent = parent});
  tasks.Submit(parent);
  tasks.RunAll();
  REQUIRE(tasks.alphabet.written() == "p");
  REQUIRE_FALSE(tasks.graph.IsComplete(parent));
  tasks.Submit(child);
  tasks.RunAll();
  REQUIRE(tasks.alphabet.written() == "pc");
  REQUIRE(tasks.graph.IsComplete(parent));
}

TEST_CASE("a child may run before its parent does") {
  Fixture tasks;
  const TaskId parent = tasks.Add('p');
  tasks.Submit(tasks.Add({.work = tasks.alphabet.Write('c'), .parent = parent}));
  tasks.RunAll();
  REQUIRE(tasks.alphabet.written() == "c");
  REQUIRE_FALSE(tasks.graph.IsComplete(parent));
}

TEST_CASE("a dependency that is complete is met, also when its slot is another's") {
  Fixture tasks;
  const TaskId first = tasks.Add('1');
  tasks.Submit(first);
  tasks.RunAll();
  const TaskId second = tasks.Add('2');
  REQUIRE(second.slot() == first.slot());
  const TaskId third = tasks.Add('3');
  tasks.DependsOn(third, first);
  tasks.Submit(third);
  tasks.RunAll();
  REQUIRE(tasks.alphabet.written() == "13");
}

TEST_CASE("empty tasks in a row are complete at once, however many") {
  constexpr int kTasks = 1000;
  Fixture tasks(kTasks);
  const TaskId first = tasks.Add('1');
  TaskId last = first;
  for (int i = 1; i < kTasks; ++i) last = tasks.Add({.dependency = last});
  tasks.graph.SubmitAll(tasks.main, tasks.queue);
  REQUIRE_FALSE(tasks.graph.IsComplete(last));
  tasks.RunAll();
  REQUIRE(tasks.graph.IsComplete(last));
}

TEST_CASE("priority and affinity come to the queue as they were given") {
  Fixture tasks;
  const TaskId task =
      tasks.Add({.work = tasks.alphabet.Write('x'), .priority = 7, .affinity = 255});
  tasks.Submit(task);
  const ReadyTask ready = tasks.queue.Pop();
  REQUIRE(ready.id == task);
  REQUIRE(ready.priority == 7);
  REQUIRE(ready.affinity == 255);
  REQUIRE_FALSE(ready.kind == TaskKind::kExternal);
}

TEST_CASE("a cycle is refused, whichever edge would close it") {
  Fixture tasks;
  const TaskId a = tasks.Add('a'), b = tasks.Add('b'), c = tasks.AddEmpty();
  REQUIRE(CodeOf(tasks.graph.SetDependency(tasks.main, a, a)) == ErrorCode::kCycle);
  REQUIRE(CodeOf(tasks.graph.AddChild(tasks.main, a, a, tasks.queue)) == ErrorCode::kCycle);
  tasks.DependsOn(b, a);
  REQUIRE(CodeOf(tasks.graph.SetDependency(tasks.main, a, b)) == ErrorCode::kCycle);
  REQUIRE(CodeOf(tasks.graph.AddChild(tasks.main, a, b, tasks.queue)) == ErrorCode::kCycle);
  tasks.AddChild(c, b);
  REQUIRE(CodeOf(tasks.graph.SetDependency(tasks.main, a, c)) == ErrorCode::kCycle);
  REQUIRE(CodeOf(tasks.graph.AddChild(tasks.main, b, c, tasks.queue)) == ErrorCode::kCycle);
  tasks.Wait(c);
  REQUIRE(tasks.alphabet.written() == "ab");
}

TEST_CASE("a refused edge leaves nothing behind") {
  Fixture tasks;
  const TaskId parent = tasks.Add('p'), child = tasks.Add('c');
  tasks.DependsOn(child, parent);
  REQUIRE_FALSE(tasks.graph.AddChild(tasks.main, parent, child, tasks.queue));
  tasks.Wait(parent);
  REQUIRE(tasks.alphabet.written() == "p");
  tasks.Wait(child);
}

TEST_CASE("one dependency, one parent") {
  Fixture tasks;
  const TaskId a = tasks.Add('a'), b = tasks.Add('b'), c = tasks.Add('c');
  tasks.DependsOn(c, a);
  REQUIRE(CodeOf(tasks.graph.SetDependency(tasks.main, c, b)) == ErrorCode::kInvalidArgument);
  tasks.AddChild(b, c);
  REQUIRE(CodeOf(tasks.graph.AddChild(tasks.main, a, c, tasks.queue)) ==
          ErrorCode::kInvalidArgument);
}

TEST_CASE("a task that another thread holds is refused; one that it has submitted is not") {
  Fixture tasks;
  const TaskId theirs = *tasks.graph.Create(tasks.other, {}, tasks.queue);
  const TaskId mine = tasks.Add('m');
  REQUIRE(CodeOf(tasks.graph.SetDependency(tasks.main, theirs, mine)) == ErrorCode::kNotOwner);
  REQUIRE(CodeOf(tasks.graph.SetDependency(tasks.main, mine, theirs)) == ErrorCode::kNotOwner);
  REQUIRE(CodeOf(tasks.graph.AddChild(tasks.main, theirs, mine, tasks.queue)) ==
          ErrorCode::kNotOwner);
  REQUIRE(CodeOf(tasks.graph.AddChild(tasks.main, mine, theirs, tasks.queue)) ==
          ErrorCode::kNotOwner);
  REQUIRE(CodeOf(tasks.graph.Submit(tasks.main, theirs, tasks.queue)) == ErrorCode::kNotOwner);
  REQUIRE(CodeOf(tasks.graph.Cancel(tasks.main, theirs, tasks.queue)) == ErrorCode::kNotOwner);
  REQUIRE(CodeOf(tasks.graph.Create(tasks.main, {.parent = theirs}, tasks.queue)) ==
          ErrorCode::kNotOwner);
  REQUIRE(CodeOf(tasks.graph.Create(tasks.main, {.dependency = theirs}, tasks.queue)) ==
          ErrorCode::kNotOwner);
  tasks.Submit(mine);
  REQUIRE(tasks.graph.SetDependency(tasks.other, theirs, mine));
  REQUIRE(CodeOf(tasks.graph.SetDependency(tasks.main, mine, theirs)) == ErrorCode::kWrongPhase);
  REQUIRE(CodeOf(tasks.graph.Submit(tasks.main, mine, tasks.queue)) == ErrorCode::kWrongPhase);
}

TEST_CASE("an id of a completed task is stale where an open one is needed") {
  Fixture tasks;
  const TaskId gone = tasks.Add('g');
  tasks.Wait(gone);
  const TaskId task = tasks.Add('t');
  REQUIRE(CodeOf(tasks.graph.AddChild(tasks.main, gone, task, tasks.queue)) == ErrorCode::kStaleId);
  REQUIRE(CodeOf(tasks.graph.SetDependency(tasks.main, gone, task)) == ErrorCode::kStaleId);
  REQUIRE(CodeOf(tasks.graph.Create(tasks.main, {.parent = gone}, tasks.queue)) ==
          ErrorCode::kStaleId);
  REQUIRE(CodeOf(tasks.graph.CompleteExternal(tasks.main, gone, tasks.queue)) ==
          ErrorCode::kStaleId);
  REQUIRE(*tasks.graph.Cancel(tasks.main, gone, tasks.queue) == false);
  REQUIRE(tasks.graph.BeginWait(tasks.main, gone, tasks.queue));
}

TEST_CASE("another graph's task, and none") {
  Fixture tasks;
  Graph graph({4, 1, 6});
  Graph::Thread thread(graph, 0);
  const TaskId foreign = *graph.Create(thread, {}, tasks.queue);
  const TaskId mine = tasks.Add('m');
  const auto refused = tasks.graph.SetDependency(tasks.main, mine, foreign);
  REQUIRE(CodeOf(refused) == ErrorCode::kInvalidArgument);
  REQUIRE(ToString(refused.error()) == "invalid task: of another graph");
  REQUIRE(CodeOf(tasks.graph.BeginWait(tasks.main, foreign, tasks.queue)) ==
          ErrorCode::kInvalidArgument);
  REQUIRE(CodeOf(tasks.graph.Submit(tasks.main, TaskId(), tasks.queue)) ==
          ErrorCode::kInvalidArgument);
  REQUIRE_FALSE(tasks.graph.TryStart(foreign));
}

TEST_CASE("a full graph refuses, and has room again when tasks complete") {
  Graph graph({3, 1, 0});
  Graph::Thread thread(graph, 0);
  ReadyQueue queue;
  std::vector<TaskId> open;
  auto task = graph.Create(thread, {}, queue);
  for (; task; task = graph.Create(thread, {}, queue)) open.push_back(*task);
  REQUIRE(open.size() >= 3);
  REQUIRE(ToString(task.error()) == "capacity of open tasks reached (3)");
  graph.SubmitAll(thread, queue);
  for (std::size_t i = 0; i < open.size(); ++i) REQUIRE(graph.Create(thread, {}, queue));
}

TEST_CASE("cancelling before the start counts, afterwards it does not") {
  Fixture tasks;
  const TaskId first = tasks.Add('1'), second = tasks.Add('2'), third = tasks.Add('3');
  tasks.DependsOn(second, first);
  tasks.DependsOn(third, second);
  REQUIRE(*tasks.graph.Cancel(tasks.main, second, tasks.queue));
  REQUIRE_FALSE(*tasks.graph.Cancel(tasks.main, second, tasks.queue));
  tasks.graph.SubmitAll(tasks.main, tasks.queue);
  REQUIRE_FALSE(tasks.graph.IsComplete(second));  // it keeps its place in the order
  tasks.RunAll();
  REQUIRE(tasks.alphabet.written() == "13");
  const TaskId ready = tasks.Add('r');
  tasks.Submit(ready);
  REQUIRE(*tasks.graph.Cancel(tasks.other, ready, tasks.queue));
  REQUIRE(tasks.graph.IsComplete(ready));
  REQUIRE_FALSE(tasks.graph.TryStart(tasks.queue.Pop().id));  // its entry has become stale
  const TaskId running = tasks.Add('x');
  tasks.Submit(running);
  REQUIRE(tasks.graph.TryStart(running));
  REQUIRE_FALSE(*tasks.graph.Cancel(tasks.main, running, tasks.queue));
}

TEST_CASE("external work is complete when the device says so, once") {
  Fixture tasks;
  const TaskId read = tasks.Add({.kind = TaskKind::kExternal});
  const TaskId parse = tasks.Add({.work = tasks.alphabet.Write('p'), .dependency = read});
  REQUIRE(CodeOf(tasks.graph.CompleteExternal(tasks.main, parse, tasks.queue)) ==
          ErrorCode::kInvalidArgument);
  tasks.graph.SubmitAll(tasks.main, tasks.queue);
  const ReadyTask ready = tasks.queue.Pop();
  REQUIRE(ready.kind == TaskKind::kExternal);
  REQUIRE_FALSE(tasks.graph.FindHelp(tasks.main, parse, 0));  // nobody else can do it
  REQUIRE(CodeOf(tasks.graph.CompleteExternal(tasks.main, read, tasks.queue)) ==
          ErrorCode::kWrongPhase);
  REQUIRE(tasks.graph.TryStart(ready.id));
  REQUIRE(tasks.queue.empty());
  REQUIRE(tasks.graph.CompleteExternal(tasks.other, read, tasks.queue));
  REQUIRE(CodeOf(tasks.graph.CompleteExternal(tasks.other, read, tasks.queue)) ==
          ErrorCode::kStaleId);
  tasks.RunAll();
  REQUIRE(tasks.alphabet.written() == "p");
}

TEST_CASE("of two runs of an idempotent task the first to be done counts, the last frees") {
  Fixture tasks;
  const TaskId twice =
      tasks.Add({.work = tasks.alphabet.Write('t'), .kind = TaskKind::kIdempotent});
  REQUIRE_FALSE(tasks.graph.TryStartAgain(twice));
  tasks.Submit(twice);
  REQUIRE(tasks.graph.TryStart(twice));
  REQUIRE(tasks.graph.TryStartAgain(twice));
  REQUIRE_FALSE(tasks.graph.TryStartAgain(twice));
  const auto outer = tasks.graph.Enter(tasks.main, twice);
  const auto other_outer = tasks.graph.Enter(tasks.other, twice);
  REQUIRE(CodeOf(tasks.graph.Create(tasks.main, {}, tasks.queue)) == ErrorCode::kWrongPhase);
  REQUIRE(tasks.graph.TryCommit(tasks.other));
  REQUIRE_FALSE(tasks.graph.TryCommit(tasks.main));
  REQUIRE_FALSE(tasks.graph.Finish(tasks.other, other_outer, tasks.queue, true));
  REQUIRE(tasks.graph.IsComplete(twice));
  // One run is still in there.
  REQUIRE(tasks.graph.Create(tasks.other, {}, tasks.queue)->slot() != twice.slot());
  REQUIRE(tasks.graph.Finish(tasks.main, outer, tasks.queue, false));
  REQUIRE(tasks.Add('o').slot() == twice.slot());
}

// Runs `body` as the work of a task.
template <class Body>
void Within(Fixture& tasks, TaskId task, const Body& body) {
  REQUIRE(tasks.graph.TryStart(task));
  const auto outer = tasks.graph.Enter(tasks.main, task);
  body();
  tasks.graph.Finish(tasks.main, outer, tasks.queue);
}

TEST_CASE("a task waits only for tasks that it created, and not for those that wait for it") {
  Fixture tasks;
  const TaskId stranger = tasks.Add('s'), worker = tasks.Add('w');
  tasks.graph.SubmitAll(tasks.main, tasks.queue);
  Within(tasks, worker, [&] {
    REQUIRE(CodeOf(tasks.graph.BeginWait(tasks.main, stranger, tasks.queue)) ==
            ErrorCode::kNotOwner);
    REQUIRE(CodeOf(tasks.graph.BeginWait(tasks.main, worker, tasks.queue)) == ErrorCode::kNotOwner);
    const TaskId later = tasks.Add({.work = tasks.alphabet.Write('l'), .dependency = worker});
    REQUIRE(CodeOf(tasks.graph.BeginWait(tasks.main, later, tasks.queue)) == ErrorCode::kCycle);
    REQUIRE(CodeOf(tasks.graph.AddChild(tasks.main, worker, later, tasks.queue)) ==
            ErrorCode::kCycle);
    // A child is needed by the worker: it cannot come after it.
    REQUIRE(CodeOf(tasks.graph.Create(tasks.main, {.parent = worker, .dependency = worker},
                                      tasks.queue)) == ErrorCode::kCycle);
  });
  tasks.RunAll();
  REQUIRE(tasks.alphabet.written() == "sl");
}

TEST_CASE("a waiting thread helps with the tasks that it waits for, and with nothing else") {
  Fixture tasks;
  const TaskId stranger = tasks.Add('s'), worker = tasks.Add('w');
  tasks.graph.SubmitAll(tasks.main, tasks.queue);
  Within(tasks, worker, [&] {
    const TaskId top = tasks.AddEmpty();
    const TaskId first = tasks.Add('1');
    const TaskId second = tasks.Add({.work = tasks.alphabet.Write('2'), .dependency = first});
    tasks.AddChild(top, second);                              // first is needed by its child only
    REQUIRE_FALSE(tasks.graph.FindHelp(tasks.main, top, 0));  // held
    REQUIRE(tasks.graph.BeginWait(tasks.main, top, tasks.queue));
    REQUIRE(tasks.graph.IsNeeded(tasks.main, top, first));
    REQUIRE_FALSE(tasks.graph.IsNeeded(tasks.main, top, stranger));
    REQUIRE_FALSE(tasks.graph.IsNeeded(tasks.main, first, top));
    for (const TaskId expected : {first, second}) {
      const auto found = tasks.graph.FindHelp(tasks.main, top, 0);
      REQUIRE(found == expected);
      RunStarted(tasks.graph, tasks.main, *found, tasks.queue);
    }
    REQUIRE_FALSE(tasks.graph.FindHelp(tasks.main, top, 0));
    REQUIRE(tasks.graph.IsComplete(top));
    tasks.graph.EndWait(tasks.main);
  });
  REQUIRE(tasks.alphabet.written() == "12");
}

TEST_CASE("a dependency that is complete does not hide the next task in its slot") {
  Fixture tasks;
  const TaskId top = tasks.AddEmpty();
  // The child that a walk comes to first is added last: it is open, and keeps the dependency's id.
  const TaskId first = tasks.Add('d');
  const TaskId maker = tasks.Add({.work = tasks.alphabet.Write('g'), .dependency = first});
  const TaskId keeper = tasks.Add({.work = tasks.alphabet.Write('t'), .dependency = first});
  tasks.AddChild(top, maker);
  tasks.AddChild(top, keeper);
  for (const TaskId task : {first, maker, keeper, top}) tasks.Submit(task);
  REQUIRE(tasks.queue.RunOne(tasks.graph, tasks.other));
  REQUIRE(tasks.graph.IsComplete(first));
  REQUIRE(tasks.graph.TryStart(maker));
  REQUIRE(tasks.graph.TryStart(keeper));
  const auto outer = tasks.graph.Enter(tasks.other, maker);
  const auto group = tasks.graph.Create(tasks.other, {.parent = maker}, tasks.queue);
  REQUIRE(group);
  REQUIRE(group->slot() == first.slot());
  const auto leaf = tasks.graph.Create(
      tasks.other, {.work = tasks.alphabet.Write('f'), .parent = *group}, tasks.queue);
  REQUIRE(leaf);
  REQUIRE(tasks.graph.BeginWait(tasks.other, *group, tasks.queue));
  REQUIRE(tasks.graph.FindHelp(tasks.main, top, 0) == *leaf);
  RunStarted(tasks.graph, tasks.main, *leaf, tasks.queue);
  REQUIRE(tasks.graph.IsComplete(*group));
  tasks.graph.EndWait(tasks.other);
  tasks.graph.Finish(tasks.other, outer, tasks.queue);
  RunStarted(tasks.graph, tasks.main, keeper, tasks.queue);
  REQUIRE(tasks.graph.IsComplete(top));
  REQUIRE(tasks.alphabet.written() == "dft");
}

TEST_CASE("a waiting thread helps only with tasks that its affinity allows") {
  Fixture tasks;
  const TaskId task = tasks.Add({.work = tasks.alphabet.Write('a'), .affinity = 2});
  tasks.Submit(task);
  REQUIRE_FALSE(tasks.graph.FindHelp(tasks.main, task, 0));
  REQUIRE_FALSE(tasks.graph.FindHelp(tasks.main, task, 1));
  REQUIRE(tasks.graph.FindHelp(tasks.main, task, 2) == task);
}

TEST_CASE("a dependency of a task that a running one needs is set before it needs it") {
  Fixture tasks;
  const TaskId other = tasks.Add('o'), worker = tasks.Add('w');
  tasks.graph.SubmitAll(tasks.main, tasks.queue);
  Within(tasks, worker, [&] {
    const TaskId child = tasks.Add({.work = tasks.alphabet.Write('c'), .parent = worker});
    REQUIRE(CodeOf(tasks.graph.SetDependency(tasks.main, child, other)) == ErrorCode::kWrongPhase);
    // A brother is needed by the same parent already.
    const TaskId brother = tasks.Add({.work = tasks.alphabet.Write('b'), .parent = worker});
    tasks.DependsOn(child, brother);
    tasks.Add({.work = tasks.alphabet.Write('d'), .parent = worker, .dependency = other});
  });
  tasks.RunAll();
  const std::string& order = tasks.alphabet.written();
  REQUIRE(order.size() == 4);
  REQUIRE(order.find('b') < order.find('c'));
  REQUIRE(order.find('o') < order.find('d'));
}

TEST_CASE("a task keeps one cache line") {
  WARN("bytes of an open task: " << Graph::BytesPerTask());
  REQUIRE(sizeof(TaskSlot<StdSync>) == 64);
}

// The letters of the tasks that are ready, in their order.
std::string ReadyOrder(Fixture& tasks) {
  std::string before = tasks.alphabet.written();
  tasks.RunAll();
  return tasks.alphabet.written().substr(before.size());
}

TEST_CASE("held tasks are submitted oldest first, also when one of them went before the others") {
  for (int early = -1; early < 4; ++early) {
    CAPTURE(early);
    Fixture tasks;
    std::string expected = "abcd";
    std::vector<TaskId> held;
    for (const char letter : expected) held.push_back(tasks.Add(letter));
    if (early >= 0) {
      tasks.Submit(held[static_cast<std::size_t>(early)]);
      expected.erase(static_cast<std::size_t>(early), 1);
      expected.insert(expected.begin(), static_cast<char>('a' + early));
    }
    CHECK(tasks.main.holds());
    tasks.graph.SubmitAll(tasks.main, tasks.queue);
    CHECK_FALSE(tasks.main.holds());
    CHECK(ReadyOrder(tasks) == expected);
  }
}

TEST_CASE("a thread knows whether it holds a task, and whether it holds another one than this") {
  Fixture tasks;
  CHECK_FALSE(tasks.main.holds());
  const TaskId first = tasks.Add('1');
  CHECK(tasks.main.holds());
  CHECK_FALSE(tasks.main.HoldsOther(first));
  const TaskId second = tasks.Add('2');
  CHECK(tasks.main.HoldsOther(first));
  CHECK(tasks.main.HoldsOther(second));
  tasks.Submit(first);
  CHECK_FALSE(tasks.main.HoldsOther(second));
  CHECK(tasks.main.HoldsOther(first));
  tasks.Submit(second);
  CHECK_FALSE(tasks.main.HoldsOther(second));
  CHECK_FALSE(tasks.other.holds());
}

TEST_CASE("the tasks that a task holds are submitted when its work is done") {
  Fixture tasks;
  const TaskId worker = tasks.Add('w');
  tasks.Submit(worker);
  TaskId held;
  Within(tasks, worker, [&] {
    held = tasks.Add('h');
    CHECK_FALSE(tasks.graph.MayStart(held));
  });
  CHECK(tasks.graph.MayStart(held));
  CHECK_FALSE(tasks.main.current().IsTask());
}

TEST_CASE("cancelled tasks of the caller do no work, those of others do") {
  Fixture tasks;
  const TaskId mine = tasks.Add('m'), more = tasks.Add('n');
  const auto theirs =
      tasks.graph.Create(tasks.other, {.work = tasks.alphabet.Write('t')}, tasks.queue);
  REQUIRE(theirs);
  tasks.graph.CancelHeld(tasks.main);
  tasks.graph.SubmitAll(tasks.main, tasks.queue);
  CHECK(tasks.graph.IsComplete(mine));
  CHECK(tasks.graph.IsComplete(more));
  tasks.graph.SubmitAll(tasks.other, tasks.queue);
  CHECK(ReadyOrder(tasks) == "t");
}

TEST_CASE("all dependents of a task start after it, and a cancelled one completes its own") {
  Fixture tasks;
  const TaskId first = tasks.Add('f');
  std::vector<TaskId> dependents;
  for (const char letter : {'a', 'b', 'c'}) {
    dependents.push_back(tasks.Add({.work = tasks.alphabet.Write(letter), .dependency = first}));
  }
  const TaskId after = tasks.Add({.work = tasks.alphabet.Write('z'), .dependency = dependents[1]});
  REQUIRE(*tasks.graph.Cancel(tasks.main, dependents[1], tasks.queue));
  tasks.graph.SubmitAll(tasks.main, tasks.queue);
  std::string order = ReadyOrder(tasks);
  REQUIRE(order.size() == 4);
  CHECK(order[0] == 'f');
  std::sort(order.begin(), order.end());
  CHECK(order == "acfz");
  CHECK(tasks.graph.IsComplete(after));
}

TEST_CASE("a parent is complete after its grandchildren, and so is what depends on it") {
  Fixture tasks;
  const TaskId top = tasks.AddEmpty();
  const TaskId middle = tasks.Add({.parent = top});
  const TaskId leaf = tasks.Add({.work = tasks.alphabet.Write('l'), .parent = middle});
  const TaskId after = tasks.Add({.work = tasks.alphabet.Write('a'), .dependency = top});
  for (const TaskId task : {after, top, middle}) tasks.Submit(task);
  CHECK(ReadyOrder(tasks).empty());
  CHECK_FALSE(tasks.graph.IsComplete(top));
  tasks.Submit(leaf);
  CHECK(ReadyOrder(tasks) == "la");
  CHECK(tasks.graph.IsComplete(top));
}

TEST_CASE("a completed child keeps its slot until its parent is complete") {
  Fixture tasks(4);
  const TaskId parent = tasks.AddEmpty();
  const TaskId child = tasks.Add({.work = tasks.alphabet.Write('c'), .parent = parent});
  tasks.Submit(child);
  tasks.RunAll();
  REQUIRE(tasks.graph.IsComplete(child));
  const TaskId other = tasks.Add('o');
  CHECK(other.slot() != child.slot());
  tasks.Submit(parent);
  REQUIRE(tasks.graph.IsComplete(parent));
  const TaskId next = tasks.Add('n'), last = tasks.Add('l');
  CHECK((next.slot() == child.slot() || last.slot() == child.slot()));
}

TEST_CASE("what another thread keeps for itself takes no room from the capacity") {
  Fixture tasks(4);
  CHECK(tasks.graph.capacity() == 4);
  CHECK(tasks.graph.most_open() == 4 + 2 * 2);  // two slots for each of two threads
  // The other thread makes tasks, and keeps as many free slots as it may.
  std::vector<TaskId> theirs;
  for (int i = 0; i < 4; ++i) {
    theirs.push_back(*tasks.graph.Create(tasks.other, {}, tasks.queue));
  }
  tasks.graph.SubmitAll(tasks.other, tasks.queue);
  for (const TaskId task : theirs) REQUIRE(tasks.graph.IsComplete(task));
  for (int i = 0; i < 4; ++i) tasks.AddEmpty();
}

TEST_CASE("a thread that ends gives back the slots that it kept") {
  Graph graph({2, 1, 5});
  ReadyQueue queue;
  for (int round = 0; round < 20; ++round) {
    CAPTURE(round);
    Graph::Thread thread(graph, 0);
    for (int i = 0; i < 2; ++i) REQUIRE(graph.Create(thread, {}, queue));
    graph.SubmitAll(thread, queue);
  }
}

// Two ways lead from each of the tasks to the next: 2^24 in all.
TEST_CASE("a search meets each task once, however many ways lead there") {
  constexpr int kLayers = 24;
  Fixture tasks(3 * kLayers + 4);
  const TaskId bottom = tasks.Add('b'), stranger = tasks.Add('s');
  TaskId below = bottom;
  for (int i = 0; i < kLayers; ++i) {
    const TaskId layer = tasks.AddEmpty();
    for (int way = 0; way < 2; ++way) tasks.Add({.parent = layer, .dependency = below});
    below = layer;
  }
  CHECK(CodeOf(tasks.graph.SetDependency(tasks.main, bottom, below)) == ErrorCode::kCycle);
  tasks.graph.SubmitAll(tasks.main, tasks.queue);
  CHECK(tasks.graph.IsNeeded(tasks.main, below, bottom));
  CHECK_FALSE(tasks.graph.IsNeeded(tasks.main, below, stranger));
  CHECK(tasks.graph.FindHelp(tasks.main, below, 0) == bottom);
  CHECK_FALSE(tasks.graph.FindHelp(tasks.main, below, 0));  // it is started, and alone needed
}

TEST_CASE("of the tasks that one needs the nearest is found first, and itself before all") {
  Fixture tasks;
  const TaskId far = tasks.Add('f');
  const TaskId near = tasks.AddEmpty();
  tasks.Add({.work = tasks.alphabet.Write('x'), .parent = near, .dependency = far});
  const TaskId top = tasks.AddEmpty();
  tasks.AddChild(top, near);
  const TaskId child = tasks.Add({.work = tasks.alphabet.Write('c'), .parent = top});
  const TaskId ready = tasks.Add('r');
  tasks.graph.SubmitAll(tasks.main, tasks.queue);
  CHECK(tasks.graph.FindHelp(tasks.main, top, 0) == child);
  CHECK(tasks.graph.FindHelp(tasks.main, top, 0) == far);
  CHECK(tasks.graph.FindHelp(tasks.main, ready, 0) == ready);
}

TEST_CASE("only started idempotent tasks are found for a second run, below the awaited one") {
  Fixture tasks;
  const TaskId twice =
      tasks.Add({.work = tasks.alphabet.Write('t'), .kind = TaskKind::kIdempotent});
  const TaskId plain = tasks.Add('p');
  const TaskId top = tasks.AddEmpty();
  tasks.AddChild(top, twice);
  tasks.AddChild(top, plain);
  tasks.graph.SubmitAll(tasks.main, tasks.queue);
  CHECK_FALSE(tasks.graph.FindToRunAgain(tasks.main, top));
  REQUIRE(tasks.graph.TryStart(plain));
  CHECK_FALSE(tasks.graph.FindToRunAgain(tasks.main, top));
  REQUIRE(tasks.graph.TryStart(twice));
  CHECK_FALSE(tasks.graph.FindToRunAgain(tasks.main, plain));
  CHECK(tasks.graph.FindToRunAgain(tasks.main, top) == twice);
  CHECK_FALSE(tasks.graph.FindToRunAgain(tasks.main, top));
}

TEST_CASE("a graph completes for a user's device what is out, and nothing else") {
  Fixture tasks;
  const auto started = [&](TaskKind kind) {
    const TaskId task = tasks.Add({.kind = kind});
    tasks.Submit(task);
    REQUIRE(tasks.graph.TryStart(task));
    return task;
  };
  const TaskId out = started(TaskKind::kExternal), also_out = started(TaskKind::kExternal);
  const TaskId in_hand_over = started(TaskKind::kExternal);
  const TaskId answered = started(TaskKind::kExternal);
  const TaskId waiting = tasks.Add({.kind = TaskKind::kExternal});
  tasks.Submit(waiting);
  for (const TaskId task : {out, also_out, answered}) tasks.graph.MarkInFlight(task);
  REQUIRE(tasks.graph.CompleteExternal(tasks.main, answered, tasks.queue));
  CHECK(tasks.graph.CompleteInFlight(tasks.main, tasks.queue) == 2);
  CHECK(tasks.graph.IsComplete(out));
  CHECK(tasks.graph.IsComplete(also_out));
  CHECK_FALSE(tasks.graph.IsComplete(in_hand_over));
  CHECK_FALSE(tasks.graph.IsComplete(waiting));
  CHECK(tasks.graph.CompleteInFlight(tasks.main, tasks.queue) == 0);
  CHECK(CodeOf(tasks.graph.CompleteExternal(tasks.main, out, tasks.queue)) == ErrorCode::kStaleId);
}

TEST_CASE("a failed hand-over is completed once, unless its device has answered") {
  Fixture tasks;
  TaskId failed[2], answered;
  for (TaskId* task : {&failed[0], &failed[1], &answered}) {
    *task = tasks.Add({.kind = TaskKind::kExternal});
    tasks.Submit(*task);
    REQUIRE(tasks.graph.TryStart(*task));
  }
  REQUIRE(tasks.graph.CompleteExternal(tasks.other, answered, tasks.queue));
  CHECK_FALSE(tasks.graph.TryFail(tasks.main, answered));
  CHECK_FALSE(tasks.graph.CompleteFailed(tasks.main, tasks.queue));
  for (const TaskId task : failed) {
    CHECK(tasks.graph.TryFail(tasks.main, task));
    CHECK_FALSE(tasks.graph.TryFail(tasks.main, task));
  }
  CHECK_FALSE(tasks.graph.IsComplete(failed[0]));
  CHECK(tasks.graph.CompleteFailed(tasks.main, tasks.queue));
  CHECK(tasks.graph.CompleteFailed(tasks.main, tasks.queue));
  CHECK_FALSE(tasks.graph.CompleteFailed(tasks.main, tasks.queue));
  for (const TaskId task : failed) CHECK(tasks.graph.IsComplete(task));
}

TEST_CASE("a child of a completed task is refused however often, and takes no room") {
  Fixture tasks(4);
  const TaskId gone = tasks.Add('g');
  tasks.Wait(gone);
  for (int i = 0; i < 100; ++i) {
    REQUIRE(CodeOf(tasks.graph.Create(tasks.main, {.parent = gone}, tasks.queue)) ==
            ErrorCode::kStaleId);
  }
  for (int i = 0; i < 4; ++i) tasks.AddEmpty();
}

TEST_CASE("a task that has been started may never start again, also when its slot is another's") {
  Fixture tasks;
  const TaskId first = tasks.Add('1');
  tasks.Submit(first);
  REQUIRE(tasks.graph.MayStart(first));
  tasks.Wait(first);
  REQUIRE_FALSE(tasks.graph.MayStart(first));
  const TaskId second = tasks.Add('2');
  REQUIRE(second.slot() == first.slot());
  REQUIRE_FALSE(tasks.graph.MayStart(second));  // held
  tasks.Submit(second);
  REQUIRE(tasks.graph.MayStart(second));
  REQUIRE_FALSE(tasks.graph.MayStart(first));
}

}  // namespace
}  // namespace nowait

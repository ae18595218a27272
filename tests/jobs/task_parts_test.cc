// The parts of a task, each alone and on one thread: its id, the word of its state, the word of its
// completion, and the counts.
#include <catch2/catch.hpp>
#include <cstdint>
#include <vector>

#include "src/jobs/task_completion.h"
#include "src/jobs/task_counts.h"
#include "src/jobs/task_def.h"
#include "src/jobs/task_id.h"
#include "src/jobs/task_state.h"
#include "src/sync/policy.h"

namespace nowait {
namespace {

void Nothing(void*) {}

using State = TaskState<StdSync>;
using Cancelled = State::CancelResult;
constexpr TaskDef kWork{.work = {&Nothing, nullptr}};
constexpr TaskDef kTwice{.kind = TaskKind::kIdempotent};

TEST_CASE("an id keeps its tag, its slot and its generation apart, up to their largest") {
  constexpr TaskId id(0xabcd, 0x1234, 0xdead'beef);
  CHECK(id.tag() == 0xabcd);
  CHECK(id.slot() == 0x1234);
  CHECK(id.generation() == 0xdead'beef);
  CHECK(TaskId::FromBits(id.bits()) == id);
  constexpr TaskId largest(0xffff, 0xffff, 0xffff'ffff);
  CHECK(largest.tag() == 0xffff);
  CHECK(largest.slot() == 0xffff);
  CHECK(largest.generation() == 0xffff'ffff);
  CHECK_FALSE(TaskId(1, 2, 3) == TaskId(2, 2, 3));
  CHECK_FALSE(TaskId(1, 2, 3) == TaskId(1, 3, 3));
  CHECK_FALSE(TaskId(1, 2, 3) == TaskId(1, 2, 4));
}

TEST_CASE("neither a default id nor a thread outside tasks is a task, and threads differ") {
  CHECK_FALSE(TaskId().IsTask());
  CHECK_FALSE(TaskId::Outside(0xffff).IsTask());
  CHECK(TaskId(0, 0, 1).IsTask());
  CHECK_FALSE(TaskId::Outside(1) == TaskId::Outside(2));
}

TEST_CASE(
    "a state keeps the kind, the affinity, the priority and the generation it was made with") {
  for (const TaskKind kind : {TaskKind::kWork, TaskKind::kExternal, TaskKind::kRequest,
                              TaskKind::kList, TaskKind::kIdempotent}) {
    CAPTURE(static_cast<int>(kind));
    const TaskStateWord word(
        0xffff'ffff, {.work = {&Nothing, nullptr}, .priority = 2, .affinity = 255, .kind = kind});
    CHECK(word.kind() == kind);
    CHECK(word.affinity() == 255);
    CHECK(word.priority() == 2);
    CHECK(word.generation() == 0xffff'ffff);
    CHECK_FALSE(word.IsFree());  // its creator holds it
  }
}

TEST_CASE("only plain work without a function is empty, and an empty task never starts") {
  for (const TaskKind kind : {TaskKind::kExternal, TaskKind::kRequest, TaskKind::kList,
                              TaskKind::kIdempotent, TaskKind::kWork}) {
    CAPTURE(static_cast<int>(kind));
    State state;
    state.Hold(1, {.kind = kind});
    CHECK(state.Submit(false).IsFree());
    CHECK(state.Look().Has(TaskStateWord::kEmpty) == (kind == TaskKind::kWork));
    CHECK(state.TryStart(1) == (kind != TaskKind::kWork));
  }
}

TEST_CASE("a task is free when its holder and its dependency have let it go, whichever is first") {
  for (const bool holder_first : {true, false}) {
    CAPTURE(holder_first);
    State state;
    state.Hold(7, kWork);
    state.Block();
    const auto first = holder_first ? state.Submit(true) : state.Release();
    CHECK_FALSE(first.IsFree());
    CHECK_FALSE(state.TryStart(7));
    const auto second = holder_first ? state.Release() : state.Submit(true);
    CHECK(second.IsFree());
    CHECK(second.generation() == 7);
    CHECK(state.TryStart(7));
  }
  State state;
  state.Hold(8, kWork);
  state.Block();
  state.Unblocked();  // the dependency turned out to be complete
  CHECK(state.Submit(false).IsFree());
}

TEST_CASE("a task is started once, and by an id of its own generation") {
  State state;
  state.Hold(3, kWork);
  CHECK_FALSE(state.TryStart(3));
  static_cast<void>(state.Submit(false));
  CHECK_FALSE(state.TryStart(2));
  CHECK_FALSE(state.TryStart(4));
  CHECK(state.TryStart(3));
  CHECK_FALSE(state.TryStart(3));
  CHECK_FALSE(state.TryStartAgain(3));  // its work may not be done twice
}

TEST_CASE("a cancellation says whether its caller completes the task, and comes once") {
  State state;
  const auto make = [&state](const TaskDef& def, bool submitted) {
    state.Hold(3, def);
    if (submitted) static_cast<void>(state.Submit(false));
  };
  make(kWork, false);
  CHECK(state.Cancel(2) == Cancelled::kTooLate);
  CHECK(state.Cancel(3) == Cancelled::kCancelled);
  CHECK(state.Cancel(3) == Cancelled::kTooLate);
  static_cast<void>(state.Submit(false));
  CHECK_FALSE(state.TryStart(3));
  make(kWork, true);
  CHECK(state.Cancel(3) == Cancelled::kDone);
  CHECK_FALSE(state.TryStart(3));
  make(kWork, true);
  CHECK(state.TryStart(3));
  CHECK(state.Cancel(3) == Cancelled::kTooLate);
  for (const bool submitted : {false, true}) {
    make({}, submitted);
    CHECK(state.Cancel(3) == Cancelled::kTooLate);  // it has no work
  }
}

TEST_CASE("an external task is answered once, after its start, and is out until it is answered") {
  State state;
  state.Hold(3, {.kind = TaskKind::kExternal});
  static_cast<void>(state.Submit(false));
  CHECK_FALSE(state.TryCommit(3));
  CHECK(state.TryStart(3));
  state.MarkInFlight(2);
  CHECK_FALSE(state.Look().Has(TaskStateWord::kInFlight));
  state.MarkInFlight(3);
  CHECK(state.Look().Has(TaskStateWord::kInFlight));
  CHECK_FALSE(state.TryCommit(4));
  CHECK(state.TryCommit(3));
  CHECK_FALSE(state.TryCommit(3));
  state.Hold(4, {.kind = TaskKind::kExternal});
  static_cast<void>(state.Submit(false));
  CHECK(state.TryStart(4));
  CHECK(state.TryCommit(4));
  state.MarkInFlight(4);  // its device was faster
  CHECK_FALSE(state.Look().Has(TaskStateWord::kInFlight));
}

// The result of the last of these calls for a task with so many runs: 'l' for Leave, 'g' for
// GiveBack.
struct Ending {
  bool last = false;
  bool gives_back = false;
};
std::vector<Ending> Endings(int runs, const char* calls) {
  State state;
  state.Hold(1, kTwice);
  static_cast<void>(state.Submit(false));
  REQUIRE(state.TryStart(1));
  if (runs == 2) REQUIRE(state.TryStartAgain(1));
  REQUIRE(state.TryCommit(1));
  CHECK_FALSE(state.TryStartAgain(1));  // it is done
  std::vector<Ending> endings;
  for (const char* call = calls; *call != '\0'; ++call) {
    if (*call == 'g') {
      endings.push_back({.last = false, .gives_back = state.GiveBack()});
    } else {
      const auto left = state.Leave();
      endings.push_back({left.last, left.gives_back});
    }
  }
  return endings;
}

TEST_CASE("of idempotent runs the last one frees, and the last call of all gives the slot back") {
  const struct {
    int runs;
    const char* calls;
    std::size_t frees;
  } orders[] = {{1, "lg", 0}, {1, "gl", 1}, {2, "llg", 1}, {2, "lgl", 2}, {2, "gll", 2}};
  for (const auto& [runs, calls, frees] : orders) {
    CAPTURE(runs, calls);
    const auto endings = Endings(runs, calls);
    for (std::size_t i = 0; i < endings.size(); ++i) {
      CAPTURE(i);
      CHECK(endings[i].last == (i == frees));
      CHECK(endings[i].gives_back == (i + 1 == endings.size()));
    }
  }
}

TEST_CASE("a task is complete when its last item is closed, and stays so for its id") {
  TaskCompletion<StdSync> completion;
  const std::uint32_t first = completion.Open();
  CHECK(first != 0);
  CHECK_FALSE(completion.IsComplete(first));
  CHECK(completion.AddItem(first));
  CHECK_FALSE(completion.AddItem(first + 1));
  CHECK_FALSE(completion.Close().complete);
  CHECK_FALSE(completion.IsComplete(first));
  CHECK(completion.Close().complete);
  CHECK(completion.IsComplete(first));
  CHECK_FALSE(completion.IsStillOpen(first));
  CHECK_FALSE(completion.AddItem(first));
  const std::uint32_t second = completion.Open();
  CHECK(second == first + 1);
  CHECK(completion.IsComplete(first));
  CHECK_FALSE(completion.IsComplete(second));
  CHECK(completion.Look().items == 1);
}

TEST_CASE("the last item takes all dependents, newest first, and none comes after it") {
  TaskCompletion<StdSync> completion;
  constexpr auto kNone = TaskCompletion<StdSync>::kNone;
  const std::uint32_t task = completion.Open();
  std::vector<std::uint16_t> successors;
  const auto link = [&](std::uint16_t second) { successors.push_back(second); };
  CHECK(completion.Register(task, 7, link));
  CHECK(completion.Register(task, 9, link));
  CHECK(completion.AddItem(task));
  CHECK_FALSE(completion.Register(task + 1, 3, link));
  CHECK(successors == std::vector<std::uint16_t>{kNone, 7});
  CHECK_FALSE(completion.Close().complete);
  const auto closed = completion.Close();
  CHECK(closed.complete);
  CHECK(closed.first == 9);
  CHECK_FALSE(completion.Register(task, 3, link));
  CHECK(successors.size() == 2);
  static_cast<void>(completion.Open());
  CHECK(completion.Close().first == kNone);  // the next task has none of them
}

TEST_CASE("counts are added field by field") {
  const TaskCounts more{.ran = 1,
                        .again = 2,
                        .threw = 3,
                        .reports_threw = 4,
                        .cancelled = 5,
                        .stale = 6,
                        .sleeps = 7,
                        .lists = {.jobs = 8, .stalls = 9, .hidden = 10, .yields = 11}};
  TaskCounts sum{.ran = 100,
                 .again = 200,
                 .threw = 300,
                 .reports_threw = 400,
                 .cancelled = 500,
                 .stale = 600,
                 .sleeps = 700,
                 .lists = {.jobs = 800, .stalls = 900, .hidden = 1000, .yields = 1100}};
  sum += more;
  CHECK(sum.ran == 101);
  CHECK(sum.again == 202);
  CHECK(sum.threw == 303);
  CHECK(sum.reports_threw == 404);
  CHECK(sum.cancelled == 505);
  CHECK(sum.stale == 606);
  CHECK(sum.sleeps == 707);
  CHECK(sum.lists.jobs == 808);
  CHECK(sum.lists.stalls == 909);
  CHECK(sum.lists.hidden == 1010);
  CHECK(sum.lists.yields == 1111);
}

}  // namespace
}  // namespace nowait

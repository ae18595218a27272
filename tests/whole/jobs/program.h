// Program: a random program of jobs, as a plain value that can be printed and shortened.
//
//   threads    main threads, each with a script that it runs outside all tasks; the pool's workers
//   tasks      each with its kind of work; a body is a script, too, and makes further tasks
//   script     calls of the public API, one after another
//
// A task is named by its place in `tasks`, and is added by at most one step of one script. A step
// may name a task that nobody has added yet, that is complete, or that another thread holds: then
// the call's documented error is expected, or the step is left out (script_run.h).
//
// Further conditions of a legal program:
//   - A thread that polls submits what it holds, and no task waits for a thread's name meanwhile.
//   - A thread waits only for the signals of threads before it.
// Removing steps or tasks keeps a program legal (shorten.h).
#ifndef NOWAIT_TESTS_WHOLE_JOBS_PROGRAM_H_
#define NOWAIT_TESTS_WHOLE_JOBS_PROGRAM_H_

#include <cstdint>
#include <string>
#include <vector>

namespace nowait::job_programs {

inline constexpr int kNoTask = -1;
// A capacity that no program reaches. Not more: a pool is made for each run, with room for so many.
inline constexpr std::uint32_t kAmple = 512;
// How many calls kStranger chooses from.
inline constexpr std::uint32_t kStrangerCalls = 9;

enum class StepKind : std::uint8_t {
  kAdd,        // task, under `parent`, after `dependency`
  kRunLater,   // task, below the current one, after `dependency`
  kAddChild,   // task becomes a child of `parent`
  kDependsOn,  // task starts after `dependency`
  kSubmit,
  kWait,
  kCancel,
  kComplete,      // CompleteExternal
  kLook,          // IsComplete
  kPoll,          // submits what is held, and looks until task is complete, without helping
  kLoop,          // ParallelFor over `amount` elements
  kBatch,         // JobBatch: jobs, a sync point, a loop over `amount` elements
  kFrames,        // a FrameLoop of `amount` frames, from its start to the end of its wait
  kBesideFrames,  // an endless FrameLoop; a task that is submitted meanwhile has to come about
  kSignal,        // this main thread's signal
  kAwait,         // helps until the main thread `amount` has given its signal
  kStopDevice,
  kFill,        // makes empty tasks, and holds them, until the pool has no room for another one
  kStranger,    // a call, chosen by `amount`, with the id of a task of another pool
  kSecond,      // `amount` tasks in the second pool, and a wait for them
  kWaitUntil,   // for task, `amount` times 10 us; if the time is over, again without a limit
  kWaitFrom,    // for task, helping from the priority `amount` upwards
  kWaitForAll,  // WhenAll of task, `parent` and `dependency`, and a wait for it, outside all tasks
};

struct Step {
  StepKind kind = StepKind::kAdd;
  int task = kNoTask;
  int parent = kNoTask;
  int dependency = kNoTask;
  std::uint32_t amount = 0;
  bool throws = false;  // what the step calls: a piece, a job, a frame, a done()
};
using Script = std::vector<Step>;

enum class Work : std::uint8_t {
  kEmpty,
  kBody,
  kList,
  kIdempotent,
  kRequest,
  kExternal,
};

struct Task {
  Work work = Work::kBody;
  std::uint8_t priority = 0;
  std::uint8_t name = 0;        // the main thread that has to run it, from 1; 0: any thread
  std::uint8_t worker = 0;      // likewise the worker; at most one of the two is not 0
  std::uint8_t jobs = 0;        // of a list
  std::uint8_t sync_every = 0;  // of a list: a sync point after so many jobs; 0: none
  bool throws = false;          // at the end of its work; an external one, in its hand-over
  Script body;

  bool IsNamed() const { return name != 0 || worker != 0; }
};

enum class End : std::uint8_t { kFinish, kCancel, kDestroy };

struct Program {
  std::uint64_t seed = 0;
  bool one_queue = false;  // OneQueueTaskPool
  bool devices = false;
  bool second_pool = false;     // which the first main thread belongs to as well
  std::uint8_t completers = 1;  // threads that answer for each external task
  std::uint32_t workers = 0;
  std::uint32_t capacity = kAmple;
  End end = End::kFinish;
  std::vector<Script> mains;
  std::vector<Task> tasks;
};

// As the text of a step begins.
const char* NameOf(StepKind kind);

// The number of its steps and added tasks, which shortening makes smaller.
std::size_t SizeOf(const Program& program);

bool HasExternals(const Program& program);
// How many workers, from the first one on, have to have names.
std::uint32_t NamedWorkers(const Program& program);
// Whether a step adds the task. One that no step adds changes nothing.
bool IsAdded(const Program& program, int task);

// Several lines for a person.
std::string ToText(const Program& program);

}  // namespace nowait::job_programs

#endif  // NOWAIT_TESTS_WHOLE_JOBS_PROGRAM_H_

// SecondPool: a pool that the first main thread belongs to besides the program's, with a profile of
// its own.
//
// Its tasks come and go beside those of the program, outside all of these or in the midst of one.
// The two pools share a thread and nothing else: each refuses the other's ids, and the other's
// workers.
#ifndef NOWAIT_TESTS_WHOLE_JOBS_SECOND_POOL_H_
#define NOWAIT_TESTS_WHOLE_JOBS_SECOND_POOL_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "src/base/result.h"
#include "src/jobs/task_id.h"
#include "src/profile/profile.h"
#include "tests/whole/jobs/ask_pool.h"
#include "tests/whole/jobs/record.h"
#include "tests/whole/jobs/threads.h"

namespace nowait::job_programs {

// All calls by the first main thread.
template <class Pool>
class SecondPool {
 public:
  SecondPool(Pool& first, std::uint32_t workers)
      : first_(first), profile_({.lanes = 4, .spans_per_lane = 64, .samples_per_lane = 64}) {
    auto pool = Create<Pool>({.workers = workers, .profile = &profile_});
    Expect(pool.has_value(), "Create takes what it documents", kNoTask);
    pool_ = std::move(*pool);
    auto here = Register(*pool_, "main");
    Expect(here.has_value(), "a thread registers with two pools", kNoTask);
    here_.emplace(std::move(*here));
  }

  // Tasks that depend on one another in pairs, and a wait for all. of_first: an id of the program's
  // pool, if there is one. Returns an id of this pool.
  TaskId Use(std::uint32_t count, TaskId of_first) {
    const auto all = pool_->AddEmpty();
    Expect(all.has_value(), "two pools are used by one thread", kNoTask);
    std::vector<Part> parts(count, Part{.first = &first_});
    TaskId last;
    for (std::uint32_t i = 0; i < count; ++i) {
      const bool follows = i % 2 == 1;
      if (follows) parts[i].after = &parts[i - 1];
      const auto task = pool_->Add(
          {.work = {&Run, &parts[i]}, .parent = *all, .dependency = follows ? last : TaskId()});
      Expect(task.has_value(), "two pools are used by one thread", kNoTask);
      last = *task;
    }
    if (of_first.IsTask()) RefuseAll(of_first);
    Expect(pool_->Wait(*all).has_value(), "two pools are used by one thread", kNoTask);
    for (const Part& part : parts) {
      Expect(part.runs == 1, "each task of the second pool is run once", kNoTask);
    }
    return last;
  }

 private:
  struct Part {
    Pool* first;
    const Part* after = nullptr;
    std::uint32_t runs = 0;
  };
  static void Run(void* data) {
    Part& part = *static_cast<Part*>(data);
    Expect(part.after == nullptr || part.after->runs == 1,
           "a dependency in the second pool is complete", kNoTask);
    ++part.runs;
    if (MainThread() != 0) return;
    const auto made = part.first->AddEmpty();
    Expect(!made && made.error().code == ErrorCode::kNotOwner,
           "a pool's worker makes no tasks of another pool", kNoTask);
  }

  template <class T>
  static void Refuses(const Result<T>& result) {
    Expect(!result && result.error().code == ErrorCode::kInvalidArgument,
           "a pool refuses an id of another pool", kNoTask,
           result ? "returns success" : ToString(result.error()));
  }
  void RefuseAll(TaskId of_first) {
    Refuses(pool_->Wait(of_first));
    Refuses(pool_->Cancel(of_first));
    Refuses(pool_->Add({.dependency = of_first}));
  }

  Pool& first_;
  Profile profile_;
  std::unique_ptr<Pool> pool_;
  std::optional<typename Pool::Registration> here_;
};

}  // namespace nowait::job_programs

#endif  // NOWAIT_TESTS_WHOLE_JOBS_SECOND_POOL_H_

// HandOver: external tasks on their way from the pool to the thread that completes them.
#ifndef NOWAIT_TESTS_WHOLE_JOBS_HAND_OVER_H_
#define NOWAIT_TESTS_WHOLE_JOBS_HAND_OVER_H_

#include <vector>

#include "src/sync/policy.h"

namespace nowait::job_programs {

struct Record;

// Thread safety: any thread.
class HandOver {
 public:
  // From the work of an external task. Blocks for some instructions.
  void Push(Record& task) {
    mutex_.lock();
    tasks_.push_back(&task);
    mutex_.unlock();
    more_.notify_one();
  }
  // Nothing comes any more.
  void End() {
    mutex_.lock();
    ended_ = true;
    mutex_.unlock();
    more_.notify_one();
  }
  // Null when nothing comes any more. The newest first: an order that no queue has.
  Record* Take() {
    mutex_.lock();
    while (tasks_.empty() && !ended_) more_.wait(mutex_);
    Record* task = nullptr;
    if (!tasks_.empty()) {
      task = tasks_.back();
      tasks_.pop_back();
    }
    mutex_.unlock();
    return task;
  }

 private:
  EngineSync::mutex mutex_;
  EngineSync::condition_variable more_;
  std::vector<Record*> tasks_;
  bool ended_ = false;
};

}  // namespace nowait::job_programs

#endif  // NOWAIT_TESTS_WHOLE_JOBS_HAND_OVER_H_

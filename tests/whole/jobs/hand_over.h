// HandOver: external tasks on their way from the pool to the threads that complete them.
#ifndef NOWAIT_TESTS_WHOLE_JOBS_HAND_OVER_H_
#define NOWAIT_TESTS_WHOLE_JOBS_HAND_OVER_H_

#include <cstdint>
#include <vector>

#include "src/sync/policy.h"

namespace nowait::job_programs {

struct Record;

// Thread safety: any thread.
class HandOver {
 public:
  // times: how often each task is taken.
  explicit HandOver(std::uint8_t times) : times_(times) {}

  // From the work of an external task. Blocks for some instructions.
  void Push(Record& task) {
    mutex_.lock();
    tasks_.insert(tasks_.end(), times_, &task);
    mutex_.unlock();
    more_.notify_all();
  }
  // Nothing comes any more.
  void End() {
    mutex_.lock();
    ended_ = true;
    mutex_.unlock();
    more_.notify_all();
  }
  // Nothing is answered any more, and nothing is taken.
  void Abandon() {
    mutex_.lock();
    tasks_.clear();
    times_ = 0;
    ended_ = true;
    mutex_.unlock();
    more_.notify_all();
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
  EngineSync::mutex mutex_;  // what follows
  std::uint8_t times_;
  std::vector<Record*> tasks_;
  bool ended_ = false;
  EngineSync::condition_variable more_;
};

}  // namespace nowait::job_programs

#endif  // NOWAIT_TESTS_WHOLE_JOBS_HAND_OVER_H_

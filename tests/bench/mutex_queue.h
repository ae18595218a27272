// MutexQueue: the baseline of the queues: a ring under a mutex, with the same functions.
#ifndef NOWAIT_TESTS_BENCH_MUTEX_QUEUE_H_
#define NOWAIT_TESTS_BENCH_MUTEX_QUEUE_H_

#include <cstddef>
#include <mutex>
#include <vector>

namespace nowait {

template <class T>
class MutexQueue {
 public:
  // capacity: a power of two, so that the rings' arithmetic is the same.
  explicit MutexQueue(std::size_t capacity) : elements_(capacity) {}

  bool TryPush(const T& element) {
    const std::lock_guard lock(mutex_);
    if (tail_ - head_ == elements_.size()) return false;
    elements_[tail_++ & (elements_.size() - 1)] = element;
    return true;
  }

  // The oldest.
  bool TryPop(T* element) {
    const std::lock_guard lock(mutex_);
    if (head_ == tail_) return false;
    *element = elements_[head_++ & (elements_.size() - 1)];
    return true;
  }

  // The newest, for what is used as a stack.
  bool TryPopNewest(T* element) {
    const std::lock_guard lock(mutex_);
    if (head_ == tail_) return false;
    *element = elements_[--tail_ & (elements_.size() - 1)];
    return true;
  }

 private:
  std::mutex mutex_;
  std::vector<T> elements_;
  std::size_t head_ = 0, tail_ = 0;
};

}  // namespace nowait

#endif  // NOWAIT_TESTS_BENCH_MUTEX_QUEUE_H_

// check::thread, mutex, condition_variable and yield: the threads of one execution.
//
//   check::explore([] {
//     Stack<check::atomic> stack;                    // before the first thread: set-up
//     check::thread pusher([&] { stack.push(1); });  // up to four
//     check::thread popper([&] { stack.pop(); });
//     pusher.join();
//     popper.join();
//     check::require(stack.empty(), "...");          // after the last join: the end state
//   });
//
// The body itself is not a thread. Between its first thread and its last join it must not touch
// anything that the checker sees, and it starts threads only once: an operation there ends the
// exploration with a message. A destructor joins, like std::jthread's.
//
// A loop that waits for another thread must call yield() in each round. The checker then knows that
// the round was in vain, and does not examine it again before another thread has acted.
#ifndef NOWAIT_CHECK_THREAD_H_
#define NOWAIT_CHECK_THREAD_H_

#include <functional>
#include <mutex>
#include <tuple>
#include <type_traits>
#include <utility>

#include "nowait_check/machine.h"

namespace nowait::check {

class thread {
  using Site = machine::Site;

 public:
  static constexpr unsigned kMost = 4;  // in one execution

  thread() noexcept = default;
  template <class F, class... Args>
  requires(!std::is_same_v<std::remove_cvref_t<F>, thread>) explicit thread(F&& function,
                                                                            Args&&... args)
      : number_(machine::StartThread(
            [function = std::forward<F>(function),
             arguments = std::tuple<std::decay_t<Args>...>(std::forward<Args>(args)...)]() mutable {
              std::apply(function, arguments);
            },
            Site::current())) {}
  ~thread() {
    if (joinable()) join();
  }
  thread(thread&& other) noexcept : number_(std::exchange(other.number_, 0)) {}
  thread& operator=(thread&& other) noexcept {
    if (this != &other) {
      if (joinable()) join();
      number_ = std::exchange(other.number_, 0);
    }
    return *this;
  }

  bool joinable() const noexcept { return number_ != 0; }
  void join(Site site = Site::current()) {
    machine::JoinThread(number_, site);
    number_ = 0;
  }
  void detach() = delete;  // an execution ends with its threads: join()

 private:
  unsigned number_ = 0;
};

// Called in each round of a loop that waits for another thread.
inline void yield(machine::Site site = machine::Site::current()) noexcept { machine::Yield(site); }

// Returns one of 0 .. count - 1; all of them are examined. Use it in place of randomness, and for a
// loop that gives up after some rounds. For threads only: in the body it ends the exploration.
inline unsigned choose(unsigned count, machine::Site site = machine::Site::current()) {
  return machine::Choose(count, site);
}

// Fails the execution, under these words, if the condition does not hold.
inline void require(bool condition, const char* promise,
                    machine::Site site = machine::Site::current()) {
  machine::Require(condition, promise, site);
}

class mutex {
  using Site = machine::Site;

 public:
  mutex(Site site = Site::current()) noexcept {
    machine::Begin(object_, machine::Kind::kMutex, 0, machine::Type::kOther, site);
  }
  ~mutex() { machine::End(object_, machine::Kind::kMutex); }
  mutex(const mutex&) = delete;
  mutex& operator=(const mutex&) = delete;

  void lock(Site site = Site::current()) { machine::Lock(object_, site); }
  bool try_lock(Site site = Site::current()) { return machine::TryLock(object_, site); }
  void unlock(Site site = Site::current()) { machine::Unlock(object_, site); }

 private:
  friend class condition_variable;

  machine::Object object_;
};

// A wait may return without a notification, and the checker examines that.
class condition_variable {
  using Site = machine::Site;
  template <class T>
  static constexpr bool kAlwaysFalse = false;

 public:
  condition_variable(Site site = Site::current()) noexcept {
    machine::Begin(object_, machine::Kind::kCondition, 0, machine::Type::kOther, site);
  }
  ~condition_variable() { machine::End(object_, machine::Kind::kCondition); }
  condition_variable(const condition_variable&) = delete;
  condition_variable& operator=(const condition_variable&) = delete;

  void wait(std::unique_lock<mutex>& lock, Site site = Site::current()) {
    machine::Require(lock.owns_lock(), "a condition variable's wait() holds its lock", site);
    machine::WaitCondition(object_, lock.mutex()->object_, site);
  }
  template <class Predicate>
  requires std::is_invocable_r_v<bool, Predicate&>
  void wait(std::unique_lock<mutex>& lock, Predicate predicate, Site site = Site::current()) {
    while (!predicate()) wait(lock, site);
  }
  void notify_one(Site site = Site::current()) noexcept {
    machine::NotifyCondition(object_, machine::Woken::kOne, site);
  }
  void notify_all(Site site = Site::current()) noexcept {
    machine::NotifyCondition(object_, machine::Woken::kAll, site);
  }

  template <class... Args>
  void wait_for(Args&&...) {
    static_assert(kAlwaysFalse<std::tuple<Args...>>,
                  "check::condition_variable: no time passes under the checker; write wait(lock, "
                  "predicate), and let check::choose(2) decide whether the time is over");
  }
  template <class... Args>
  void wait_until(Args&&...) {
    static_assert(kAlwaysFalse<std::tuple<Args...>>,
                  "check::condition_variable: no time passes under the checker; write wait(lock, "
                  "predicate), and let check::choose(2) decide whether the time is over");
  }

 private:
  machine::Object object_;
};

}  // namespace nowait::check

#endif  // NOWAIT_CHECK_THREAD_H_

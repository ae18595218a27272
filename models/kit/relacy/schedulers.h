// Who runs next, and every other choice: the searches as schedulers for Relacy.
//
// Both count executions and stop when the search's budget is spent; both can repeat one execution.
#ifndef NOWAIT_MODELS_KIT_RELACY_SCHEDULERS_H_
#define NOWAIT_MODELS_KIT_RELACY_SCHEDULERS_H_

#include <chrono>
#include <cstdint>
#include <limits>
#include <string>

#include "models/kit/relacy/relacy.h"
#include "models/kit/search.h"

namespace nowait::model {

// How far a search has come. One for each search; its scheduler is made by Relacy, so it is found
// through a static.
class Budget {
 public:
  static Budget& Current() { return *current_; }

  Budget(const Search& search, bool only_one)
      : search_(search), only_one_(only_one), start_(Clock::now()) {
    current_ = this;
  }
  ~Budget() { current_ = nullptr; }
  Budget(const Budget&) = delete;
  Budget& operator=(const Budget&) = delete;

  const Search& search() const { return search_; }
  std::uint64_t executions() const { return executions_; }
  bool exhausted() const { return exhausted_; }
  double Seconds() const { return std::chrono::duration<double>(Clock::now() - start_).count(); }

  // Counts an execution; whether it was the last. `none_left`: the scheduler has no further one.
  bool EndExecution(bool none_left) {
    constexpr std::uint64_t kLookAtClock = 256;
    ++executions_;
    exhausted_ = none_left && !only_one_;
    return none_left || only_one_ || executions_ == search_.executions ||
           (executions_ % kLookAtClock == 0 && Seconds() > search_.seconds);
  }

 private:
  using Clock = std::chrono::steady_clock;
  static inline Budget* current_ = nullptr;

  Search search_;
  bool only_one_;
  Clock::time_point start_;
  std::uint64_t executions_ = 0;
  bool exhausted_ = false;
};

// Full and context-bound search: depth first through the tree of choices. Relacy's base class keeps
// the path and steps to the next one; a path is written as its choices, one digit each.
template <rl::thread_id_t kThreads>
class TreeSearch
    : public rl::tree_search_scheduler<TreeSearch<kThreads>,
                                       rl::tree_search_scheduler_thread_info<kThreads>, kThreads> {
  using Base = rl::tree_search_scheduler<TreeSearch,
                                         rl::tree_search_scheduler_thread_info<kThreads>, kThreads>;

 public:
  using typename Base::shared_context_t;
  using typename Base::thread_info_t;

  using Base::Base;

  // What Relacy asks of a tree search.
  bool can_switch(thread_info_t&) { return switches_left_ != 0; }
  void on_switch(thread_info_t& from) {
    if (from.state_ == rl::thread_state_running && switches_left_ != kUnlimited) --switches_left_;
  }
  double iteration_count_approx() { return 1.0; }

  rl::thread_id_t iteration_begin_impl() {
    const Search& search = Budget::Current().search();
    switches_left_ = search.kind == Search::Kind::kContextBound ? search.bound : kUnlimited;
    this->stree_depth_ = 0;
    return this->running_threads[rand_impl(this->running_threads_count, rl::sched_type_sched)];
  }
  bool iteration_end() { return Budget::Current().EndExecution(Base::iteration_end()); }

  unsigned rand_impl(unsigned limit, rl::sched_type type) {
    const std::size_t depth = this->stree_depth_;
    if (depth == this->stree_.size() && depth < path_.size()) {
      const unsigned choice = static_cast<unsigned>(kDigits.find(path_[depth]));
      this->stree_.push_back({limit, choice < limit ? choice : limit - 1, type, 0});
    }
    return Base::rand_impl(limit, type);
  }

  void get_state_impl(std::ostream& out) {
    for (std::size_t i = 0; i < this->stree_depth_; ++i) out << kDigits[this->stree_[i].index_];
  }
  void set_state_impl(std::istream& in) {
    rl::string path;
    in >> path;
    path_.assign(path.c_str());
  }

 private:
  static constexpr unsigned kUnlimited = std::numeric_limits<unsigned>::max();
  static constexpr std::string_view kDigits = "0123456789abcdefghijklmnopqrstuvwxyz";

  unsigned switches_left_ = 0;
  std::string path_;  // of the only execution, when one is repeated
};

// Random search. Execution k is seeded with k. How long a thread tends to run on is drawn anew for
// each execution: where every step may switch, the long runs that some defects need hardly come up.
template <rl::thread_id_t kThreads>
class RandomWalk : public rl::scheduler<RandomWalk<kThreads>, rl::scheduler_thread_info, kThreads> {
  using Base = rl::scheduler<RandomWalk, rl::scheduler_thread_info, kThreads>;

 public:
  using typename Base::shared_context_t;
  using typename Base::thread_info_t;
  struct task_t {};

  using Base::Base;

  rl::thread_id_t iteration_begin_impl() {
    state_ = this->iter_;
    run_length_ = 1u << Draw(kRunLengths);
    return Pick();
  }
  bool iteration_end_impl() { return false; }
  bool iteration_end() { return Budget::Current().EndExecution(Base::iteration_end()); }

  rl::thread_id_t schedule_impl(rl::unpark_reason& reason, unsigned yield) {
    reason = rl::unpark_reason_normal;
    const bool can_stay = yield == 0 && this->thread_->state_ == rl::thread_state_running;
    return can_stay && Draw(run_length_) != 0 ? this->thread_->index_ : Pick();
  }

  unsigned rand_impl(unsigned limit, rl::sched_type) { return Draw(limit); }
  rl::iteration_t iteration_count_impl() { return std::numeric_limits<rl::iteration_t>::max(); }
  void get_state_impl(std::ostream&) {}
  void set_state_impl(std::istream&) {}
  void on_thread_block(rl::thread_id_t, bool) {}

 private:
  static constexpr unsigned kRunLengths = 5;  // 1, 2, 4, 8, 16 steps on average

  rl::thread_id_t Pick() { return this->running_threads[Draw(this->running_threads_count)]; }

  // SplitMix64 (Steele, Lea, Flood: Fast Splittable Pseudorandom Number Generators, OOPSLA 2014).
  unsigned Draw(unsigned limit) {
    state_ += 0x9e3779b97f4a7c15;
    std::uint64_t z = state_;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    z ^= z >> 31;
    return static_cast<unsigned>((z >> 32) * limit >> 32);
  }

  std::uint64_t state_ = 0;
  unsigned run_length_ = 1;
};

}  // namespace nowait::model

#endif  // NOWAIT_MODELS_KIT_RELACY_SCHEDULERS_H_

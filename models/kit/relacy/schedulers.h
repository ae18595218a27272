// The searches as schedulers for Relacy, which choose the next thread and everything else.
//
// The progress of a tree search is the fraction of the tree that lies behind the current path: at
// each choice on the path, a known number of the possible answers is done (Knuth: Estimating the
// Efficiency of Backtrack Programs, 1975). The estimate treats all subtrees of a choice as equally
// large, which they are not. The fraction never falls and ends at 1, but it does not rise evenly,
// and the remaining time computed from it is a guess.
//
// The shards of a tree search are sets of prefixes: the paths up to a certain depth, numbered in
// the order of the search and dealt out by a scattered number, because large and small ones
// alternate. Each execution belongs to one shard. The executions behind a prefix are known only
// from one that ran through it, and Relacy cannot end an execution halfway. Every shard therefore
// runs the first execution of each prefix of the others, does not count it, and leaves out the rest
// of the prefix. (A failure of such an execution is reported nevertheless: it is an execution of
// the search.) The depth is the least that yields several hundred prefixes, so that shards have
// similar sizes in trees of any shape: with few switches a tree is a long spine with little on its
// first branches. The depth is found by counting prefixes at one depth after another, in the same
// way in each shard; those executions do not count either.
#ifndef NOWAIT_MODELS_KIT_RELACY_SCHEDULERS_H_
#define NOWAIT_MODELS_KIT_RELACY_SCHEDULERS_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <sstream>
#include <string>
#include <string_view>

#include "models/kit/engine/meter.h"
#include "models/kit/engine/run_search.h"
#include "models/kit/engine/search_control.h"
#include "models/kit/relacy/relacy.h"
#include "models/kit/scenario/search.h"

namespace nowait::model {

// The input and output of the scheduler of one search. Relacy creates the scheduler, which finds
// its session through a static variable.
class Session {
 public:
  static Session& Current() { return *current_; }

  Session(const Search& of, const Start& from, const SearchControl& by)
      : search(of), start(from), control(by), meter(of, from.seed, by) {
    current_ = this;
  }
  ~Session() { current_ = nullptr; }
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  const Search& search;
  const Start& start;
  const SearchControl& control;
  Meter meter;
  std::string stopped_at;  // Position::state, if the search stopped before its end
  Start failed;            // the failing execution

 private:
  static inline Session* current_ = nullptr;
};

// Maps numbers to numbers that look random: the output function of SplitMix64 (Steele, Lea, Flood:
// Fast Splittable Pseudorandom Number Generators, OOPSLA 2014).
constexpr std::uint64_t Scatter(std::uint64_t z) {
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
  z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
  return z ^ (z >> 31);
}

// Full and context-bounded search: depth first through the tree of choices. Relacy's base class
// keeps the path and advances to the next one. A path is written as its choices, one digit each.
template <rl::thread_id_t kThreads>
class TreeSearch
    : public rl::tree_search_scheduler<TreeSearch<kThreads>,
                                       rl::tree_search_scheduler_thread_info<kThreads>, kThreads> {
  using Base = rl::tree_search_scheduler<TreeSearch,
                                         rl::tree_search_scheduler_thread_info<kThreads>, kThreads>;

 public:
  using typename Base::shared_context_t;
  using typename Base::thread_info_t;

  TreeSearch(rl::test_params& params, shared_context_t& context, rl::thread_id_t dynamic_threads)
      : Base(params, context, dynamic_threads),
        only_one_(!session_.start.state.empty()),
        probing_(session_.control.shard.count > 1 && !only_one_) {
    path_ = session_.start.state;
    if (session_.control.from && !session_.control.from->state.empty()) {
      std::istringstream state(session_.control.from->state);
      state >> prefix_depth_ >> prefix_ >> path_;
      probing_ = false;
    }
  }

  // Relacy's interface to a tree search.
  bool can_switch(thread_info_t&) { return switches_left_ != 0; }
  void on_switch(thread_info_t& from) {
    if (from.state_ == rl::thread_state_running && switches_left_ != kUnlimited) --switches_left_;
  }
  double iteration_count_approx() { return 1.0; }

  rl::thread_id_t iteration_begin_impl() {
    const Search& search = session_.search;
    switches_left_ = search.kind == Search::Kind::kContextBound ? search.bound : kUnlimited;
    this->stree_depth_ = 0;
    return this->running_threads[rand_impl(this->running_threads_count, rl::sched_type_sched)];
  }

  bool iteration_end() {
    const bool counts = only_one_ || (!probing_ && IsOwn());
    if (!counts && this->stree_.size() > prefix_depth_) {
      this->stree_.resize(prefix_depth_);
      this->stree_depth_ = prefix_depth_;
      found_deeper_ = true;
    }
    bool none_left = Base::iteration_end() || only_one_;
    path_.clear();
    if (probing_) {
      CountPrefix(none_left);
      none_left = false;
    } else if (this->stree_.size() <= prefix_depth_) {
      ++prefix_;  // the step to the next path changed its last choice
    }
    const bool stops =
        session_.meter.EndExecution(counts, none_left, [this] { return FractionBehind(); });
    if (stops && !session_.meter.finished() && !probing_) {
      std::ostringstream state;
      state << prefix_depth_ << ' ' << prefix_ << ' ' << Path(this->stree_.size());
      session_.stopped_at = state.str();
    }
    return stops;
  }

  unsigned rand_impl(unsigned limit, rl::sched_type type) {
    const std::size_t depth = this->stree_depth_;
    if (depth == this->stree_.size() && depth < path_.size()) {
      const unsigned choice = static_cast<unsigned>(kDigits.find(path_[depth]));
      this->stree_.push_back({limit, choice < limit ? choice : limit - 1, type, 0});
    }
    return Base::rand_impl(limit, type);
  }

  // Relacy asks for the state of a failing execution.
  void get_state_impl(std::ostream&) { session_.failed.state = Path(this->stree_depth_); }
  void set_state_impl(std::istream&) {}

 private:
  static constexpr std::uint64_t kEnoughPrefixes = 256;
  static constexpr unsigned kUnlimited = std::numeric_limits<unsigned>::max();
  static constexpr std::string_view kDigits = "0123456789abcdefghijklmnopqrstuvwxyz";

  bool IsOwn() const {
    const Shard& shard = session_.control.shard;
    return Scatter(prefix_) % shard.count == shard.index;
  }

  // While the depth of prefixes is being determined: counts the prefix that was left. The search
  // starts again at the end of the tree, or as soon as there are enough prefixes.
  void CountPrefix(bool none_left) {
    if (++prefix_ < kEnoughPrefixes && !none_left) return;
    probing_ = none_left && found_deeper_;
    if (probing_) prefix_depth_ += std::max<std::size_t>(prefix_depth_ / 4, 1);
    found_deeper_ = false;
    prefix_ = 0;
    this->stree_.clear();
  }

  std::string Path(std::size_t depth) const {
    std::string path;
    for (std::size_t i = 0; i < depth; ++i) path.push_back(kDigits[this->stree_[i].index_]);
    return path;
  }

  double FractionBehind() const {
    if (probing_) return 0;
    double behind = 0;
    double subtree = 1;
    for (const auto& node : this->stree_) {
      subtree /= node.count_;
      behind += node.index_ * subtree;
    }
    return behind;
  }

  Session& session_ = Session::Current();
  const bool only_one_;
  bool probing_;
  bool found_deeper_ = false;  // whether a path was cut
  std::size_t prefix_depth_ = 4;
  std::uint64_t prefix_ = 0;  // the number of the current path's prefix
  std::string path_;          // the choices of the first execution
  unsigned switches_left_ = 0;
};

// Random search. Execution k is seeded with k. The mean length of a thread's runs is drawn anew for
// each execution: if every step may switch, the long runs that some defects need are very rare.
template <rl::thread_id_t kThreads>
class RandomWalk : public rl::scheduler<RandomWalk<kThreads>, rl::scheduler_thread_info, kThreads> {
  using Base = rl::scheduler<RandomWalk, rl::scheduler_thread_info, kThreads>;

 public:
  using typename Base::shared_context_t;
  using typename Base::thread_info_t;
  struct task_t {};

  RandomWalk(rl::test_params& params, shared_context_t& context, rl::thread_id_t dynamic_threads)
      : Base(params, context, dynamic_threads), number_(session_.start.seed) {
    const Shard& shard = session_.control.shard;
    if (session_.control.from) {
      std::istringstream state(session_.control.from->state);
      state >> number_;
    }
    while (number_ % shard.count != shard.index) ++number_;
  }

  rl::thread_id_t iteration_begin_impl() {
    state_ = number_;
    run_length_ = 1u << Draw(kRunLengths);
    return Pick();
  }
  bool iteration_end_impl() { return false; }
  bool iteration_end() {
    Base::iteration_end();
    number_ += session_.control.shard.count;
    const bool stops = session_.meter.EndExecution(true, false, [this] { return FractionDone(); });
    if (stops && !session_.meter.finished()) session_.stopped_at = std::to_string(number_);
    return stops;
  }

  rl::thread_id_t schedule_impl(rl::unpark_reason& reason, unsigned yield) {
    reason = rl::unpark_reason_normal;
    const bool can_stay = yield == 0 && this->thread_->state_ == rl::thread_state_running;
    return can_stay && Draw(run_length_) != 0 ? this->thread_->index_ : Pick();
  }

  unsigned rand_impl(unsigned limit, rl::sched_type) { return Draw(limit); }
  rl::iteration_t iteration_count_impl() { return std::numeric_limits<rl::iteration_t>::max(); }
  void get_state_impl(std::ostream&) { session_.failed.seed = number_; }
  void set_state_impl(std::istream&) {}
  void on_thread_block(rl::thread_id_t, bool) {}

 private:
  static constexpr unsigned kRunLengths = 5;  // 1, 2, 4, 8, 16 steps on average

  rl::thread_id_t Pick() { return this->running_threads[Draw(this->running_threads_count)]; }

  // SplitMix64.
  unsigned Draw(unsigned limit) {
    state_ += 0x9e3779b97f4a7c15;
    const std::uint64_t z = Scatter(state_);
    return static_cast<unsigned>((z >> 32) * limit >> 32);
  }

  double FractionDone() const {
    const std::uint64_t all = session_.search.executions;
    const std::uint64_t done = number_ - session_.start.seed;
    if (all == 0) return 0;  // it has no end
    return done >= all ? 1.0 : static_cast<double>(done) / static_cast<double>(all);
  }

  Session& session_ = Session::Current();
  std::uint64_t number_;     // the number of the execution
  std::uint64_t state_ = 0;  // the state of its random numbers
  unsigned run_length_ = 1;
};

}  // namespace nowait::model

#endif  // NOWAIT_MODELS_KIT_RELACY_SCHEDULERS_H_

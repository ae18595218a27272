#include "models/kit/arm/exploration.h"

#include <algorithm>
#include <cstddef>
#include <deque>
#include <set>
#include <utility>

#include "models/kit/arm/sharing.h"
#include "models/kit/arm/thread_runs.h"

namespace nowait::arm {
namespace {

constexpr std::size_t kMostWays = 2'000'000;

using Datum = std::pair<std::uint64_t, std::uint64_t>;  // a location, a value
using Data = std::set<Datum>;
using Way = std::vector<std::size_t>;  // of each thread: the number of its run

class Exploration {
 public:
  Exploration(const Program& program, const Image& memory, const std::vector<Start>& threads,
              Limits limits, const AtEnd& at_end)
      : program_(program), memory_(memory), threads_(threads), limits_(limits), at_end_(at_end) {}

  std::expected<Explored, std::string> All() {
    do {
      runs_.clear();
      for (std::size_t thread = 0; thread < threads_.size(); ++thread) {
        runs_.emplace_back(program_, memory_, thread, threads_[thread], limits_, sharing_);
      }
      ahead_.assign(threads_.size(), {});
      do {
        news_ = false;
        ended_.clear();
        FollowAll();
      } while (news_ && problem_.empty());
    } while (sharing_.Update() && problem_.empty());
    for (const Way& way : ended_) {
      if (problem_.empty()) Judge(way);
    }
    if (!problem_.empty()) return std::unexpected(problem_);
    return explored_;
  }

 private:
  void FollowAll() {
    seen_.clear();
    std::vector<Way> open = {Way(threads_.size(), 0)};
    seen_.insert(open.front());
    while (!open.empty() && problem_.empty()) {
      const Way way = std::move(open.back());
      open.pop_back();
      Follow(way, open);
    }
  }

  // Finds the ways that are one answer longer.
  void Follow(const Way& way, std::vector<Way>& open) {
    std::vector<Places> grounded;
    const std::vector<Data> visible = Ground(way, grounded);
    bool all_ended = true;
    for (std::size_t thread = 0; thread < way.size(); ++thread) {
      const ThreadRun& run = runs_[thread][way[thread]];
      if (run.end == Machine::End::kRepeated) return;
      if (run.end != Machine::End::kAsks) continue;
      all_ended = false;
      const std::set<std::uint64_t> answers = Answers(thread, run.question, visible);
      const bool is_choice = answers.size() != 1 || MayBecomeMore(thread, run.question);
      if (!is_choice) {  // whatever the others do: this thread first, and alone
        Push(way, thread, *answers.begin(), open);
        return;
      }
    }
    if (all_ended) {
      if (IsGrounded(way, grounded)) ended_.push_back(way);
      return;
    }
    for (std::size_t thread = 0; thread < way.size(); ++thread) {
      const ThreadRun& run = runs_[thread][way[thread]];
      if (run.end != Machine::End::kAsks) continue;
      for (const std::uint64_t answer : Answers(thread, run.question, visible)) {
        Push(way, thread, answer, open);
      }
    }
  }
  void Push(const Way& way, std::size_t thread, std::uint64_t answer, std::vector<Way>& open) {
    Way longer = way;
    longer[thread] = runs_[thread].Next(way[thread], answer);
    if (!seen_.insert(longer).second) return;
    if (seen_.size() > kMostWays) {
      problem_ = "more than " + std::to_string(kMostWays) + " ways of its threads";
    }
    open.push_back(std::move(longer));
  }

  std::set<std::uint64_t> Answers(std::size_t thread, const Question& question,
                                  const std::vector<Data>& visible) const {
    if (!question.reads) return {0, 1};
    std::set<std::uint64_t> answers = {question.own};
    AddOthers(thread, question.address, visible, answers);
    if (!question.acquires) AddOthers(thread, question.address, ahead_, answers);
    return answers;
  }
  bool MayBecomeMore(std::size_t thread, const Question& question) const {
    std::set<std::uint64_t> answers = {question.own};
    AddOthers(thread, question.address, ahead_, answers);
    return answers.size() != 1;
  }
  static void AddOthers(std::size_t thread, std::uint64_t address, const std::vector<Data>& data,
                        std::set<std::uint64_t>& to) {
    for (std::size_t other = 0; other < data.size(); ++other) {
      if (other == thread) continue;
      for (auto at = data[other].lower_bound({address, 0});
           at != data[other].end() && at->first == address; ++at) {
        to.insert(at->second);
      }
    }
  }

  // The data of each thread's writes that have a ground. An access of a location where its thread
  // has read before comes after the source of that read, unless it reads from its own thread: one
  // of rfe, coe and fre leads from there to it (coherence). grounded: of each thread, its events
  // that have a ground.
  std::vector<Data> Ground(const Way& way, std::vector<Places>& grounded) {
    std::vector<Data> visible(way.size());
    grounded.assign(way.size(), 0);
    for (bool changed = true; changed;) {
      changed = false;
      for (std::size_t thread = 0; thread < way.size(); ++thread) {
        const ThreadRun& run = runs_[thread][way[thread]];
        const std::vector<Event>& events = run.path.events;
        for (std::size_t place = 0; place < events.size(); ++place) {
          if (Has(grounded[thread], place)) continue;
          const Event& event = events[place];
          bool has_ground = true;
          if (event.Reads() && !IsOwn(events, place)) {
            has_ground =
                IsThere(thread, event, visible) && (run.same[place] & ~grounded[thread]) == 0;
          } else if (event.Writes()) {
            const Places before = run.before[place] | (run.same[place] & Reads(events));
            has_ground = (before & ~grounded[thread]) == 0;
          }
          if (!has_ground) continue;
          grounded[thread] |= Only(place);
          changed = true;
          if (!event.Writes()) continue;
          const Datum datum(event.address, event.value);
          visible[thread].insert(datum);
          if (ahead_[thread].insert(datum).second) news_ = true;
        }
      }
    }
    return visible;
  }
  static Places Reads(const std::vector<Event>& events) {
    Places reads = 0;
    for (std::size_t place = 0; place < events.size(); ++place) {
      if (events[place].Reads()) reads |= Only(place);
    }
    return reads;
  }
  // Whether a read finds what its thread has written there last, otherwise the initial value.
  bool IsOwn(const std::vector<Event>& events, std::size_t read) const {
    for (std::size_t place = read; place-- > 0;) {
      if (events[place].Writes() && events[place].address == events[read].address) {
        return events[place].value == events[read].value;
      }
    }
    return events[read].value == Initial(events[read].address);
  }
  static bool IsThere(std::size_t thread, const Event& read, const std::vector<Data>& visible) {
    for (std::size_t other = 0; other < visible.size(); ++other) {
      if (other != thread && visible[other].contains({read.address, read.value})) return true;
    }
    return false;
  }
  bool IsGrounded(const Way& way, const std::vector<Places>& grounded) const {
    for (std::size_t thread = 0; thread < way.size(); ++thread) {
      const std::vector<Event>& events = runs_[thread][way[thread]].path.events;
      for (std::size_t place = 0; place < events.size(); ++place) {
        if (!Has(grounded[thread], place)) return false;
      }
    }
    return true;
  }

  void Judge(const Way& way) {
    std::vector<const Path*> paths;
    Contents initial;
    std::size_t events = 0;
    bool cut = false;
    const std::string* problem = nullptr;
    for (std::size_t thread = 0; thread < way.size(); ++thread) {
      const ThreadRun& run = runs_[thread][way[thread]];
      paths.push_back(&run.path);
      events += run.path.events.size();
      cut = cut || run.end == Machine::End::kCut;
      if (run.end == Machine::End::kProblem) problem = &run.problem;
      for (const Event& event : run.path.events) {
        if (event.Accesses()) initial[event.address] = Initial(event.address);
      }
    }
    if (events > kMostEvents) {
      problem_ = "more than " + std::to_string(kMostEvents) + " events of shared memory";
      return;
    }
    const std::uint64_t found = ForEachExecution(paths, initial, [&](const Contents& last) {
      if (!cut && problem == nullptr) at_end_(paths, last, sharing_.locations());
    });
    if (found != 0 && problem != nullptr) problem_ = *problem;
    (cut ? explored_.cut : explored_.executions) += found;
  }

  std::uint64_t Initial(std::uint64_t address) const {
    std::uint64_t bits = 0;
    for (unsigned i = 0; i < sharing_.locations().at(address); ++i) {
      const auto byte = memory_.find(address + i);
      if (byte != memory_.end()) bits |= std::uint64_t{byte->second} << (8 * i);
    }
    return bits;
  }

  const Program& program_;
  const Image& memory_;
  const std::vector<Start>& threads_;
  const Limits limits_;
  const AtEnd& at_end_;
  Sharing sharing_;
  std::deque<ThreadRuns> runs_;  // of each thread
  std::vector<Data> ahead_;      // by thread: the data of its writes with a ground, on any way
  bool news_ = false;            // whether ahead_ has grown
  std::set<Way> seen_;
  std::vector<Way> ended_;
  Explored explored_;
  std::string problem_;
};

}  // namespace

std::expected<Explored, std::string> Explore(const Program& program, const Image& memory,
                                             const std::vector<Start>& threads, Limits limits,
                                             const AtEnd& at_end) {
  return Exploration(program, memory, threads, limits, at_end).All();
}

}  // namespace nowait::arm

#include "models/kit/arm/exploration.h"

#include <algorithm>
#include <cstddef>
#include <set>
#include <utility>

#include "models/kit/arm/choices.h"
#include "models/kit/arm/sharing.h"

namespace nowait::arm {
namespace {

constexpr std::size_t kMostPaths = 1'000'000;  // of one thread

using Datum = std::pair<std::uint64_t, std::uint64_t>;  // a location, a value

struct Way {
  Path path;
  Machine::End end = Machine::End::kReturned;
  std::string problem = {};
  std::set<Datum> reads = {};
  std::set<Datum> writes = {};
};
using Ways = std::vector<Way>;

class Exploration {
 public:
  Exploration(const Program& program, const Image& memory, const std::vector<Start>& threads,
              Limits limits, const AtEnd& at_end)
      : program_(program), memory_(memory), threads_(threads), limits_(limits), at_end_(at_end) {}

  std::expected<Explored, std::string> All() {
    FindWays();
    if (!problem_.empty()) return std::unexpected(problem_);
    may_write_.assign(threads_.size() + 1, {});
    for (std::size_t thread = threads_.size(); thread-- > 0;) {
      may_write_[thread] = may_write_[thread + 1];
      for (const Way& way : ways_[thread]) {
        may_write_[thread].insert(way.writes.begin(), way.writes.end());
      }
    }
    Combine(0);
    if (!problem_.empty()) return std::unexpected(problem_);
    return explored_;
  }

 private:
  void FindWays() {
    // One round more than the writes of an execution, and those that find what is shared.
    for (std::size_t round = 0;; ++round) {
      ways_.assign(threads_.size(), {});
      std::size_t writes = 0;
      for (std::size_t thread = 0; thread < threads_.size(); ++thread) {
        std::size_t most = 0;
        FindWaysOf(thread, most);
        writes += most;
        if (!problem_.empty()) return;
      }
      const std::size_t locations = sharing_.locations().size();
      if (!sharing_.Update()) return;
      if (sharing_.locations().size() != locations) round = 0;
      if (round > writes) return;
    }
  }

  void FindWaysOf(std::size_t thread, std::size_t& most_writes) {
    Choices choices;
    do {
      choices.Begin();
      Machine machine(program_, memory_, thread, limits_, sharing_, choices);
      Way way;
      way.end = machine.Run(threads_[thread]);
      if (way.end == Machine::End::kRepeated) continue;
      way.problem = machine.problem();
      way.path = machine.TakePath();
      std::size_t writes = 0;
      for (const Event& event : way.path.events) {
        if (event.Reads()) way.reads.emplace(event.address, event.value);
        if (event.Writes()) way.writes.emplace(event.address, event.value);
        if (event.Writes()) ++writes;
      }
      most_writes = std::max(most_writes, writes);
      if (ways_[thread].size() == kMostPaths) {
        problem_ = "a thread has more than " + std::to_string(kMostPaths) + " paths";
        return;
      }
      ways_[thread].push_back(std::move(way));
    } while (choices.Advance());
  }

  // Chooses a way for each thread, such that each value that is read is there to be read.
  void Combine(std::size_t thread) {
    if (!problem_.empty()) return;
    if (thread == threads_.size()) {
      Judge();
      return;
    }
    for (const Way& way : ways_[thread]) {
      chosen_.push_back(&way);
      if (CanBeRead(thread + 1)) Combine(thread + 1);
      chosen_.pop_back();
    }
  }
  // Whether what the chosen ways read is initial, or written by one of them or by a thread that
  // has yet to choose.
  bool CanBeRead(std::size_t undecided) const {
    for (const Way* way : chosen_) {
      for (const auto& [address, value] : way->reads) {
        if (value == Initial(address)) continue;
        const Datum wanted(address, value);
        const bool written = std::any_of(chosen_.begin(), chosen_.end(), [&](const Way* other) {
          return other->writes.contains(wanted);
        });
        if (!written && !MayWrite(undecided, wanted)) return false;
      }
    }
    return true;
  }
  bool MayWrite(std::size_t undecided, const Datum& what) const {
    return may_write_[undecided].contains(what);
  }

  void Judge() {
    std::vector<const Path*> paths;
    Contents initial;
    std::size_t events = 0;
    bool cut = false;
    const std::string* problem = nullptr;
    for (const Way* way : chosen_) {
      paths.push_back(&way->path);
      events += way->path.events.size();
      cut = cut || way->end == Machine::End::kCut;
      if (way->end == Machine::End::kProblem) problem = &way->problem;
      for (const Event& event : way->path.events) {
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
  std::vector<Ways> ways_;                  // of each thread
  std::vector<std::set<Datum>> may_write_;  // of each thread and those after it
  std::vector<const Way*> chosen_;          // of the threads up to now
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

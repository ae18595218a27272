// The ways of a scenario's threads: a run of each, in which every read finds what some run writes.
//
// A thread alone may read its own last write, or a value that another thread writes on some way.
// These values are found in rounds. In the first one nothing is known but initial values; what the
// threads write on the ways of a round can be read in the next, until nothing is new.
//
// Only what has a ground counts. Two orders of an execution have no cycle: `ar` (imm.h), and the
// order of the accesses of one location, which is coherence. In both, a read comes behind the write
// that it reads. Step by step, each event must therefore get its turn in the one order as well as
// in the other. A value that only justifies itself never appears.
//
// No execution is missed. Take one, the dependencies that the code really has, and a write in it.
// The events before the write in `ar`, continued with reads that find their thread's own values,
// are an execution, too. The values that it reads from other threads come from writes with less
// before them. For the same reason, the values that a run reads from other threads are offered
// together by runs of the round before.
#ifndef NOWAIT_MODELS_KIT_BUFFERING_WAYS_H_
#define NOWAIT_MODELS_KIT_BUFFERING_WAYS_H_

#include <bitset>
#include <cstddef>
#include <deque>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "models/kit/buffering/buffering_machine.h"
#include "models/kit/buffering/limits.h"
#include "models/kit/buffering/preserved.h"
#include "models/kit/buffering/thread_runs.h"

namespace nowait::model::buffering {

using Way = std::vector<std::size_t>;  // of each thread: the number of its run

class Ways {
 public:
  // machine: outlives this object.
  Ways(BufferingMachine& machine, int threads, const Limits& limits, const Rules& rules);

  // Finds the ways that have a ground. Returns why the scenario does
  // not fit; empty if it does.
  std::string Find();

  const std::vector<Way>& found() const { return found_; }
  // The runs that end at a Check of the scenario, also those of no way. Code without that Check
  // goes on, and what it then writes might have led to the failure.
  std::size_t failing() const { return failing_; }
  const RunNode& At(const Way& way, std::size_t thread) const { return runs_[thread][way[thread]]; }

 private:
  static constexpr std::size_t kMostData = 256;
  using Datum = std::pair<Location, Word>;
  using Data = std::bitset<kMostData>;

  // Runs of a thread that need and offer the same.
  struct Alike {
    Data needs;   // read from other threads
    Data offers;  // written
    std::vector<std::size_t> runs;
  };

  using ByData = std::map<std::pair<std::string, std::string>, Alike>;

  void FindRound();
  void Collect(std::size_t thread, std::size_t run, ByData& alike);
  Data NeedsOf(const Events& events);
  void KeepMost();
  // Whether the runs of the threads from `other` up that the last round has found, one of each
  // thread but `thread`, offer this.
  bool WasOffered(std::size_t thread, std::size_t other, const Data& needs) const;
  std::set<Word> Answers(std::size_t thread, const Question& question) const;
  void Combine(std::size_t thread, std::vector<const Alike*>& chosen);
  bool MayBeMet(const std::vector<const Alike*>& chosen) const;
  void Expand(std::size_t thread, const std::vector<const Alike*>& chosen, Way& way);
  void Take(const Way& way);

  bool HasGround(const Way& way) const;
  // The events that one of the two orders has reached.
  struct Grounds {
    struct Of {
      std::set<Datum> visible;  // written
      Places found = 0;         // reads whose values are there
      Places grounded = 0;
    };
    explicit Grounds(std::size_t threads) : of(threads) {}
    std::vector<Of> of;  // by thread
  };
  // Gives a ground to each event that can have one now. needed: of each event, the events of its
  // thread that `ready` must have first. In `ar` these are reads, and a read-modify-write counts as
  // soon as its value is found, because its write may come later. Returns whether there was one.
  bool Grow(std::size_t thread, const Events& events, const std::vector<Places>& needed,
            const Places& ready, Grounds& grounds) const;
  // Whether a read finds what its thread has written there last, otherwise the initial value.
  bool IsOwn(const Events& events, std::size_t read) const;

  std::size_t NumberOf(const Datum& datum);

  const BufferingMachine& machine_;
  const Limits limits_;
  std::deque<ThreadRuns> runs_;
  std::vector<std::set<Datum>> written_;   // by thread: on ways with a ground
  std::map<Datum, std::size_t> numbers_;   // of data, in the sets
  std::vector<std::vector<Alike>> alike_;  // by thread
  std::vector<Data> offered_;              // by thread: by any run
  std::vector<std::vector<Data>> most_;    // by thread: what its runs offer; no subsets of others
  std::size_t ended_ = 0;                  // runs of all threads
  std::size_t failing_ = 0;                // of them
  std::vector<Way> found_;
  std::size_t tried_ = 0;
  bool has_news_ = false;
  std::string refused_;
};

}  // namespace nowait::model::buffering

#endif  // NOWAIT_MODELS_KIT_BUFFERING_WAYS_H_

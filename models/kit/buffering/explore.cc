#include "models/kit/buffering/explore.h"

#include <array>
#include <cstdint>
#include <deque>
#include <map>
#include <set>
#include <utility>

#include "models/kit/buffering/buffering_machine.h"
#include "models/kit/buffering/format_events.h"
#include "models/kit/buffering/thread_runs.h"

namespace nowait::model::buffering {
namespace {

using Datum = std::pair<Location, Word>;
using Data = std::set<Datum>;
using Way = std::vector<std::size_t>;  // of each thread: the number of its run
using End = ThreadRun::End;

class Exploration {
 public:
  Exploration(const ScenarioEntry& scenario, const Limits& limits, const Rules& rules,
              const Visitor& visit)
      : machine_(scenario), limits_(limits), rules_(rules), visit_(visit) {
    for (int thread = 0; thread < scenario.threads; ++thread) {
      runs_.emplace_back(machine_, thread, rules);
    }
    ahead_.resize(runs_.size());
  }

  Explored All() {
    do {
      has_news_ = false;
      ended_.clear();
      FollowAll();
    } while (has_news_ && explored_.refused.empty());
    for (const Way& way : ended_) {
      if (explored_.refused.empty()) JudgeWay(way);
    }
    return std::move(explored_);
  }

 private:
  const RunNode& At(const Way& way, std::size_t thread) const { return runs_[thread][way[thread]]; }

  // --- ways ---

  void FollowAll() {
    seen_.clear();
    std::vector<Way> open = {Way(runs_.size(), 0)};
    seen_.insert(open.front());
    while (!open.empty() && explored_.refused.empty()) {
      const Way way = std::move(open.back());
      open.pop_back();
      Follow(way, open);
    }
  }

  // Finds the ways that are one answer longer.
  void Follow(const Way& way, std::vector<Way>& open) {
    const Grounds grounds = Ground(way);
    NoteAhead(way, grounds);
    bool all_ended = true;
    for (std::size_t thread = 0; thread < way.size(); ++thread) {
      const ThreadRun& run = At(way, thread).run;
      if (run.end == End::kVain) return;
      if (run.end == End::kRefused) {
        explored_.refused = run.refused;
        return;
      }
      if (run.end != End::kAsks) continue;
      all_ended = false;
      if (IsForced(thread, run.question)) {  // whatever the others do: this thread first, and alone
        Push(way, thread, run.question.own, open);
        return;
      }
    }
    if (all_ended) {
      if (grounds.all) ended_.push_back(way);
      return;
    }
    for (std::size_t thread = 0; thread < way.size(); ++thread) {
      const ThreadRun& run = At(way, thread).run;
      if (run.end != End::kAsks) continue;
      for (const Word answer : Answers(thread, run.question, grounds.visible)) {
        Push(way, thread, answer, open);
      }
    }
  }

  void Push(const Way& way, std::size_t thread, Word answer, std::vector<Way>& open) {
    Way longer = way;
    longer[thread] = runs_[thread].Next(way[thread], answer);
    if (!seen_.insert(longer).second) return;
    if (seen_.size() > limits_.ways) {
      explored_.refused = "more than " + std::to_string(limits_.ways) + " ways of its threads";
    }
    open.push_back(std::move(longer));
  }

  std::set<Word> Answers(std::size_t thread, const Question& question,
                         const std::vector<Data>& visible) const {
    std::set<Word> answers;
    if (question.choices != 0) {
      for (Word choice = 0; choice < question.choices; ++choice) answers.insert(choice);
      return answers;
    }
    answers.insert(question.own);
    AddOthers(thread, question.location, visible, answers);
    // Nothing behind an acquire can be the ground of what it reads, and a plain read finds what
    // happens before it.
    if (!question.acquires && !question.location.plain) {
      AddOthers(thread, question.location, ahead_, answers);
    }
    return answers;
  }
  // Whether the thread can find nothing but its own, as far as is known in this round.
  bool IsForced(std::size_t thread, const Question& question) const {
    if (question.choices != 0) return false;
    std::set<Word> answers = {question.own};
    AddOthers(thread, question.location, ahead_, answers);
    return answers.size() == 1;
  }
  static void AddOthers(std::size_t thread, const Location& location, const std::vector<Data>& data,
                        std::set<Word>& to) {
    for (std::size_t other = 0; other < data.size(); ++other) {
      if (other == thread) continue;
      for (auto at = data[other].lower_bound({location, 0});
           at != data[other].end() && at->first == location; ++at) {
        to.insert(at->second);
      }
    }
  }

  // --- grounds ---
  //
  // Two orders of an execution have no cycle: `ar`, and the order of the accesses of one location
  // (coherence). In either one a read comes behind the write that it reads. A write may be read
  // ahead if its value has a ground in both.

  struct Grounds {
    std::vector<Data> visible;     // by thread: the data of the writes with a ground in `ar`
    std::vector<Places> in_order;  // by thread: the events with a ground in `ar`
    std::vector<Places> at_home;   // the same, among the accesses of their locations
    bool all = true;
  };

  Grounds Ground(const Way& way) {
    Grounds grounds{std::vector<Data>(way.size()), std::vector<Places>(way.size()),
                    std::vector<Places>(way.size())};
    std::vector<Data> at_home(way.size());
    for (bool changed = true; changed;) {
      changed = false;
      for (std::size_t thread = 0; thread < way.size(); ++thread) {
        const RunNode& node = At(way, thread);
        changed |= Grow(thread, node, node.before, grounds.visible, grounds.in_order[thread]);
        changed |= Grow(thread, node, node.same, at_home, grounds.at_home[thread]);
      }
    }
    for (std::size_t thread = 0; thread < way.size(); ++thread) {
      const Places everything = Only(At(way, thread).run.events.size()) - 1;
      grounds.all = grounds.all &&
                    (grounds.in_order[thread] & grounds.at_home[thread]) == everything;
    }
    return grounds;
  }
  // needed: of each event, the events of its thread that need a ground first.
  bool Grow(std::size_t thread, const RunNode& node, const std::vector<Places>& needed,
            std::vector<Data>& visible, Places& grounded) const {
    const Events& events = node.run.events;
    bool changed = false;
    for (std::size_t place = 0; place < events.size(); ++place) {
      const Event& event = events[place];
      if (Has(grounded, place) || (needed[place] & ~grounded) != 0) continue;
      if (event.Reads() && !IsOwn(events, place) && !IsThere(thread, event, visible)) continue;
      grounded |= Only(place);
      changed = true;
      if (event.Writes()) visible[thread].insert({event.At(), event.written});
    }
    return changed;
  }

  void NoteAhead(const Way& way, const Grounds& grounds) {
    for (std::size_t thread = 0; thread < way.size(); ++thread) {
      const Events& events = At(way, thread).run.events;
      for (std::size_t place = 0; place < events.size(); ++place) {
        const Event& event = events[place];
        if (!event.Writes() || !Has(grounds.in_order[thread] & grounds.at_home[thread], place)) {
          continue;
        }
        has_news_ |= ahead_[thread].insert({event.At(), event.written}).second;
      }
    }
  }

  // Whether a read finds what its thread has written there last, otherwise the initial value.
  bool IsOwn(const Events& events, std::size_t read) const {
    for (std::size_t place = read; place-- > 0;) {
      if (events[place].Writes() && events[place].At() == events[read].At()) {
        return events[place].written == events[read].read;
      }
    }
    return events[read].read == machine_.Initial(events[read].At());
  }
  static bool IsThere(std::size_t thread, const Event& read, const std::vector<Data>& visible) {
    for (std::size_t other = 0; other < visible.size(); ++other) {
      if (other != thread && visible[other].contains({read.At(), read.read})) return true;
    }
    return false;
  }
  // --- executions ---

  void JudgeWay(const Way& way);
  void Note(const Judged& execution, const std::vector<const Events*>& threads,
            const std::string& label);
  std::optional<Failure> RunAfter(const Way& way, const Judged& execution);

  BufferingMachine machine_;
  const Limits limits_;
  const Rules rules_;
  const Visitor& visit_;
  std::deque<ThreadRuns> runs_;
  std::vector<Data> ahead_;         // by thread: the data of its writes with a ground, on any way
  bool has_news_ = false;           // whether ahead_ has grown
  std::set<Way> seen_;
  std::vector<Way> ended_;
  Explored explored_;
};

std::vector<std::array<std::uint32_t, kMaxThreads>> KnownTo(const Judged& execution, int thread) {
  std::vector<std::array<std::uint32_t, kMaxThreads>> known = {{}};
  const axioms::Execution& events = execution.execution;
  for (std::size_t event = execution.initials; event < events.size(); ++event) {
    if (events[event].thread != thread) continue;
    std::array<std::uint32_t, kMaxThreads> counts{};
    for (std::size_t other = execution.initials; other < events.size(); ++other) {
      if (execution.orders.happens_before.Has(other, event)) {
        ++counts[static_cast<std::size_t>(events[other].thread)];
      }
    }
    known.push_back(counts);
  }
  return known;
}

// The threads of the events in an order that follows happens-before.
std::vector<std::size_t> TurnsOf(const Judged& execution) {
  const axioms::Execution& events = execution.execution;
  std::vector<std::size_t> turns;
  std::vector<bool> done(events.size());
  for (std::size_t left = events.size() - execution.initials; left > 0; --left) {
    for (std::size_t event = execution.initials; event < events.size(); ++event) {
      if (done[event]) continue;
      bool is_next = true;
      for (std::size_t other = execution.initials; other < events.size(); ++other) {
        is_next = is_next && (done[other] || !execution.orders.happens_before.Has(other, event));
      }
      if (!is_next) continue;
      done[event] = true;
      turns.push_back(static_cast<std::size_t>(events[event].thread));
      break;
    }
  }
  return turns;
}

std::optional<Failure> Exploration::RunAfter(const Way& way, const Judged& execution) {
  Whole whole;
  for (std::size_t thread = 0; thread < way.size(); ++thread) {
    whole.scripts.push_back(At(way, thread).script);
    whole.known.push_back(KnownTo(execution, static_cast<int>(thread)));
  }
  whole.turns = TurnsOf(execution);
  whole.last = execution.last;
  return machine_.RunWhole(whole);
}

void Exploration::Note(const Judged& execution, const std::vector<const Events*>& threads,
                       const std::string& label) {
  auto& failed = execution.certain ? explored_.found : explored_.doubtful;
  if (!failed) failed = Explored::Failed{label, FormatEvents(threads, execution)};
}

void Exploration::JudgeWay(const Way& way) {
  std::vector<const Events*> threads;
  std::map<Location, Word> initial;
  const Failure* failure = nullptr;
  bool is_cut = false;
  for (std::size_t thread = 0; thread < way.size(); ++thread) {
    const ThreadRun& run = At(way, thread).run;
    threads.push_back(&run.events);
    is_cut |= run.end == End::kCut;
    if (run.failure) failure = &*run.failure;
    for (const Event& event : run.events) {
      if (!event.IsFence()) initial[event.At()] = machine_.Initial(event.At());
    }
  }
  if (!FitsExecution(threads)) {
    explored_.refused = "more than " + std::to_string(axioms::kMaxEvents) + " events";
    return;
  }
  ForEachExecution(threads, initial, rules_, [&](const Judged& execution) {
    if (is_cut) {
      ++explored_.cut;
      return;
    }
    ++explored_.executions;
    if (execution.buffers) ++explored_.buffering;
    if (!execution.certain) ++explored_.possible;
    if (visit_) visit_(threads, execution);
    if (execution.races) return Note(execution, threads, Name(FailureKind::kDataRace));
    if (failure != nullptr) return Note(execution, threads, failure->Label());
    if (const auto wrong = RunAfter(way, execution)) Note(execution, threads, wrong->Label());
  });
}

}  // namespace

Explored ExploreBuffering(const ScenarioEntry& scenario, const Limits& limits, const Rules& rules,
                          const Visitor& visit) {
  return Exploration(scenario, limits, rules, visit).All();
}

}  // namespace nowait::model::buffering

#include "models/kit/buffering/waiting.h"

#include <algorithm>
#include <cstddef>

#include "models/kit/axioms/axioms.h"

namespace nowait::model::buffering {
namespace {

using End = ThreadRun::End;

class Judge {
 public:
  Judge(const Runs& runs, const Judged& execution) : runs_(runs), execution_(execution) {
    std::size_t first = execution.initials;
    for (std::size_t thread = 0; thread < runs.size(); ++thread) {
      first_.push_back(first);
      first += runs[thread]->events.size();
      for (const Sleep& sleep : runs[thread]->sleeps) {
        const bool stays = runs[thread]->asleep && &sleep == &runs[thread]->sleeps.back();
        sleepers_.push_back({thread, &sleep, stays});
      }
      for (const Notification& notification : runs[thread]->notifications) {
        calls_.push_back({thread, &notification});
      }
    }
  }

  bool WakingsHaveCauses() const {
    for (std::size_t thread = 0; thread < runs_.size(); ++thread) {
      std::vector<bool> used(calls_.size());
      if (!HaveCauses(thread, 0, used)) return false;
    }
    return true;
  }

  Standstill Of() const {
    bool spins = false;
    bool blocked = false;
    for (std::size_t thread = 0; thread < runs_.size(); ++thread) {
      const ThreadRun& run = *runs_[thread];
      if (run.end == End::kSpins) {
        spins = true;
        for (std::size_t place = run.round; place < run.events.size(); ++place) {
          if (!FindsLast(first_[thread] + place)) return Standstill::kNone;
        }
      } else if (run.end == End::kBlocked) {
        blocked = true;
        if (!run.asleep && !FindsLast(first_[thread] + run.events.size() - 1)) {
          return Standstill::kNone;
        }
      } else if (run.end != End::kReturned) {
        return Standstill::kNone;
      }
    }
    if (!spins && !blocked) return Standstill::kNone;
    std::vector<std::size_t> free;
    for (const Sleeper& sleeper : sleepers_) free.push_back(TimesOf(sleeper));
    if (!AllTaken(0, free)) return Standstill::kNone;
    return spins ? Standstill::kSpins : Standstill::kDeadlock;
  }

 private:
  struct Sleeper {
    std::size_t thread;
    const Sleep* sleep;
    bool stays;  // asleep at the end
  };
  struct Call {
    std::size_t thread;
    const Notification* notification;
  };

  // Whether the thread's sleepers from this one on can each have a call of its own.
  bool HaveCauses(std::size_t thread, std::size_t from, std::vector<bool>& used) const {
    if (from == sleepers_.size()) return true;
    const Sleeper& sleeper = sleepers_[from];
    const Sleep& sleep = *sleeper.sleep;
    const bool needs = sleeper.thread == thread && sleep.is_condition && !sleep.spurious;
    if (!needs || sleeper.stays) return HaveCauses(thread, from + 1, used);
    for (std::size_t call = 0; call < calls_.size(); ++call) {
      if (used[call] || !CanWake(calls_[call], sleeper)) continue;
      used[call] = true;
      if (HaveCauses(thread, from + 1, used)) return true;
      used[call] = false;
    }
    return false;
  }

  std::size_t At(const Sleeper& sleeper) const {
    return first_[sleeper.thread] + sleeper.sleep->place;
  }
  bool HappensBefore(std::size_t event, const Call& call) const {
    if (call.notification->done == 0) return false;
    const std::size_t last = first_[call.thread] + call.notification->done - 1;
    return event == last || execution_.orders.happens_before.Has(event, last);
  }
  bool HappensBefore(const Call& call, std::size_t event) const {
    if (call.notification->done == runs_[call.thread]->events.size()) return false;
    const std::size_t next = first_[call.thread] + call.notification->done;
    return event == next || execution_.orders.happens_before.Has(next, event);
  }

  bool FindsLast(std::size_t read) const {
    const axioms::Execution& events = execution_.execution;
    if (!events[read].reads || events[read].writes) return true;
    if (!events[read].Atomic()) {
      return std::ranges::none_of(events, [&](const axioms::Event& write) {
        const auto number = static_cast<std::size_t>(&write - events.data());
        return write.kind == axioms::Event::Kind::kPlain && write.writes &&
               write.object == events[read].object && write.thread != events[read].thread &&
               !execution_.orders.happens_before.Has(number, read);
      });
    }
    return std::ranges::none_of(events, [&](const axioms::Event& write) {
      return write.Atomic() && write.writes && write.object == events[read].object &&
             write.place > events[events[read].from].place;
    });
  }

  // Whether a write behind `place` in the modification order happens before the call.
  bool FollowsChange(const Call& call, std::size_t place) const {
    const axioms::Execution& events = execution_.execution;
    for (std::size_t write = 0; write < events.size(); ++write) {
      if (events[write].Atomic() && events[write].writes &&
          events[write].object == call.notification->object && events[write].place > place &&
          HappensBefore(write, call)) {
        return true;
      }
    }
    return false;
  }
  std::size_t SeenBy(const Sleeper& sleeper) const {
    const axioms::Execution& events = execution_.execution;
    return events[events[At(sleeper)].from].place;
  }

  // Whether the notification cannot leave this sleeper asleep, but for another one.
  bool HasToWake(const Call& call, const Sleeper& sleeper) const {
    if (!sleeper.stays || sleeper.sleep->object != call.notification->object) return false;
    if (sleeper.sleep->is_condition) return HappensBefore(At(sleeper), call);
    return FollowsChange(call, SeenBy(sleeper));
  }

  // The old values that a sleeper may have seen before its last look, at most; of a condition
  // variable: once, if it was woken.
  std::size_t TimesOf(const Sleeper& sleeper) const {
    if (sleeper.sleep->is_condition) return sleeper.stays || sleeper.sleep->spurious ? 0 : 1;
    return static_cast<std::size_t>(std::ranges::count_if(
        execution_.execution, [&](const axioms::Event& write) { return IsOld(write, sleeper); }));
  }
  bool IsOld(const axioms::Event& write, const Sleeper& sleeper) const {
    return write.Atomic() && write.writes && write.object == sleeper.sleep->object &&
           ValueOf(write) == sleeper.sleep->old && write.place < SeenBy(sleeper);
  }
  Word ValueOf(const axioms::Event& write) const {
    const auto number = static_cast<std::size_t>(&write - execution_.execution.data());
    if (number < execution_.initials) return execution_.first.at({false, write.object});
    const auto thread = static_cast<std::size_t>(write.thread);
    return runs_[thread]->events[number - first_[thread]].written;
  }

  // Whether the notification may have woken this sleeper, which then went on, or slept again.
  bool CanWake(const Call& call, const Sleeper& sleeper) const {
    if (sleeper.sleep->object != call.notification->object) return false;
    const std::size_t at = At(sleeper);
    if (HappensBefore(call, at)) return false;
    if (sleeper.sleep->is_condition) {
      const bool locks = sleeper.sleep->place + 1 < runs_[sleeper.thread]->events.size();
      return !sleeper.stays && !(locks && HappensBefore(at + 1, call));  // not over
    }
    if (!sleeper.stays && HappensBefore(at, call)) return false;  // it had returned
    if (sleeper.stays && FollowsChange(call, SeenBy(sleeper))) return false;
    return std::ranges::any_of(execution_.execution, [&](const axioms::Event& write) {
      return IsOld(write, sleeper) && FollowsChange(call, write.place);
    });
  }

  // Whether the calls from this one on leave those asleep that stay asleep. free: by sleeper, the
  // notifications that it may still take.
  bool AllTaken(std::size_t call, std::vector<std::size_t>& free) const {
    if (call == calls_.size()) return true;
    const bool has_to = std::ranges::any_of(
        sleepers_, [&](const Sleeper& sleeper) { return HasToWake(calls_[call], sleeper); });
    if (!has_to) return AllTaken(call + 1, free);
    if (calls_[call].notification->all) return false;
    for (std::size_t other = 0; other < sleepers_.size(); ++other) {
      if (free[other] == 0 || !CanWake(calls_[call], sleepers_[other])) continue;
      --free[other];
      if (AllTaken(call + 1, free)) return true;
      ++free[other];
    }
    return false;
  }

  const Runs& runs_;
  const Judged& execution_;
  std::vector<std::size_t> first_;  // by thread: the number of its first event
  std::vector<Sleeper> sleepers_;
  std::vector<Call> calls_;
};

}  // namespace

bool WakingsHaveCauses(const Runs& runs, const Judged& execution) {
  return Judge(runs, execution).WakingsHaveCauses();
}

Standstill StandstillOf(const Runs& runs, const Judged& execution) {
  return Judge(runs, execution).Of();
}

}  // namespace nowait::model::buffering

// All interleavings of a program that waits, one step of one thread at a time.
//
// The effects of the steps follow the text of the standard, with queues of sleepers and flags
// instead of events that block: [thread.mutex.requirements.mutex], [thread.condition],
// [atomics.wait] (N4861). Vector clocks represent happens-before. Two interleavings that have
// reached the same execution are the same from there on.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <set>
#include <string>
#include <unordered_set>
#include <utility>
#include <vector>

#include "models/kit/exhaustive/oracle/interleaving.h"
#include "models/kit/exhaustive/oracle/waiting.h"

namespace nowait::model::oracle {
namespace {

using namespace interleaving;

using Kind = Step::Kind;

class Interleavings {
 public:
  explicit Interleavings(const Waiting& program) : program_(program) {}

  Outcomes All() {
    State state;
    state.threads.resize(program_.threads.size());
    for (std::size_t t = 0; t < state.threads.size(); ++t) Skip(state, t);
    Visit(state);
    outcomes_.executions.insert(complete_.begin(), complete_.end());
    return std::move(outcomes_);
  }

 private:
  const Step& StepOf(const State& state, std::size_t t) const {
    return program_.threads[t][state.threads[t].at];
  }
  bool HasEnded(const State& state, std::size_t t) const {
    return state.threads[t].at == program_.threads[t].size();
  }

  void Visit(const State& state) {
    if (outcomes_.race || outcomes_.gives_up || !visited_.insert(KeyOf(state)).second) return;
    bool all_ended = true;
    bool moves = false;
    bool spins = false;
    for (std::size_t t = 0; t < state.threads.size(); ++t) {
      if (HasEnded(state, t)) continue;
      all_ended = false;
      moves = moves || GetsOn(state, t);
      const Kind kind = StepOf(state, t).kind;
      spins = spins || kind == Kind::kAwait || kind == Kind::kAwaitEither ||
              kind == Kind::kAwaitExchange || kind == Kind::kAwaitStrong ||
              kind == Kind::kAwaitLock;
    }
    if (all_ended) {
      complete_.insert(WriteOut(state));
      return;
    }
    if (!moves) outcomes_.ends.insert(EndOf(state, spins));
    for (std::size_t t = 0; t < state.threads.size(); ++t) {
      if (!HasEnded(state, t)) Move(state, t);
    }
  }

  // Whether the thread's next step makes progress, without anything that may fail to happen.
  bool GetsOn(const State& state, std::size_t t) const {
    const Step& step = StepOf(state, t);
    const ThreadState& self = state.threads[t];
    const int value = state.objects[step.object].value;
    switch (step.kind) {
      case Kind::kAwait:
        return value == step.value;
      case Kind::kAwaitEither:
        return state.objects[0].value == step.value || state.objects[1].value == step.value;
      case Kind::kAwaitExchange:
        // Otherwise it sees its own value at the next attempt.
        return value != step.expected || step.value != step.expected;
      case Kind::kAwaitStrong:
        return value == step.expected;
      case Kind::kWait:
        return self.sleep != Sleep::kAsleep;
      case Kind::kLock:
      case Kind::kAwaitLock:
        return value == 0;
      case Kind::kSleep:
      case Kind::kSleepWhile:
        if (self.phase == kWakes) return self.sleep == Sleep::kNotified;
        if (self.phase == kLocksAgain) return state.objects[kFirstMutex].value == 0;
        return true;
      default:
        return true;
    }
  }

  // --- one step, and all its possible results ---

  // The parts of a wait on a condition variable.
  static constexpr int kLooks = 0;
  static constexpr int kFallsAsleep = 1;
  static constexpr int kUnlocks = 2;
  static constexpr int kWakes = 3;
  static constexpr int kLocksAgain = 4;

  void Move(const State& before, std::size_t t) {
    State state = before;
    const Step& step = StepOf(state, t);
    ThreadState& self = state.threads[t];
    ++self.known[t];
    Object& object = state.objects[step.object];
    switch (step.kind) {
      case Kind::kLoad:
        self.found = Read(state, t, step.object);
        return Next(state, t);
      case Kind::kStore:
        Write(state, t, step.object, step.value, false);
        return Next(state, t);
      case Kind::kAdd:
        self.found = object.value;
        Write(state, t, step.object, object.value + step.value, true);
        return Next(state, t);
      case Kind::kSwap:
        self.found = object.value;
        Write(state, t, step.object, step.value, true);
        return Next(state, t);
      case Kind::kExchange:
        self.found = object.value;
        ExchangeIfEqual(state, t, step);
        return Next(state, t);
      case Kind::kAwait:
        if (Read(state, t, step.object) == step.value) return Next(state, t);
        return TryAgain(state, t);
      case Kind::kAwaitEither:
        if (Read(state, t, static_cast<std::size_t>(self.phase)) == step.value) {
          return Next(state, t);
        }
        self.phase = 1 - self.phase;
        return self.phase == 1 ? Visit(state) : TryAgain(state, t);
      case Kind::kAwaitExchange: {
        const bool succeeds = object.value != step.expected;
        Write(state, t, step.object, step.value, true);
        return succeeds ? Next(state, t) : TryAgain(state, t);
      }
      case Kind::kAwaitStrong:
        return ExchangeIfEqual(state, t, step) ? Next(state, t) : TryAgain(state, t);
      case Kind::kAwaitBounded:
        if (Read(state, t, step.object) == step.value) return Next(state, t);
        if (YieldsInVain(state, t)) {
          outcomes_.gives_up = true;
          return;
        }
        return ++self.phase == step.expected ? Next(state, t) : Visit(state);
      case Kind::kWait:
        return Wait(state, t, step);
      case Kind::kWakeOne:
      case Kind::kWakeAll:
        return Wake(state, t, step);
      case Kind::kLock:
        if (object.value == 0) {
          Write(state, t, step.object, 1, true);
          self.holds[step.object] = true;
          Next(state, t);
        }
        return;
      case Kind::kTryLock:
      case Kind::kAwaitLock:
        return TryLock(state, t, step);
      case Kind::kUnlock:
        if (self.holds[step.object]) Write(state, t, step.object, 0, false);
        return Next(state, t);
      case Kind::kSleep:
      case Kind::kSleepWhile:
        return SleepInCondition(state, t, step);
      case Kind::kNotifyOne:
      case Kind::kNotifyAll:
        return Notify(state, t, step);
      case Kind::kRead:
      case Kind::kWrite:
        Access(state, t, step.kind == Kind::kWrite);
        if (!outcomes_.race) Next(state, t);
        return;
      case Kind::kReadUndeclared:
        self.found = state.undeclared;
        return Next(state, t);
      case Kind::kWriteUndeclared:
        state.undeclared = step.value;
        return Next(state, t);
      case Kind::kYield:
        if (YieldsInVain(state, t)) return;
        return Next(state, t);
      case Kind::kChoose:
        for (unsigned choice = 0; choice < static_cast<unsigned>(step.value); ++choice) {
          State chosen = state;
          ThreadState& chooser = chosen.threads[t];
          chooser.found = static_cast<int>(choice);
          chooser.rounds.push_back({step.kind, kNoObject, 0, 0, 0, choice, false});
          chooser.done.push_back({kNoObject, {}, false, choice});
          Next(chosen, t);
        }
        return;
    }
  }

  void Next(State& state, std::size_t t) {
    ThreadState& self = state.threads[t];
    ++self.at;
    self.phase = 0;
    Skip(state, t);
    Visit(state);
  }
  // Skips the statements whose condition does not hold.
  void Skip(State& state, std::size_t t) const {
    ThreadState& self = state.threads[t];
    while (!HasEnded(state, t) && StepOf(state, t).only_if &&
           *StepOf(state, t).only_if != self.found) {
      ++self.at;
    }
  }

  // For atomics and mutexes. Adds the event; the store that it reads from is known before it
  // writes.
  void Add(State& state, std::size_t t, std::size_t object, bool reads, bool writes, int read,
           int written, unsigned variant = 0) {
    ThreadState& self = state.threads[t];
    const Step& step = StepOf(state, t);
    const auto& all = state.objects[object].writes;
    Done done{.object = object, .from = {}, .writes = writes, .variant = variant};
    if (reads) done.from = all.empty() ? Done::Place() : all.back().place;
    self.rounds.push_back({step.kind, object, step.value, step.expected, read, variant,
                           writes && !(reads && read == written)});
    self.done.push_back(done);
  }
  int Read(State& state, std::size_t t, std::size_t object) {
    const int value = state.objects[object].value;
    Add(state, t, object, true, false, value, 0);
    Join(state.threads[t].known, state.objects[object].released);
    return value;
  }
  void Write(State& state, std::size_t t, std::size_t object, int value, bool reads,
             unsigned variant = 0) {
    ThreadState& self = state.threads[t];
    Object& written = state.objects[object];
    Add(state, t, object, reads, true, written.value, value, variant);
    // A condition variable orders nothing except its own operations.
    const bool orders = object < kFirstCondition;
    if (reads && orders) Join(self.known, written.released);
    if (orders) written.released = self.known;
    written.value = value;
    written.writes.push_back({{static_cast<int>(t), self.done.size() - 1}, t, self.known[t]});
  }
  bool ExchangeIfEqual(State& state, std::size_t t, const Step& step) {
    const bool succeeds = state.objects[step.object].value == step.expected;
    if (succeeds) {
      Write(state, t, step.object, step.value, true);
    } else {
      Read(state, t, step.object);
    }
    return succeeds;
  }

  // A yield says that the round was in vain. A round that repeats the last one and changed nothing
  // is left out, because the next round would repeat it too.
  void TryAgain(State& state, std::size_t t) {
    if (!YieldsInVain(state, t)) Visit(state);
  }
  bool YieldsInVain(State& state, std::size_t t) {
    ThreadState& self = state.threads[t];
    const std::size_t length = self.rounds.size() - self.yielded_after;
    const Step& step = StepOf(state, t);
    if (length == 0) return false;
    const int place =
        2 * static_cast<int>(step.kind) + (step.kind == Kind::kYield ? step.value : 0);
    if (place == self.yielded_at && length <= self.yielded_after) {
      const auto now = self.rounds.end() - static_cast<std::ptrdiff_t>(length);
      const bool changes =
          std::any_of(now, self.rounds.end(), [](const auto& round) { return round.changes; });
      if (!changes &&
          std::equal(now, self.rounds.end(), now - static_cast<std::ptrdiff_t>(length))) {
        return true;
      }
    }
    self.yielded_after = self.rounds.size();
    self.yielded_at = place;
    return false;
  }

  // [atomics.wait]: returns only when the value differs, whether woken or not; otherwise it
  // sleeps.
  void Wait(State& state, std::size_t t, const Step& step) {
    ThreadState& self = state.threads[t];
    if (state.objects[step.object].value != step.value) {
      self.sleep = Sleep::kAwake;
      Read(state, t, step.object);
      Next(state, t);
    } else if (self.sleep != Sleep::kAsleep) {
      self.sleep = Sleep::kAsleep;
      self.sleeps_on = step.object;
      self.observed = state.objects[step.object].writes.size();
      Visit(state);
    }
  }

  // [atomics.wait] 4: a thread is eligible if a change that happens before the notification would
  // wake it.
  void Wake(const State& state, std::size_t t, const Step& step) {
    const Known& known = state.threads[t].known;
    const auto& writes = state.objects[step.object].writes;
    std::vector<std::size_t> eligible;
    for (std::size_t other = 0; other < state.threads.size(); ++other) {
      const ThreadState& sleeper = state.threads[other];
      if (sleeper.sleep != Sleep::kAsleep || sleeper.sleeps_on != step.object) continue;
      for (std::size_t i = sleeper.observed; i < writes.size(); ++i) {
        if (known[writes[i].thread] < writes[i].time) continue;
        eligible.push_back(other);
        break;
      }
    }
    NotifyAmong(state, t, eligible, step.kind == Kind::kWakeAll);
  }

  void NotifyAmong(const State& before, std::size_t t, const std::vector<std::size_t>& sleepers,
                   bool all) {
    if (all || sleepers.empty()) {
      State state = before;
      for (const std::size_t sleeper : sleepers) state.threads[sleeper].sleep = Sleep::kNotified;
      Next(state, t);
      return;
    }
    for (const std::size_t sleeper : sleepers) {
      State state = before;
      state.threads[sleeper].sleep = Sleep::kNotified;
      Next(state, t);
    }
  }

  void TryLock(const State& before, std::size_t t, const Step& step) {
    const auto end = [&](State& state, bool succeeds) {
      state.threads[t].holds[step.object] = succeeds;
      if (step.kind == Kind::kTryLock || succeeds) return Next(state, t);
      TryAgain(state, t);
    };
    State state = before;
    if (state.objects[step.object].value != 0) {
      Add(state, t, step.object, true, false, 1, 0);
      return end(state, false);
    }
    Write(state, t, step.object, 1, true);
    end(state, true);
    if (before.threads[t].has_failed_spuriously) return;
    state = before;
    state.threads[t].has_failed_spuriously = true;
    Add(state, t, step.object, true, false, 0, 0, 1);
    end(state, false);
  }

  // [thread.condition.condvar] 8: unlocks and blocks in one step, as far as any thread that needs
  // the mutex can see; locks again once it is unblocked.
  void SleepInCondition(const State& before, std::size_t t, const Step& step) {
    State state = before;
    ThreadState& self = state.threads[t];
    switch (self.phase) {
      case kLooks:
        if (step.kind == Kind::kSleepWhile && Read(state, t, step.other) != step.value) {
          return Next(state, t);
        }
        self.phase = kFallsAsleep;
        return Visit(state);
      case kFallsAsleep:
        Write(state, t, step.object, 0, true);
        self.sleep = Sleep::kAsleep;
        self.sleeps_on = step.object;
        self.phase = kUnlocks;
        return Visit(state);
      case kUnlocks:
        Write(state, t, kFirstMutex, 0, false);
        self.phase = kWakes;
        return Visit(state);
      case kWakes: {
        const bool notified = self.sleep == Sleep::kNotified;
        if (!notified && std::exchange(self.has_woken_spuriously, true)) return;
        Write(state, t, step.object, 0, true, notified ? 0 : 1);
        self.sleep = Sleep::kAwake;
        self.phase = kLocksAgain;
        return Visit(state);
      }
      case kLocksAgain:
        if (state.objects[kFirstMutex].value != 0) return;
        Write(state, t, kFirstMutex, 1, true);
        if (step.kind == Kind::kSleep) return Next(state, t);
        self.phase = kLooks;
        return Visit(state);
    }
  }

  void Notify(const State& before, std::size_t t, const Step& step) {
    std::vector<std::size_t> sleepers;
    for (std::size_t other = 0; other < before.threads.size(); ++other) {
      const ThreadState& sleeper = before.threads[other];
      if (sleeper.sleep == Sleep::kAsleep && sleeper.sleeps_on == step.object) {
        sleepers.push_back(other);
      }
    }
    const bool all = step.kind == Kind::kNotifyAll;
    const std::size_t choices = all ? 1 : std::max<std::size_t>(sleepers.size(), 1);
    for (std::size_t choice = 0; choice < choices; ++choice) {
      State state = before;
      Write(state, t, step.object, 0, true, static_cast<unsigned>(choice));
      if (!all && !sleepers.empty()) {
        NotifyAmong(state, t, {sleepers[choice]}, true);
      } else {
        NotifyAmong(state, t, sleepers, true);
      }
    }
  }

  // [intro.races] 21.
  void Access(State& state, std::size_t t, bool writes) {
    const Known& known = state.threads[t].known;
    bool ordered = known[state.writer] >= state.written;
    if (writes) {
      for (std::size_t other = 0; other < known.size(); ++other) {
        ordered = ordered && known[other] >= state.read[other];
      }
      state.writer = t;
      state.written = known[t];
    } else {
      state.read[t] = known[t];
    }
    if (!ordered) outcomes_.race = true;
  }

  const Waiting& program_;
  std::unordered_set<std::string> visited_;
  std::set<std::string> complete_;
  Outcomes outcomes_;
};

}  // namespace

Outcomes Interleave(const Waiting& program) { return Interleavings(program).All(); }

}  // namespace nowait::model::oracle

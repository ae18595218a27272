#include "models/kit/exhaustive/oracle/unrolled.h"

#include <algorithm>
#include <cstddef>
#include <functional>
#include <set>
#include <string>
#include <vector>

#include "models/kit/exhaustive/oracle/brute_force.h"
#include "models/kit/exhaustive/oracle/paths.h"
#include "models/kit/exhaustive/oracle/renaming.h"
#include "models/kit/exhaustive/oracle/straight_line.h"

namespace nowait::model::oracle {
namespace {

// One execution of one path per thread.
class Unrolling {
 public:
  Unrolling(const std::vector<const Path*>& paths, const Picture& picture,
            const HappensBefore& happens_before)
      : paths_(paths), picture_(picture), happens_before_(happens_before) {}

  // Whether it is an execution of the program: no thread repeats a round in vain, and each thread
  // that stays where it is has a reason.
  bool IsOfProgram() const {
    for (std::size_t t = 0; t < paths_.size(); ++t) {
      const Path& path = *paths_[t];
      if (RepeatsRound(t)) return false;
      if (path.end == Path::End::kSpins && !SpinsForEver(t)) return false;
      if (path.end == Path::End::kSleeps && IsNotified(t)) return false;
    }
    return true;
  }

  bool HasEnded() const {
    return std::ranges::all_of(paths_,
                               [](const Path* path) { return path->end == Path::End::kReturns; });
  }

  std::string Execution() const {
    std::vector<std::vector<Done>> threads(paths_.size());
    for (std::size_t t = 0; t < paths_.size(); ++t) {
      for (std::size_t s = 0; s < paths_[t]->statements.size(); ++s) {
        const Statement& statement = paths_[t]->statements[s];
        if (!IsEvent(statement)) continue;
        Done& done = threads[t].emplace_back();
        done.object = statement.location;
        if (picture_.threads[t][s].from) done.from = PlaceOf(*picture_.threads[t][s].from);
        done.writes = Writes({static_cast<int>(t), s});
      }
    }
    std::vector<std::vector<Done::Place>> writes(kObjects);
    for (std::size_t object = 0; object < kOfEach; ++object) {
      for (const Where& where : picture_.modifications[object]) {
        writes[object].push_back(PlaceOf(where));
      }
    }
    return FormatExecution(threads, writes);
  }

  std::string End() const {
    std::vector<std::size_t> at;
    bool spins = false;
    for (const Path* path : paths_) {
      at.push_back(path->at);
      spins = spins || path->end == Path::End::kSpins;
    }
    std::vector<int> values(kFirstCondition);
    for (std::size_t object = 0; object < kOfEach; ++object) values[object] = Newest(object);
    return FormatEnd(spins, at, values);
  }

 private:
  static bool IsEvent(const Statement& statement) {
    return !statement.IsPlain() && !statement.IsFence();
  }
  const Statement& At(const Where& where) const {
    return paths_[static_cast<std::size_t>(where.thread)]->statements[where.statement];
  }
  bool Writes(const Where& where) const {
    return At(where).kind == Statement::Kind::kStore ||
           picture_.threads[static_cast<std::size_t>(where.thread)][where.statement].result ==
               Outcome::Result::kExchanged;
  }
  // The value written there, or the initial value of an atomic.
  int Written(const Where& where) const { return where.thread < 0 ? 0 : At(where).value; }
  int Found(std::size_t t, std::size_t s) const { return Written(*picture_.threads[t][s].from); }
  int Newest(std::size_t object) const {
    const auto& order = picture_.modifications[object];
    return order.empty() ? 0 : Written(order.back());
  }
  std::size_t PlaceInOrder(std::size_t object, const Where& where) const {
    if (where.thread < 0) return 0;
    const auto& order = picture_.modifications[object];
    const auto is_there = [&](const Where& other) {
      return other.thread == where.thread && other.statement == where.statement;
    };
    return 1 + static_cast<std::size_t>(std::ranges::find_if(order, is_there) - order.begin());
  }
  // The index among the events of its thread.
  Done::Place PlaceOf(const Where& where) const {
    if (where.thread < 0) return {};
    const auto& statements = paths_[static_cast<std::size_t>(where.thread)]->statements;
    const auto end = statements.begin() + static_cast<std::ptrdiff_t>(where.statement);
    return {where.thread,
            static_cast<std::size_t>(std::count_if(statements.begin(), end, IsEvent))};
  }

  // The rule about yields, as in interleavings.cc.
  bool RepeatsRound(std::size_t t) const {
    const Path& path = *paths_[t];
    std::vector<std::size_t> events;
    for (std::size_t s = 0; s < path.statements.size(); ++s) {
      if (IsEvent(path.statements[s])) events.push_back(s);
    }
    const auto events_before = [&](std::size_t after) {
      return static_cast<std::size_t>(std::ranges::lower_bound(events, after) - events.begin());
    };
    const Path::Yield* last = nullptr;
    for (std::size_t y = 0; y < path.yields.size(); ++y) {
      const Path::Yield& yield = path.yields[y];
      // A thread that spins for ever may already have been in vain.
      if (path.end == Path::End::kSpins && y + 1 == path.yields.size()) return false;
      const std::size_t begin = last == nullptr ? 0 : events_before(last->after);
      const std::size_t end = events_before(yield.after);
      const std::size_t round = end - begin;
      if (last != nullptr && last->place == yield.place && round <= begin) {
        bool same = true;
        for (std::size_t i = begin; i < end && same; ++i) {
          same = IsSame(t, events[i], events[i - round]) && !Changes(t, events[i]);
        }
        if (same) return true;
      }
      last = &yield;
    }
    return false;
  }
  bool IsSame(std::size_t t, std::size_t s, std::size_t other) const {
    const Statement& a = paths_[t]->statements[s];
    const Statement& b = paths_[t]->statements[other];
    const bool reads = a.kind != Statement::Kind::kStore;
    return a.kind == b.kind && a.location == b.location && a.value == b.value &&
           a.expected == b.expected && a.order == b.order && a.failure == b.failure &&
           (!reads || Found(t, s) == Found(t, other));
  }
  bool Changes(std::size_t t, std::size_t s) const {
    if (!Writes({static_cast<int>(t), s})) return false;
    const bool reads = paths_[t]->statements[s].kind != Statement::Kind::kStore;
    return !reads || Found(t, s) != paths_[t]->statements[s].value;
  }

  bool SpinsForEver(std::size_t t) const {
    const Path& path = *paths_[t];
    for (std::size_t s = path.last_round; s < path.statements.size(); ++s) {
      if (Found(t, s) != Newest(path.statements[s].location)) return false;
    }
    return true;
  }

  // [atomics.wait] 4: a change later than the value that the operation observed happens before a
  // notification.
  bool IsNotified(std::size_t t) const {
    const std::size_t wait = paths_[t]->statements.size() - 1;
    const std::size_t object = paths_[t]->statements[wait].location;
    const std::size_t seen = PlaceInOrder(object, *picture_.threads[t][wait].from);
    const auto& order = picture_.modifications[object];
    for (std::size_t notifier = 0; notifier < paths_.size(); ++notifier) {
      for (const std::size_t s : paths_[notifier]->notifications) {
        if (paths_[notifier]->statements[s].location != object) continue;
        for (std::size_t place = seen; place < order.size(); ++place) {
          if (happens_before_(order[place], {static_cast<int>(notifier), s})) return true;
        }
      }
    }
    return false;
  }

  const std::vector<const Path*>& paths_;
  const Picture& picture_;
  const HappensBefore& happens_before_;
};

}  // namespace

Outcomes Unroll(const Waiting& program) {
  const std::size_t threads = program.threads.size();
  std::vector<std::vector<Path>> all;
  for (std::size_t t = 0; t < threads; ++t) all.push_back(AllPaths(program, t));
  Outcomes outcomes;
  std::set<std::string> executions;
  std::vector<const Path*> paths(threads);
  const auto names = program.alike ? AllNames(threads) : std::vector<std::vector<std::size_t>>();
  // from: of interchangeable threads, only combinations in the order of the paths are tried. The
  // others are the same under other names.
  const std::function<void(std::size_t, std::size_t)> choose = [&](std::size_t t,
                                                                   std::size_t from) {
    if (outcomes.race) return;
    if (t < threads) {
      for (std::size_t i = from; i < all[t].size(); ++i) {
        paths[t] = &all[t][i];
        choose(t + 1, program.alike ? i : 0);
      }
      return;
    }
    if (!CanFind(paths)) return;
    StraightLine straight;
    for (const Path* path : paths) straight.threads.push_back(path->statements);
    outcomes.race |= VisitByBruteForce(
        straight, [&](const Picture& picture, const HappensBefore& happens_before) {
          const Unrolling unrolling(paths, picture, happens_before);
          if (!unrolling.IsOfProgram()) return;
          if (unrolling.HasEnded()) {
            executions.insert(unrolling.Execution());
          } else {
            outcomes.ends.insert(unrolling.End());
          }
        });
  };
  choose(0, 0);
  std::set<std::string> renamed = executions;
  std::set<std::string> renamed_ends = outcomes.ends;
  for (const auto& each : names) {
    for (const std::string& execution : executions) renamed.insert(Rename(execution, each));
    for (const std::string& end : outcomes.ends) renamed_ends.insert(RenameEnd(end, each));
  }
  outcomes.executions.insert(renamed.begin(), renamed.end());
  outcomes.ends = renamed_ends;
  return outcomes;
}

std::string CompareAlike(const Outcomes& expected, const Outcomes& found, std::size_t threads) {
  // Includes those that differ only in names; an execution that was found twice remains twice.
  Outcomes renamed = found;
  for (const auto& names : AllNames(threads)) {
    for (const std::string& execution : found.executions) {
      const std::string other = Rename(execution, names);
      if (!renamed.executions.contains(other)) renamed.executions.insert(other);
    }
    for (const std::string& end : found.ends) renamed.ends.insert(RenameEnd(end, names));
  }
  return Compare(expected, renamed, {});
}

}  // namespace nowait::model::oracle

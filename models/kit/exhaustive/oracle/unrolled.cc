#include "models/kit/exhaustive/oracle/unrolled.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <functional>
#include <numeric>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "models/kit/exhaustive/oracle/brute_force.h"
#include "models/kit/exhaustive/oracle/straight_line.h"

namespace nowait::model::oracle {
namespace {

using Kind = Step::Kind;

constexpr std::uint32_t Only(int value) { return std::uint32_t{1} << value; }
constexpr std::uint32_t AnyBut(int value) { return ~Only(value); }

// One path through the text of a thread.
struct Path {
  std::vector<Statement> statements;
  // The notifications among these. They are not events, but fences that order nothing.
  std::vector<std::size_t> notifications;
  // After this many statements, in the loop of a step of this kind.
  struct Yield {
    std::size_t after;
    Kind place;
  };
  std::vector<Yield> yields;
  std::optional<std::size_t> found_by;  // the statement whose result later steps depend on
  std::size_t at = 0;                   // the step where it stays; one past the last step: it has
                                        // ended
  enum class End : std::uint8_t { kReturns, kSpins, kSleeps } end = End::kReturns;
  std::size_t last_round = 0;  // of a spinning thread: the beginning of its last round
};

// All paths of a thread.
class Paths {
 public:
  Paths(const Waiting& program, std::size_t thread) : program_(program), thread_(thread) {}

  std::vector<Path> All() {
    Continue({}, 0);
    return std::move(paths_);
  }

 private:
  const std::vector<Step>& steps() const { return program_.threads[thread_]; }
  int Value(int value) const { return ValueIn(thread_, value); }

  void Continue(const Path& path, std::size_t at) {
    if (at == steps().size()) {
      paths_.push_back(path);
      paths_.back().at = at;
      return;
    }
    const Step& step = steps()[at];
    if (!step.only_if) return Take(path, at);
    const bool is_other = *step.only_if == kNotOwn;
    const int wanted = Value(is_other ? kOwn : *step.only_if);
    if (!path.found_by) {
      return (wanted == 0) != is_other ? Take(path, at) : Continue(path, at + 1);
    }
    Path taken = path;
    taken.statements[*path.found_by].may_find &= is_other ? AnyBut(wanted) : Only(wanted);
    Path passed = path;
    passed.statements[*path.found_by].may_find &= is_other ? Only(wanted) : AnyBut(wanted);
    // A step may depend on the same result as an earlier one.
    if (taken.statements[*path.found_by].may_find != 0) Take(taken, at);
    if (passed.statements[*path.found_by].may_find != 0) Continue(passed, at + 1);
  }

  static Statement Access(const Step& step, Statement::Kind kind, std::size_t object,
                          std::uint32_t may_find) {
    return {.kind = kind, .location = object, .order = step.order, .may_find = may_find};
  }

  void Take(Path path, std::size_t at) {
    const Step& step = steps()[at];
    const int value = Value(step.value);
    const int expected = Value(step.expected);
    const auto add = [&](Statement statement) { path.statements.push_back(statement); };
    const auto load = [&](std::size_t object, std::uint32_t may_find) {
      return Access(step, Statement::Kind::kLoad, object, may_find);
    };
    const auto swap = [&](std::uint32_t may_find) {
      Statement statement = Access(step, Statement::Kind::kExchange, step.object, may_find);
      statement.value = value;
      return statement;
    };
    const auto exchange = [&](std::uint32_t may_find) {
      Statement statement = Access(step, Statement::Kind::kStrong, step.object, may_find);
      statement.value = value;
      statement.expected = expected;
      statement.failure = step.failure;
      return statement;
    };
    constexpr std::uint32_t kAny = ~std::uint32_t{0};
    switch (step.kind) {
      case Kind::kLoad:
        add(load(step.object, kAny));
        path.found_by = path.statements.size() - 1;
        return Continue(path, at + 1);
      case Kind::kStore: {
        Statement store = Access(step, Statement::Kind::kStore, step.object, kAny);
        store.value = value;
        add(store);
        return Continue(path, at + 1);
      }
      case Kind::kSwap:
        add(swap(kAny));
        path.found_by = path.statements.size() - 1;
        return Continue(path, at + 1);
      case Kind::kExchange:
        add(exchange(kAny));
        path.found_by = path.statements.size() - 1;
        return Continue(path, at + 1);
      case Kind::kAwait:
        return Loop(path, at, {load(step.object, AnyBut(value))},
                    {{load(step.object, Only(value))}});
      case Kind::kAwaitEither:
        return Loop(path, at, {load(0, AnyBut(value)), load(1, AnyBut(value))},
                    {{load(0, Only(value))}, {load(0, AnyBut(value)), load(1, Only(value))}});
      case Kind::kAwaitExchange:
        return Loop(path, at, {swap(Only(expected))}, {{swap(AnyBut(expected))}});
      case Kind::kAwaitStrong:
        return Loop(path, at, {exchange(AnyBut(expected))}, {{exchange(Only(expected))}});
      case Kind::kWait: {
        Path sleeps = path;
        sleeps.statements.push_back(load(step.object, Only(value)));
        sleeps.at = at;
        sleeps.end = Path::End::kSleeps;
        paths_.push_back(sleeps);
        add(load(step.object, AnyBut(value)));
        return Continue(path, at + 1);
      }
      case Kind::kWakeOne:
      case Kind::kWakeAll:
        path.notifications.push_back(path.statements.size());
        add({.kind = Statement::Kind::kFence, .location = step.object});
        return Continue(path, at + 1);
      case Kind::kRead:
        add({.kind = Statement::Kind::kRead});
        return Continue(path, at + 1);
      case Kind::kWrite:
        add({.kind = Statement::Kind::kWrite});
        return Continue(path, at + 1);
      default:
        std::abort();  // these styles have no such step
    }
  }

  // Any number of failing rounds, and then possibly a succeeding one.
  void Loop(Path path, std::size_t at, const std::vector<Statement>& fails,
            const std::vector<std::vector<Statement>>& succeeds) {
    for (std::size_t rounds = 0;; ++rounds) {
      for (const auto& success : succeeds) {
        Path leaves = path;
        leaves.statements.insert(leaves.statements.end(), success.begin(), success.end());
        Continue(leaves, at + 1);
      }
      if (rounds == Changes(fails) + 1) return;
      path.last_round = path.statements.size();
      path.statements.insert(path.statements.end(), fails.begin(), fails.end());
      // Otherwise the thread waits: the rule about yields, applied to a loop's own rounds.
      if (rounds > 0) path.statements.back().unlike_round = fails.size();
      path.yields.push_back({path.statements.size(), steps()[at].kind});
      Path stays = path;
      stays.at = at;
      stays.end = Path::End::kSpins;
      paths_.push_back(stays);
    }
  }

  // The largest number of changes to the atomics of a round: each step changes an atomic once,
  // however many rounds there are.
  std::size_t Changes(const std::vector<Statement>& round) const {
    std::size_t changes = 0;
    for (const auto& thread : program_.threads) {
      for (const Step& step : thread) {
        const bool writes = step.kind == Kind::kStore || step.kind == Kind::kSwap ||
                            step.kind == Kind::kExchange || step.kind == Kind::kAwaitExchange ||
                            step.kind == Kind::kAwaitStrong;
        const auto is_of = [&](const Statement& statement) {
          return statement.location == step.object;
        };
        if (writes && std::ranges::any_of(round, is_of)) ++changes;
      }
    }
    return changes;
  }

  const Waiting& program_;
  const std::size_t thread_;
  std::vector<Path> paths_;
};

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

// Whether each read can find one of the values that it may find.
bool CanFind(const std::vector<const Path*>& paths) {
  std::array<std::uint32_t, kMaxLocations> values;
  values.fill(Only(0));
  for (const Path* path : paths) {
    for (const Statement& statement : path->statements) {
      if (statement.IsPlain() || statement.IsFence()) continue;
      if (statement.kind != Statement::Kind::kLoad) {
        values[statement.location] |= Only(statement.value);
      }
    }
  }
  return std::ranges::all_of(paths, [&](const Path* path) {
    return std::ranges::all_of(path->statements, [&](const Statement& statement) {
      return statement.IsPlain() || statement.IsFence() ||
             statement.kind == Statement::Kind::kStore ||
             (statement.may_find & values[statement.location]) != 0;
    });
  });
}

// The text of an execution or of an end, when thread t is named names[t].
std::string Rename(const std::string& text, const std::vector<std::size_t>& names) {
  std::vector<std::string> threads(names.size());
  std::string rest;
  std::size_t thread = 0;
  std::size_t begin = 0;
  const auto renamed = [&](std::string part) {
    for (std::size_t i = 0; i + 1 < part.size(); ++i) {
      if (part[i + 1] == '.' && part[i] >= '0' && part[i] <= '9') {
        part[i] = static_cast<char>('0' + names[static_cast<std::size_t>(part[i] - '0')]);
        ++i;
      }
    }
    return part;
  };
  for (std::size_t end = text.find("| "); end != std::string::npos;
       begin = end + 2, end = text.find("| ", begin)) {
    threads[names[thread++]] = renamed(text.substr(begin, end - begin));
  }
  std::string whole;
  for (const std::string& each : threads) whole += each + "| ";
  return whole + renamed(text.substr(begin));
}

// "deadlock at 2 4, x y m n are 11 0 0 0": renames the positions, and the addresses among the
// values.
std::string RenameEnd(const std::string& text, const std::vector<std::size_t>& names) {
  const std::size_t at = text.find(" at ") + 4;
  const std::size_t comma = text.find(", ");
  std::vector<std::string> places(names.size());
  std::size_t thread = 0;
  for (std::size_t begin = at; begin < comma; ++thread) {
    const std::size_t end = std::min(text.find(' ', begin), comma);
    places[names[thread]] = text.substr(begin, end - begin);
    begin = end + 1;
  }
  std::string whole = text.substr(0, at);
  for (std::size_t t = 0; t < places.size(); ++t) whole += (t == 0 ? "" : " ") + places[t];
  std::string values = text.substr(comma);
  const std::string old = values;
  for (std::size_t t = 0; t < names.size(); ++t) {
    const std::string own = ' ' + std::to_string(ValueIn(t, kOwn));
    const std::string other = ' ' + std::to_string(ValueIn(names[t], kOwn));
    for (std::size_t i = old.find(own); i != std::string::npos; i = old.find(own, i + 1)) {
      values.replace(i, own.size(), other);
    }
  }
  return whole + values;
}

std::vector<std::vector<std::size_t>> AllNames(std::size_t threads) {
  std::vector<std::size_t> names(threads);
  std::iota(names.begin(), names.end(), std::size_t{0});
  std::vector<std::vector<std::size_t>> all;
  do {
    all.push_back(names);
  } while (std::ranges::next_permutation(names).found);
  return all;
}

}  // namespace

Outcomes Unroll(const Waiting& program) {
  const std::size_t threads = program.threads.size();
  std::vector<std::vector<Path>> all;
  for (std::size_t t = 0; t < threads; ++t) all.push_back(Paths(program, t).All());
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

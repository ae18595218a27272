#include "models/kit/exhaustive/oracle/paths.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <utility>
#include <vector>

namespace nowait::model::oracle {
namespace {

using Kind = Step::Kind;

constexpr std::uint32_t Only(int value) { return std::uint32_t{1} << value; }
constexpr std::uint32_t AnyBut(int value) { return ~Only(value); }

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

}  // namespace

std::vector<Path> AllPaths(const Waiting& program, std::size_t thread) {
  return Paths(program, thread).All();
}

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

}  // namespace nowait::model::oracle

#include "models/kit/exhaustive/oracle/waiting.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <string>
#include <utility>

#include "models/kit/program/operation.h"

namespace nowait::model::oracle {
namespace {

using Kind = Step::Kind;

std::string FormatValue(int value) {
  return value == kOwn ? "own" : value == kNotOwn ? "not own" : std::to_string(value);
}

std::string Format(const Step& step) {
  const char atomic = "xy"[step.object % kOfEach];
  const std::size_t n = step.object % kOfEach;
  const std::string value = FormatValue(step.value);
  const std::string expected = FormatValue(step.expected);
  std::string text = [&] {
    switch (step.kind) {
      case Kind::kLoad:
        return fmt::format("{}.load()", atomic);
      case Kind::kStore:
        return fmt::format("{}.store({})", atomic, value);
      case Kind::kAdd:
        return fmt::format("{}.fetch_add({})", atomic, step.value);
      case Kind::kSwap:
        return fmt::format("{}.exchange({})", atomic, value);
      case Kind::kExchange:
        return fmt::format("{}.cas({} -> {})", atomic, expected, value);
      case Kind::kAwait:
        return fmt::format("await {} == {}", atomic, value);
      case Kind::kAwaitEither:
        return fmt::format("await x == {0} or y == {0}", step.value);
      case Kind::kAwaitExchange:
        return fmt::format("await {}.exchange({}) != {}", atomic, step.value, step.expected);
      case Kind::kAwaitStrong:
        return fmt::format("await {}.cas({} -> {})", atomic, step.expected, step.value);
      case Kind::kAwaitBounded:
        return fmt::format("await {} == {}, {} times", atomic, step.value, step.expected);
      case Kind::kWait:
        return fmt::format("{}.wait({})", atomic, step.value);
      case Kind::kWakeOne:
        return fmt::format("{}.notify_one()", atomic);
      case Kind::kWakeAll:
        return fmt::format("{}.notify_all()", atomic);
      case Kind::kLock:
        return fmt::format("lock m{}", n);
      case Kind::kTryLock:
        return fmt::format("try_lock m{}", n);
      case Kind::kAwaitLock:
        return fmt::format("await try_lock m{}", n);
      case Kind::kUnlock:
        return fmt::format("unlock m{}", n);
      case Kind::kSleep:
        return fmt::format("sleep c{}", n);
      case Kind::kSleepWhile:
        return fmt::format("while {} == {} sleep c{}", "xy"[step.other], step.value, n);
      case Kind::kNotifyOne:
        return fmt::format("notify_one c{}", n);
      case Kind::kNotifyAll:
        return fmt::format("notify_all c{}", n);
      case Kind::kRead:
        return std::string("read data");
      case Kind::kWrite:
        return std::string("write data");
      case Kind::kReadUndeclared:
        return std::string("read undeclared");
      case Kind::kWriteUndeclared:
        return fmt::format("write undeclared {}", step.value);
      case Kind::kYield:
        return fmt::format("yield in place {}", step.value);
      case Kind::kChoose:
        return fmt::format("choose one of {}", step.value);
    }
    return std::string();
  }();
  if (step.order != std::memory_order::seq_cst) text += fmt::format(" {}", Name(step.order));
  if (step.failure != std::memory_order::seq_cst) text += fmt::format("/{}", Name(step.failure));
  return step.only_if ? fmt::format("if {} {}", FormatValue(*step.only_if), text) : text;
}

template <class Left, class Right>
std::vector<std::string> Without(const Left& all, const Right& known) {
  std::vector<std::string> rest;
  std::set_difference(all.begin(), all.end(), known.begin(), known.end(), std::back_inserter(rest));
  return rest;
}

std::string FormatSome(const char* what, const std::vector<std::string>& all) {
  constexpr std::size_t kShown = 3;
  std::string text;
  if (!all.empty()) text = fmt::format("  {} {}:\n", all.size(), what);
  for (std::size_t i = 0; i < std::min(all.size(), kShown); ++i) {
    text += fmt::format("    {}\n", all[i]);
  }
  return text;
}

std::string Format(const Done::Place& place) {
  return place.thread < 0 ? "init" : fmt::format("{}.{}", place.thread, place.index);
}

// Whether every lock is released by its owner, and no thread sleeps or accesses undeclared memory
// without the mutex.
bool IsWellLocked(const std::vector<Step>& thread) {
  std::array<bool, kObjects> held{};
  for (const Step& step : thread) {
    bool& mutex = held[step.object];
    switch (step.kind) {
      case Kind::kLock:
      case Kind::kTryLock:
      case Kind::kAwaitLock:
        if (std::exchange(mutex, true)) return false;
        break;
      case Kind::kUnlock:
        if (!std::exchange(mutex, false)) return false;
        break;
      case Kind::kSleep:
      case Kind::kSleepWhile:
      case Kind::kReadUndeclared:
      case Kind::kWriteUndeclared:
        if (!held[kFirstMutex]) return false;
        break;
      default:
        break;
    }
  }
  return std::ranges::none_of(held, [](bool is_held) { return is_held; });
}

}  // namespace

std::string Format(const Waiting& program) {
  std::string text;
  for (std::size_t t = 0; t < program.threads.size(); ++t) {
    text += fmt::format("  thread {}:", t);
    for (const Step& step : program.threads[t]) text += " " + Format(step) + ";";
    text += "\n";
  }
  return text;
}

std::string FormatExecution(const std::vector<std::vector<Done>>& threads,
                            const std::vector<std::vector<Done::Place>>& writes) {
  std::string text;
  for (const auto& thread : threads) {
    for (const Done& done : thread) {
      text += "xymncd?"[done.object];
      if (done.from) text += "<" + Format(*done.from);
      if (done.writes) text += '!';
      if (done.variant != 0) text += fmt::format("?{}", done.variant);
      text += ' ';
    }
    text += "| ";
  }
  for (std::size_t object = 0; object < writes.size(); ++object) {
    if (writes[object].empty()) continue;
    text += fmt::format("{}:", "xymncd"[object]);
    for (const Done::Place& place : writes[object]) text += ' ' + Format(place);
    text += ' ';
  }
  return text;
}

std::string FormatEnd(bool spins, const std::vector<std::size_t>& at,
                      const std::vector<int>& values) {
  return fmt::format("{} at {}, x y m n are {}", spins ? "livelock" : "deadlock",
                     fmt::join(at, " "), fmt::join(values, " "));
}

std::string Compare(const Outcomes& expected, const Outcomes& found, const Exact& exact) {
  std::string text = found.complaint.empty() ? "" : "  " + found.complaint + "\n";
  if (expected.race && !found.race) text += "  a data race was not seen\n";
  if (!expected.race && found.race) text += "  a data race that does not exist\n";
  if (!expected.gives_up && found.gives_up) text += "  no loop gives up\n";
  if (expected.gives_up && !found.gives_up) text += "  a loop that gives up was not seen\n";
  // A checker stops at the first race or at the first loop that gives up. A program has at most one
  // of the two.
  if (expected.race || found.race || expected.gives_up || found.gives_up) return text;
  const std::set<std::string> once(found.executions.begin(), found.executions.end());
  text += FormatSome("missing", Without(expected.executions, once));
  text += FormatSome("visited more than once", Without(found.executions, once));
  text += FormatSome("ends not seen", Without(expected.ends, found.ends));
  if (exact.executions) {
    text += FormatSome("not allowed", Without(once, expected.executions));
  }
  if (exact.ends) {
    text += FormatSome("ends that do not exist", Without(found.ends, expected.ends));
  }
  return text;
}

Waiting Shrink(Waiting program, const std::function<bool(const Waiting&)>& differs) {
  const auto try_without = [&](std::size_t t, std::size_t i, std::size_t k) {
    Waiting less = program;
    auto& steps = less.threads[t];
    steps.erase(steps.begin() + static_cast<std::ptrdiff_t>(k));
    if (i != k) steps.erase(steps.begin() + static_cast<std::ptrdiff_t>(i));
    if (less.alike) less.threads.assign(less.threads.size(), std::vector<Step>(steps));
    if (!IsWellLocked(steps)) return false;
    if (!less.alike && steps.empty() && less.threads.size() > 2) {
      less.threads.erase(less.threads.begin() + static_cast<std::ptrdiff_t>(t));
    }
    if (!differs(less)) return false;
    program = std::move(less);
    return true;
  };
  const auto try_any = [&] {
    if (program.alike && program.threads.size() > 2) {
      Waiting less = program;
      less.threads.pop_back();
      if (differs(less)) {
        program = std::move(less);
        return true;
      }
    }
    for (std::size_t t = 0; t < program.threads.size(); ++t) {
      // One step, or two: a lock is removed together with its unlock.
      for (std::size_t i = 0; i < program.threads[t].size(); ++i) {
        for (std::size_t k = i; k < program.threads[t].size(); ++k) {
          if (try_without(t, i, k)) return true;
        }
      }
    }
    return false;
  };
  while (try_any()) {
  }
  return program;
}

}  // namespace nowait::model::oracle

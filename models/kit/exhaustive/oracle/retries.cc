#include "models/kit/exhaustive/oracle/retries.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <utility>

#include "models/kit/program/operation.h"
#include "src/math/random.h"

namespace nowait::model::oracle {
namespace {

using Kind = RetryStep::Kind;
using Order = std::memory_order;

constexpr std::array kLoadOrders = {Order::relaxed, Order::relaxed, Order::acquire, Order::seq_cst};
constexpr std::array kStoreOrders = {Order::relaxed, Order::release, Order::seq_cst};
constexpr std::array kUpdateOrders = {Order::relaxed, Order::acquire, Order::release,
                                      Order::acq_rel, Order::seq_cst};

class Generator {
 public:
  explicit Generator(std::uint64_t seed) : random_(seed) {}

  Retries Make() {
    Retries program;
    program.threads.resize(2 + random_.Below(2));
    // With every try included, more than three loops have too many executions.
    const std::uint32_t steps = program.threads.size() == 3 ? 2 : 3;
    bool has_third = false;
    for (auto& thread : program.threads) {
      for (std::uint32_t i = 1 + random_.Below(steps); i > 0; --i) {
        RetryStep step = Any();
        if (step.kind == Kind::kLoop && std::exchange(has_third, true)) continue;
        thread.push_back(step);
      }
    }
    // Most loops compete with another one for the same atomic.
    program.threads[0].push_back(Loop(0));
    program.threads[1].push_back(Loop(OneIn(4) ? 1 : 0));
    if (OneIn(4)) AddMessage(program);
    if (OneIn(8)) LetGiveUp(program.threads[random_.Below(2)]);
    return program;
  }

 private:
  bool OneIn(std::uint32_t n) { return random_.Below(n) == 0; }
  template <class Array>
  auto One(const Array& array) {
    return array[random_.Below(static_cast<std::uint32_t>(array.size()))];
  }

  // The datum, sent by a store on which the second thread's loop may leave.
  void AddMessage(Retries& program) {
    const std::size_t object = program.threads[1].back().object;
    program.threads[1].back().leave_at = 3;
    program.threads[1].push_back({.kind = Kind::kRead, .only_if = 3});
    program.threads[0].push_back({.kind = Kind::kWrite});
    program.threads[0].push_back(
        {.kind = Kind::kStore, .object = object, .value = 3, .order = Order::release});
  }

  void LetGiveUp(std::vector<RetryStep>& thread) {
    const auto loop = std::ranges::find(thread, Kind::kLoop, &RetryStep::kind);
    if (loop != thread.end()) loop->tries = 1 + static_cast<int>(random_.Below(3));
  }

  RetryStep Any() {
    constexpr std::array kKinds = {Kind::kLoad, Kind::kStore, Kind::kAdd,
                                   Kind::kRead, Kind::kWrite, Kind::kLoop};
    RetryStep step;
    step.kind = One(kKinds);
    step.object = random_.Below(2);
    if (step.kind == Kind::kLoop) return Loop(step.object);
    step.value = 1 + static_cast<int>(random_.Below(2));
    if (step.kind == Kind::kLoad) step.order = One(kLoadOrders);
    if (step.kind == Kind::kStore) step.order = One(kStoreOrders);
    if (step.kind == Kind::kAdd) step.order = One(kUpdateOrders);
    const bool plain = step.kind == Kind::kRead || step.kind == Kind::kWrite;
    // Every other unconditional access is a race.
    if (plain || OneIn(3)) step.only_if = static_cast<int>(random_.Below(3));
    return step;
  }

  RetryStep Loop(std::size_t object) {
    RetryStep loop;
    loop.kind = Kind::kLoop;
    loop.object = object;
    loop.value = 1 + static_cast<int>(random_.Below(2));
    loop.order = One(kLoadOrders);
    loop.success = One(kUpdateOrders);
    loop.failure = OneIn(3) ? One(kLoadOrders) : loop.order;
    loop.leave_at = OneIn(2) ? 1 + static_cast<int>(random_.Below(3)) : -1;
    loop.writes_data = OneIn(6);
    if (OneIn(6)) loop.only_if = static_cast<int>(random_.Below(2));
    return loop;
  }

  nowait::Random random_;
};

std::string Format(const RetryStep& step) {
  const char name = step.object == 0 ? 'x' : 'y';
  std::string text;
  switch (step.kind) {
    case Kind::kLoad:
      text = fmt::format("{}.load({})", name, Name(step.order));
      break;
    case Kind::kStore:
      text = fmt::format("{}.store({}, {})", name, step.value, Name(step.order));
      break;
    case Kind::kAdd:
      text = fmt::format("{}.fetch_add({}, {})", name, step.value, Name(step.order));
      break;
    case Kind::kRead:
      text = "read data";
      break;
    case Kind::kWrite:
      text = "write data";
      break;
    case Kind::kLoop:
      text = fmt::format("loop until {} is {}: {}.load({}){}, +{} ({}, {})", name, step.leave_at,
                         name, Name(step.order), step.writes_data ? ", write data" : "", step.value,
                         Name(step.success), Name(step.failure));
      if (step.tries > 0) text += fmt::format(", {} times", step.tries);
      break;
  }
  return step.only_if ? fmt::format("if {} {}", *step.only_if, text) : text;
}

bool LeavesOutTries(const Retries& program) {
  for (const auto& thread : program.threads) {
    for (const RetryStep& step : thread) {
      if (step.kind == Kind::kLoop && !FailsAlike(step)) return false;
    }
  }
  return true;
}

bool HasLoopThatGivesUp(const Retries& program) {
  return std::ranges::any_of(program.threads, [](const std::vector<RetryStep>& thread) {
    return std::ranges::any_of(thread, [](const RetryStep& step) { return step.tries > 0; });
  });
}

std::vector<Retries> Smaller(const Retries& program) {
  std::vector<Retries> all;
  for (std::size_t t = 0; t < program.threads.size(); ++t) {
    if (program.threads.size() > 2) {
      all.push_back(program);
      all.back().threads.erase(all.back().threads.begin() + static_cast<std::ptrdiff_t>(t));
    }
    for (std::size_t s = 0; s < program.threads[t].size(); ++s) {
      all.push_back(program);
      auto& thread = all.back().threads[t];
      thread.erase(thread.begin() + static_cast<std::ptrdiff_t>(s));
      if (program.threads[t][s].only_if) {
        all.push_back(program);
        all.back().threads[t][s].only_if.reset();
      }
      for (const auto order : {&RetryStep::order, &RetryStep::success, &RetryStep::failure}) {
        if (program.threads[t][s].*order == Order::relaxed) continue;
        all.push_back(program);
        all.back().threads[t][s].*order = Order::relaxed;
      }
    }
  }
  return all;
}

std::string FormatSome(const char* what, const std::set<std::string>& all) {
  constexpr std::size_t kShown = 3;
  std::string text = all.empty() ? "" : fmt::format("  {} {}:\n", all.size(), what);
  std::size_t shown = 0;
  for (const std::string& one : all) {
    if (shown++ < kShown) text += fmt::format("    {}\n", one);
  }
  return text;
}

std::set<std::string> Without(const std::set<std::string>& all,
                              const std::set<std::string>& known) {
  std::set<std::string> rest;
  std::ranges::set_difference(all, known, std::inserter(rest, rest.end()));
  return rest;
}

}  // namespace

bool FailsAlike(const RetryStep& loop) {
  return (Acquires(loop.failure) || !Acquires(loop.order)) &&
         (loop.failure == Order::seq_cst || loop.order != Order::seq_cst);
}

std::string Format(const Retries& program) {
  std::string text;
  for (std::size_t t = 0; t < program.threads.size(); ++t) {
    text += fmt::format("  thread {}:", t);
    for (const RetryStep& step : program.threads[t]) text += ' ' + Format(step) + ';';
    text += '\n';
  }
  return text;
}

Retries GenerateRetries(std::uint64_t seed, std::uint64_t number) {
  // As in the generator for StraightLine.
  return Generator(seed * 0x9e3779b97f4a7c15u + number).Make();
}

Retries Shrink(Retries program, const std::function<bool(const Retries&)>& differs) {
  for (bool smaller = true; std::exchange(smaller, false);) {
    for (Retries& candidate : Smaller(program)) {
      if (!differs(candidate)) continue;
      program = std::move(candidate);
      smaller = true;
      break;
    }
  }
  return program;
}

std::string CompareRetries(const Retries& program, const Retried& expected, const Retried& found) {
  if (!expected.complaint.empty()) return "with every try: " + expected.complaint + '\n';
  if (!found.complaint.empty()) return "without those that fail: " + found.complaint + '\n';
  if (HasLoopThatGivesUp(program)) {
    // A search ends with the first race or refusal.
    if (expected.race || found.race || expected.gives_up == found.gives_up) return "";
    return found.gives_up ? "  a loop that does not give up is refused\n"
                          : "  a loop that gives up is not refused\n";
  }
  if (found.gives_up) return "  a loop that begins again is refused\n";
  if (expected.race != found.race) {
    return found.race ? "  a data race that does not exist\n" : "  a data race is missing\n";
  }
  if (expected.race) return "";
  const std::set<std::string> all(expected.executions.begin(), expected.executions.end());
  const std::set<std::string> some(found.executions.begin(), found.executions.end());
  std::string text = FormatSome("executions are missing", Without(all, some)) +
                     FormatSome("executions are not allowed", Without(some, all));
  if (some.size() != found.executions.size() && LeavesOutTries(program)) {
    text += "  an execution was visited more than once\n";
  }
  return text;
}

}  // namespace nowait::model::oracle

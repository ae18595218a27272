// check::Operations: programs generated from a list of operations and their specification, in place
// of hand-written programs.
//
//   check::Operations<Stack<check::atomic>, std::vector<int>> stack;
//   stack.add("push(1)", [](auto& s) { s.push(1); return 0; },
//                        [](std::vector<int>& v) { v.push_back(1); return 0; });
//   stack.add("pop()", ...);
//   const auto checked = stack.check({.threads = 2, .calls = 2});
//
// Every program of two to `threads` threads with one to `calls` calls each is examined in every
// execution, small programs first, so the first failing program is a smallest one. The promise is
// sequential consistency. After the threads, all operations are called once more in the order of
// the list. Some sequence of all calls that keeps each thread's order must explain the answers on
// the specification. An answer is a number.
//
// Structure and specification are default-constructed for each execution. An operation does nothing
// but call them (explore.h has the rules). The method is Lincheck's (Koval, Fedorov, Sokolova,
// Tsitelov, Alistarh, CAV 2023).
#ifndef NOWAIT_CHECK_OPERATIONS_H_
#define NOWAIT_CHECK_OPERATIONS_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "nowait_check/explore.h"
#include "nowait_check/thread.h"

namespace nowait::check {

struct ProgramSize {
  unsigned threads = 2;  // at most; up to thread::kMost
  unsigned calls = 2;    // per thread, at most
};

struct OperationsChecked {
  std::uint64_t programs = 0;
  std::uint64_t executions = 0;
  // Of the first program that did not pass: its calls, the unexplained answers of one execution,
  // and the result.
  std::string program;
  std::vector<long> answers;
  std::optional<Result> result;

  bool passed() const { return programs != 0 && !result; }
};

template <class Structure, class Specification>
class Operations {
 public:
  Operations& add(std::string name, std::function<long(Structure&)> call,
                  std::function<long(Specification&)> specified) {
    operations_.push_back({std::move(name), std::move(call), std::move(specified)});
    return *this;
  }

  // options: for each exploration; the name and the promise come from the program.
  OperationsChecked check(ProgramSize size, const Options& options = {}) const {
    OperationsChecked checked;
    for (const Program& program : Programs(size)) {
      const std::set<Answers> allowed = Allowed(program);
      Answers unexplained;
      unexplained.reserve(kMostAnswers);
      Options of_program = options;
      of_program.promise = Words(program);
      Result result = explore([&] { Run(program, allowed, unexplained); }, of_program);
      ++checked.programs;
      checked.executions += result.executions;
      if (result.passed()) continue;
      checked.program = Words(program);
      checked.answers = std::move(unexplained);
      checked.result = std::move(result);
      break;
    }
    return checked;
  }

 private:
  struct Operation {
    std::string name;
    std::function<long(Structure&)> call;
    std::function<long(Specification&)> specified;
  };
  using Calls = std::vector<std::size_t>;  // of one thread, as indices into the list
  using Program = std::vector<Calls>;
  using Answers = std::vector<long>;  // thread by thread, then those after the threads

  static constexpr std::size_t kMostAnswers = 256;

  static std::size_t Length(const Program& program) {
    std::size_t length = 0;
    for (const Calls& calls : program) length += calls.size();
    return length;
  }

  // One program of each set that differs only in the names of threads.
  std::vector<Program> Programs(ProgramSize size) const {
    std::vector<Calls> threads, longer{{}};
    for (unsigned length = 1; length <= size.calls; ++length) {
      std::vector<Calls> shorter = std::exchange(longer, {});
      for (const Calls& calls : shorter) {
        for (std::size_t next = 0; next < operations_.size(); ++next) {
          longer.push_back(calls);
          longer.back().push_back(next);
        }
      }
      threads.insert(threads.end(), longer.begin(), longer.end());
    }
    std::vector<Program> programs;
    const auto add = [&](const auto& self, Program program, std::size_t from) -> void {
      if (program.size() >= 2) programs.push_back(program);
      if (program.size() == size.threads) return;
      for (std::size_t i = from; i < threads.size(); ++i) {
        Program more = program;
        more.push_back(threads[i]);
        self(self, std::move(more), i);
      }
    };
    add(add, {}, 0);
    std::ranges::stable_sort(programs, {}, &Length);
    return programs;
  }

  // The answers that the orders of the calls allow.
  std::set<Answers> Allowed(const Program& program) const {
    std::set<Answers> allowed;
    std::vector<std::size_t> done(program.size());
    std::vector<Answers> answers(program.size());
    const auto next = [&](const auto& self, const Specification& state) -> void {
      bool ended = true;
      for (std::size_t t = 0; t < program.size(); ++t) {
        if (done[t] == program[t].size()) continue;
        ended = false;
        Specification after = state;
        answers[t].push_back(operations_[program[t][done[t]++]].specified(after));
        self(self, after);
        answers[t].pop_back();
        --done[t];
      }
      if (!ended) return;
      Answers all;
      for (const Answers& of_thread : answers) {
        all.insert(all.end(), of_thread.begin(), of_thread.end());
      }
      Specification end = state;
      for (const Operation& operation : operations_) all.push_back(operation.specified(end));
      allowed.insert(std::move(all));
    };
    next(next, Specification());
    return allowed;
  }

  void Run(const Program& program, const std::set<Answers>& allowed, Answers& unexplained) const {
    Structure structure;
    Answers answers(Length(program) + operations_.size());
    {
      std::vector<thread> threads;
      std::size_t begin = 0;
      for (const Calls& calls : program) {
        threads.emplace_back([this, &calls, &structure, at = answers.data() + begin]() mutable {
          for (const std::size_t call : calls) *at++ = operations_[call].call(structure);
        });
        begin += calls.size();
      }
    }
    std::size_t at = Length(program);
    for (const Operation& operation : operations_) answers[at++] = operation.call(structure);
    if (allowed.contains(answers)) return;
    // Storage outside of the execution's memory.
    if (answers.size() <= kMostAnswers) unexplained.assign(answers.begin(), answers.end());
    require(false, "the answers could have come from the calls one after another");
  }

  // "push(1), pop() | pop()"
  std::string Words(const Program& program) const {
    std::string words;
    for (const Calls& calls : program) {
      if (!words.empty()) words += " | ";
      for (std::size_t i = 0; i < calls.size(); ++i) {
        words += (i == 0 ? "" : ", ") + operations_[calls[i]].name;
      }
    }
    return words;
  }

  std::vector<Operation> operations_;
};

}  // namespace nowait::check

#endif  // NOWAIT_CHECK_OPERATIONS_H_

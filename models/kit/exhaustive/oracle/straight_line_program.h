// A straight-line program as a scenario, for the checkers that run code.
#ifndef NOWAIT_MODELS_KIT_EXHAUSTIVE_ORACLE_STRAIGHT_LINE_PROGRAM_H_
#define NOWAIT_MODELS_KIT_EXHAUSTIVE_ORACLE_STRAIGHT_LINE_PROGRAM_H_

#include <array>
#include <cstddef>
#include <memory>

#include "models/kit/exhaustive/oracle/straight_line.h"
#include "models/kit/scenario/model.h"

namespace nowait::model::oracle {

class StraightLineProgram final : public Program {
 public:
  // The program that the scenario runs. Global, because a plain function makes the scenario.
  static inline const StraightLine* running = nullptr;

  void Thread(int t) override {
    int found = 0;
    for (const Statement& statement : running->threads[static_cast<std::size_t>(t)]) {
      Run(statement, found);
    }
  }
  void After() override {}

 private:
  // found: the value that the last read of an atomic returned.
  void Run(const Statement& statement, int& found) {
    using enum Statement::Kind;
    ModelSync::atomic<int>& atomic = atomics_[statement.location];
    const bool skipped = statement.only_if && *statement.only_if != found;
    int expected = statement.expected;
    switch (statement.kind) {
      case kLoad:
        found = atomic.load(statement.order);
        break;
      case kStore:
        atomic.store(statement.value, statement.order);
        break;
      case kAdd:
        found = atomic.fetch_add(statement.value, statement.order);
        break;
      case kExchange:
        found = atomic.exchange(statement.value, statement.order);
        break;
      case kStrong:
        atomic.compare_exchange_strong(expected, statement.value, statement.order,
                                       statement.failure);
        found = expected;
        break;
      case kWeak:
        atomic.compare_exchange_weak(expected, statement.value, statement.order, statement.failure);
        found = expected;
        break;
      case kFence:
        Fence(statement.order);
        break;
      case kRead:
        if (!skipped) data_.get();
        break;
      case kWrite:
        if (!skipped) data_.set(1);
        break;
    }
  }

  std::array<ModelSync::atomic<int>, kMaxLocations> atomics_;
  ModelSync::plain<int> data_;
};

// program: outlives the runs of the scenario. There is one such scenario at a time.
inline ScenarioEntry ScenarioOf(const StraightLine& program) {
  StraightLineProgram::running = &program;
  return {{.name = "random", .promise = ""}, static_cast<int>(program.threads.size()), [] {
            return std::unique_ptr<Program>(new StraightLineProgram);
          }};
}

}  // namespace nowait::model::oracle

#endif  // NOWAIT_MODELS_KIT_EXHAUSTIVE_ORACLE_STRAIGHT_LINE_PROGRAM_H_

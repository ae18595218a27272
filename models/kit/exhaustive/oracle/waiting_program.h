// A waiting program as a scenario, for the checkers that run code.
#ifndef NOWAIT_MODELS_KIT_EXHAUSTIVE_ORACLE_WAITING_PROGRAM_H_
#define NOWAIT_MODELS_KIT_EXHAUSTIVE_ORACLE_WAITING_PROGRAM_H_

#include <array>
#include <cstddef>
#include <memory>
#include <optional>
#include <vector>

#include "models/kit/exhaustive/oracle/waiting.h"
#include "models/kit/scenario/model.h"

namespace nowait::model::oracle {

class WaitingProgram final : public Program {
 public:
  // The program being executed, and its progress. They are globals because a plain function makes
  // the scenario, and because threads that wait for ever report nothing more.
  static inline const Waiting* running = nullptr;
  static inline std::array<std::size_t, kMaxThreads> step_of{};

  void Thread(int t) override {
    const auto thread = static_cast<std::size_t>(t);
    const std::vector<Step>& steps = running->threads[thread];
    int found = 0;
    std::array<bool, kOfEach> holds{};  // mutexes
    for (std::size_t& at = step_of[thread] = 0; at < steps.size(); ++at) {
      const Step step = StepIn(thread, steps[at]);
      const bool runs = step.only_if == kNotOwn ? found != ValueIn(thread, kOwn)
                                                : !step.only_if || *step.only_if == found;
      if (runs) Run(step, found, holds);
    }
  }
  void After() override {}

 private:
  using Kind = Step::Kind;

  // The step with the thread's own address filled in.
  static Step StepIn(std::size_t thread, Step step) {
    step.value = ValueIn(thread, step.value);
    step.expected = ValueIn(thread, step.expected);
    if (step.only_if) step.only_if = ValueIn(thread, *step.only_if);
    return step;
  }

  void Run(const Step& step, int& found, std::array<bool, kOfEach>& holds) {
    const std::size_t n = step.object % kOfEach;
    ModelSync::atomic<int>& atomic = atomics_[n];
    int expected = step.expected;
    switch (step.kind) {
      case Kind::kLoad:
        found = atomic.load(step.order);
        break;
      case Kind::kStore:
        atomic.store(step.value, step.order);
        break;
      case Kind::kAdd:
        found = atomic.fetch_add(step.value, step.order);
        break;
      case Kind::kSwap:
        found = atomic.exchange(step.value, step.order);
        break;
      case Kind::kExchange:
        atomic.compare_exchange_strong(expected, step.value, step.order, step.failure);
        found = expected;
        break;
      case Kind::kAwait:
        while (atomic.load(step.order) != step.value) ModelSync::Yield();
        break;
      case Kind::kAwaitEither:
        while (atomics_[0].load(step.order) != step.value &&
               atomics_[1].load(step.order) != step.value)
          ModelSync::Yield();
        break;
      case Kind::kAwaitExchange:
        while (atomic.exchange(step.value, step.order) == step.expected) ModelSync::Yield();
        break;
      case Kind::kAwaitStrong:
        while (!atomic.compare_exchange_strong(expected, step.value, step.order, step.failure)) {
          expected = step.expected;
          ModelSync::Yield();
        }
        break;
      case Kind::kAwaitBounded:
        for (int i = 0; i < step.expected; ++i) {
          if (atomic.load(step.order) == step.value) break;
          ModelSync::Yield();
        }
        break;
      case Kind::kWait:
        atomic.wait(step.value, step.order);
        break;
      case Kind::kWakeOne:
        atomic.notify_one();
        break;
      case Kind::kWakeAll:
        atomic.notify_all();
        break;
      case Kind::kLock:
        mutexes_[n].lock();
        holds[n] = true;
        break;
      case Kind::kTryLock:
        holds[n] = mutexes_[n].try_lock();
        break;
      case Kind::kAwaitLock:
        while (!mutexes_[n].try_lock()) ModelSync::Yield();
        holds[n] = true;
        break;
      case Kind::kUnlock:
        if (holds[n]) mutexes_[n].unlock();
        break;
      case Kind::kSleep:
        conditions_[n].wait(mutexes_[0]);
        break;
      case Kind::kSleepWhile:
        while (atomics_[step.other].load(step.order) == step.value)
          conditions_[n].wait(mutexes_[0]);
        break;
      case Kind::kNotifyOne:
        conditions_[n].notify_one();
        break;
      case Kind::kNotifyAll:
        conditions_[n].notify_all();
        break;
      case Kind::kRead:
        data_.get();
        break;
      case Kind::kWrite:
        data_.set(1);
        break;
      case Kind::kReadUndeclared:
        found = undeclared_;
        break;
      case Kind::kWriteUndeclared:
        undeclared_ = step.value;
        break;
      case Kind::kYield:
        if (step.value == 0) {
          ModelSync::Yield();
        } else {
          ModelSync::Yield();
        }
        break;
      case Kind::kChoose:
        found = static_cast<int>(CurrentMachine()->Choose(static_cast<unsigned>(step.value)));
        break;
    }
  }

  // In numerical order.
  std::array<ModelSync::atomic<int>, kOfEach> atomics_;
  std::array<ModelSync::mutex, kOfEach> mutexes_;
  std::array<ModelSync::condition_variable, kOfEach> conditions_;
  ModelSync::plain<int> data_;
  int undeclared_ = 0;
};

// program: outlives the runs of the scenario. There is one such scenario at a time.
inline ScenarioEntry ScenarioOf(const Waiting& program) {
  WaitingProgram::running = &program;
  return {{.name = "random", .promise = "", .searches = {}},
          static_cast<int>(program.threads.size()),
          [] { return std::unique_ptr<Program>(new WaitingProgram); },
          program.alike};
}

}  // namespace nowait::model::oracle

#endif  // NOWAIT_MODELS_KIT_EXHAUSTIVE_ORACLE_WAITING_PROGRAM_H_

#include "tests/whole/jobs/run_program.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "src/jobs/task_pool.h"
#include "src/profile/profile.h"
#include "tests/whole/jobs/ask_pool.h"
#include "tests/whole/jobs/script_run.h"
#include "tests/whole/jobs/shared_state.h"
#include "tests/whole/jobs/threads.h"
#include "tests/whole/scheduler/fault_scope.h"

namespace nowait::job_programs {
namespace {

constexpr const char* kCompleter = "completer";

std::string NameOf(std::size_t main) { return "main " + std::to_string(main); }

bool HasNames(const Program& program) {
  return std::ranges::any_of(program.tasks, [](const Task& task) { return task.name != 0; });
}

template <class Queues>
class ProgramRun {
  using Pool = BasicTaskPool<Queues>;

 public:
  explicit ProgramRun(const Program& program) : program_(program), state_(program) {}

  void Run() {
    // As a main thread's name: it distinguishes the threads of this program, and not those of
    // others.
    TaskPoolDef def{.main_threads = {}, .workers = program_.workers, .capacity = program_.capacity};
    for (std::size_t i = 0; i < program_.mains.size(); ++i) def.main_threads.push_back(NameOf(i));
    const bool externals = HasExternals(program_);
    // Any thread may answer: one that has registered, or a stranger.
    registers_completer_ = externals && program_.seed % 2 == 0;
    if (registers_completer_) def.main_threads.push_back(kCompleter);
    if (program_.devices) def.devices = {"disk", "net"};
    def.named_workers = NamedWorkers(program_);
    if (def.named_workers != 0) {
      def.on_worker_start = [](std::uint32_t worker) {
        Worker() = static_cast<std::uint8_t>(worker + 1);
      };
    }
    def.on_throw = [this](TaskId task, const char* text) { Told(task, text); };
    Profile profile({.lanes = 16, .spans_per_lane = 64, .samples_per_lane = 64});
    if (program_.seed % 2 == 0) def.profile = &profile;
    auto pool = Create<Pool>(def);
    Expect(pool.has_value(), "Create takes what it documents", kNoTask);
    state_.pool = pool->get();

    std::vector<Thread> threads;
    for (std::size_t i = 1; i < program_.mains.size(); ++i) {
      threads.push_back(Start([this, i] { RunMain(i); }));
    }
    for (std::uint8_t i = 0; externals && i < program_.completers; ++i) {
      completers_.push_back(Start([this, i] { RunCompleter(registers_completer_ && i == 0); }));
    }
    {
      std::optional<SecondPool<Pool>> second;
      const auto make_second = [&] {
        second.emplace(*state_.pool, static_cast<std::uint32_t>(program_.seed % 7 % 3));
        state_.second = &*second;
      };
      // Registrations with two pools begin and end in any order (the seed's).
      if (program_.second_pool && program_.seed % 3 == 0) make_second();
      {
        auto here = Enter(0);
        if (program_.second_pool && !second) make_second();
        PlayMain(0);
        if (second) second->Use(2, TaskId());
        state_.leaving.store(true, std::memory_order::relaxed);
        if (program_.seed % 5 != 0) {
          state_.second = nullptr;
          second.reset();
        }
        ProfileCount("after the second pool", 1);
        for (Thread& thread : threads) thread.join();
        if (program_.end == End::kCancel && Abandons()) EndAnswers();
        if (program_.end != End::kDestroy) Close();
        ProfileCount("after the end", 1);
        state_.second = nullptr;
      }
    }
    Expect(UseLane(nullptr) == nullptr, "a thread that has left its pools has no lane of theirs",
           kNoTask);
    if (program_.end == End::kDestroy) {
      for (Thread& thread : threads) {
        if (thread.joinable()) thread.join();
      }
      state_.cancelling.store(true, std::memory_order::relaxed);
    }
    EndAnswers();
    const TaskCounts counts = state_.pool->Counts();
    pool->reset();
    state_.closed.store(true, std::memory_order::relaxed);
    CheckElsewhere();
    for (const Record& record : state_.records) record.CheckEnd(state_.MayBeCancelled(record));
    if (program_.end != End::kDestroy) CheckCounts(counts);
  }

 private:
  using Registration = typename Pool::Registration;

  // TaskPoolDef::on_throw. In some programs it throws, too.
  void Told(TaskId task, const char* text) {
    const whole::FaultScope own(false);
    const std::optional<int> thrower = Thrown::TaskIn(text);
    Expect(thrower.has_value(), "a report has the exception's text", kNoTask, text);
    Reports* reports = &state_.elsewhere;
    if (*thrower != kNoTask) {
      reports = &state_.Of(*thrower).reports;
      Expect(task == state_.Of(*thrower).Id(), "a report names the task that has thrown", *thrower);
    }
    reports->reported.fetch_add(1, std::memory_order::relaxed);
    if (ReportsThrow()) throw Thrown(*thrower);
  }
  bool ReportsThrow() const { return program_.seed % 4 == 1; }

  // counts: when the pool had been closed, and every thread had left it.
  void CheckCounts(const TaskCounts& counts) const {
    std::uint64_t thrown = state_.elsewhere.thrown.load(std::memory_order::relaxed);
    std::uint64_t again = 0;
    for (const Record& record : state_.records) {
      thrown += record.reports.thrown.load(std::memory_order::relaxed);
      again += record.computed[1];
    }
    Expect(counts.threw == thrown, "each exception is counted once", kNoTask);
    Expect(counts.reports_threw == (ReportsThrow() ? thrown : 0),
           "each report that throws is counted once", kNoTask);
    Expect(counts.again == again, "each second run is counted once", kNoTask);
  }
  void CheckElsewhere() const {
    // relaxed, both: every thread has been joined.
    const std::uint32_t thrown = state_.elsewhere.thrown.load(std::memory_order::relaxed);
    const std::uint32_t reported = state_.elsewhere.reported.load(std::memory_order::relaxed);
    Expect(thrown == reported, "what throws is reported once", kNoTask);
  }

  Registration Enter(std::size_t main) {
    auto here = Register(*state_.pool, NameOf(main));
    Expect(here.has_value(), "a main thread registers", kNoTask);
    MainThread() = static_cast<std::uint8_t>(main + 1);
    return std::move(*here);
  }

  // The script; then help for the others, whose tasks may bear this thread's name.
  void PlayMain(std::size_t main) {
    ScriptRun<Queues>(state_, kNoTask).Play(program_.mains[main]);
    state_.signals[main].store(true, std::memory_order::release);
    state_.scripts_done.fetch_add(1, std::memory_order::acq_rel);
    state_.pool->Wake();
    state_.order.MayLook(kLooksInVain);
    const auto helped = state_.pool->DoWorkWhileWaitingFor([this] {
      return state_.scripts_done.load(std::memory_order::acquire) == program_.mains.size();
    });
    Expect(helped.has_value(), "a main thread helps", kNoTask);
    if (HasNames(program_)) WaitForAll();
  }

  // A thread may not go while a task waits for one that bears its name. When all that there are
  // complete at one time, and no script goes on, nothing makes more.
  void WaitForAll() {
    for (bool again = true; again;) {
      again = false;
      for (const Record& record : state_.records) {
        const TaskId task = record.Id();
        if (!task.IsTask() || state_.pool->IsComplete(task)) continue;
        again = true;
        state_.order.MayLook(kLooksInVain);
        Expect(state_.pool->Wait(task).has_value(), "a main thread waits for any task",
               record.number);
      }
    }
  }

  void RunMain(std::size_t main) {
    const auto here = Enter(main);
    PlayMain(main);
    state_.leaving.store(true, std::memory_order::relaxed);
  }

  void RunCompleter(bool registers) {
    std::optional<Registration> here;
    if (registers) {
      auto registered = Register(*state_.pool, kCompleter);
      Expect(registered.has_value(), "a main thread registers", kNoTask);
      here.emplace(std::move(*registered));
    }
    while (Record* const task = state_.handed_over.Take()) {
      const auto completed = state_.pool->CompleteExternal(task->Id());
      if (completed) {
        task->completed.fetch_add(1, std::memory_order::relaxed);
      } else {
        Expect(completed.error().code == ErrorCode::kStaleId,
               "what was handed over is completed, or another thread did that", task->number,
               ToString(completed.error()));
      }
    }
  }

  // In some programs that cancel nothing is answered from the end on: a device keeps its requests.
  bool Abandons() const { return program_.end != End::kFinish && program_.seed % 3 != 1; }

  // Requests handed over so far are answered, unless abandoned; later ones are not.
  void EndAnswers() {
    if (Abandons()) {
      state_.handed_over.Abandon();
    } else {
      state_.handed_over.End();
    }
    for (Thread& completer : completers_) completer.join();
    completers_.clear();
  }

  void Close() {
    const bool cancel = program_.end == End::kCancel;
    if (cancel) state_.cancelling.store(true, std::memory_order::relaxed);
    state_.order.MayLook(kLooksInVain);
    const auto closed = state_.pool->Close(cancel ? TaskShutdown::kCancel : TaskShutdown::kFinish);
    Expect(closed.has_value(), "a pool is closed", kNoTask);
    state_.closed.store(true, std::memory_order::relaxed);
    const auto made = state_.pool->AddEmpty();
    Expect(!made && made.error().code == ErrorCode::kWrongPhase, "a closed pool makes no tasks",
           kNoTask);
    for (std::size_t i = 0; i < state_.records.size(); ++i) {
      const TaskId task = state_.records[i].Id();
      if (!task.IsTask()) continue;
      Expect(state_.pool->IsComplete(task), "what was submitted is complete after Close",
             static_cast<int>(i));
      state_.CheckComplete(static_cast<int>(i));
    }
  }

  const Program& program_;
  SharedState<Pool> state_;
  bool registers_completer_ = false;
  std::vector<Thread> completers_;
};

}  // namespace

void RunProgram(const Program& program) {
  if (program.one_queue) {
    ProgramRun<GlobalQueue<>>(program).Run();
  } else {
    ProgramRun<WorkStealing<>>(program).Run();
  }
}

}  // namespace nowait::job_programs

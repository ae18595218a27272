#include "tests/whole/jobs/run_program.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "src/jobs/task_pool.h"
#include "src/profile/profile.h"
#include "tests/whole/jobs/script_run.h"
#include "tests/whole/jobs/shared_state.h"
#include "tests/whole/jobs/threads.h"

namespace nowait::job_programs {
namespace {

constexpr const char* kCompleter = "completer";

std::string NameOf(std::size_t main) { return "main " + std::to_string(main); }

bool HasExternals(const Program& program) {
  return std::ranges::any_of(program.tasks,
                             [](const Task& task) { return task.work == Work::kExternal; });
}

bool HasNames(const Program& program) {
  return std::ranges::any_of(program.tasks, [](const Task& task) { return task.name != 0; });
}

template <class Queues>
class ProgramRun {
  using Pool = BasicTaskPool<Queues>;

 public:
  explicit ProgramRun(const Program& program) : program_(program), state_(program) {}

  void Run() {
    // As a main thread's name: so the threads of this program are told apart, and those of others not.
    TaskPoolDef def{.main_threads = {}, .workers = program_.workers, .capacity = program_.capacity};
    for (std::size_t i = 0; i < program_.mains.size(); ++i) def.main_threads.push_back(NameOf(i));
    const bool externals = HasExternals(program_);
    // Any thread may answer: one that has registered, or a stranger.
    registers_completer_ = externals && program_.seed % 2 == 0;
    if (registers_completer_) def.main_threads.push_back(kCompleter);
    if (program_.devices) def.devices = {"disk", "net"};
    Profile profile({.lanes = 16, .spans_per_lane = 64, .samples_per_lane = 64});
    if (program_.seed % 2 == 0) def.profile = &profile;
    auto pool = Pool::Create(def);
    Expect(pool.has_value(), "Create takes what it documents", kNoTask);
    state_.pool = pool->get();

    std::vector<Thread> threads;
    for (std::size_t i = 1; i < program_.mains.size(); ++i) {
      threads.push_back(Start([this, i] { RunMain(i); }));
    }
    if (externals) completer_ = Start([this] { RunCompleter(); });
    {
      std::optional<SecondPool> second;
      // Registrations with two pools begin and end in any order (the seed's).
      if (program_.second_pool && program_.seed % 3 == 0) second.emplace();
      {
        auto here = Enter(0);
        if (program_.second_pool && !second) second.emplace();
        PlayMain(0);
        if (second) second->Use();
        state_.leaving.store(true, std::memory_order::relaxed);
        if (program_.seed % 5 != 0) second.reset();
        ProfileCount("after the second pool", 1);
        for (Thread& thread : threads) thread.join();
        // In some programs no thread answers while the pool cancels.
        if (program_.end == End::kCancel && program_.seed % 3 == 0) EndAnswers();
        if (program_.end != End::kDestroy) Close();
        ProfileCount("after the end", 1);
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
    pool->reset();
    state_.closed.store(true, std::memory_order::relaxed);
    for (const Record& record : state_.records) record.CheckEnd(state_.MayBeCancelled(record));
  }

 private:
  using Registration = typename Pool::Registration;

  // A pool that the first main thread belongs to at the same time, with a profile of its own.
  class SecondPool {
   public:
    SecondPool() : profile_({.lanes = 4, .spans_per_lane = 64, .samples_per_lane = 64}) {
      auto pool = Pool::Create({.workers = 1, .profile = &profile_});
      Expect(pool.has_value(), "Create takes what it documents", kNoTask);
      pool_ = std::move(*pool);
      auto here = pool_->Register("main");
      Expect(here.has_value(), "a thread registers with two pools", kNoTask);
      here_.emplace(std::move(*here));
    }
    void Use() {
      const auto task =
          pool_->Add({.work = {[](void* data) { *static_cast<int*>(data) = 1; }, &ran_}});
      Expect(task.has_value() && pool_->Wait(*task).has_value() && ran_ == 1,
             "two pools are used by one thread", kNoTask);
    }

   private:
    Profile profile_;
    std::unique_ptr<Pool> pool_;
    std::optional<Registration> here_;
    int ran_ = 0;
  };

  Registration Enter(std::size_t main) {
    auto here = state_.pool->Register(NameOf(main));
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
    const auto helped = state_.pool->DoWorkWhileWaitingFor([this] {
      return state_.scripts_done.load(std::memory_order::acquire) == program_.mains.size();
    });
    Expect(helped.has_value(), "a main thread helps", kNoTask);
    if (HasNames(program_)) WaitForAll();
  }

  // A thread may not go while a task waits for one that bears its name. When all that there are complete
  // at one time, and no script goes on, nothing makes more.
  void WaitForAll() {
    for (bool again = true; again;) {
      again = false;
      for (const Record& record : state_.records) {
        const TaskId task = record.Id();
        if (!task.IsTask() || state_.pool->IsComplete(task)) continue;
        again = true;
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

  void RunCompleter() {
    std::optional<Registration> here;
    if (registers_completer_) {
      auto registered = state_.pool->Register(kCompleter);
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

  // What has been handed over is answered; what is from now on is not.
  void EndAnswers() {
    state_.handed_over.End();
    if (completer_.joinable()) completer_.join();
  }

  void Close() {
    const bool cancel = program_.end == End::kCancel;
    if (cancel) state_.cancelling.store(true, std::memory_order::relaxed);
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
  Thread completer_;
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

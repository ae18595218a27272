#include "tests/whole/world/run.h"

#include <algorithm>
#include <atomic>
#include <deque>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "src/jobs/parallel_for.h"
#include "src/jobs/task_pool.h"
#include "src/sync/barrier.h"
#include "src/sync/policy.h"
#include "tests/whole/scheduler/api_call.h"
#include "tests/whole/scheduler/fault_scope.h"
#include "tests/whole/world/actor.h"

namespace nowait::world_programs {
namespace {

// A task of the pool. Each piece of a loop has an actor of its own: the pieces run at once.
class TaskRun {
 public:
  TaskRun(Shared& shared, TaskPool& pool, const TaskPlan& plan, const std::string& name)
      : pool_(pool), plan_(plan) {
    const std::size_t count = plan.is_loop ? plan.calls.size() : 1;
    const bool puts = !IsOrdered(shared.program);
    for (std::size_t i = 0; i < count; ++i) actors_.emplace_back(shared, name, puts);
  }

  static void Work(void* data) { static_cast<TaskRun*>(data)->Do(); }

  bool is_done() const { return is_done_; }
  std::deque<Actor>& actors() { return actors_; }

 private:
  void Do() {
    const whole::FaultScope own(false);
    if (plan_.is_loop) {
      const auto piece = [this](std::uint32_t from, std::uint32_t to) {
        const whole::FaultScope of_piece(false);
        for (std::uint32_t i = from; i < to; ++i) actors_[i].Do(plan_.calls[i]);
      };
      const auto count = static_cast<std::uint32_t>(plan_.calls.size());
      const auto loop = [&] {
        return whole::MeetingFaults([&] { return ParallelFor(pool_, count, 1, piece); });
      };
      is_done_ = whole::AskTwice(loop).has_value();
    } else {
      for (const Call& call : plan_.calls) actors_.front().Do(call);
      is_done_ = true;
    }
  }

  TaskPool& pool_;
  const TaskPlan& plan_;
  std::deque<Actor> actors_;
  bool is_done_ = false;
};

template <class Function>
EngineSync::thread Start(const char* name, Function function) {
  auto thread = EngineSync::thread::Start(name, std::move(function));
  whole::Require(thread.has_value(), "the test has its threads");
  return std::move(*thread);
}

class Runner {
 public:
  Runner(const WorldProgram& program, std::uint32_t workers, whole::Camera* camera)
      : program_(program), shared_(program), workers_(workers), camera_(camera) {}

  History Do() {
    for (const WorldPlan& plan : program_.worlds) {
      const WorldDef def = DefOf(plan);
      auto world =
          whole::AskTwice([&] { return whole::MeetingFaults([&] { return World::Create(def); }); });
      if (!world) {
        Fail("World::Create: " + ToString(world.error()));
        return std::move(history_);
      }
      shared_.worlds.push_back(std::move(*world));
    }
    Threads();
    EmptyWorlds();
    for (auto& world : shared_.worlds) world.reset();
    std::ranges::sort(history_.records, {}, &Record::begin);
    return std::move(history_);
  }

 private:
  void Fail(std::string what) { history_.failures.emplace_back(std::move(what), shared_.Now()); }

  void Show(std::size_t world) {
    if (camera_ != nullptr) camera_->Take(world, *shared_.worlds[world]);
  }

  void Threads() {
    const std::size_t game = program_.game_threads();
    TaskPoolDef def{.workers = workers_};
    def.on_throw = [this](TaskId, const char*) { thrown_.fetch_add(1, std::memory_order_relaxed); };
    pool_ = whole::AskTwice([&def] {
              TaskPoolDef copy = def;
              return whole::MeetingFaults([&copy] { return TaskPool::Create(std::move(copy)); });
            }).value();
    {
      const auto here = whole::AskTwice([this] {
                          return whole::MeetingFaults([this] { return pool_->Register("main"); });
                        }).value();
      Barrier<> parts(static_cast<std::uint32_t>(game));
      std::deque<Actor> actors;
      for (std::size_t i = 0; i < game; ++i) {
        actors.emplace_back(shared_, "game " + std::to_string(i), true);
      }
      std::deque<Actor> behind;
      for (std::size_t i = 0; i < program_.background.size(); ++i) {
        behind.emplace_back(shared_, "background " + std::to_string(i), true);
      }
      {
        std::vector<EngineSync::thread> threads;
        for (std::size_t i = 0; i < behind.size(); ++i) {
          threads.push_back(Start("background", [&, i] {
            for (const Call& call : program_.background[i]) behind[i].Do(call);
          }));
        }
        for (std::size_t i = 1; i < game; ++i) {
          threads.push_back(Start("game", [&, i] {
            for (const Round& round : program_.rounds) Play(round, i, actors[i], parts);
          }));
        }
        for (const Round& round : program_.rounds) Play(round, 0, actors[0], parts);
      }
      for (Actor& actor : actors) Take(actor);
      for (Actor& actor : behind) Take(actor);
      Last();
    }
    pool_.reset();
    // One job throws where an allocation fails in it.
    const std::uint32_t allowed = whole::FaultHasStruck() ? 1 : 0;
    if (const auto thrown = thrown_.load(std::memory_order_relaxed); thrown > allowed) {
      Fail(std::to_string(thrown) + " jobs threw");
    }
  }

  // A round on one thread. The barrier is the frame: it orders the changes before the update.
  void Play(const Round& round, std::size_t thread, Actor& actor, Barrier<>& parts) {
    for (const Call& call : round.game[thread]) {
      round.still ? actor.DoStill(call) : actor.Do(call);
    }
    parts.ArriveAndWait();
    std::deque<TaskRun> runs;
    std::vector<TaskId> tasks;
    if (thread == 0) {
      Look();
      MakeTasks(round, runs, tasks);
    }
    parts.ArriveAndWait();
    for (const Call& call : round.meanwhile[thread]) actor.Do(call);
    if (thread == 0) {
      Update(round.steps);
      FinishTasks(runs, tasks);
    }
    parts.ArriveAndWait();
  }

  void MakeTasks(const Round& round, std::deque<TaskRun>& runs, std::vector<TaskId>& tasks) {
    for (std::size_t i = 0; i < round.tasks.size(); ++i) {
      runs.emplace_back(shared_, *pool_, round.tasks[i], "task " + std::to_string(i));
      const auto task = whole::MeetingFaults([&] {
        return pool_->Add(
            {.work = {&TaskRun::Work, &runs.back()}, .priority = round.tasks[i].priority});
      });
      if (!task || !whole::MeetingFaults([&] { return pool_->Submit(*task); })) {
        Fail("a task was refused");
        runs.pop_back();
      } else {
        tasks.push_back(*task);
      }
    }
  }

  void FinishTasks(std::deque<TaskRun>& runs, const std::vector<TaskId>& tasks) {
    for (std::size_t i = 0; i < tasks.size(); ++i) {
      if (!whole::MeetingFaults([&] { return pool_->Wait(tasks[i]); })) {
        Fail("a wait for a task was refused");
      }
      if (!runs[i].is_done()) Fail("a task beside the update was not done to its end");
      for (Actor& actor : runs[i].actors()) Take(actor);
    }
  }

  // Each world as the game update has left it.
  void Look() {
    first_of_round_ = history_.frames.size();
    for (std::size_t i = 0; i < shared_.worlds.size(); ++i) {
      Frame frame;
      frame.world = static_cast<std::uint8_t>(i);
      shared_.worlds[i]->Snapshot(frame.before);
      frame.hash_before = shared_.worlds[i]->StateHash();
      history_.frames.push_back(std::move(frame));
      Show(i);
    }
  }

  void Update(std::uint8_t steps) {
    for (std::size_t i = 0; i < shared_.worlds.size(); ++i) {
      World& world = *shared_.worlds[i];
      Frame& frame = history_.frames[first_of_round_ + i];
      frame.steps = steps;
      frame.begin = shared_.Now();
      const whole::ApiCall shown("Update", i);
      const auto done = whole::MeetingFaults(
          [&] { return world.Update(static_cast<float>(steps) / 60.0f, *pool_, steps); });
      frame.end = shared_.Now();
      if (!done) frame.error = done.error();
      frame.stats = world.stats();
      frame.contacts.assign(world.contact_events().begin(), world.contact_events().end());
      frame.sleep.assign(world.sleep_events().begin(), world.sleep_events().end());
      frame.joints.assign(world.joint_events().begin(), world.joint_events().end());
      world.Snapshot(frame.after);
      frame.hash_after = world.StateHash();
      frame.body_count = world.body_count();
      Show(i);
    }
  }

  void Take(Actor& actor) {
    actor.DropViews();
    std::ranges::move(actor.records(), std::back_inserter(history_.records));
    std::ranges::move(actor.failures(), std::back_inserter(history_.failures));
    actor.records().clear();
    actor.failures().clear();
  }

  // Batches are given back, all bodies removed, and one more update says what that ended.
  void Last() {
    Actor actor(shared_, "end", false);
    for (std::uint8_t world = 0; world < shared_.worlds.size(); ++world) {
      for (std::uint8_t i = 0; i < kBatches; ++i) {
        actor.Do({.kind = Kind::kAbort, .world = world, .slot = i});
      }
    }
    Take(actor);
    RemoveAll();
    Look();
    Update(1);
  }

  void RemoveAll() {
    for (std::size_t i = 0; i < shared_.worlds.size(); ++i) {
      std::vector<BodySnapshot> bodies;
      shared_.worlds[i]->Snapshot(bodies);
      Record record;
      record.call.kind = Kind::kRemove;
      record.call.world = static_cast<std::uint8_t>(i);
      record.by = "end";
      for (const BodySnapshot& body : bodies) record.ids.push_back(body.id);
      WaitTime wait;
      record.begin = shared_.Now();
      record.removed =
          whole::MeetingFaults([&] { return shared_.worlds[i]->RemoveBodies(record.ids, wait); });
      record.end = shared_.Now();
      history_.records.push_back(std::move(record));
    }
  }

  void EmptyWorlds() {
    for (const auto& world : shared_.worlds) {
      if (world->body_count() != 0) Fail("bodies are left in a world that was emptied");
    }
  }

  const WorldProgram& program_;
  Shared shared_;
  const std::uint32_t workers_;
  whole::Camera* const camera_;
  std::unique_ptr<TaskPool> pool_;
  std::atomic<std::uint32_t> thrown_{0};
  std::size_t first_of_round_ = 0;
  History history_;
};

}  // namespace

History Run(const WorldProgram& program, std::uint32_t workers, whole::Camera* camera) {
  return Runner(program, workers, camera).Do();
}

}  // namespace nowait::world_programs

// Jobs and devices: each allocation of an operation fails once.
#include <atomic>
#include <catch2/catch.hpp>
#include <memory>
#include <utility>
#include <vector>

#include "src/jobs/file_read.h"
#include "src/jobs/job_batch.h"
#include "src/jobs/job_list.h"
#include "src/jobs/parallel_for.h"
#include "src/jobs/task_pool.h"
#include "tests/jobs/make_pool.h"
#include "tests/whole/faults/sweep.h"

namespace nowait::whole {
namespace {

TaskPoolDef SmallDef(std::uint32_t workers) {
  TaskPoolDef def;
  def.workers = workers;
  def.devices = {"disk"};
  def.capacity = 64;
  return def;
}

struct Pool {
  explicit Pool(std::uint32_t workers = 0)
      : pool(MakePool(SmallDef(workers))), here(*pool->Register("main")) {}

  // That tasks are made and run as ever.
  void CheckAlive() {
    int count = 0;
    const TaskDef def{.work = {[](void* data) { ++*static_cast<int*>(data); }, &count}};
    for (int i = 0; i < 3; ++i) {
      const auto task = pool->Add(def);
      REQUIRE(task.has_value());
      REQUIRE(pool->Wait(*task).has_value());
    }
    CHECK(count == 3);
  }

  std::unique_ptr<TaskPool> pool;
  TaskPool::Registration here;
};

TEST_CASE("TaskPool::Create returns an error for each allocation that fails") {
  struct State {
    TaskPoolDef def;  // made before an allocation fails: its texts are the caller's
    std::unique_ptr<TaskPool> pool;
  };
  for (const std::uint32_t workers : {0u, 2u}) {
    const auto swept = Sweep(
        [&] {
          return State{SmallDef(workers), nullptr};
        },
        [&](State& state) -> Result<void> {
          auto made = TaskPool::Create(std::move(state.def));
          if (!made) return std::unexpected(made.error());
          state.pool = std::move(*made);
          return {};
        },
        [](const State& state, const Result<void>& done) {
          CHECK((state.pool != nullptr) == done.has_value());
        });
    CHECK(swept.refused > 5);
  }
}

TEST_CASE("Register returns an error for each allocation that fails") {
  Sweep([] { return MakePool(SmallDef(0)); },
        [](std::unique_ptr<TaskPool>& pool) -> Result<void> {
          const auto here = pool->Register("main");
          return here ? Result<void>() : std::unexpected(here.error());
        },
        [](std::unique_ptr<TaskPool>& pool, const Result<void>&) {
          CHECK(pool->Register("main").has_value());
        });
}

TEST_CASE("Tasks: an allocation that fails loses none and runs none twice") {
  struct State {
    Pool pool;
    int ran = 0;
    int made = 0;
  };
  Sweep([] { return std::make_unique<State>(); },
        [](std::unique_ptr<State>& state) -> Result<void> {
          TaskPool& pool = *state->pool.pool;
          const auto all = pool.AddEmpty();
          if (!all) return std::unexpected(all.error());
          Result<void> result;
          for (int i = 0; i < 20 && result; ++i) {
            const auto task =
                pool.Add({.work = {[](void* data) { ++*static_cast<int*>(data); }, &state->ran},
                          .parent = *all});
            if (!task) {
              result = std::unexpected(task.error());
            } else {
              ++state->made;
            }
          }
          if (auto waited = pool.Wait(*all); !waited) return waited;
          return result;
        },
        [](std::unique_ptr<State>& state, const Result<void>&) {
          state->pool.CheckAlive();
          CHECK(state->ran == state->made);
        });
}

TEST_CASE("ParallelFor: an allocation that fails is an error, or the caller does the piece") {
  struct State {
    Pool pool{2};
    std::vector<std::atomic<int>> visits = std::vector<std::atomic<int>>(100);
  };
  Sweep([] { return std::make_unique<State>(); },
        [](std::unique_ptr<State>& state) {
          return ParallelFor(*state->pool.pool, 100, 1, [&](std::uint32_t from, std::uint32_t to) {
            for (std::uint32_t i = from; i < to; ++i) {
              state->visits[i].fetch_add(1, std::memory_order_relaxed);
            }
          });
        },
        [](std::unique_ptr<State>& state, const Result<void>& done) {
          int all = 0;
          for (const auto& visits : state->visits) {
            CHECK(visits.load() <= 1);
            all += visits.load();
          }
          if (done) CHECK(all == 100);
          state->pool.CheckAlive();
        });
}

TEST_CASE("JobBatch: after an allocation that fails it is empty, and nothing of it was run") {
  struct State {
    Pool pool{2};
    JobBatch batch{16, 1};
    std::atomic<int> before{0};
    std::atomic<int> visits{0};
  };
  const auto swept = Sweep([] { return std::make_unique<State>(); },
                           [](std::unique_ptr<State>& state) -> Result<void> {
                             auto job = [&] { ++state->before; };
                             auto piece = [&](std::uint32_t from, std::uint32_t to) {
                               state->visits += static_cast<int>(to - from);
                             };
                             if (auto added = state->batch.Add(job); !added) return added;
                             if (auto added = state->batch.AddSyncPoint(); !added) return added;
                             if (auto added = state->batch.AddLoop(50, 1, piece); !added)
                               return added;
                             if (auto added = state->batch.AddLoop(50, 1, piece); !added)
                               return added;
                             return state->batch.Run(*state->pool.pool);
                           },
                           [](std::unique_ptr<State>& state, const Result<void>& done) {
                             CHECK(state->before == (done ? 1 : 0));
                             CHECK(state->visits == (done ? 100 : 0));
                             int again = 0;
                             auto other = [&](std::uint32_t) { ++again; };
                             REQUIRE(state->batch.AddEach(1, other).has_value());
                             CHECK(state->batch.Run(*state->pool.pool).has_value());
                             CHECK(again == 1);
                             CHECK(state->before == (done ? 1 : 0));
                             CHECK(state->visits == (done ? 100 : 0));
                           });
  CHECK(swept.refused > 0);
}

TEST_CASE("A job list: an allocation that fails is an error, and each job is run at most once") {
  struct State {
    Pool pool{1};
    JobList<> list{16};
    std::atomic<int> ran{0};
  };
  Sweep([] { return std::make_unique<State>(); },
        [](std::unique_ptr<State>& state) -> Result<void> {
          TaskPool& pool = *state->pool.pool;
          for (int i = 0; i < 8; ++i) {
            static_cast<void>(state->list.Add({[](void* data) {
                                                 static_cast<std::atomic<int>*>(data)->fetch_add(
                                                     1, std::memory_order_relaxed);
                                               },
                                               &state->ran}));
          }
          const auto task = pool.AddList(state->list);
          if (!task) return std::unexpected(task.error());
          return pool.Wait(*task);
        },
        [](std::unique_ptr<State>& state, const Result<void>& done) {
          CHECK((state->ran.load() == 8) == done.has_value());
          state->pool.CheckAlive();
        });
}

TEST_CASE("A request: an allocation that fails is its answer, or the call's error") {
  struct State {
    Pool pool;
    FileRead read{"/proc/self/exe", 0, std::span<std::byte>(bytes)};
    std::array<std::byte, 64> bytes;
  };
  Sweep([] { return std::make_unique<State>(); },
        [](std::unique_ptr<State>& state) -> Result<void> {
          const auto task = state->pool.pool->AddRequest("disk", state->read.request());
          if (!task) return std::unexpected(task.error());
          if (auto waited = state->pool.pool->Wait(*task); !waited) return waited;
          const auto bytes = state->read.bytes();
          return bytes ? Result<void>() : std::unexpected(bytes.error());
        },
        [](std::unique_ptr<State>& state, const Result<void>&) { state->pool.CheckAlive(); });
}

}  // namespace
}  // namespace nowait::whole

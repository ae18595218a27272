// Registrations of one thread with several pools, which end in any order.
#include <array>
#include <atomic>
#include <catch2/catch.hpp>
#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <thread>
#include <utility>

#include "src/jobs/task_pool.h"
#include "src/profile/profile.h"

namespace nowait {
namespace {

// The lane that this thread writes to.
Lane* CurrentLane() {
  Lane* const lane = UseLane(nullptr);
  UseLane(lane);
  return lane;
}

template <class Pool>
struct MeasuredOf {
  Profile profile{{}};
  std::unique_ptr<Pool> pool = *Pool::Create({.workers = 0, .profile = &profile});

  const Lane* lane() const { return &profile.lanes().front(); }
};

using Measured = MeasuredOf<TaskPool>;

TEST_CASE("a thread that is one of a pool's does not register with it") {
  auto pool = *TaskPool::Create({.main_threads = {"main", "second"}, .workers = 1});
  const auto here = pool->Register("main");
  REQUIRE(here.has_value());
  REQUIRE(pool->Register("second").error().code == ErrorCode::kWrongPhase);
  struct State {
    TaskPool* pool;
    bool refused = false;
  } state{pool.get()};
  const auto task = pool->Add({.work = {[](void* data) {
                                          auto& in = *static_cast<State*>(data);
                                          const auto made = in.pool->Register("second");
                                          in.refused =
                                              !made && made.error().code == ErrorCode::kWrongPhase;
                                        },
                                        &state}});
  REQUIRE(pool->Submit(*task).has_value());
  while (!pool->IsComplete(*task)) std::this_thread::yield();  // a worker has run it
  REQUIRE(state.refused);
}

// The result of a registration by another thread, which ends at once.
ErrorCode CodeOnAnother(TaskPool& pool, const char* name, bool* registered) {
  ErrorCode code{};
  std::thread([&] {
    const auto there = pool.Register(name);
    *registered = there.has_value();
    if (!there) code = there.error().code;
  }).join();
  return code;
}

TEST_CASE("a name is in use while its registration lives, wherever it has been moved to") {
  const auto pool = *TaskPool::Create({.main_threads = {"main", "second"}, .workers = 0});
  bool registered = false;
  {
    auto made = *pool->Register("main");
    const auto moved = std::move(made);
    CHECK(CodeOnAnother(*pool, "main", &registered) == ErrorCode::kWrongPhase);
    CHECK_FALSE(registered);
    CHECK(pool->Current().has_value());
  }
  CHECK(pool->Current().error().code == ErrorCode::kNotOwner);
  static_cast<void>(CodeOnAnother(*pool, "main", &registered));
  CHECK(registered);
  CHECK(pool->Register("second").has_value());  // the thread is free, too
}

// The bound only ends a test that has failed.
bool IsComplete(const TaskPool& pool, TaskId task) {
  const auto until = std::chrono::steady_clock::now() + std::chrono::seconds(30);
  while (!pool.IsComplete(task)) {
    if (std::chrono::steady_clock::now() > until) return false;
    std::this_thread::yield();
  }
  return true;
}

TEST_CASE("a registration that ends submits what its thread holds, and wakes a worker for it") {
  const auto pool = *TaskPool::Create({.workers = 1});
  std::atomic<int> ran{0};
  for (int round = 1; round <= 50; ++round) {
    TaskId held;
    {
      const auto here = pool->Register("main");
      REQUIRE(here.has_value());
      held =
          *pool->Add({.work = {[](void* data) { ++*static_cast<std::atomic<int>*>(data); }, &ran}});
    }
    REQUIRE(IsComplete(*pool, held));
    CHECK(ran == round);
  }
}

TEST_CASE("the counts of a main thread are there when its registration has ended, once") {
  const auto pool = *TaskPool::Create({.workers = 0});
  for (std::uint64_t round = 1; round <= 3; ++round) {
    {
      const auto here = pool->Register("main");
      REQUIRE(here.has_value());
      for (int i = 0; i < 4; ++i) REQUIRE(pool->Add({.work = {[](void*) {}, nullptr}}).has_value());
      REQUIRE(pool->Wait(*pool->Add({.work = {[](void*) {}, nullptr}, .priority = 2})).has_value());
      CHECK(pool->Counts().ran == 5 * (round - 1));
    }
    CHECK(pool->Counts().ran == 5 * round);
  }
}

// The two policies' pools are two types.
TEMPLATE_TEST_CASE("a registration that ends before a later one leaves no lane behind", "",
                   TaskPool, OneQueueTaskPool) {
  Profile own({});
  Lane* const before = *own.AddLane("before");
  const LaneScope use(before);
  auto first = std::make_unique<Measured>();
  MeasuredOf<TestType> second;
  auto in_first = std::make_optional(std::move(*first->pool->Register("main")));
  auto in_second = std::make_optional(std::move(*second.pool->Register("main")));
  REQUIRE(CurrentLane() == second.lane());
  in_first.reset();
  REQUIRE(CurrentLane() == second.lane());
  first.reset();
  in_second.reset();
  REQUIRE(CurrentLane() == before);
  ProfileCount("a write to what is left", 1);
}

TEST_CASE("three registrations end in every order") {
  for (const auto& order :
       {std::array{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}}) {
    std::array<std::unique_ptr<Measured>, 3> all;
    std::array<std::optional<TaskPool::Registration>, 3> in;
    for (int i = 0; i < 3; ++i) {
      all[i] = std::make_unique<Measured>();
      in[i].emplace(std::move(*all[i]->pool->Register("main")));
    }
    for (const int next : order) {
      in[next].reset();
      all[next].reset();
      const Lane* newest = nullptr;
      for (const auto& one : all) newest = one != nullptr ? one->lane() : newest;
      REQUIRE(CurrentLane() == newest);
    }
  }
}

}  // namespace
}  // namespace nowait

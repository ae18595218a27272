// A caller's wishes reach its work: priorities, parents, dependencies, pieces. On one
// thread, so that the order is known.
#include <algorithm>
#include <catch2/catch.hpp>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "src/base/result.h"
#include "src/jobs/device.h"
#include "src/jobs/job_batch.h"
#include "src/jobs/job_list.h"
#include "src/jobs/parallel_for.h"
#include "src/jobs/priority.h"
#include "src/jobs/run_later.h"
#include "src/jobs/task_pool.h"
#include "tests/jobs/make_pool.h"

namespace nowait {
namespace {

#define EACH_POLICY TaskPool, OneQueueTaskPool

std::uint8_t Number(Priority priority) { return static_cast<std::uint8_t>(priority); }

// A pool without workers, and tasks that write their letters.
template <class Pool>
struct Scene {
  Job Letter(const char* letter) {
    letters.push_back({this, letter});
    return {[](void* data) {
              auto& [scene, text] = *static_cast<std::pair<Scene*, const char*>*>(data);
              scene->written += text;
            },
            &letters.back()};
  }
  void Add(const char* letter, Priority priority) {
    REQUIRE(pool->Add({.work = Letter(letter), .priority = Number(priority)}));
  }

  Scene() { letters.reserve(16); }
  std::unique_ptr<Pool> pool = MakePool<Pool>({.workers = 0});
  Result<typename Pool::Registration> here = pool->Register("main");
  std::vector<std::pair<Scene*, const char*>> letters;
  std::string written;
};

// The first job brings news, and the thread looks for something more urgent than the next one.
template <class Pool, class... Of>
std::string OrderBesideBatch(Priority other, Of... of) {
  Scene<Pool> scene;
  scene.Add("t", other);
  JobBatch batch(2);
  auto job = [&](std::uint32_t i) {
    scene.written += i == 0 ? 'a' : 'b';
    scene.pool->Wake();
  };
  REQUIRE(batch.AddEach(2, job));
  REQUIRE(batch.Run(*scene.pool, of...));
  return scene.written;
}

TEMPLATE_TEST_CASE("a batch has the priority that it is run with, by default the normal one", "",
                   EACH_POLICY) {
  CHECK(OrderBesideBatch<TestType>(Priority::kHigh) == "atb");
  CHECK(OrderBesideBatch<TestType>(Priority::kNormal) == "ab");
  CHECK(OrderBesideBatch<TestType>(Priority::kHigh, Priority::kHigh) == "ab");
  CHECK(OrderBesideBatch<TestType>(Priority::kNormal, Priority::kLow) == "atb");
  CHECK(OrderBesideBatch<TestType>(Priority::kLow, Priority::kLow) == "ab");
}

template <class Pool, class... Of>
std::string OrderBesideLoop(Priority other, Of... of) {
  Scene<Pool> scene;
  scene.Add("t", other);
  const auto body = [&](std::uint32_t, std::uint32_t) { scene.written += 'p'; };
  REQUIRE(ParallelFor(*scene.pool, 2, 1, body, of...));
  return scene.written;
}

TEMPLATE_TEST_CASE("a loop's pieces have the priority that it is given, by default the highest", "",
                   EACH_POLICY) {
  CHECK(OrderBesideLoop<TestType>(Priority::kNormal) == "pp");
  CHECK(OrderBesideLoop<TestType>(Priority::kNormal, Priority::kLow) == "tpp");
  CHECK(OrderBesideLoop<TestType>(Priority::kHigh, Priority::kNormal) == "tpp");
  CHECK(OrderBesideLoop<TestType>(Priority::kLow, Priority::kNormal) == "pp");
}

template <class Pool, class... Of>
std::string OrderBesideRest(Of... of) {
  Scene<Pool> scene;
  const TaskId done = *scene.pool->AddEmpty();
  REQUIRE(scene.pool->Wait(done));
  std::function<void()> work = [&] {
    static_cast<void>(scene.pool->Add({.work = scene.Letter("t"),
                                       .parent = *scene.pool->Current(),
                                       .priority = Number(Priority::kNormal)}));
    static_cast<void>(RunLater(*scene.pool, scene.Letter("r"), done, of...));
  };
  const TaskId task = *scene.pool->Add(
      {.work = {[](void* data) { (*static_cast<std::function<void()>*>(data))(); }, &work}});
  REQUIRE(scene.pool->Wait(task));
  return scene.written;
}

TEMPLATE_TEST_CASE("the rest of a task has the priority that it is given, by default the highest",
                   "", EACH_POLICY) {
  CHECK(OrderBesideRest<TestType>() == "rt");
  CHECK(OrderBesideRest<TestType>(Priority::kLow) == "tr");
}

TEMPLATE_TEST_CASE("a list has the parent, the dependency and the priority of its definition", "",
                   EACH_POLICY) {
  Scene<TestType> scene;
  JobList<> list(1);
  REQUIRE(list.Add(scene.Letter("l")));
  const TaskId parent = *scene.pool->AddEmpty();
  const TaskId before = *scene.pool->Add({.work = scene.Letter("b")});
  REQUIRE(scene.pool->AddList(list, {.parent = parent, .dependency = before, .priority = 2}));
  scene.Add("n", Priority::kNormal);
  REQUIRE(scene.pool->Wait(parent));  // is complete only with the list
  CHECK(scene.written == "bnl");
}

TEMPLATE_TEST_CASE("a request has the parent and the dependency that it is given", "",
                   EACH_POLICY) {
  const auto pool = MakePool<TestType>({.devices = {"disk"}, .workers = 0});
  const auto here = pool->Register("main");
  REQUIRE(here);
  std::string written;
  DeviceRequest request(
      "ask",
      [](void* data) -> Result<void> {
        *static_cast<std::string*>(data) += 'r';
        return {};
      },
      &written);
  const TaskId parent = *pool->AddEmpty();
  const TaskId before =
      *pool->Add({.work = {[](void* data) { *static_cast<std::string*>(data) += 'b'; }, &written}});
  const TaskId asked = *pool->AddRequest("disk", request, parent, before);
  CHECK(request.task() == asked);
  REQUIRE(pool->Wait(parent));
  CHECK(written == "br");
  CHECK(pool->IsComplete(asked));
}

using Pieces = std::vector<std::pair<std::uint32_t, std::uint32_t>>;

// The pieces for which a loop calls its body, in their order.
class Called {
 public:
  void operator()(std::uint32_t begin, std::uint32_t end) const {
    const std::scoped_lock lock(mutex_);
    pieces_.emplace_back(begin, end);
  }
  Pieces Sorted() {
    std::sort(pieces_.begin(), pieces_.end());
    return std::exchange(pieces_, {});
  }

 private:
  mutable std::mutex mutex_;
  mutable Pieces pieces_;
};

TEMPLATE_TEST_CASE("a loop's pieces are equal but for the last, at least the grain, five a thread",
                   "", EACH_POLICY) {
  const auto pieces = [](std::uint32_t workers, std::uint32_t count, std::uint32_t grain) {
    const auto pool = MakePool<TestType>({.workers = workers});
    const auto here = pool->Register("main");
    Called called;
    REQUIRE(ParallelFor(*pool, count, grain, called));
    return called.Sorted();
  };
  CHECK(pieces(0, 10, 3) == Pieces{{0, 3}, {3, 6}, {6, 9}, {9, 10}});
  CHECK(pieces(0, 9, 3) == Pieces{{0, 3}, {3, 6}, {6, 9}});
  CHECK(pieces(0, 100, 3) == Pieces{{0, 20}, {20, 40}, {40, 60}, {60, 80}, {80, 100}});
  CHECK(pieces(0, 101, 3) == Pieces{{0, 21}, {21, 42}, {42, 63}, {63, 84}, {84, 101}});
  CHECK(pieces(1, 10, 0).size() == 10);  // two threads
  CHECK(pieces(0, 2, 100) == Pieces{{0, 2}});
  CHECK(pieces(0, 0, 4).empty());
}

TEMPLATE_TEST_CASE("a batch's loop has pieces of its grain, with any number of threads", "",
                   EACH_POLICY) {
  const auto pool = MakePool<TestType>({.workers = GENERATE(0u, 3u)});
  const auto here = pool->Register("main");
  REQUIRE(here);
  Called called;
  const auto pieces = [&](std::uint32_t count, std::uint32_t grain) {
    JobBatch batch(8);
    REQUIRE(batch.AddLoop(count, grain, called));
    REQUIRE(batch.Run(*pool));
    return called.Sorted();
  };
  CHECK(pieces(10, 4) == Pieces{{0, 4}, {4, 8}, {8, 10}});
  CHECK(pieces(8, 4) == Pieces{{0, 4}, {4, 8}});
  CHECK(pieces(3, 4) == Pieces{{0, 3}});
  CHECK(pieces(3, 0) == Pieces{{0, 1}, {1, 2}, {2, 3}});
  CHECK(pieces(0, 4).empty());
}

TEMPLATE_TEST_CASE("a batch in an unregistered thread or a loop in a job calls nothing", "",
                   EACH_POLICY) {
  const auto pool = MakePool<TestType>({.workers = 0});
  int called = 0;
  const auto body = [&](std::uint32_t, std::uint32_t) { ++called; };
  CHECK(ParallelFor(*pool, 4, 1, body).error().code == ErrorCode::kNotOwner);
  const auto here = pool->Register("main");
  REQUIRE(here);
  Result<void> inner;
  JobBatch outer(1);
  auto job = [&] { inner = ParallelFor(*pool, 4, 1, body); };
  REQUIRE(outer.Add(job));
  REQUIRE(outer.Run(*pool));
  REQUIRE_FALSE(inner);
  CHECK(inner.error().code == ErrorCode::kWrongPhase);
  CHECK(called == 0);
}

TEST_CASE("at most 64 threads run one loop of a batch") { CHECK(JobBatch::kMostHands == 64); }

}  // namespace
}  // namespace nowait

// Each call that a pool refuses: the kind of error, its subject, its number and its words.
#include <catch2/catch.hpp>
#include <cstdint>
#include <functional>
#include <string>
#include <thread>

#include "src/base/result.h"
#include "src/jobs/device.h"
#include "src/jobs/frame_loop.h"
#include "src/jobs/idempotent_job.h"
#include "src/jobs/job.h"
#include "src/jobs/job_list.h"
#include "src/jobs/parallel_for.h"
#include "src/jobs/run_later.h"
#include "src/jobs/task_def.h"
#include "src/jobs/task_id.h"
#include "src/jobs/task_pool.h"
#include "tests/jobs/make_pool.h"

namespace nowait {
namespace {

template <class T>
Error ErrorOf(const Result<T>& result) {
  REQUIRE_FALSE(result);
  return result.error();
}
Job Call(std::function<void()>& work) {
  return {[](void* data) { (*static_cast<std::function<void()>*>(data))(); }, &work};
}

#define EACH_POLICY TaskPool, OneQueueTaskPool

TEMPLATE_TEST_CASE("a refused definition names its field and the field's value", "", EACH_POLICY) {
  const auto pool = MakePool<TestType>({.main_threads = {"a", "b"}, .workers = 0});
  const auto here = pool->Register("a");
  REQUIRE(here);
  const auto invalid = [](const char* subject, std::int64_t amount, const char* detail) {
    return Error{ErrorCode::kInvalidArgument, subject, amount, detail};
  };
  // The last name and the last priority are good.
  CHECK(pool->Add({.priority = 2, .affinity = 2}));
  CHECK(ErrorOf(pool->Add({.affinity = 3})) == invalid("affinity", 3, "no thread has this name"));
  CHECK(ErrorOf(pool->Add({.priority = 3})) == invalid("priority", 3, "there are three"));
  JobList<> list(1);
  const char* const jobs = "it has an affinity or no jobs: any thread runs its jobs";
  CHECK(ErrorOf(pool->AddList(list, {.affinity = 1})) == invalid("list", 1, jobs));
  CHECK(ErrorOf(pool->Add({.kind = TaskKind::kList})) == invalid("list", 0, jobs));
  CHECK(ErrorOf(pool->AddList(list, {.work = {[](void*) {}, nullptr}})) ==
        invalid("list", 0, "its jobs are all its work"));
  CHECK(ErrorOf(pool->AddList(list, {.kind = TaskKind::kExternal})) ==
        invalid("list", 0, "its jobs are all its work"));
  IdempotentJob job{[](void*, int) {}, [](void*, int) {}, [](void*) {}, nullptr};
  CHECK(ErrorOf(pool->AddIdempotent(job, {.affinity = 2})) ==
        invalid("task", 2,
                "an idempotent one has a job, and no affinity: any thread may run it again"));
  CHECK(ErrorOf(pool->AddIdempotent(job, {.work = {[](void*) {}, nullptr}})) ==
        invalid("task", 0, "the idempotent job is all its work"));
  for (int missing = 0; missing < 3; ++missing) {
    CAPTURE(missing);
    IdempotentJob part = job;
    if (missing == 0) part.compute = nullptr;
    if (missing == 1) part.commit = nullptr;
    if (missing == 2) part.release = nullptr;
    CHECK(ErrorOf(pool->AddIdempotent(part)) ==
          invalid("task", 0, "an idempotent job has three functions"));
  }
}

TEMPLATE_TEST_CASE("a name that no thread or device has is not found, and says which kind", "",
                   EACH_POLICY) {
  const auto pool =
      MakePool<TestType>({.main_threads = {"a", "b"}, .devices = {"disk"}, .workers = 0});
  CHECK(pool->AffinityTo("a") == 1);
  CHECK(pool->AffinityTo("b") == 2);
  for (const char* name : {"c", "disk", ""}) {
    CAPTURE(name);
    CHECK(ErrorOf(pool->AffinityTo(name)) == Error{ErrorCode::kNotFound, "main thread"});
    CHECK(ErrorOf(pool->Register(name)) == Error{ErrorCode::kNotFound, "main thread"});
  }
  const auto here = pool->Register("b");
  REQUIRE(here);
  DeviceRequest request(
      "ask", [](void*) -> Result<void> { return {}; }, nullptr);
  for (const char* name : {"tape", "a", ""}) {
    CAPTURE(name);
    CHECK(ErrorOf(pool->AddRequest(name, request)) == Error{ErrorCode::kNotFound, "device"});
    CHECK(ErrorOf(pool->StopDevice(name)) == Error{ErrorCode::kNotFound, "device"});
  }
}

TEMPLATE_TEST_CASE("a second registration says whether the thread or the name is in the way", "",
                   EACH_POLICY) {
  const auto pool = MakePool<TestType>({.main_threads = {"a", "b"}, .workers = 0});
  const auto here = pool->Register("b");
  REQUIRE(here);
  for (const auto& [name, number] : {std::pair{"a", 1}, {"b", 2}}) {
    CHECK(ErrorOf(pool->Register(name)) == Error{ErrorCode::kWrongPhase, "registration", number,
                                                 "the calling thread is one of the pool's"});
  }
  Error taken{};
  bool free = false;
  std::thread([&] {
    const auto again = pool->Register("b");
    if (!again) taken = again.error();
    free = pool->Register("a").has_value();
  }).join();
  CHECK(taken == Error{ErrorCode::kWrongPhase, "registration", 2, "the name is in use"});
  CHECK(free);
}

TEMPLATE_TEST_CASE("a thread that is none of the pool's, or only answers, learns which", "",
                   EACH_POLICY) {
  const auto pool = MakePool<TestType>({.devices = {"disk"}, .workers = 0});
  const Error stranger{ErrorCode::kNotOwner, "pool", 0, "the calling thread is not registered"};
  int called = 0;
  CHECK(ErrorOf(pool->Add({})) == stranger);
  CHECK(ErrorOf(pool->Submit(TaskId())) == stranger);
  CHECK(ErrorOf(pool->Wait(TaskId())) == stranger);
  CHECK(ErrorOf(pool->MayWait()) == stranger);
  CHECK(ErrorOf(pool->Cancel(TaskId())) == stranger);
  CHECK(ErrorOf(pool->Current()) == stranger);
  CHECK(ErrorOf(pool->Close(TaskShutdown::kFinish)) == stranger);
  CHECK(ErrorOf(pool->DoWorkWhileWaitingFor([&] { return ++called > 0; })) == stranger);
  CHECK(ErrorOf(ParallelFor(*pool, 3, 1, [&](std::uint32_t, std::uint32_t) { ++called; })) ==
        stranger);
  CHECK(called == 0);
  CHECK(ErrorOf(pool->CompleteExternal(TaskId())) ==
        Error{ErrorCode::kInvalidArgument, "task", 0, "no task"});  // it may answer
  const auto here = pool->Register("main");
  REQUIRE(here);
  struct Asked {
    TestType* pool;
    Error error{};
  } asked{pool.get()};
  DeviceRequest request(
      "ask",
      [](void* data) -> Result<void> {
        auto& of = *static_cast<Asked*>(data);
        of.error = of.pool->AddEmpty().error();
        return {};
      },
      &asked);
  REQUIRE(pool->Wait(*pool->AddRequest("disk", request)));
  CHECK(asked.error == Error{ErrorCode::kNotOwner, "pool", 0, "the calling thread only answers"});
}

TEMPLATE_TEST_CASE("a call that is not for tasks names the task that has made it", "",
                   EACH_POLICY) {
  const auto pool = MakePool<TestType>({.workers = 0});
  const auto here = pool->Register("main");
  REQUIRE(here);
  CHECK(pool->Current()->IsTask() == false);
  TaskId me;
  Error closed{}, helped{}, waited{}, may{};
  int called = 0;
  std::function<void()> ask = [&] {
    me = *pool->Current();
    closed = pool->Close(TaskShutdown::kFinish).error();
    helped = pool->DoWorkWhileWaitingFor([&] { return ++called > 0; }).error();
  };
  REQUIRE(pool->Wait(*pool->Add({.work = Call(ask)})));
  const auto about = [&me](const char* subject, const char* detail) {
    return Error{ErrorCode::kWrongPhase, subject, static_cast<std::int64_t>(me.bits()), detail};
  };
  CHECK(closed == about("shutdown", "inside a task"));
  CHECK(helped == about("wait", "a task waits for what it created"));
  CHECK(called == 0);
  std::function<void()> wait = [&] {
    me = *pool->Current();
    may = pool->MayWait().error();
    waited = pool->Wait(*pool->AddEmpty()).error();
  };
  REQUIRE(pool->Wait(*pool->Add({.work = Call(wait), .affinity = 1})));
  CHECK(may == about("wait", "a task with an affinity does not wait"));
  CHECK(waited == about("wait", "a task with an affinity does not wait"));
  CHECK(pool->MayWait());
  REQUIRE(pool->Close(TaskShutdown::kFinish));
  CHECK(ErrorOf(pool->Close(TaskShutdown::kCancel)) ==
        Error{ErrorCode::kWrongPhase, "shutdown", 0, "a second one"});
}

TEMPLATE_TEST_CASE("the rest of no task, a loop of no frames and an unstarted loop are refused", "",
                   EACH_POLICY) {
  const auto pool = MakePool<TestType>({.workers = 0});
  const auto here = pool->Register("main");
  REQUIRE(here);
  const TaskId needed = *pool->AddEmpty();
  CHECK(ErrorOf(RunLater(*pool, {[](void*) {}, nullptr}, needed)) ==
        Error{ErrorCode::kWrongPhase, "later work", 0, "it is the rest of a task"});
  FrameLoop loop(*pool, [](const Frame&) {});
  CHECK(ErrorOf(loop.Wait()) ==
        Error{ErrorCode::kWrongPhase, "frame loop", 0, "it has not been started"});
  CHECK(ErrorOf(loop.Start(0)) ==
        Error{ErrorCode::kInvalidArgument, "frames", 0, "a loop has at least one"});
}

}  // namespace
}  // namespace nowait

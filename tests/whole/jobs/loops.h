// Loops, batches and frames as a program runs them, each with what its header promises.
// throws: where what they throw is counted; null: they throw nothing.
#ifndef NOWAIT_TESTS_WHOLE_JOBS_LOOPS_H_
#define NOWAIT_TESTS_WHOLE_JOBS_LOOPS_H_

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <string_view>
#include <vector>

#include "src/base/result.h"
#include "src/jobs/frame_loop.h"
#include "src/jobs/job_batch.h"
#include "src/jobs/parallel_for.h"
#include "src/jobs/task_pool.h"
#include "tests/whole/jobs/record.h"
#include "tests/whole/jobs/reports.h"
#include "tests/whole/scheduler/fault_scope.h"

namespace nowait::job_programs {

// The last piece throws, when it has done its work.
template <class Queues>
Result<void> RunLoop(BasicTaskPool<Queues>& pool, std::uint32_t count, Reports* throws) {
  std::vector<std::uint32_t> calls(count);
  const auto body = [&](std::uint32_t i, std::uint32_t end) {
    const whole::FaultScope own(false);
    for (; i < end; ++i) ++calls[i];
    if (throws != nullptr && end == count) Throw(*throws, kNoTask);
  };
  const auto result = whole::AskTwice([&] {
    return whole::MeetingFaults([&] { return ParallelFor(pool, count, 1 + count / 8, body); });
  });
  const auto once = [](std::uint32_t n) { return n == 1; };
  const auto at_most_once = [](std::uint32_t n) { return n <= 1; };
  Expect(result ? std::ranges::all_of(calls, once) : std::ranges::all_of(calls, at_most_once),
         "a loop calls its body for each element once", kNoTask);
  return result;
}

// Jobs that write, a sync point, and a loop that reads what they have written. One of the jobs
// throws, and each piece of the loop, when they have done their work.
template <class Queues>
Result<void> RunBatch(BasicTaskPool<Queues>& pool, std::uint32_t count, Reports* throws) {
  std::vector<std::uint32_t> written(3);
  std::vector<std::uint32_t> sums(count);
  auto write = [&](std::uint32_t i) {
    const whole::FaultScope own(false);
    written[i] += i + 1;
    if (throws != nullptr && i == 1) Throw(*throws, kNoTask);
  };
  constexpr std::uint32_t kGrain = 2;
  auto sum = [&](std::uint32_t i, std::uint32_t end) {
    const whole::FaultScope own(false);
    for (; i < end; ++i) sums[i] += written[0] + written[1] + written[2];
    if (throws != nullptr) Throw(*throws, kNoTask);
  };
  JobBatch batch(16, 1);
  const auto result = whole::AskTwice([&] {
    Expect(batch.AddEach(3, write) && batch.AddSyncPoint() && batch.AddLoop(count, kGrain, sum),
           "a batch has room for what its capacity says", kNoTask);
    return whole::MeetingFaults([&] { return batch.Run(pool); });
  });
  const bool ran = result || std::string_view(result.error().subject) == "job batch";
  const std::uint32_t expected = ran ? 6 : 0;
  Expect(!ran || result.has_value() == (throws == nullptr), "a batch says whether any has thrown",
         kNoTask);
  Expect(!ran || result || result.error().amount == 1 + (count + kGrain - 1) / kGrain,
         "a batch says how many have thrown", kNoTask);
  Expect(std::ranges::all_of(sums, [expected](std::uint32_t n) { return n == expected; }),
         "a batch runs everything once, and sync points order it", kNoTask);
  return result;
}

// Frames that each read what the one before has written, and put jobs off; some of these jobs put
// themselves off again. Each second frame throws, and some of the jobs.
template <class Queues>
class Frames {
 public:
  Frames(BasicTaskPool<Queues>& pool, Reports* throws)
      : pool_(pool), throws_(throws), loop_(pool, [this](const Frame& frame) { Make(frame); }) {}

  Result<void> Run(std::uint32_t count) {
    Defer();  // by the thread that starts the loop
    if (auto started = loop_.Start(count); !started) return started;
    const auto waited = loop_.Wait();
    Expect(waited ? made_ == count : made_ <= count, "as many frames as asked for", kNoTask);
    Expect(work_ == made_, "a frame is complete with its tasks", kNoTask);
    // relaxed, both: the wait has ordered them.
    Expect(later_.load(std::memory_order::relaxed) + loop_.deferred() ==
               deferred_.load(std::memory_order::relaxed),
           "each job that is put off is run, or counted by deferred()", kNoTask);
    return waited;
  }

 private:
  void Make(const Frame& frame) {
    const whole::FaultScope own(false);
    Expect(frame.number() == made_, "frames are numbered from 0", kNoTask);
    ++made_;
    Defer();
    if (!pool_.Add({.work = {&Work, this}, .parent = frame.tick()})) ++work_;
    if (throws_ != nullptr && made_ % 2 == 0) Throw(*throws_, kNoTask);
  }
  void Defer() {
    deferred_.fetch_add(1, std::memory_order::relaxed);
    loop_.Defer({&Later, this});
  }
  static void Work(void* data) { ++static_cast<Frames*>(data)->work_; }
  static void Later(void* data) {
    const whole::FaultScope own(false);
    auto& frames = *static_cast<Frames*>(data);
    const std::uint64_t number = frames.later_.fetch_add(1, std::memory_order::relaxed);
    if (number % 3 == 0) frames.Defer();
    if (frames.throws_ != nullptr && number % 4 == 1) Throw(*frames.throws_, kNoTask);
  }

  BasicTaskPool<Queues>& pool_;
  Reports* const throws_;
  FrameLoop<Queues> loop_;
  std::uint64_t made_ = 0;
  std::uint64_t work_ = 0;
  // relaxed, both: jobs that were put off run at the same time.
  std::atomic<std::uint64_t> deferred_{0};
  std::atomic<std::uint64_t> later_{0};
};

// How many frames may begin while a task waits that was submitted beside them, if the only worker
// runs both: some hundred times what work_stealing.h allows.
inline constexpr std::uint64_t kMostFramesBeside = 20'000;

// An endless loop; a task that is submitted meanwhile, to which the caller does not help, is run.
template <class Queues>
Result<void> RunBesideFrames(BasicTaskPool<Queues>& pool, std::uint32_t workers) {
  // relaxed, both: progress, which orders nothing.
  std::atomic<std::uint64_t> frames{0};
  FrameLoop<Queues> loop(
      pool, [&frames](const Frame&) { frames.fetch_add(1, std::memory_order::relaxed); });
  bool ran = false;
  const auto beside =
      pool.Add({.work = {[](void* data) { *static_cast<bool*>(data) = true; }, &ran}});
  if (!beside) return std::unexpected(beside.error());
  const auto started = loop.Start();
  if (started) {
    while (frames.load(std::memory_order::relaxed) == 0) EngineSync::Yield();
  }
  if (auto submitted = pool.Submit(*beside); !submitted) return submitted;
  const std::uint64_t begin = frames.load(std::memory_order::relaxed);
  while (!pool.IsComplete(*beside)) {
    const std::uint64_t begun = frames.load(std::memory_order::relaxed) - begin;
    Expect(workers > 1 || begun < kMostFramesBeside,
           "frames do not starve a task that another thread has submitted", kNoTask);
    EngineSync::Yield();
  }
  Expect(ran, "a complete task's work has returned", kNoTask);
  if (!started) return started;
  loop.Stop();
  return loop.Wait();
}

}  // namespace nowait::job_programs

#endif  // NOWAIT_TESTS_WHOLE_JOBS_LOOPS_H_

// Loops, batches and frames as a program runs them, each with what its header promises.
#ifndef NOWAIT_TESTS_WHOLE_JOBS_LOOPS_H_
#define NOWAIT_TESTS_WHOLE_JOBS_LOOPS_H_

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <stdexcept>
#include <vector>

#include "src/base/result.h"
#include "src/jobs/frame_loop.h"
#include "src/jobs/job_batch.h"
#include "src/jobs/parallel_for.h"
#include "src/jobs/task_pool.h"
#include "tests/whole/jobs/record.h"

namespace nowait::job_programs {

// A loop over so many elements has a piece that throws.
inline constexpr std::uint32_t kThrowingLoop = 7;

template <class Queues>
Result<void> RunLoop(BasicTaskPool<Queues>& pool, std::uint32_t count) {
  std::vector<std::uint32_t> calls(count);
  const auto result =
      ParallelFor(pool, count, 1 + count / 8, [&](std::uint32_t i, std::uint32_t end) {
        for (; i < end; ++i) ++calls[i];
        if (count == kThrowingLoop && end == count) throw std::runtime_error("a loop throws");
      });
  const auto once = [](std::uint32_t n) { return n == 1; };
  const auto at_most_once = [](std::uint32_t n) { return n <= 1; };
  Expect(result ? std::ranges::all_of(calls, once) : std::ranges::all_of(calls, at_most_once),
         "a loop calls its body for each element once", kNoTask);
  return result;
}

// Jobs that write, a sync point, and a loop that reads what they have written.
template <class Queues>
Result<void> RunBatch(BasicTaskPool<Queues>& pool, std::uint32_t count) {
  std::vector<std::uint32_t> written(3);
  std::vector<std::uint32_t> sums(count);
  auto write = [&](std::uint32_t i) { written[i] += i + 1; };
  auto sum = [&](std::uint32_t i, std::uint32_t end) {
    for (; i < end; ++i) sums[i] += written[0] + written[1] + written[2];
  };
  JobBatch batch(16, 1);
  Expect(batch.AddEach(3, write) && batch.AddSyncPoint() && batch.AddLoop(count, 2, sum),
         "a batch has room for what its capacity says", kNoTask);
  const auto result = batch.Run(pool);
  const std::uint32_t expected = result ? 6 : 0;
  Expect(std::ranges::all_of(sums, [expected](std::uint32_t n) { return n == expected; }),
         "a batch runs everything once, and sync points order it", kNoTask);
  return result;
}

// Frames that each read what the one before has written, and put a job off once.
template <class Queues>
Result<void> RunFrames(BasicTaskPool<Queues>& pool, std::uint32_t count) {
  struct Frames {
    BasicTaskPool<Queues>* pool;
    std::uint64_t made = 0;
    std::uint64_t work = 0;
    std::uint64_t put_off = 0;
    static void Work(void* data) { ++static_cast<Frames*>(data)->work; }
    static void Later(void* data) { ++static_cast<Frames*>(data)->put_off; }
  } frames{&pool};
  FrameLoop<Queues>* made_by = nullptr;
  FrameLoop<Queues> loop(pool, [&](const Frame& frame) {
    Expect(frame.number() == frames.made, "frames are numbered from 0", kNoTask);
    ++frames.made;
    made_by->PutOff({&Frames::Later, &frames});
    if (!pool.Add({.work = {&Frames::Work, &frames}, .parent = frame.tick()})) ++frames.work;
  });
  made_by = &loop;
  if (auto started = loop.Start(count); !started) return started;
  const auto waited = loop.Wait();
  const bool all = waited.has_value();
  Expect(all ? frames.made == count : frames.made <= count, "as many frames as asked for", kNoTask);
  Expect(frames.work == frames.made, "a frame is complete with its tasks", kNoTask);
  Expect(frames.put_off + loop.put_off() == frames.made,
         "each job that is put off is run, or counted by put_off()", kNoTask);
  return waited;
}

// How many frames may begin while a task waits that was submitted beside them, if the only worker runs
// both: some hundred times what work_stealing.h allows.
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
           "frames do not starve what another thread has submitted", kNoTask);
    EngineSync::Yield();
  }
  Expect(ran, "a complete task's work has returned", kNoTask);
  if (!started) return started;
  loop.Stop();
  return loop.Wait();
}

}  // namespace nowait::job_programs

#endif  // NOWAIT_TESTS_WHOLE_JOBS_LOOPS_H_

// Runs frames of a game over an open world: a game phase of a given time on several threads, then
// one physics update, and again. Says how long each thread waited for locks in each frame.
//
// The threads meet at a barrier before and after each game phase; what they do in between is the
// caller's, and so is what else runs beside them. A thread ends its last round of work when the
// time is up, so a game phase that had to wait is longer than it should be: rates are by its real
// length.
#ifndef NOWAIT_TESTS_BENCH_GAME_FRAMES_H_
#define NOWAIT_TESTS_BENCH_GAME_FRAMES_H_

#include <barrier>
#include <chrono>
#include <cstdint>
#include <thread>
#include <vector>

#include "src/sync/rw_lock.h"
#include "tests/bench/samples.h"

namespace nowait {

using BenchClock = std::chrono::steady_clock;

inline double MicrosecondsSince(BenchClock::time_point start) {
  return std::chrono::duration<double, std::micro>(BenchClock::now() - start).count();
}

struct GameFramesDef {
  std::uint32_t threads = 2;
  std::uint32_t frames = 100;
  std::chrono::microseconds game{8000};
};

struct GameFramesResult {
  Samples wait_us;    // of each thread in each frame
  Samples update_us;  // physics updates, with their waiting
  double game_seconds = 0.0;
};

// A thread's work in a frame, until the time is up.
//   round(thread, frame, wait)   again and again on each game thread
//   once(frame)                  once a frame on a thread of its own, while the game threads run
//   update(wait)                 between game phases, alone
template <class Round, class Once, class Update>
GameFramesResult RunGameFrames(const GameFramesDef& def, Round&& round, Once&& once,
                               Update&& update) {
  GameFramesResult result;
  std::vector<Samples> waits(def.threads);
  BenchClock::time_point end;
  std::barrier barrier(static_cast<std::ptrdiff_t>(def.threads + 2));
  std::vector<std::jthread> threads;
  for (std::uint32_t thread = 0; thread < def.threads; ++thread) {
    threads.emplace_back([&, thread] {
      for (std::uint32_t frame = 0; frame < def.frames; ++frame) {
        barrier.arrive_and_wait();
        WaitTime wait;
        do {
          round(thread, frame, wait);
        } while (BenchClock::now() < end);
        waits[thread].Add(std::chrono::duration<double, std::micro>(wait.waited).count());
        barrier.arrive_and_wait();
      }
    });
  }
  threads.emplace_back([&] {
    for (std::uint32_t frame = 0; frame < def.frames; ++frame) {
      barrier.arrive_and_wait();
      once(frame);
      barrier.arrive_and_wait();
    }
  });
  for (std::uint32_t frame = 0; frame < def.frames; ++frame) {
    const BenchClock::time_point start = BenchClock::now();
    end = start + def.game;
    barrier.arrive_and_wait();
    barrier.arrive_and_wait();
    result.game_seconds += MicrosecondsSince(start) / 1e6;
    WaitTime wait;
    const BenchClock::time_point update_start = BenchClock::now();
    update(wait);
    result.update_us.Add(MicrosecondsSince(update_start));
  }
  threads.clear();
  for (const Samples& of_thread : waits) result.wait_us.Add(of_thread);
  return result;
}

}  // namespace nowait

#endif  // NOWAIT_TESTS_BENCH_GAME_FRAMES_H_

// The program that judges MoveAll: a step that moves all bodies, and a query on the same
// pool.
#ifndef NOWAIT_LECTURES_HELPING_PROGRAM_H_
#define NOWAIT_LECTURES_HELPING_PROGRAM_H_

#include <cstdint>
#include <utility>

#include "lectures/checking-the-whole/exercises/a-deadlock-by-helping/small_engine.h"
#include "src/bodies/guarded_body.h"
#include "tests/whole/scheduler/api_call.h"

namespace nowait::small_engine {

// The update and the game are main threads of the pool; one worker is between them.
// move_all: called as MoveAll.
template <class F>
void Program(const F& move_all) {
  Scheduler scheduler(
      {.graph = {.capacity = 16, .threads = 3, .tag = 1}, .workers = 1, .names = 2});
  Pool worker(scheduler, 0), update(scheduler, 1, 1), game(scheduler, 2, 2);
  Locks locks(1);
  Bodies bodies;
  Sync::thread works = *Sync::thread::Start("worker", [&] { worker.Work(); });
  Sync::thread plays = *Sync::thread::Start("game", [&] {
    // A query as a task: any thread that has time runs it.
    game.RunEach(1, [&](std::uint32_t) {
      for (std::uint32_t i = 0; i < bodies.size(); ++i) {
        const whole::ApiCall call("ReadBody", i);
        WaitTime wait;
        const auto look = [](const Body& body) {
          whole::Require(body.IsWhole(), "a query sees no body that is half moved");
        };
        const bool there = ReadBody(locks, std::as_const(bodies), bodies[i].id, wait, look);
        whole::Require(there, "a body that is there is read");
      }
    });
  });
  {
    const whole::ApiCall call("MoveAll");
    move_all(update, locks, bodies);
  }
  for (std::uint32_t i = 0; i < bodies.size(); ++i) {
    whole::Require(bodies[i].moves() == 1, "each body has been moved once when MoveAll returns");
  }
  plays.join();
  update.Close();
  works.join();
}

}  // namespace nowait::small_engine

#endif  // NOWAIT_LECTURES_HELPING_PROGRAM_H_

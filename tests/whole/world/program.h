// WorldProgram: the calls of several threads on one or two worlds, as a plain value.
//
// A program is made from a seed (generate.h), printed (print.h), made smaller (shrink.h), run
// (run.h) and judged (check.h). Every field of a call is a small number whose meaning is in
// dictionary.h, and every number means something: each program that can be written down is legal by
// the phase table (src/sync/phase.h), so that shrinking need not ask.
//
// No thread owns a body. An id comes from a table of cells into which all threads put what they
// were given or have found; it may be stale by then, or the id of a body in a batch, or of the
// other world.
#ifndef NOWAIT_TESTS_WHOLE_WORLD_PROGRAM_H_
#define NOWAIT_TESTS_WHOLE_WORLD_PROGRAM_H_

#include <cstdint>
#include <string>
#include <vector>

namespace nowait::world_programs {

enum class Kind : std::uint8_t {
  // Changes; in the game update.
  kCreate,
  kDestroy,
  kMove,
  kSetVelocity,
  kSetTarget,
  kWake,
  kReform,  // another shape or layer
  kFinalise,
  kJoin,
  kUnjoin,
  kRemove,
  // At any time.
  kPrepare,
  kAbort,
  kGet,
  kRead,  // keeps a view in a slot of the thread's, for as long as nobody drops it
  kDrop,
  kRay,
  kFind,
  kCollect,
  kNearest,
  kCollectNearest,
  kRays,
};
inline constexpr Kind kFirstAnyTime = Kind::kPrepare;
inline constexpr std::uint8_t kKinds = static_cast<std::uint8_t>(Kind::kRays) + 1;

struct Call {
  Kind kind = Kind::kGet;
  std::uint8_t world = 0;
  std::uint8_t cell = 0;   // of the table of ids: where one is taken from, or put
  std::uint8_t place = 0;  // of a body or an area; of a joint, how far the second cell is
  std::uint8_t shape = 0;  // of a body or an area; of a joint, its kind
  std::uint8_t flags = 0;  // of a body, a joint or a filter
  std::uint8_t layer = 0;  // likewise
  std::uint8_t count = 1;  // bodies of a batch, ids of a list, the limit of a query
  std::uint8_t slot = 0;   // of the batches, of the thread's views, or of the joints

  friend bool operator==(const Call&, const Call&) = default;
};
using Calls = std::vector<Call>;

// A task of the pool that the update runs on; made before the update, waited for after it.
struct TaskPlan {
  Calls calls;           // that are allowed at any time
  bool is_loop = false;  // a ParallelFor with one call in each piece
  // As TaskDef's. One that is less urgent than the update's own jobs waits until a thread finds
  // none of them.
  std::uint8_t priority = 1;

  friend bool operator==(const TaskPlan&, const TaskPlan&) = default;
};

// A frame: the game threads change the worlds, then thread 0 updates them.
struct Round {
  bool still = false;  // in this game update all threads look, through ReadNoLock, and none acts
  std::vector<Calls> game;       // by game thread
  std::vector<TaskPlan> tasks;   // beside the update, on its pool
  std::vector<Calls> meanwhile;  // by game thread, beside the update; that of thread 0 before it
  std::uint8_t steps = 1;

  friend bool operator==(const Round&, const Round&) = default;
};

struct WorldPlan {
  std::uint8_t bodies = 4;
  std::uint16_t contacts = 64;
  std::uint8_t locks = 2;
  std::uint8_t user_layers = 0;
  std::uint8_t rebuild = 0;  // which policies
  bool layer_0_meets_itself = true;
  bool gravity = true;
  bool sleeps = true;  // soon

  friend bool operator==(const WorldPlan&, const WorldPlan&) = default;
};

struct WorldProgram {
  std::uint64_t seed = 0;
  std::vector<WorldPlan> worlds;
  std::uint8_t workers = 0;
  std::vector<Round> rounds;
  std::vector<Calls> background;  // by background thread, throughout; allowed at any time

  std::size_t game_threads() const { return rounds.empty() ? 1 : rounds.front().game.size(); }

  friend bool operator==(const WorldProgram&, const WorldProgram&) = default;
};

// Whether the program alone decides the order of all changes, so that every run is the same.
inline bool IsOrdered(const WorldProgram& program) {
  return program.game_threads() == 1 && program.background.empty();
}

// One line for each thread and part of a round.
std::string ToString(const WorldProgram& program);
std::string ToString(const Call& call);
const char* NameOf(Kind kind);

}  // namespace nowait::world_programs

#endif  // NOWAIT_TESTS_WHOLE_WORLD_PROGRAM_H_

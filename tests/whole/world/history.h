// History: the events of a program's run, for the checks that judge it.
//
// Each call has a stamp before and one after it, from one counter. The counter's order agrees with
// real time, for it is one atomic variable whose operations the compiler does not move across the
// calls; but all its operations are relaxed, so that it orders nothing else and ThreadSanitizer
// sees the same races with it as without it.
#ifndef NOWAIT_TESTS_WHOLE_WORLD_HISTORY_H_
#define NOWAIT_TESTS_WHOLE_WORLD_HISTORY_H_

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "src/base/result.h"
#include "src/bodies/body_def.h"
#include "src/bodies/body_id.h"
#include "src/bodies/body_snapshot.h"
#include "src/dynamics/contact_event.h"
#include "src/dynamics/joint_def.h"
#include "src/dynamics/joint_event.h"
#include "src/world/update_stats.h"
#include "src/world/world_view.h"
#include "tests/whole/world/program.h"

namespace nowait::world_programs {

using Stamp = std::uint64_t;

// Nothing of a call that the program skipped: a batch that another thread has, a slot that is
// taken.
struct Record {
  Call call;
  std::string by;  // the thread or task
  Stamp begin = 0;
  Stamp end = 0;
  BodyId id;                         // that the call was given, or ignored
  std::optional<Error> error;        // none: it succeeded
  std::vector<BodyId> ids;           // given, returned or found, in that order of the call's
  std::vector<BodyDef> defs;         // of what was made; `user` is the body's number
  std::vector<BodySnapshot> bodies;  // found
  std::vector<float> distances;      // of kNearest and kCollectNearest
  std::vector<std::optional<RayHit>> hits;
  std::uint32_t removed = 0;
  JointId joint;       // that was made, or that the call was given
  JointDef joint_def;  // of what was to be made
};

struct Frame {  // the moment before an update, the update, and the moment after it
  std::uint8_t world = 0;
  std::uint8_t steps = 1;
  Stamp begin = 0;
  Stamp end = 0;
  std::vector<BodySnapshot> before;
  std::uint64_t hash_before = 0;
  std::optional<Error> error;
  UpdateStats stats;
  std::vector<ContactEvent> contacts;
  std::vector<SleepEvent> sleep;
  std::vector<JointEvent> joints;
  std::vector<BodySnapshot> after;
  std::uint64_t hash_after = 0;
  std::uint32_t body_count = 0;
};

// A promise that was found broken.
struct Broken {
  Broken(std::string what, Stamp when = kUnknown) : promise(std::move(what)), at(when) {}
  Broken(const char* what) : promise(what) {}

  static constexpr Stamp kUnknown = std::numeric_limits<Stamp>::max();

  std::string promise;
  Stamp at = kUnknown;  // the end of the call or update that shows it, if it is one
};

struct History {
  std::vector<Record> records;   // of all threads, by their beginning
  std::vector<Frame> frames;     // in order
  std::vector<Broken> failures;  // that were noticed on the way
};

// The results that have to be the same in each run of an ordered program.
std::string Outcome(const Frame& frame);
std::string Outcome(const History& history);

std::string ToString(const Record& record);

}  // namespace nowait::world_programs

#endif  // NOWAIT_TESTS_WHOLE_WORLD_HISTORY_H_

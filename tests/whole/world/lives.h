// Lives: for each body of a history when it came, where it was put, and when it went.
//
// A call takes effect at some moment between its two stamps. So a body came at a moment of one call
// and went at a moment of another, and each answer about it bounds these moments. The bounds of all
// answers have to leave such moments: that is what "linearizable per body" says.
#ifndef NOWAIT_TESTS_WHOLE_WORLD_LIVES_H_
#define NOWAIT_TESTS_WHOLE_WORLD_LIVES_H_

#include <algorithm>
#include <limits>
#include <map>
#include <optional>
#include <vector>

#include "tests/whole/world/history.h"

namespace nowait::world_programs {

inline constexpr Stamp kNever = std::numeric_limits<Stamp>::max();

// Where a body was put, by its creation, a move or an update.
struct Put {
  Stamp begin = 0;
  Stamp end = 0;
  Vec3 position;
  Quat rotation;
  bool is_update = false;  // in between, it is somewhere
};

// A shape or a layer that a body was given, by its creation or a change.
template <class T>
struct Given {
  Stamp begin = 0;
  Stamp end = 0;
  T value;
};

struct Life {
  BodyId id;
  BodyDef def;
  Stamp reserved = 0;         // the beginning of the call that reserved its slot
  Stamp freed = kNever;       // the end of the call that gave the slot back
  Stamp come_begin = kNever;  // never: prepared and aborted
  Stamp come_end = kNever;
  Stamp go_begin = kNever;  // of all calls that may have removed it, if one has
  Stamp go_end = kNever;
  // As the answers leave it: the latest moment at which it came, the earliest at which it went.
  Stamp here_by = kNever;
  Stamp gone_from = kNever;
  std::vector<Put> puts;
  std::vector<Given<Shape>> shapes;
  std::vector<Given<Layer>> layers;

  bool ever_was() const { return come_begin != kNever; }
  // At some moment, at each moment between the two.
  bool MayBeHere(Stamp begin, Stamp end) const { return come_begin <= end && begin <= go_end; }
  bool IsHere(Stamp begin, Stamp end) const { return here_by < begin && end < gone_from; }
};

// A world's bodies by id.
using Lives = std::map<BodyId, Life>;

// kInvalid histories are failures, too: an id that was given twice.
struct LivesOfWorlds {
  std::vector<Lives> worlds;
  std::optional<Broken> failure;
};
LivesOfWorlds LivesOf(const WorldProgram& program, const History& history);

// The places in which a body may have been at some moment between begin and end; none: it is not
// known.
std::optional<std::vector<Put>> PlacesOf(const Life& life, Stamp begin, Stamp end);

// Those of what a body was given that it may have had at some moment between begin and end.
template <class T>
std::vector<T> HadOf(const std::vector<Given<T>>& given, Stamp begin, Stamp end) {
  std::vector<T> had;
  for (const Given<T>& one : given) {
    if (one.begin > end) continue;
    const bool is_replaced = std::ranges::any_of(
        given, [&](const Given<T>& later) { return later.begin > one.end && later.end < begin; });
    if (!is_replaced) had.push_back(one.value);
  }
  return had;
}

}  // namespace nowait::world_programs

#endif  // NOWAIT_TESTS_WHOLE_WORLD_LIVES_H_

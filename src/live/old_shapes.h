// OldShapes: lets a reader forget the hulls and compounds that no message will name again.
//
//   old_shapes_.Forget(scene_);                                           behind each message
//
// An encoder names the latest kLiveLatestShapes hulls and as many compounds (sent_shapes.h), and
// sends an older one again, under a new number. A shape that is older stays as long as a known body
// has it; a hull also stays as long as a compound has it that stays. Messages of versions before
// kLiveForgetVersion may name any shape: nothing of theirs is forgotten.
//
// Thread safety: one thread. Errors: std::bad_alloc.
// Memory: less than twice the shapes that have to stay, or than 4 kLiveLatestShapes.
// Complexity: O(1), but O(b log s) for b bodies and s shapes whenever the shapes have doubled.
// Format: docs/live-wire.md, "Hulls and compounds". Test: tests/live/old_shapes_test.cc.
#ifndef NOWAIT_SRC_LIVE_OLD_SHAPES_H_
#define NOWAIT_SRC_LIVE_OLD_SHAPES_H_

#include <cstddef>

#include "src/live/scene.h"
#include "src/live/wire.h"

namespace nowait {

class OldShapes {
 public:
  void Forget(LiveScene& scene);

 private:
  std::size_t left_ = 2 * std::size_t{kLiveLatestShapes};  // by the last look, at least
};

}  // namespace nowait

#endif  // NOWAIT_SRC_LIVE_OLD_SHAPES_H_

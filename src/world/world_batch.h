// WorldBatch: bodies that have been built and that no query sees yet.
//
// Move-only. Made by World::PrepareBatch; ends in World::FinaliseBatch or World::AbortBatch (debug
// builds assert that one of them was called). Thread safety: one thread at a time.
#ifndef NOWAIT_SRC_WORLD_WORLD_BATCH_H_
#define NOWAIT_SRC_WORLD_WORLD_BATCH_H_

#include <memory>
#include <span>
#include <vector>

#include "src/bodies/body_id.h"

namespace nowait {

class WorldBatch {
 public:
  WorldBatch();  // empty
  WorldBatch(WorldBatch&&) noexcept;
  WorldBatch& operator=(WorldBatch&&) noexcept;  // onto an empty batch
  ~WorldBatch();

  bool empty() const;

  // The ids that the bodies will have, in the order of their defs. Stale until FinaliseBatch.
  std::span<const BodyId> bodies() const;

 private:
  friend class World;
  struct Parts;

  std::unique_ptr<Parts> parts_;
};

}  // namespace nowait

#endif  // NOWAIT_SRC_WORLD_WORLD_BATCH_H_

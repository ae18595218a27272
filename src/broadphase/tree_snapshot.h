// TreeSnapshot: the boxes of a broad phase's nodes, copied for a viewer or for a person.
//
// Thread safety: plain data.
#ifndef NOWAIT_SRC_BROADPHASE_TREE_SNAPSHOT_H_
#define NOWAIT_SRC_BROADPHASE_TREE_SNAPSHOT_H_

#include <cstdint>
#include <vector>

#include "src/bodies/layers.h"
#include "src/math/bounds.h"

namespace nowait {

struct TreeBox {
  std::uint32_t node;   // its number in the storage of all trees
  std::uint32_t level;  // 0: the root
  Layer layer;          // of its tree
  std::uint8_t bodies;  // in its slots
  bool open;            // inserts may fill it: a root, or a cell of a staging tree
  bool changed;         // in it or below it, since it was built
  Bounds<3> box;        // around its slots; inside out where it has no child
};

struct LayerTree {
  Layer layer;
  // Bodies in open nodes below the root: they arrived after the last rebuild. (The root itself also
  // holds bodies of the last build, and is not counted.)
  std::uint32_t staged = 0;
  std::uint32_t left_out = 0;  // children of copied nodes that were not copied themselves
};

struct TreeSnapshot {
  std::vector<LayerTree> trees;  // by layer
  std::vector<TreeBox> boxes;    // tree by tree, and level by level
};

}  // namespace nowait

#endif  // NOWAIT_SRC_BROADPHASE_TREE_SNAPSHOT_H_

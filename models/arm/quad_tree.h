// Scenarios of src/broadphase/quad_tree.h, with one axis and two children, as in its models.
#ifndef NOWAIT_MODELS_ARM_QUAD_TREE_H_
#define NOWAIT_MODELS_ARM_QUAD_TREE_H_

#include <atomic>
#include <cstdint>

#include "src/bodies/proxy_id.h"
#include "src/broadphase/child_id.h"
#include "src/broadphase/insert.h"
#include "src/broadphase/quad_tree.h"

namespace nowait::arm {

// A tree, and two bodies that are far from each other.
template <class Sync>
struct SmallTree {
  using Tree = QuadTree<Sync, 1, 2>;
  using Box = Bounds<1>;

  static constexpr ProxyId kA{0, 0};
  static constexpr ProxyId kB{1, 0};
  static constexpr Box kBoxA = {{0}, {1}};
  static constexpr Box kBoxB = {{10}, {11}};

  // Whether a query of the box reports the body.
  bool Finds(ProxyId body, const Box& box) const {
    bool found = false;
    tree.QueryBox(box, [&](ProxyId hit) {
      found |= hit == body;
      return true;
    });
    return found;
  }

  typename Tree::Storage storage{1, 2};
  Tree tree{storage};
};

// One thread inserts a body; the other one looks whether it is there, and then for it.
template <class Sync>
struct TreeFindsInserted : SmallTree<Sync> {
  static constexpr const char* kName = "quad_tree finds_inserted";
  static constexpr const char* kPromise = "a query finds a body that is there already";
  static constexpr int kThreads = 2;

  void Thread(int t) {
    if (t == 0) {
      inserted = this->tree.Insert(this->kA, this->kBoxA).has_value();
    } else if (this->tree.Has(this->kA)) {
      found = this->Finds(this->kA, this->kBoxA);
    }
  }
  bool Holds() { return inserted && found && this->Finds(this->kA, this->kBoxA); }

  bool inserted = false;
  bool found = true;
};

// Two threads insert a body each into the root. An insert of the tree would read more if there was
// no slot: too much to examine, though here each thread finds one.
template <class Sync>
struct TreeKeepsBoth : SmallTree<Sync> {
  static constexpr const char* kName = "quad_tree keeps_both";
  static constexpr const char* kPromise = "two bodies that are inserted at once are both there";
  static constexpr int kThreads = 2;

  TreeKeepsBoth() { root.store(this->tree.Root(), std::memory_order::relaxed); }

  void Thread(int t) {
    RootInsert<Sync, 1, 2> insert(this->storage, root,
                                  child_id::OfBody(t == 0 ? this->kA : this->kB),
                                  t == 0 ? this->kBoxA : this->kBoxB);
    at[t] = insert.TryOnce();
  }
  bool Holds() {
    return at[0] != location::kNone && at[1] != location::kNone &&
           this->Finds(this->kA, this->kBoxA) && this->Finds(this->kB, this->kBoxB);
  }

  typename Sync::template atomic<std::uint32_t> root;
  std::uint32_t at[2] = {};
};

// One thread removes a body, and the other one inserts one, perhaps into the slot that gets free.
template <class Sync>
struct TreeHandsSlotOver : SmallTree<Sync> {
  static constexpr const char* kName = "quad_tree hands_slot_over";
  static constexpr const char* kPromise =
      "the next body in a slot is found, and the one before it is not";
  static constexpr int kThreads = 2;

  TreeHandsSlotOver() { ready = this->tree.Insert(this->kA, this->kBoxA).has_value(); }

  void Thread(int t) {
    if (t == 0) {
      this->tree.Remove(this->kA);
    } else {
      inserted = this->tree.Insert(this->kB, this->kBoxB).has_value();
    }
  }
  bool Holds() {
    return ready && inserted && this->Finds(this->kB, this->kBoxB) &&
           !this->Finds(this->kA, this->kBoxA);
  }

  bool ready = false;
  bool inserted = false;
};

// One thread removes a body and inserts another one into its slot; a query visits the newcomer's
// place meanwhile.
template <class Sync>
struct TreeReusesSlot : SmallTree<Sync> {
  static constexpr const char* kName = "quad_tree reuses_slot";
  static constexpr const char* kPromise = "no body is found in the box of the next one in its slot";
  static constexpr int kThreads = 2;

  TreeReusesSlot() { ready = this->tree.Insert(this->kA, this->kBoxA).has_value(); }

  void Thread(int t) {
    if (t == 0) {
      this->tree.Remove(this->kA);
      inserted = this->tree.Insert(this->kB, this->kBoxB).has_value();
    } else {
      mistaken = this->Finds(this->kA, this->kBoxB);
    }
  }
  bool Holds() { return ready && inserted && !mistaken; }

  bool ready = false;
  bool inserted = false;
  bool mistaken = false;
};

}  // namespace nowait::arm

#endif  // NOWAIT_MODELS_ARM_QUAD_TREE_H_

// Model of src/broadphase/rebuild.h and of the reclamation in src/broadphase/tree_storage.h.
//
// Promise checked: a query that a swap overtakes finds every body that stays, once, in the old
// tree, even if the bodies move on in the new one, and even if the query takes longer than two
// physics updates. A query after the swap finds the new boxes. Nodes are returned when their
// readers have left, and not before.
//
// A node that is returned to the pool is emptied: a read after its reclamation finds nothing in it,
// and a body is missing.
#include <cstdint>
#include <string_view>
#include <vector>

#include "models/broadphase/tree_scenario.h"

namespace nowait {
namespace {

constexpr Box kFar = At(40, 41);

struct Physics : TreeScenario {
  Physics() : TreeScenario(8) {
    InsertBatch({{kA, kBoxA}, {kB, kBoxB}, {kC, kBoxAway}});
    Rebuild();
  }
  // One frame: a body moves, and the tree is rebuilt and swapped.
  void Frame(ProxyId body, const Box& box) {
    Move(body, box);
    Rebuild(keep);
  }

  Keep keep = Keep::kUnchanged;
};

// C moves, and only the nodes above it change. The node of A and B is taken over whole and then
// widened through the new tree.
struct SwapQuery : Physics {
  static constexpr int kThreads = 2;
  void Thread(int t) {
    if (t == 0) {
      Frame(kC, At(-120, -119));
      Move(kA, kFar);
      Query(kFar);
    } else {
      Query(kBoxA);
      Query(kBoxB);
    }
  }
  void After() {
    Query(kFar);
    Query(At(-120, -119));
    Query(kBoxAway);
    CheckHistory();
  }
};
const Scenario<SwapQuery> swap_query({
    .name = "swap-query",
    .promise = "a query that a swap overtakes finds in the old tree the bodies that stay",
    .searches = {ContextBound(1), Random(30'000).DeferringStores().DeepHistory()},
});

// The same with nothing taken over: the node of A and B is replaced although it has not changed.
struct SwapWhole : SwapQuery {
  SwapWhole() { keep = Keep::kNothing; }
};
const Scenario<SwapWhole> swap_whole({
    .name = "swap-query/whole",
    .promise = "the same when the new tree takes nothing over from the old one",
    .searches = {ContextBound(1), Random(10'000).DeferringStores().DeepHistory()},
});

// Three physics updates pass during one query, and their nodes are needed again.
struct LongQuery : Physics {
  static constexpr int kThreads = 2;
  void Thread(int t) {
    if (t == 0) {
      for (int frame = 0; frame < 3; ++frame) {
        Frame(kC, At(-110.0f - static_cast<float>(frame), -105));
      }
    } else {
      Query(kBoxA);
      Query(kBoxB);
    }
  }
  void After() {
    Query(kBoxA);
    storage.Reclaim();
    storage.Reclaim();
    const std::vector<std::uint32_t> free = TakeAll("");
    Check(StatsOf(storage, tree.Root()).nodes + free.size() == storage.max_nodes(),
          "every node comes back when its readers have left");
    for (const std::uint32_t index : free) storage.ReturnNode(index);
    const auto pin = storage.PinReader();
    Frame(kC, kBoxAway);
    CheckHistory();
    TakeAll("a reader pins old nodes");
  }
  // Takes nodes until the pool is empty; the error then gives the reason.
  std::vector<std::uint32_t> TakeAll(std::string_view why) {
    std::vector<std::uint32_t> taken;
    for (;;) {
      const Result<std::uint32_t> index = storage.TakeNode();
      if (!index) {
        Check(index.error().detail == why,
              "a thread without a node is informed whether a reader is the reason");
        return taken;
      }
      taken.push_back(*index);
    }
  }
};
const Scenario<LongQuery> long_query({
    .name = "long-query",
    .promise =
        "no node is reused while a query that could reach it goes on, and all come back after",
    .searches = {Random(30'000).DeferringStores().DeepHistory()},
});

// A body goes away and comes back within one frame, and the tree is rebuilt with its last place.
struct ThereAndBack : Physics {
  static constexpr int kThreads = 2;
  void Thread(int t) {
    if (t == 0) {
      Move(kA, kFar);
      Frame(kA, kBoxA);
    } else {
      Query(kBoxA);
      Query(kFar);
    }
  }
  void After() {
    Query(kBoxA);
    Query(kFar);
    CheckHistory();
  }
};
const Scenario<ThereAndBack> there_and_back({
    .name = "there-and-back",
    .promise = "a rebuild puts a body where its last move left it",
    .searches = {ContextBound(1), Random(10'000).DeferringStores().DeepHistory()},
});

// Nodes that a rebuild has freed are used for a batch at once, while a query begins that knows
// their former contents. A at its old or new box is one body.
struct NodeReuse : Physics {
  static constexpr int kThreads = 2;
  void Thread(int t) {
    if (t == 0) {
      Frame(kA, kFar);
      Remove(kC);
      InsertBatch({{kD, kBoxD}, {kE, kBoxD}});
    } else {
      Query(At(0, 41));
    }
  }
  void After() {
    Query(kBoxD);
    CheckHistory();
  }
};
const Scenario<NodeReuse> node_reuse({
    .name = "node-reuse",
    .promise = "a query that meets a node in its next life sees nothing of its former one",
    .searches = {ContextBound(1).DeepHistory(), Random(30'000).DeferringStores().DeepHistory()},
});

// A loading thread that needs nodes reclaims beside the swap, and then queries all bodies. Nodes
// that were retired while the root still leads to them would be gone.
struct SwapReclaim : Physics {
  static constexpr int kThreads = 2;
  void Thread(int t) {
    if (t == 0) {
      Frame(kC, At(-120, -119));
    } else {
      const model::Call call("Reclaim");
      storage.Reclaim();
      Query(kBoxA);
    }
  }
  void After() {
    Query(kBoxA);
    Query(kBoxB);
    CheckHistory();
  }
};
const Scenario<SwapReclaim> swap_reclaim({
    .name = "swap-reclaim",
    .promise = "a thread that reclaims beside a swap gets no node that a query still comes to",
    .searches = {ContextBound(2), Random(10'000).DeferringStores().DeepHistory()},
});

// The swap, and a query that begins at the same time: it reads the old or the new tree, either of
// them whole.
struct SwapMeetsQueries : Physics {
  static constexpr int kThreads = 3;
  void Thread(int t) {
    if (t == 0) {
      Frame(kC, At(-120, -119));
    } else {
      Query(kBoxB);
    }
  }
  void After() { CheckHistory(); }
};
const Scenario<SwapMeetsQueries> swap_meets_queries({
    .name = "swap-meets-queries",
    .promise = "a query that begins during the swap sees the old or the new tree, both whole",
    .searches = {Random(30'000).DeferringStores().DeepHistory()},
});

}  // namespace
}  // namespace nowait

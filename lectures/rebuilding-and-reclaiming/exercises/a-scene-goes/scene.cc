// RemoveLeaves against removals one by one: what is left of the tree, and what it costs.
#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <thread>
#include <utility>
#include <vector>

#include "lectures/counting_sync.h"
#include "lectures/judge.h"
#include "src/broadphase/quad_tree.h"
#include "src/math/random.h"

namespace nowait {
namespace {

using Tree = QuadTree<CountingSync, 3, 4>;
using Ids = std::vector<ProxyId>;

constexpr std::uint32_t kScenes = 16;
constexpr std::uint32_t kOfScene = 256;
constexpr std::uint32_t kBodies = kScenes * kOfScene;
constexpr std::uint32_t kSingle = 64;  // inserted by themselves

Bounds<3> BoxAt(std::uint32_t scene, Random& random) {
  Bounds<3> box;
  for (int axis = 0; axis < 3; ++axis) {
    const float origin = axis == 0 ? 100.0f * static_cast<float>(scene) : 0.0f;
    box.min[axis] = origin + random.Between(0, 90);
    box.max[axis] = box.min[axis] + random.Between(0, 2);
  }
  return box;
}

// Scenes that were prepared and finalised, and rebuilt into one tree, and some bodies beside them.
class World {
 public:
  World() : storage_(4 * kBodies, kBodies + kSingle) {
    Random random(13);
    for (std::uint32_t scene = 0; scene < kScenes; ++scene) {
      std::vector<Tree::Entry> entries;
      for (std::uint32_t i = 0; i < kOfScene; ++i) {
        entries.push_back({ProxyId(scene * kOfScene + i, 0), BoxAt(scene, random)});
      }
      tree_.Finalise(*tree_.Prepare(entries));
    }
    Update();
    for (std::uint32_t i = 0; i < kSingle; ++i) {
      static_cast<void>(tree_.Insert(ProxyId(kBodies + i, 0), BoxAt(i % kScenes, random)));
    }
  }

  static Ids Scene(std::uint32_t scene) {
    Ids ids;
    for (std::uint32_t i = 0; i < kOfScene; ++i) ids.push_back(ProxyId(scene * kOfScene + i, 0));
    return ids;
  }
  // Every n-th body, from all over the tree.
  static Ids Each(std::uint32_t n) {
    Ids ids;
    for (std::uint32_t slot = 0; slot < kBodies + kSingle; slot += n)
      ids.push_back(ProxyId(slot, 0));
    return ids;
  }

  void RemoveTogether(std::span<const ProxyId> bodies) { RemoveLeaves(storage_, bodies); }
  void RemoveEach(std::span<const ProxyId> bodies) {
    for (const ProxyId body : bodies) tree_.Remove(body);
  }

  void Update() {
    static_cast<void>(tree_.Rebuild());
    tree_.Swap();
    while (storage_.waiting_nodes() != 0 || !Reclaimed()) {
    }
  }

  Tree::Storage::Pin Read() const { return storage_.PinReader(); }
  std::uint32_t Waiting() {
    for (int i = 0; i < 3; ++i) storage_.Reclaim();
    return storage_.waiting_nodes();
  }
  std::size_t Changes() { return tree_.CountChanges(); }

  std::vector<std::uint32_t> Found() const {
    std::vector<std::uint32_t> found;
    const auto pin = Read();
    tree_.QueryBox(Bounds<3>::Everywhere(), [&](ProxyId body) {
      found.push_back(body.slot());
      return true;
    });
    std::sort(found.begin(), found.end());
    return found;
  }
  bool HasNoneOf(std::span<const ProxyId> bodies) const {
    return std::none_of(bodies.begin(), bodies.end(),
                        [this](ProxyId body) { return tree_.Has(body); });
  }

  // How many nodes there are to be had; takes them all.
  std::uint32_t DrainNodes() {
    for (int i = 0; i < 3; ++i) storage_.Reclaim();
    std::uint32_t nodes = 0;
    while (storage_.TakeNode()) ++nodes;
    return nodes;
  }

 private:
  bool Reclaimed() {
    storage_.Reclaim();
    return storage_.waiting_nodes() == 0;
  }

  Tree::Storage storage_;
  Tree tree_{storage_};
};

struct Verdict {
  bool bodies = true;
  bool changes = true;
  bool nodes = true;
};

// Both worlds have lost the same bodies.
void Compare(World& together, World& each, const Ids& removed, Verdict& verdict) {
  verdict.bodies =
      verdict.bodies && together.Found() == each.Found() && together.HasNoneOf(removed);
  verdict.changes = verdict.changes && together.Changes() == each.Changes();
  together.Update();
  each.Update();
  verdict.bodies = verdict.bodies && together.Found() == each.Found();
  verdict.nodes = verdict.nodes && together.DrainNodes() == each.DrainNodes();
}

void Remove(const Ids& bodies, Verdict& verdict) {
  World together;
  World each;
  together.RemoveTogether(bodies);
  each.RemoveEach(bodies);
  Compare(together, each, bodies, verdict);
}

void RemoveByTwo(Verdict& verdict) {
  World together;
  World each;
  const Ids bodies = World::Scene(3);
  Ids halves[2];
  for (std::size_t i = 0; i < bodies.size(); ++i) halves[i % 2].push_back(bodies[i]);
  std::thread other([&] { together.RemoveTogether(halves[1]); });
  together.RemoveTogether(halves[0]);
  other.join();
  each.RemoveEach(bodies);
  Compare(together, each, bodies, verdict);
}

bool ReaderKeepsNodes() {
  World together;
  World each;
  const auto a = together.Read();
  const auto b = each.Read();
  together.RemoveTogether(World::Scene(7));
  each.RemoveEach(World::Scene(7));
  return together.Waiting() == each.Waiting() && together.Waiting() > 0;
}

int Main() {
  Judge judge;
  Verdict verdict;
  for (const Ids& bodies : {World::Scene(0), World::Scene(9), World::Each(5), World::Each(1), Ids(),
                            Ids{ProxyId(17, 0)}}) {
    Remove(bodies, verdict);
  }
  for (int i = 0; i < 50; ++i) RemoveByTwo(verdict);
  judge.Ask(verdict.bodies, "these bodies are gone, and no other");
  judge.Ask(verdict.changes, "the rebuild finds the same changes");
  judge.Ask(verdict.nodes, "all unlinked nodes come back");
  judge.Ask(ReaderKeepsNodes(), "a reader keeps what it may still look at");
  const int status = judge.End();

  World world;
  const Ids scene = World::Scene(5);
  Counts() = {};
  world.RemoveTogether(scene);
  fmt::print("work: {} atomic operations\n", Counts().all());
  return status;
}

}  // namespace
}  // namespace nowait

int main() { return nowait::Main(); }

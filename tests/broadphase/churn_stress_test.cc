// Threads that add and remove scenes and single bodies without any update, in a storage so small
// that nodes have to come back all the time, beside readers. Each thread's bodies keep to a lane of
// its own, so each of its queries has one right answer.
#include <atomic>
#include <catch2/catch.hpp>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "tests/broadphase/boxes.h"

namespace nowait {
namespace {

constexpr std::uint32_t kThreads = 4;
constexpr std::uint32_t kScene = 40;   // bodies that come as a batch
constexpr std::uint32_t kSingle = 40;  // and one by one
constexpr std::uint32_t kOwned = kScene + kSingle;
constexpr std::uint32_t kRounds = 1000;
constexpr std::uint32_t kWitnesses = 30;  // bodies that nobody touches, in a lane of theirs

Box InLane(std::uint32_t lane, float x) { return Cube(x, 10.0f * static_cast<float>(lane), 0, 1); }
Box WholeLane(std::uint32_t lane) {
  Box box = InLane(lane, 0);
  box.min[0] = -1000;
  box.max[0] = 1000;
  return box;
}

// The first failure, by line: Catch2's assertions are for one thread.
class Verdict {
 public:
  void Check(bool ok, int line) {
    int none = 0;
    if (!ok) first_line_.compare_exchange_strong(none, line);
  }
  int first_line() const { return first_line_; }

 private:
  std::atomic<int> first_line_{0};
};

// A full storage is an answer that a thread may get while others hold nodes, but no reason to be
// silent about what it is.
bool IsFull(const Error& error) { return error.subject == std::string_view("tree nodes"); }

struct Churn {
  Churn() : storage(8000, kThreads * kOwned + kWitnesses), tree(storage) {}

  void Own(std::uint32_t lane) {
    RandomBoxes random(lane + 1);
    const std::uint32_t first = lane * kOwned;
    for (std::uint32_t round = 0; round < kRounds; ++round) {
      std::vector<ProxyId> there;
      std::vector<Tree::Entry> scene;
      for (std::uint32_t i = 0; i < kScene; ++i) {
        scene.push_back({ProxyId(first + i, round), InLane(lane, random.Number(-900, 900))});
      }
      auto batch = tree.Prepare(scene);
      if (batch) {
        tree.Finalise(std::move(*batch));
        for (const Tree::Entry& entry : scene) there.push_back(entry.id);
      } else {
        verdict.Check(IsFull(batch.error()), __LINE__);
      }
      for (std::uint32_t i = kScene; i < kOwned; ++i) {
        const ProxyId id(first + i, round);
        const Result<void> inserted = tree.Insert(id, InLane(lane, random.Number(-900, 900)));
        if (inserted) {
          there.push_back(id);
        } else {
          verdict.Check(IsFull(inserted.error()), __LINE__);
        }
      }
      verdict.Check(Found(tree, WholeLane(lane)) == there, __LINE__);
      for (std::size_t i = 0; i < there.size(); i += 3) {
        verdict.Check(tree.Move(there[i], InLane(lane, random.Number(-900, 900))).has_value(),
                      __LINE__);
      }
      verdict.Check(Found(tree, WholeLane(lane)) == there, __LINE__);
      while (!there.empty()) {
        const std::uint32_t gone = random.Below(static_cast<std::uint32_t>(there.size()));
        tree.Remove(there[gone]);
        there.erase(there.begin() + gone);
        if (there.size() % 16 == 0) {
          verdict.Check(Found(tree, WholeLane(lane)) == there, __LINE__);
        }
      }
      inserted_all += round + 1 == kRounds ? 1 : 0;
    }
  }

  void Read() {
    while (inserted_all != kThreads) {
      const std::vector<ProxyId> found = Found(tree, WholeLane(kThreads));
      verdict.Check(found.size() == kWitnesses, __LINE__);
      for (std::uint32_t i = 0; i < found.size(); ++i) {
        verdict.Check(found[i] == Body(kThreads * kOwned + i), __LINE__);
      }
      Found(tree, WholeLane(0));
    }
  }

  Storage storage;
  Tree tree;
  Verdict verdict;
  std::atomic<std::uint32_t> inserted_all{0};
};

TEST_CASE(
    "threads that add and remove without an update find what is theirs, and nodes come back") {
  Churn churn;
  for (std::uint32_t i = 0; i < kWitnesses; ++i) {
    REQUIRE(
        churn.tree
            .Insert(Body(kThreads * kOwned + i), InLane(kThreads, 10.0f * static_cast<float>(i)))
            .has_value());
  }
  {
    std::vector<std::jthread> threads;
    for (std::uint32_t lane = 0; lane < kThreads; ++lane) {
      threads.emplace_back([&churn, lane] { churn.Own(lane); });
    }
    threads.emplace_back([&churn] { churn.Read(); });
  }
  CAPTURE(churn.verdict.first_line());
  REQUIRE(churn.verdict.first_line() == 0);
  REQUIRE(Found(churn.tree, Box::Everywhere()).size() == kWitnesses);
  // Nothing is lost: what is not in the tree can be taken.
  std::uint32_t free = 0;
  while (churn.storage.TakeNode()) ++free;
  REQUIRE(free + StatsOf(churn.storage, churn.tree.Root()).nodes == churn.storage.max_nodes());
}

}  // namespace
}  // namespace nowait

// SerializationGraph: whether transactions that ran at once could have run one after another.
//
// Each version of an object has a number, one more than the version before. Each transaction says
// which versions it has read and which ones it has made. The graph has an edge from A to B if A
// must come first: B read or replaced a version of A's, or B replaced a version that A has read.
// The transactions are serializable if it has no cycle.
//
// Source: the serialization graph test, [bernstein1987], chapter 2.
#ifndef NOWAIT_TESTS_GAME_SERIALIZATION_GRAPH_H_
#define NOWAIT_TESTS_GAME_SERIALIZATION_GRAPH_H_

#include <cstddef>
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

namespace nowait {

struct VersionOfObject {
  std::uint32_t object;
  std::uint64_t number;
  friend auto operator<=>(const VersionOfObject&, const VersionOfObject&) = default;
};

struct TransactionRecord {
  std::vector<VersionOfObject> read;  // also those that it has replaced
  std::vector<VersionOfObject> made;
};

class SerializationGraph {
 public:
  explicit SerializationGraph(const std::vector<TransactionRecord>& transactions)
      : after_(transactions.size()), before_(transactions.size()) {
    std::map<VersionOfObject, std::size_t> makers;
    for (std::size_t i = 0; i < transactions.size(); ++i) {
      for (const VersionOfObject& version : transactions[i].made) {
        made_twice_ |= !makers.emplace(version, i).second;
      }
    }
    for (std::size_t i = 0; i < transactions.size(); ++i) {
      for (VersionOfObject version : transactions[i].read) {
        if (const auto maker = makers.find(version); maker != makers.end()) {
          AddEdge(maker->second, i);
        }
        ++version.number;
        if (const auto next = makers.find(version); next != makers.end()) {
          AddEdge(i, next->second);
        }
      }
    }
  }

  // Two transactions have replaced the same version: an update was lost.
  bool HasLostUpdate() const { return made_twice_; }

  bool HasCycle() const {
    std::vector<std::size_t> left = before_;
    std::vector<std::size_t> first;
    for (std::size_t i = 0; i < left.size(); ++i) {
      if (left[i] == 0) first.push_back(i);
    }
    std::size_t placed = 0;
    while (!first.empty()) {
      const std::size_t i = first.back();
      first.pop_back();
      ++placed;
      for (const std::size_t next : after_[i]) {
        if (--left[next] == 0) first.push_back(next);
      }
    }
    return placed < left.size();
  }

 private:
  void AddEdge(std::size_t from, std::size_t to) {
    if (from == to) return;
    after_[from].push_back(to);
    ++before_[to];
  }

  std::vector<std::vector<std::size_t>> after_;
  std::vector<std::size_t> before_;  // how many edges end there
  bool made_twice_ = false;
};

}  // namespace nowait

#endif  // NOWAIT_TESTS_GAME_SERIALIZATION_GRAPH_H_

// ObservationHash: a hash of all that a thread has observed (observations.h), in order.
//
// A thread is a function of its observations: after the same ones it does the same next, in
// whatever graph. The kind of its next observation follows from them as well, so that two sequences
// are never the same numbers by chance. Moments (../vector_clock.h) are no part of it: they are for
// histories, and a scenario does not branch on them.
//
// Two sequences may have one hash. A look into ObservationHashCache compares with one entry, 64
// bits: that a billion of them are wrong once has a probability of 5e-11.
#ifndef NOWAIT_MODELS_KIT_EXHAUSTIVE_GRAPH_OBSERVATION_HASH_H_
#define NOWAIT_MODELS_KIT_EXHAUSTIVE_GRAPH_OBSERVATION_HASH_H_

#include <cstddef>
#include <cstdint>
#include <vector>

namespace nowait::model {

class ObservationHash {
 public:
  ObservationHash() = default;

  // The hash after the thread observes this as well.
  ObservationHash With(std::uint64_t observed) const {
    // The step of SplitMix64 (Steele, Lea, Flood, "Fast Splittable Pseudorandom Number Generators",
    // OOPSLA 2014).
    ObservationHash next;
    std::uint64_t x = hash_ + observed + 0x9e3779b97f4a7c15;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
    x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
    next.hash_ = x ^ (x >> 31);
    return next;
  }

  std::uint64_t hash() const { return hash_; }
  bool operator==(const ObservationHash&) const = default;

 private:
  std::uint64_t hash_ = 1;
};

// Some of the hashes that were added, the latest ones most likely: a cache that never grows.
class ObservationHashCache {
 public:
  void Add(const ObservationHash& observations) {
    hashes_[IndexOf(observations)] = observations;
    empty_ = false;
  }
  bool empty() const { return empty_; }
  bool Have(const ObservationHash& observations) const {
    return hashes_[IndexOf(observations)] == observations;
  }

 private:
  static constexpr std::size_t kSize = std::size_t{1} << 14;
  static std::size_t IndexOf(const ObservationHash& observations) {
    return observations.hash() % kSize;
  }

  std::vector<ObservationHash> hashes_ = std::vector<ObservationHash>(kSize);
  bool empty_ = true;
};

}  // namespace nowait::model

#endif  // NOWAIT_MODELS_KIT_EXHAUSTIVE_GRAPH_OBSERVATION_HASH_H_

// ObservationHash: a hash of everything that a thread has observed (observations.h), in order.
//
// A thread is a function of its observations: after the same ones it does the same next, in any
// graph. The kind of its next observation follows from them as well, so two different sequences are
// never the same numbers by chance. Moments (models/kit/program/vector_clock.h) are not included:
// they serve histories, and a scenario does not branch on them.
//
// Two sequences may have the same hash. A lookup in ObservationHashCache compares with one entry of
// 64 bits: the probability that one of a billion lookups is wrong is 5e-11.
#ifndef NOWAIT_MODELS_KIT_EXHAUSTIVE_GRAPH_OBSERVATION_HASH_H_
#define NOWAIT_MODELS_KIT_EXHAUSTIVE_GRAPH_OBSERVATION_HASH_H_

#include <cstddef>
#include <cstdint>
#include <vector>

namespace nowait::model {

class ObservationHash {
 public:
  ObservationHash() = default;

  // The hash after the thread has observed this value as well.
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

// A cache of bounded size, which most likely contains the latest of the hashes that were added.
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

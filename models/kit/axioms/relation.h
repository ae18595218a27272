// A relation over the events of one execution, as a matrix of bits.
#ifndef NOWAIT_MODELS_KIT_AXIOMS_RELATION_H_
#define NOWAIT_MODELS_KIT_AXIOMS_RELATION_H_

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace nowait::model::axioms {

inline constexpr std::size_t kMaxEvents = 256;

// A set of events, by their numbers.
class EventSet {
 public:
  bool Has(std::size_t event) const { return (words_[event / 64] >> event % 64 & 1) != 0; }
  void Add(std::size_t event) { words_[event / 64] |= std::uint64_t{1} << event % 64; }
  bool empty() const { return *this == EventSet(); }
  bool operator==(const EventSet&) const = default;
  EventSet& operator|=(const EventSet& other) {
    for (std::size_t i = 0; i < kWords; ++i) words_[i] |= other.words_[i];
    return *this;
  }
  EventSet& operator&=(const EventSet& other) {
    for (std::size_t i = 0; i < kWords; ++i) words_[i] &= other.words_[i];
    return *this;
  }
  // each(event), in their order.
  template <class Each>
  void ForEach(const Each& each) const {
    for (std::size_t i = 0; i < kWords; ++i) {
      for (std::uint64_t left = words_[i]; left != 0; left &= left - 1) {
        each(i * 64 + static_cast<std::size_t>(std::countr_zero(left)));
      }
    }
  }

 private:
  static constexpr std::size_t kWords = kMaxEvents / 64;
  std::array<std::uint64_t, kWords> words_{};
};

// Row a has b in it if a is related to b. Both operands of an operation have the same size.
class Relation {
 public:
  explicit Relation(std::size_t events) : rows_(events) {}

  std::size_t size() const { return rows_.size(); }
  bool Has(std::size_t a, std::size_t b) const { return rows_[a].Has(b); }
  void Add(std::size_t a, std::size_t b) { rows_[a].Add(b); }

  Relation operator|(const Relation& other) const {
    Relation sum = *this;
    for (std::size_t a = 0; a < size(); ++a) sum.rows_[a] |= other.rows_[a];
    return sum;
  }
  Relation operator&(const Relation& other) const {
    Relation common = *this;
    for (std::size_t a = 0; a < size(); ++a) common.rows_[a] &= other.rows_[a];
    return common;
  }
  // Relates a to c if a is related to some b in this relation and b is related to c in `other`.
  Relation Then(const Relation& other) const {
    Relation product(size());
    for (std::size_t a = 0; a < size(); ++a) {
      rows_[a].ForEach([&](std::size_t b) { product.rows_[a] |= other.rows_[b]; });
    }
    return product;
  }
  // The transitive closure, by Warshall's algorithm.
  Relation Closed() const {
    Relation closure = *this;
    for (std::size_t k = 0; k < size(); ++k) {
      for (std::size_t a = 0; a < size(); ++a) {
        if (closure.Has(a, k)) closure.rows_[a] |= closure.rows_[k];
      }
    }
    return closure;
  }
  // Adds a pair, and the pairs that follow from it, to a relation that is transitively closed.
  void AddClosed(std::size_t a, std::size_t b) {
    EventSet beyond = rows_[b];
    beyond.Add(b);
    for (std::size_t before = 0; before < size(); ++before) {
      if (before == a || Has(before, a)) rows_[before] |= beyond;
    }
  }
  bool IsIrreflexive() const {
    for (std::size_t a = 0; a < size(); ++a) {
      if (Has(a, a)) return false;
    }
    return true;
  }

 private:
  std::vector<EventSet> rows_;  // on the heap: a scenario's thread, which has a small stack, judges
};

}  // namespace nowait::model::axioms

#endif  // NOWAIT_MODELS_KIT_AXIOMS_RELATION_H_

// A relation over the events of one execution, as a matrix of bits.
#ifndef NOWAIT_MODELS_KIT_AXIOMS_RELATION_H_
#define NOWAIT_MODELS_KIT_AXIOMS_RELATION_H_

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

namespace nowait::model::axioms {

inline constexpr std::size_t kMaxEvents = 64;

// Row a has bit b set if a is related to b. Both operands of an operation have the same size.
class Relation {
 public:
  explicit Relation(std::size_t events) : size_(events) {
    for (std::size_t a = 0; a < size_; ++a) rows_[a] = 0;
  }
  Relation(const Relation& other) : size_(other.size_) { CopyRows(other); }
  Relation& operator=(const Relation& other) {
    size_ = other.size_;
    CopyRows(other);
    return *this;
  }

  std::size_t size() const { return size_; }
  bool Has(std::size_t a, std::size_t b) const { return (rows_[a] >> b & 1) != 0; }
  void Add(std::size_t a, std::size_t b) { rows_[a] |= std::uint64_t{1} << b; }

  Relation operator|(const Relation& other) const {
    Relation sum = *this;
    for (std::size_t a = 0; a < size_; ++a) sum.rows_[a] |= other.rows_[a];
    return sum;
  }
  Relation operator&(const Relation& other) const {
    Relation common = *this;
    for (std::size_t a = 0; a < size_; ++a) common.rows_[a] &= other.rows_[a];
    return common;
  }
  // Relates a to c if a is related to some b in this relation and b is related to c in `other`.
  Relation Then(const Relation& other) const {
    Relation product(size_);
    for (std::size_t a = 0; a < size_; ++a) {
      for (std::uint64_t left = rows_[a]; left != 0; left &= left - 1) {
        product.rows_[a] |= other.rows_[static_cast<std::size_t>(std::countr_zero(left))];
      }
    }
    return product;
  }
  // The transitive closure, by Warshall's algorithm.
  Relation Closed() const {
    Relation closure = *this;
    for (std::size_t k = 0; k < size_; ++k) {
      for (std::size_t a = 0; a < size_; ++a) {
        if (closure.Has(a, k)) closure.rows_[a] |= closure.rows_[k];
      }
    }
    return closure;
  }
  // Adds a pair, and the pairs that follow from it, to a relation that is transitively closed.
  void AddClosed(std::size_t a, std::size_t b) {
    const std::uint64_t beyond = rows_[b] | std::uint64_t{1} << b;
    for (std::size_t before = 0; before < size_; ++before) {
      if (before == a || Has(before, a)) rows_[before] |= beyond;
    }
  }
  bool IsIrreflexive() const {
    for (std::size_t a = 0; a < size_; ++a) {
      if (Has(a, a)) return false;
    }
    return true;
  }

 private:
  void CopyRows(const Relation& other) {
    for (std::size_t a = 0; a < size_; ++a) rows_[a] = other.rows_[a];
  }

  std::size_t size_;
  std::array<std::uint64_t, kMaxEvents> rows_;  // only the first size_ rows are used
};

}  // namespace nowait::model::axioms

#endif  // NOWAIT_MODELS_KIT_AXIOMS_RELATION_H_

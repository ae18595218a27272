// Bits in a row: values of any number of bits, one behind the other, in words of 64.
//
//   BitWriter writer;
//   writer.Put(point, 29);
//   BitsAt(writer.words(), 0, 29) == point
//
// Bit b of the row is bit b % 64 of word b / 64, so that a value is lowest bit first. A reader of a
// value loads the words in which it begins and ends, and no other one.
//
// Thread safety: values. Complexity: constant for each value.
// Test: tests/animation/bits_test.cc.
#ifndef NOWAIT_SRC_ANIMATION_BITS_H_
#define NOWAIT_SRC_ANIMATION_BITS_H_

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace nowait {

// The lowest `count` bits, from 0 to 64.
constexpr std::uint64_t LowBits(int count) {
  // Two shifts, because a shift by 64 at once is not defined.
  return ~(~std::uint64_t{0} << (count / 2) << (count - count / 2));
}

// `count` bits of the row, from 1 to 64, of which the first is bit `place`. The bits above them in
// the result are not specified.
inline std::uint64_t BitsFrom(std::span<const std::uint64_t> words, std::size_t place, int count) {
  const std::uint64_t first = words[place / 64];
  // Often the same word, which then lands above the bits that are wanted.
  const std::uint64_t last = words[(place + static_cast<std::size_t>(count) - 1) / 64];
  const int shift = static_cast<int>(place % 64);
  return first >> shift | last << 1 << (63 - shift);
}

// `count` of them, from 0 to 64, and zeros above.
inline std::uint64_t BitsAt(std::span<const std::uint64_t> words, std::size_t place, int count) {
  return count == 0 ? 0 : BitsFrom(words, place, count) & LowBits(count);
}

class BitWriter {
 public:
  // value: its bits from `count` on are zero. count: from 0 to 64.
  void Put(std::uint64_t value, int count) {
    const int shift = static_cast<int>(size_ % 64);
    size_ += static_cast<std::size_t>(count);
    if (shift == 0 && count > 0) words_.push_back(0);
    if (count > 0) words_.back() |= value << shift;
    if (shift + count > 64) words_.push_back(value >> 1 >> (63 - shift));
  }

  std::size_t size() const { return size_; }  // in bits

  const std::vector<std::uint64_t>& words() const { return words_; }

  // The number of words of a row of so many bits.
  static std::size_t WordsOf(std::size_t bits) { return (bits + 63) / 64; }

 private:
  std::vector<std::uint64_t> words_;
  std::size_t size_ = 0;
};

}  // namespace nowait

#endif  // NOWAIT_SRC_ANIMATION_BITS_H_

// Bits in a row: values of any number of bits, one behind the other, in words of 64.
//
//   BitWriter writer;
//   writer.Put(point, 29);
//   const std::vector<std::uint64_t> words = writer.Words();
//   BitsAt(words, 0, 29) == point
//
// Bit b of the row is bit b % 64 of word b / 64, so that a value is lowest bit first. Words() has
// one word more than the bits need: a reader may load two words for each value, without a question
// where the row ends.
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
  // By two shifts: one by 64 is none.
  return ~(~std::uint64_t{0} << (count / 2) << (count - count / 2));
}

// The 64 bits of the row from bit `place` on. The word of that bit is not the last of `words`: rows
// of BitWriter have one behind each of their bits.
inline std::uint64_t BitsFrom(std::span<const std::uint64_t> words, std::size_t place) {
  const std::size_t word = place / 64;
  const int shift = static_cast<int>(place % 64);
  return words[word] >> shift | words[word + 1] << 1 << (63 - shift);
}

// `count` of them, from 0 to 64.
inline std::uint64_t BitsAt(std::span<const std::uint64_t> words, std::size_t place, int count) {
  return BitsFrom(words, place) & LowBits(count);
}

class BitWriter {
 public:
  // value: its bits from `count` on are zero. count: from 0 to 64.
  void Put(std::uint64_t value, int count) {
    const int shift = static_cast<int>(size_ % 64);
    words_.back() |= value << shift;
    if (shift + count >= 64) words_.push_back(value >> 1 >> (63 - shift));
    size_ += static_cast<std::size_t>(count);
  }

  std::size_t size() const { return size_; }  // in bits

  std::vector<std::uint64_t> Words() const {
    std::vector<std::uint64_t> words = words_;
    words.push_back(0);
    return words;
  }

  // The words of a row of so many bits.
  static std::size_t WordsOf(std::size_t bits) { return bits / 64 + 2; }

 private:
  std::vector<std::uint64_t> words_{0};
  std::size_t size_ = 0;
};

}  // namespace nowait

#endif  // NOWAIT_SRC_ANIMATION_BITS_H_

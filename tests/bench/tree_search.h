// The tree T1 of the unbalanced tree search: each node is hashed, and says how many children it
// has. No part of the tree can be known without its nodes, and subtrees differ in size by orders of
// magnitude: work that only stealing spreads.
//
// Source: S. Olivier and others, "UTS: An Unbalanced Tree Search Benchmark", LCPC 2006. T1 is its
// geometric tree of fixed branching (4) and depth (10), with the seed 19: 4,130,071 nodes.
#ifndef NOWAIT_TESTS_BENCH_TREE_SEARCH_H_
#define NOWAIT_TESTS_BENCH_TREE_SEARCH_H_

#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

namespace nowait {

// The SHA-1 of at most 55 bytes (FIPS 180-4), which is one block.
inline std::array<std::uint32_t, 5> ShortSha1(std::span<const std::uint8_t> message) {
  std::array<std::uint8_t, 64> block{};
  std::memcpy(block.data(), message.data(), message.size());
  block[message.size()] = 0x80;
  block[62] = static_cast<std::uint8_t>(message.size() >> 5);
  block[63] = static_cast<std::uint8_t>(message.size() << 3);
  std::array<std::uint32_t, 80> w{};
  for (std::size_t i = 0; i < 16; ++i) {
    for (std::size_t j = 0; j < 4; ++j) w[i] = w[i] << 8 | block[4 * i + j];
  }
  for (std::size_t i = 16; i < 80; ++i) {
    w[i] = std::rotl(w[i - 3] ^ w[i - 8] ^ w[i - 14] ^ w[i - 16], 1);
  }
  std::array<std::uint32_t, 5> hash = {0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476, 0xc3d2e1f0};
  auto [a, b, c, d, e] = hash;
  for (std::size_t i = 0; i < 80; ++i) {
    std::uint32_t f = b ^ c ^ d;
    std::uint32_t k = i < 40 ? 0x6ed9eba1 : 0xca62c1d6;
    if (i < 20) {
      f = (b & c) | (~b & d);
      k = 0x5a827999;
    } else if (i >= 40 && i < 60) {
      f = (b & c) | (b & d) | (c & d);
      k = 0x8f1bbcdc;
    }
    const std::uint32_t next = std::rotl(a, 5) + f + e + k + w[i];
    e = d;
    d = c;
    c = std::rotl(b, 30);
    b = a;
    a = next;
  }
  hash[0] += a;
  hash[1] += b;
  hash[2] += c;
  hash[3] += d;
  hash[4] += e;
  return hash;
}

struct SearchNode {
  std::array<std::uint32_t, 5> state;
  std::uint32_t depth = 0;

  static SearchNode Root(std::uint32_t seed) {
    std::array<std::uint8_t, 20> message{};  // 16 zeros and the seed
    PutWord(message, 16, seed);
    return {ShortSha1(message), 0};
  }
  SearchNode Child(std::uint32_t number) const {
    std::array<std::uint8_t, 24> message{};
    for (std::size_t i = 0; i < 5; ++i) PutWord(message, 4 * i, state[i]);
    PutWord(message, 20, number);
    return {ShortSha1(message), depth + 1};
  }
  // A geometric distribution with the mean 4.
  std::uint32_t Children() const {
    constexpr std::uint32_t kDepth = 10, kMost = 100;
    if (depth >= kDepth) return 0;
    const double part = static_cast<double>(state[4] & 0x7fffffffu) / 2147483648.0;
    const double count = std::floor(std::log(1 - part) / std::log(1 - 1.0 / 5));
    return count > kMost ? kMost : static_cast<std::uint32_t>(count);
  }

 private:
  static void PutWord(std::span<std::uint8_t> to, std::size_t at, std::uint32_t word) {
    for (std::size_t i = 0; i < 4; ++i) {
      to[at + i] = static_cast<std::uint8_t>(word >> (24 - 8 * i));
    }
  }
};

inline constexpr std::uint32_t kT1Seed = 19;
inline constexpr std::uint64_t kT1Nodes = 4'130'071;

}  // namespace nowait

#endif  // NOWAIT_TESTS_BENCH_TREE_SEARCH_H_

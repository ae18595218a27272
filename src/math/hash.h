// Hash: FNV-1a over 64 bits, fed with the bits of values.
//
// Two states have the same hash if all their bits are the same; +0 and -0 differ. Values are hashed
// by their bytes from the lowest up, so the hash does not depend on the machine's byte order.
//
// Source: G. Fowler, L. C. Noll, K.-P. Vo, D. Eastlake, "The FNV Non-Cryptographic Hash Algorithm",
// IETF draft-eastlake-fnv.
#ifndef NOWAIT_SRC_MATH_HASH_H_
#define NOWAIT_SRC_MATH_HASH_H_

#include <bit>
#include <cstdint>

#include "src/math/quat.h"
#include "src/math/vec3.h"

namespace nowait {

class Hash {
 public:
  constexpr void AddByte(std::uint8_t byte) { value_ = (value_ ^ byte) * 0x100000001b3ull; }
  constexpr void Add(std::uint32_t bits) {
    for (int shift = 0; shift < 32; shift += 8) AddByte(static_cast<std::uint8_t>(bits >> shift));
  }
  constexpr void Add(float value) { Add(std::bit_cast<std::uint32_t>(value)); }
  constexpr void Add(Vec3 v) {
    Add(v.x);
    Add(v.y);
    Add(v.z);
  }
  constexpr void Add(Quat q) {
    Add(q.x);
    Add(q.y);
    Add(q.z);
    Add(q.w);
  }

  constexpr std::uint64_t value() const { return value_; }

 private:
  std::uint64_t value_ = 0xcbf29ce484222325ull;
};

}  // namespace nowait

#endif  // NOWAIT_SRC_MATH_HASH_H_

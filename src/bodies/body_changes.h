// Changes: what a game did to the body of a slot since the last step, one bit for each kind.
#ifndef NOWAIT_SRC_BODIES_BODY_CHANGES_H_
#define NOWAIT_SRC_BODIES_BODY_CHANGES_H_

#include <cstdint>

namespace nowait {

enum class Change : std::uint8_t {
  kDisturbed = 1,  // moved, removed or given a velocity: bodies that rested on it must wake
  kMoved = 2,      // bodies that it is moved into must wake
  kWoken = 4,      // it slept: its waking is an event
  kNew = 8,        // it was created, or its batch settled: no step has looked for its contacts
  kMass = 16,      // its mass or inertia: the body has those of before
  kReframed = 32,  // its frame lies elsewhere: points do not follow it from its old place
};
// A slot without a change has the body that it had in the last step, of the same type; or it had no
// body then, and has no body now.
class Changes {
 public:
  void Add(Change change) { bits_ |= static_cast<std::uint8_t>(change); }
  bool Has(Change change) const { return (bits_ & static_cast<std::uint8_t>(change)) != 0; }
  bool any() const { return bits_ != 0; }

  // For saving a world. bits: at most kAll.
  static constexpr std::uint8_t kAll = 63;
  std::uint8_t bits() const { return bits_; }
  static Changes FromBits(std::uint8_t bits) {
    Changes changes;
    changes.bits_ = bits;
    return changes;
  }

 private:
  std::uint8_t bits_ = 0;
};

}  // namespace nowait

#endif  // NOWAIT_SRC_BODIES_BODY_CHANGES_H_

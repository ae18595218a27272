// Footstep: the event that a character's foot has come down. FootstepCount: its consumer.
//
// A game would play a sound at the place. The crowd's program, which is silent, counts, and adds
// the streams to a checksum: it shows that they are the same for any number of threads.
//
// Thread safety: values. Source: [bitsquid2010], "Events": a foot step generates a sound.
#ifndef NOWAIT_SRC_APPS_CROWD_FOOTSTEPS_H_
#define NOWAIT_SRC_APPS_CROWD_FOOTSTEPS_H_

#include <algorithm>
#include <array>
#include <cstdint>

#include "src/events/event.h"
#include "src/events/stream.h"
#include "src/math/hash.h"
#include "src/math/vec3.h"

namespace nowait {

struct Footstep {
  static constexpr std::uint32_t kType = FourCharacters("Step");
  std::uint32_t character;
  std::uint32_t foot;  // 0: left, 1: right
  Vec3 place;          // of the ankle, in the world
};
static_assert(Event<Footstep> && sizeof(Footstep) == 2 * sizeof(std::uint32_t) + sizeof(Vec3));

class FootstepCount {
 public:
  // The stream of a frame.
  void Add(const EventStream& stream) {
    std::uint64_t in_frame = 0;
    for (const EventView event : stream) {
      const auto* step = event.As<Footstep>();
      if (step == nullptr || step->foot >= steps_.size()) continue;
      ++steps_[step->foot];
      ++in_frame;
    }
    most_ = std::max(most_, in_frame);
    for (const std::byte byte : stream.bytes()) hash_.AddByte(static_cast<std::uint8_t>(byte));
  }

  std::uint64_t left() const { return steps_[0]; }
  std::uint64_t right() const { return steps_[1]; }
  std::uint64_t most() const { return most_; }  // in a frame
  std::uint64_t hash() const { return hash_.value(); }

 private:
  std::array<std::uint64_t, 2> steps_{};
  std::uint64_t most_ = 0;
  Hash hash_;
};

}  // namespace nowait

#endif  // NOWAIT_SRC_APPS_CROWD_FOOTSTEPS_H_

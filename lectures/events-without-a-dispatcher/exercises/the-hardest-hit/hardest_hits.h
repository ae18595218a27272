// The hardest hit that each body took in a frame, from the bytes of its physics events.
#ifndef NOWAIT_LECTURES_THE_HARDEST_HIT_HARDEST_HITS_H_
#define NOWAIT_LECTURES_THE_HARDEST_HIT_HARDEST_HITS_H_

#include <algorithm>
#include <cstddef>
#include <map>
#include <span>
#include <vector>

#include "src/base/result.h"
#include "src/bodies/body_id.h"
#include "src/events/stream.h"
#include "src/world/world_events.h"

namespace nowait {

struct HardestHit {
  BodyId body;
  float speed;  // of approach, metres a second
};

// Bodies by ascending id. bytes: a stream of events, which came over a network.
inline Result<std::vector<HardestHit>> HardestHits(std::span<const std::byte> bytes) {
  std::map<std::uint32_t, HardestHit> hardest;  // by slot
  constexpr std::size_t kStep = sizeof(EventHeader) + sizeof(ContactBegan);
  for (std::size_t at = 0; at < bytes.size(); at += kStep) {
    const EventView event(bytes.data() + at);
    if (event.type() != ContactBegan::kType) continue;
    const auto& began = *reinterpret_cast<const ContactBegan*>(event.data().data());
    for (const BodyId body : {began.a, began.b}) {
      HardestHit& hit = hardest[body.slot()];
      hit.body = body;
      hit.speed = std::max(hit.speed, began.speed);
    }
  }
  std::vector<HardestHit> hits;
  for (const auto& [slot, hit] : hardest) hits.push_back(hit);
  return hits;
}

}  // namespace nowait

#endif  // NOWAIT_LECTURES_THE_HARDEST_HIT_HARDEST_HITS_H_

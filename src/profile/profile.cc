#include "src/profile/profile.h"

#include <algorithm>
#include <cstddef>
#include <memory>
#include <utility>

#include "src/base/or_no_memory.h"

namespace nowait {

Result<Lane*> Profile::AddLane(std::string name) {
  if (lanes_.size() == def_.lanes) return Fail(ErrorCode::kCapacity, "profile lanes", def_.lanes);
  return OrNoMemory([&]() -> Result<Lane*> {
    // Made before it is added to the profile, because each of these allocations may fail.
    Lane lane;
    lane.name = std::move(name);
    lane.number = static_cast<std::uint16_t>(std::min<std::size_t>(lanes_.size(), Lane::kNoNumber));
    lane.clock = def_.clock;
    lane.core = def_.core;
    // A reserved page that is never written costs no memory.
    lane.spans.reserve(def_.spans_per_lane);
    lane.samples.reserve(def_.samples_per_lane);
    lane.tasks.reserve(def_.spans_per_lane);
    if (def_.live_spans_per_lane > 0) {
      lane.live = std::make_unique<SpscRing<Live<Span>>>(def_.live_spans_per_lane);
      lane.live_tasks = std::make_unique<SpscRing<Live<TaskRecord>>>(def_.live_spans_per_lane);
    }
    return &lanes_.emplace_back(std::move(lane));
  });
}

std::uint64_t Profile::lost() const {
  std::uint64_t lost = 0;
  for (const Lane& lane : lanes_) lost += lane.lost;
  return lost;
}

void Profile::Clear() {
  for (Lane& lane : lanes_) {
    lane.spans.clear();
    lane.samples.clear();
    lane.tasks.clear();
    lane.lost = 0;
  }
}

}  // namespace nowait

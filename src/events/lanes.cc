#include "src/events/lanes.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "src/base/or_no_memory.h"

namespace nowait {

Result<std::unique_ptr<EventLanes>> EventLanes::Create(const EventLanesDef& def) {
  if (def.lanes < 1 || def.lanes > kMostLanes) {
    return Fail(ErrorCode::kInvalidArgument, "event lanes", def.lanes);
  }
  if (def.most_bytes > kMostBytes) {
    return Fail(ErrorCode::kInvalidArgument, "event bytes", def.most_bytes);
  }
  return OrNoMemory([&]() -> Result<std::unique_ptr<EventLanes>> {
    return std::unique_ptr<EventLanes>(new EventLanes(def));
  });
}

EventLanes::EventLanes(const EventLanesDef& def)
    : lanes_(def.lanes, def.most_bytes),
      most_bytes_(def.most_bytes),
      merged_(std::make_unique_for_overwrite<std::byte[]>(most_bytes_)) {}

Result<EventLanes::Section> EventLanes::Open(std::uint64_t key) {
  if (key > kHighestKey) {
    return Fail(ErrorCode::kInvalidArgument, "event section", static_cast<std::int64_t>(key));
  }
  auto lane = lanes_.Take();
  if (!lane) return Fail(ErrorCode::kCapacity, "event lanes", lanes_.count());
  (*lane)->Begin(key);
  return Section(std::move(*lane));
}

Result<EventStream> EventLanes::Merge() {
  Result<EventStream> merged =
      Fail(ErrorCode::kWrongPhase, "merge of events", 0, "a section is open");
  lanes_.TakeAll([&] { merged = OrNoMemory([this] { return MergeLanes(); }); });
  return merged;
}

Result<EventStream> EventLanes::MergeLanes() {
  pieces_.clear();
  std::uint64_t cut = EventLane::kNoCut;
  std::uint64_t events = 0;
  for (const EventLane& lane : lanes_.all()) {
    for (const EventLane::Section& section : lane.sections()) pieces_.push_back({section, &lane});
    cut = std::min(cut, lane.cut());
    events += lane.posted();
  }
  std::sort(pieces_.begin(), pieces_.end(),
            [](const Piece& a, const Piece& b) { return a.section.key < b.section.key; });

  std::size_t cost = 0;
  std::size_t used = 0;
  const Piece* twice = nullptr;
  for (const Piece& piece : pieces_) {
    if (piece.section.key >= cut) break;
    if (&piece != pieces_.data() && (&piece - 1)->section.key == piece.section.key) twice = &piece;
    cost += EventLane::kSectionCost + piece.section.bytes;
    if (cost > most_bytes_) {
      cut = piece.section.key;
      break;
    }
    const auto bytes = piece.lane->BytesOf(piece.section);
    std::memcpy(merged_.get() + used, bytes.data(), bytes.size());
    used += bytes.size();
  }
  for (EventLane& lane : lanes_.all()) lane.Clear();
  cut_ = cut;
  if (twice != nullptr) {
    lost_ = events;
    return Fail(ErrorCode::kInvalidArgument, "event section",
                static_cast<std::int64_t>(twice->section.key), "two sections have the same key");
  }
  const EventStream merged(std::span<const std::byte>(merged_.get(), used));
  for (auto event = merged.begin(); event != merged.end(); ++event) --events;
  lost_ = events;
  return merged;
}

}  // namespace nowait

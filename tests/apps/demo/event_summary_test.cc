#include "src/apps/demo/event_summary.h"

#include <catch2/catch.hpp>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "src/apps/demo/game_events.h"
#include "src/events/lanes.h"
#include "src/events/saved.h"

namespace nowait {
namespace {

struct Strange {
  static constexpr std::uint32_t kType = FourCharacters("Strg");
  std::uint64_t content;
};

// A frame with so many rays and so many events that no demo knows.
EventStream Frame(EventLanes& lanes, std::uint32_t rays, std::uint32_t strange) {
  {
    auto section = lanes.Open(0);
    REQUIRE(section);
    for (std::uint32_t i = 0; i < rays; ++i) section->Post(RaySaw{});
    for (std::uint32_t i = 0; i < strange; ++i) section->Post(Strange{i});
  }
  const auto stream = lanes.Merge();
  REQUIRE(stream);
  return *stream;
}

std::unique_ptr<EventLanes> MakeLanes() {
  auto lanes = EventLanes::Create({.lanes = 1, .most_bytes = 4'096});
  REQUIRE(lanes);
  return std::move(*lanes);
}

TEST_CASE("a file has the summary of the frames that it was made of, one behind the other") {
  const auto lanes = MakeLanes();
  EventSummary live;
  std::vector<std::byte> file;
  std::uint64_t bytes = 0;
  for (std::uint32_t frame = 0; frame < 4; ++frame) {
    const EventStream stream = Frame(*lanes, frame, 2);
    live.Add(stream, 10 * frame);
    bytes += stream.bytes().size();
    const auto blob = SaveEvents(frame, 10 * frame, stream);
    REQUIRE(blob);
    file.insert(file.end(), blob->begin(), blob->end());
  }
  CHECK(live.frames == 4);
  CHECK(live.rays_hit == 6);
  CHECK(live.unknown == 8);
  CHECK(live.lost == 60);
  CHECK(live.bytes == bytes);
  CHECK(live.contacts_began + live.woke + live.horses_swapped == 0);
  const auto read = SummariseEvents(file);
  REQUIRE(read);
  CHECK(*read == live);
  CHECK(*SummariseEvents({}) == EventSummary{});
}

TEST_CASE("the checksum of a summary is that of its streams in their order") {
  const auto lanes = MakeLanes(), others = MakeLanes();
  EventSummary forth, back;
  const EventStream one = Frame(*lanes, 1, 0), other = Frame(*others, 0, 1);
  forth.Add(one, 0);
  forth.Add(other, 0);
  back.Add(other, 0);
  back.Add(one, 0);
  CHECK(forth.checksum != back.checksum);
  CHECK(forth.bytes == back.bytes);
}

TEST_CASE("a file that is damaged or of another kind is refused, with the place in the file") {
  const auto lanes = MakeLanes();
  const auto blob = SaveEvents(0, 0, Frame(*lanes, 3, 0));
  REQUIRE(blob);
  std::vector<std::byte> file = *blob;
  BlobWriter foreign(FourCharacters("OTHR"), 1, 1'000);
  const auto other = foreign.Finish();
  REQUIRE(other);
  file.insert(file.end(), other->begin(), other->end());
  const auto kind = SummariseEvents(file);
  REQUIRE_FALSE(kind);
  CHECK(kind.error().code == ErrorCode::kCorrupt);
  CHECK(kind.error().amount == static_cast<std::int64_t>(blob->size()) + 16);
  file.resize(blob->size() + 8);
  CHECK(SummariseEvents(file).error().amount == static_cast<std::int64_t>(file.size()));
}

}  // namespace
}  // namespace nowait

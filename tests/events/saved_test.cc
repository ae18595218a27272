#include "src/events/saved.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <utility>
#include <vector>

#include "src/events/lanes.h"
#include "tests/events/events_of_tests.h"

namespace nowait {
namespace {

using Bytes = std::vector<std::byte>;

std::unique_ptr<EventLanes> MakeLanes() {
  auto lanes = EventLanes::Create({.lanes = 1, .most_bytes = 1000});
  REQUIRE(lanes);
  return std::move(*lanes);
}

// A stream of `events` events.
EventStream Make(EventLanes& lanes, std::uint32_t events) {
  {
    auto section = lanes.Open(0);
    REQUIRE(section);
    for (std::uint32_t i = 0; i < events; ++i) {
      section->Post(Rang{i});
      section->Post(Blinked{{1, 2, static_cast<std::uint8_t>(i)}});
    }
  }
  const auto stream = lanes.Merge();
  REQUIRE(stream);
  return *stream;
}

TEST_CASE("a stream is saved and opened again, a frame after the other") {
  const auto lanes = MakeLanes();
  Bytes file;
  std::vector<Bytes> streams;
  for (std::uint32_t frame = 0; frame < 4; ++frame) {
    const EventStream stream = Make(*lanes, frame);
    streams.emplace_back(stream.bytes().begin(), stream.bytes().end());
    const auto saved = SaveEvents(frame, 10 * frame, stream);
    REQUIRE(saved);
    file.insert(file.end(), saved->begin(), saved->end());
  }
  BlobSequence sequence(file);
  for (std::uint32_t frame = 0; frame < 4; ++frame) {
    const auto blob = sequence.TakeNext();
    REQUIRE((blob && *blob));
    const auto opened = OpenEvents(**blob);
    REQUIRE(opened);
    CHECK(opened->frame == frame);
    CHECK(opened->lost == 10 * frame);
    CHECK(std::ranges::equal(opened->stream.bytes(), streams[frame]));
  }
  const auto end = sequence.TakeNext();
  REQUIRE(end);
  CHECK(!*end);
}

TEST_CASE("saved events with any byte changed or cut off anywhere are refused") {
  const auto lanes = MakeLanes();
  const auto saved = SaveEvents(3, 0, Make(*lanes, 2));
  REQUIRE(saved);
  for (std::size_t i = 0; i < saved->size(); ++i) {
    Bytes bytes = *saved;
    bytes[i] ^= std::byte{0x10};
    CHECK(!Blob::Open(bytes));
    CHECK(!Blob::Open(std::span(*saved).first(i)));
  }
}

TEST_CASE("a blob that is sound and no stream is refused, with the place") {
  BlobWriter other(FourCharacters("OTHR"), 1, 1000);
  const auto of_other_kind = other.Finish();
  REQUIRE(of_other_kind);
  CHECK(!OpenEvents(*Blob::Open(*of_other_kind)));

  BlobWriter empty(kSavedEventsKind, kSavedEventsVersion, 1000);
  const auto without_head = empty.Finish();
  REQUIRE(without_head);
  CHECK(!OpenEvents(*Blob::Open(*without_head)));

  // The second of two events is longer than its stream.
  BlobWriter writer(kSavedEventsKind, kSavedEventsVersion, 1000);
  const std::vector<std::uint64_t> words = {Rang::kType | std::uint64_t{4} << 32, 1,
                                            Rang::kType | std::uint64_t{9} << 32, 1};
  const auto head = writer.Add(SavedEvents{});
  REQUIRE(head);
  const auto array = writer.AddArray<std::uint64_t>(words);
  REQUIRE(array);
  writer.Set(*head, SavedEvents{0, 0, *array});
  const auto bytes = writer.Finish();
  REQUIRE(bytes);
  const auto opened = OpenEvents(*Blob::Open(*bytes));
  REQUIRE(!opened);
  CHECK(opened.error().code == ErrorCode::kCorrupt);
  CHECK(opened.error().amount == static_cast<std::int64_t>(array->at) + 16);

  // The stream lies outside the blob.
  BlobWriter outside(kSavedEventsKind, kSavedEventsVersion, 1000);
  REQUIRE(outside.Add(SavedEvents{0, 0, {56, 1000}}));
  const auto leads_out = outside.Finish();
  REQUIRE(leads_out);
  CHECK(!OpenEvents(*Blob::Open(*leads_out)));
}

TEST_CASE("saved events of another version are refused, with the place of the version") {
  BlobWriter later(kSavedEventsKind, kSavedEventsVersion + 1, 1000);
  REQUIRE(later.Add(SavedEvents{}));
  const auto bytes = later.Finish();
  REQUIRE(bytes);
  const auto opened = OpenEvents(*Blob::Open(*bytes));
  REQUIRE(!opened);
  CHECK(opened.error().code == ErrorCode::kCorrupt);
  CHECK(opened.error().amount == 20);
}

}  // namespace
}  // namespace nowait

// Spans of threads on the wire: their cores, and those of older versions of the format.
#include <catch2/catch.hpp>
#include <cstdint>
#include <initializer_list>
#include <vector>

#include "src/live/encoder.h"
#include "src/live/event_writer.h"
#include "src/live/reader.h"
#include "src/live/wire.h"
#include "tests/live/shown_bodies.h"

namespace nowait {
namespace {

TEST_CASE("a thread that stays on its core costs the cores of its first span alone") {
  const auto size = [](std::uint16_t core) {
    LiveEncoder encoder({.scene = "cores"});
    LiveFrame frame;
    frame.number = 1;
    REQUIRE(encoder.Encode(frame));
    ++frame.number;
    for (std::uint64_t i = 0; i < 1000; ++i) {
      const auto lane = static_cast<std::uint32_t>(i % 2);
      frame.spans.push_back({lane, {"task", i, i + 1, Span::kAboutNothing, core, core}});
    }
    return encoder.Encode(frame)->bytes().size();
  };
  CHECK(size(3) <= size(kNoCore) + 8);  // two bytes for each of two lanes, and an event's end
}

TEST_CASE("versions 3 and 4 have spans about a number, and no cores") {
  LiveEncoder encoder({.scene = "old"});
  LiveFrame frame;
  const auto hello = encoder.Encode(frame);
  REQUIRE(hello);
  std::vector<std::byte> bytes(hello->bytes().begin(), hello->bytes().end());
  for (const std::uint32_t version : {3u, 4u}) {
    bytes[sizeof(EventHeader)] = static_cast<std::byte>(version);
    LiveReader reader;
    REQUIRE(reader.Read(*EventStream::Open(bytes)));
    EventWriter writer;
    writer.Begin(kLiveSpans);
    writer.Value(std::uint64_t{1000});
    writer.Varint(1);
    writer.Varint(7 << 1 | 1);
    writer.Varint(9);
    writer.SignedVarint(10);
    writer.Varint(2);
    writer.End();
    REQUIRE(reader.Read(*EventStream::Open(writer.bytes())));
    REQUIRE(reader.scene().spans.size() == 1);
    CHECK(reader.scene().spans[0].name == 7);
    CHECK(reader.scene().spans[0].about == 9);
    CHECK(reader.scene().spans[0].begin_core == kNoCore);
    CHECK(reader.scene().spans[0].end_core == kNoCore);
  }
}

TEST_CASE("before version 3 the name of a span is its number, and spans are about nothing") {
  LiveEncoder encoder({.scene = "old"});
  LiveFrame frame;
  const auto hello = encoder.Encode(frame);
  REQUIRE(hello);
  std::vector<std::byte> bytes(hello->bytes().begin(), hello->bytes().end());
  bytes[sizeof(EventHeader)] = std::byte{2};
  LiveReader reader;
  REQUIRE(reader.Read(*EventStream::Open(bytes)));
  EventWriter writer;
  writer.Begin(kLiveSpans);
  writer.Value(std::uint64_t{1000});
  for (const std::uint64_t name : {5u, 6u}) {
    writer.Varint(1);
    writer.Varint(name);
    writer.SignedVarint(10);
    writer.Varint(7);
  }
  writer.End();
  REQUIRE(reader.Read(*EventStream::Open(writer.bytes())));
  REQUIRE(reader.scene().spans.size() == 2);
  CHECK(reader.scene().spans[0].name == 5);
  CHECK(reader.scene().spans[1].name == 6);
  CHECK(reader.scene().spans[1].begin == 1020);
  CHECK(reader.scene().spans[1].end == 1027);
  CHECK(reader.scene().spans[1].about == Span::kAboutNothing);
}

}  // namespace
}  // namespace nowait

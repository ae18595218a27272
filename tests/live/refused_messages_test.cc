// Messages that are cut off, of another version, or with impossible parts are refused with a place.
#include <catch2/catch.hpp>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <string>
#include <vector>

#include "src/live/encoder.h"
#include "src/live/event_writer.h"
#include "src/live/reader.h"
#include "src/live/wire.h"
#include "tests/live/shown_bodies.h"

namespace nowait {
namespace {

TEST_CASE("a message cut off anywhere is refused or a beginning of it") {
  LiveEncoder encoder({.scene = "cut", .lanes = {"main"}});
  Bodies bodies(5);
  const auto message = encoder.Encode(bodies.Next());
  REQUIRE(message);
  const auto whole = message->bytes();
  std::vector<std::byte> bytes(whole.begin(), whole.end());
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    const auto stream = EventStream::Open(std::span(bytes).first(size));
    if (!stream) continue;
    LiveReader reader;
    REQUIRE(reader.Read(*stream));
    REQUIRE(!reader.scene().frame);
  }
}

TEST_CASE("another version, and changes of no body, are refused with a place") {
  LiveEncoder encoder({.scene = "x"});
  Bodies bodies(7);
  LiveFrame frame = bodies.Next();
  frame.spans.clear();  // a span of version 1 has fewer numbers
  const auto first = encoder.Encode(frame);
  REQUIRE(first);
  std::vector<std::byte> bytes(first->bytes().begin(), first->bytes().end());
  for (const std::uint32_t version : {0u, kLiveVersion + 1}) {
    bytes[sizeof(EventHeader)] = static_cast<std::byte>(version);
    const auto read = LiveReader().Read(*EventStream::Open(bytes));
    REQUIRE(!read);
    CHECK(read.error().code == ErrorCode::kCorrupt);
  }
  bytes[sizeof(EventHeader)] = std::byte{1};  // the layer of a body was zero then
  LiveReader reader;
  REQUIRE(reader.Read(*EventStream::Open(bytes)));
  for (const auto& [slot, body] : reader.scene().bodies) {
    CHECK(body.record.layer == body.record.dynamic);
  }

  ++frame.number;
  frame.bodies.front().position.x += 1.0f;
  const auto change = encoder.Encode(frame);
  REQUIRE(change);
  CHECK(std::string(LiveReader().Read(*change).error().subject) == "live wire");
  LiveEncoder empty({.scene = "y"});
  LiveFrame nothing;
  nothing.number = 1;
  LiveReader other;
  REQUIRE(other.Read(*empty.Encode(nothing)));
  CHECK(std::string(other.Read(*change).error().subject) == "live event");
}

// A message with a body in slot 4, and the events that `add` writes behind it.
template <class F>
Result<void> ReadBehindABody(LiveReader& reader, F&& add) {
  LiveFrame frame;
  frame.number = 1;
  BodySnapshot body;
  body.id = BodyId(1, 4, 9);
  frame.bodies.push_back(body);
  LiveEncoder encoder({.scene = "body"});
  REQUIRE(reader.Read(*encoder.Encode(frame)));
  EventWriter writer;
  add(writer);
  return reader.Read(*EventStream::Open(writer.bytes()));
}

TEST_CASE("threads of no body, of no lane, and impossible numbers of locks are refused") {
  const auto threads = [](std::uint64_t gap, std::uint64_t thread) {
    return [=](EventWriter& writer) {
      writer.Begin(kLiveThreads);
      writer.Varint(gap);
      writer.Varint(thread);
      writer.End();
    };
  };
  const auto locks = [](std::uint32_t count) {
    return [=](EventWriter& writer) {
      writer.Begin(kLiveBodyLocks);
      writer.Value(count);
      writer.End();
    };
  };
  LiveReader good;
  REQUIRE(ReadBehindABody(good, threads(4, 3)));
  CHECK(good.scene().bodies.at(4).lane == 2u);
  REQUIRE(ReadBehindABody(good, locks(1024)));
  const auto refused = [](auto&& add) {
    LiveReader reader;
    const auto read = ReadBehindABody(reader, add);
    return !read && read.error().code == ErrorCode::kCorrupt;
  };
  CHECK(refused(threads(3, 1)));
  CHECK(refused(threads(std::uint64_t{1} << 40, 1)));
  CHECK(refused(threads(4, 4097)));
  CHECK(refused([](EventWriter& writer) {
    writer.Begin(kLiveThreads);
    writer.Varint(4);
    writer.End();
  }));
  CHECK(refused(locks(0)));
  CHECK(refused(locks(1025)));
}

TEST_CASE("a span about a number of more than 32 bits is refused") {
  for (const std::uint64_t about : {std::uint64_t{0xffff'ffff}, std::uint64_t{1} << 32}) {
    LiveReader reader;
    const auto read = ReadBehindABody(reader, [about](EventWriter& writer) {
      writer.Begin(kLiveSpans);
      writer.Value(std::uint64_t{1000});
      writer.Varint(0);
      writer.Varint(5 << 2 | 1);
      writer.Varint(about);
      writer.SignedVarint(0);
      writer.Varint(7);
      writer.End();
    });
    CHECK(read.has_value() == (about >> 32 == 0));
  }
}

TEST_CASE("a core beyond the greatest one is refused") {
  for (const std::uint64_t begin : {std::uint64_t{kNoCore}, std::uint64_t{kNoCore} + 1}) {
    for (const std::uint64_t end : {std::uint64_t{0}, std::uint64_t{1} << 40}) {
      LiveReader reader;
      const auto read = ReadBehindABody(reader, [begin, end](EventWriter& writer) {
        writer.Begin(kLiveSpans);
        writer.Value(std::uint64_t{1000});
        writer.Varint(0);
        writer.Varint(5 << 2 | 2);
        writer.Varint(begin);
        writer.Varint(end);
        writer.SignedVarint(0);
        writer.Varint(7);
        writer.End();
      });
      CHECK(read.has_value() == (begin == kNoCore && end == 0));
    }
  }
}

}  // namespace
}  // namespace nowait

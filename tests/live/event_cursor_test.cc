#include "src/live/event_cursor.h"

#include <catch2/catch.hpp>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <limits>
#include <span>
#include <utility>
#include <vector>

#include "src/events/stream.h"
#include "src/live/event_writer.h"
#include "src/live/place.h"

namespace nowait {
namespace {

std::vector<std::byte> Bytes(std::initializer_list<unsigned> values) {
  std::vector<std::byte> bytes;
  for (const unsigned value : values) bytes.push_back(static_cast<std::byte>(value));
  return bytes;
}

TEST_CASE("what a writer writes a cursor reads, numbers at the ends of their range as well") {
  const std::vector<std::uint64_t> numbers = {0,      1,          127,        128,  16'383,
                                              16'384, 1ull << 35, 1ull << 63, ~0ull};
  const std::vector<std::int64_t> both = {0,
                                          -1,
                                          1,
                                          -64,
                                          64,
                                          std::numeric_limits<std::int64_t>::min(),
                                          std::numeric_limits<std::int64_t>::max()};
  EventWriter writer;
  writer.Begin(7);
  for (const std::uint64_t number : numbers) writer.Varint(number);
  for (const std::int64_t number : both) writer.SignedVarint(number);
  writer.Value(2.5f);
  writer.Text("words");
  writer.End();
  const auto stream = EventStream::Open(writer.bytes());
  REQUIRE(stream);
  EventCursor cursor((*stream->begin()).data());
  for (const std::uint64_t number : numbers) CHECK(cursor.Varint() == number);
  for (const std::int64_t number : both) CHECK(cursor.SignedVarint() == number);
  CHECK(cursor.Value<float>() == 2.5f);
  CHECK(cursor.left() == 5);
  CHECK(cursor.Text() == "words");
  CHECK(cursor.left() == 0);
  CHECK_FALSE(cursor.failed());
}

TEST_CASE("a zigzag goes 0, -1, 1, -2") {
  const auto bytes = Bytes({0, 1, 2, 3});
  EventCursor cursor(bytes);
  for (const std::int64_t number : {0, -1, 1, -2}) CHECK(cursor.SignedVarint() == number);
}

TEST_CASE("a number of more than 64 bits is refused, and one that does not end") {
  // Ten bytes have 70 bits: the last one may have the lowest of its seven alone.
  for (const auto& [last, fits] : {std::pair{1u, true}, {2u, false}, {0x7fu, false}}) {
    CAPTURE(last);
    auto bytes = Bytes({0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, last});
    EventCursor cursor(bytes);
    CHECK(cursor.Varint() == (fits ? ~0ull : 0));
    CHECK(cursor.failed() == !fits);
  }
  const auto endless = Bytes({0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x81, 1});
  for (const std::size_t size : {0u, 1u, 5u, 10u, 11u}) {
    CAPTURE(size);
    EventCursor cursor{std::span(endless).first(size)};
    CHECK(cursor.Varint() == 0);
    CHECK(cursor.failed());
  }
}

TEST_CASE("from its first failure on a cursor has failed, and reads zeros and nothing") {
  const auto bytes = Bytes({1, 2, 3, 4, 5});
  EventCursor cursor(bytes);
  CHECK(cursor.Value<std::uint32_t>() == 0x04030201);
  CHECK_FALSE(cursor.failed());
  CHECK(cursor.Value<std::uint32_t>() == 0);
  CHECK(cursor.failed());
  CHECK(cursor.left() == 0);
  CHECK(cursor.Value<std::uint8_t>() == 0);
  CHECK(cursor.Varint() == 0);
  CHECK(cursor.SignedVarint() == 0);
  CHECK(cursor.Text().empty());
  CHECK(cursor.failed());
}

TEST_CASE("events of any size lie one behind the other, each at its size") {
  EventWriter writer;
  for (int round = 0; round < 2; ++round) {
    for (std::size_t size = 0; size <= 17; ++size) {
      writer.Begin(static_cast<std::uint32_t>(100 + size));
      for (std::size_t i = 0; i < size; ++i) writer.Value(std::uint8_t{0xff});
      writer.End();
    }
    const auto stream = EventStream::Open(writer.bytes());
    REQUIRE(stream);
    std::size_t size = 0;
    for (const EventView event : *stream) {
      CHECK(event.type() == 100 + size);
      CHECK(event.size() == size);
      ++size;
    }
    CHECK(size == 18);
    writer.Clear();
    CHECK(writer.bytes().empty());
  }
}

TEST_CASE("a change leads from a number to any other one, and no further") {
  constexpr std::int32_t kLeast = std::numeric_limits<std::int32_t>::min();
  constexpr std::int32_t kMost = std::numeric_limits<std::int32_t>::max();
  constexpr std::int64_t kWhole = std::int64_t{kMost} - kLeast;
  CHECK(AddChange(kLeast, kWhole) == kMost);
  CHECK(AddChange(kMost, -kWhole) == kLeast);
  CHECK(AddChange(-5, 5) == 0);
  CHECK_FALSE(AddChange(kLeast, kWhole + 1));
  CHECK_FALSE(AddChange(kMost, 1));
  CHECK_FALSE(AddChange(kLeast, -1));
  CHECK_FALSE(AddChange(0, std::numeric_limits<std::int64_t>::max()));
  CHECK_FALSE(AddChange(-1, std::numeric_limits<std::int64_t>::min()));
}

}  // namespace
}  // namespace nowait

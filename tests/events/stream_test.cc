#include "src/events/stream.h"

#include <catch2/catch.hpp>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include "tests/events/events_of_tests.h"

namespace nowait {
namespace {

using Bytes = std::vector<std::byte>;

// As the format says, by hand.
void Append(Bytes& bytes, std::uint32_t type, const void* data, std::uint32_t size) {
  const std::size_t at = bytes.size();
  bytes.resize(at + 8 + (size + 7) / 8 * 8);
  std::memcpy(bytes.data() + at, &type, 4);
  std::memcpy(bytes.data() + at + 4, &size, 4);
  std::memcpy(bytes.data() + at + 8, data, size);
}

template <class T>
void Append(Bytes& bytes, const T& event) {
  Append(bytes, T::kType, &event, sizeof event);
}

// A consumer of two types.
std::string Told(const EventStream& stream) {
  std::string told;
  for (const EventView event : stream) {
    if (const auto* rang = event.As<Rang>()) told += "bell " + std::to_string(rang->bell) + ";";
    if (const auto* passed = event.As<Passed>())
      told += "door " + std::to_string(passed->door) + ";";
  }
  return told;
}

TEST_CASE("a stream without events has no events") {
  CHECK(EventStream().empty());
  CHECK(Told(EventStream()) == "");
  const auto none = EventStream::Open({});
  REQUIRE(none);
  CHECK(none->empty());
}

TEST_CASE("a consumer gets its events in their order and skips the others") {
  Bytes bytes;
  Append(bytes, Rang{1});
  Append(bytes, Blinked{{1, 2, 3}});
  Append(bytes, Passed{2, 9});
  Append(bytes, FourCharacters("????"), "seventeen bytes..", 17);
  Append(bytes, FourCharacters("none"), "", 0);
  Append(bytes, Rang{3});
  const auto stream = EventStream::Open(bytes);
  REQUIRE(stream);
  CHECK(Told(*stream) == "bell 1;door 2;bell 3;");
  CHECK(std::distance(stream->begin(), stream->end()) == 6);
  auto third = std::next(stream->begin(), 3);
  CHECK((*third).type() == FourCharacters("????"));
  CHECK((*third).data().size() == 17);
  CHECK((*third).As<Rang>() == nullptr);
}

TEST_CASE("an event of a known type and another size is skipped") {
  Bytes bytes;
  const std::uint64_t eight = 5;
  Append(bytes, Rang::kType, &eight, 8);
  Append(bytes, Rang{2});
  const auto stream = EventStream::Open(bytes);
  REQUIRE(stream);
  CHECK(Told(*stream) == "bell 2;");
}

TEST_CASE("a stream that is cut off within an event is refused, with the event's place") {
  Bytes bytes;
  Append(bytes, Rang{1});             // 0 .. 16
  Append(bytes, Passed{2, 9});        // 16 .. 40
  Append(bytes, Blinked{{1, 2, 3}});  // 40 .. 56
  for (std::size_t size = 0; size <= bytes.size(); ++size) {
    const Bytes part(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(size));
    const auto stream = EventStream::Open(part);
    const bool whole = size == 0 || size == 16 || size == 40 || size == 56;
    REQUIRE(stream.has_value() == whole);
    if (whole) continue;
    CHECK(stream.error().code == ErrorCode::kCorrupt);
    CHECK(stream.error().amount == (size < 16 ? 0 : size < 40 ? 16 : 40));
  }
}

TEST_CASE("a size of any bits leads nowhere else") {
  Bytes bytes;
  Append(bytes, Passed{2, 9});
  for (const std::uint32_t size : {17u, 24u, 0x7fffffffu, 0xfffffff8u, 0xffffffffu}) {
    std::memcpy(bytes.data() + 4, &size, 4);
    CHECK(!EventStream::Open(bytes));
  }
}

TEST_CASE("a stream does not lie just anywhere") {
  Bytes bytes;
  Append(bytes, Rang{1});
  bytes.insert(bytes.begin(), 4, std::byte{0});
  const auto stream = EventStream::Open(std::span(bytes).subspan(4));
  REQUIRE(!stream);
  CHECK(stream.error().code == ErrorCode::kInvalidArgument);
}

TEST_CASE("a stream that does not begin at a multiple of eight is refused, wherever it begins") {
  alignas(8) std::byte bytes[32] = {};
  for (std::size_t at = 0; at < 8; ++at) {
    CAPTURE(at);
    // Zeros: events of type 0 and size 0.
    const auto stream = EventStream::Open(std::span(bytes).subspan(at, 16));
    REQUIRE(stream.has_value() == (at == 0));
    if (!stream) CHECK(stream.error().code == ErrorCode::kInvalidArgument);
  }
}

}  // namespace
}  // namespace nowait

// A recording is read again, and damage to it is named by its place.
#include "src/live/recording.h"

#include <catch2/catch.hpp>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "src/live/encoder.h"
#include "src/live/reader.h"
#include "src/live/wire.h"
#include "tests/live/shown_bodies.h"

namespace nowait {
namespace {

TEST_CASE("a recording is read again, and damage to it has a place") {
  LiveEncoder encoder({.scene = "recorded"});
  Recorder recorder;
  Bodies bodies(9);
  LiveFrame frame;
  for (int i = 0; i < 10; ++i) {
    frame = bodies.Next();
    REQUIRE(recorder.Add(frame.number, *encoder.Encode(frame)));
  }
  LiveReader reader;
  std::uint64_t seen = 0;
  const auto read = ReadRecording(recorder.bytes(), reader, [&](const EventStream&) { ++seen; });
  REQUIRE(read);
  CHECK(*read == 10);
  CHECK(seen == 10);
  CheckScene(reader.scene(), frame);

  std::vector<std::byte> damaged(recorder.bytes().begin(), recorder.bytes().end());
  damaged[damaged.size() / 2] ^= std::byte{16};
  LiveReader again;
  const auto wrong = ReadRecording(damaged, again, [](const EventStream&) {});
  REQUIRE(!wrong);
  CHECK(wrong.error().code == ErrorCode::kCorrupt);
  CHECK(wrong.error().amount <= static_cast<std::int64_t>(damaged.size()));
  CHECK(!ReadRecording({}, again, [](const EventStream&) {}));
}

TEST_CASE("a recording that is full keeps its messages") {
  LiveEncoder encoder({.scene = "full"});
  Bodies bodies(13);
  Recorder measured;
  REQUIRE(measured.Add(1, *encoder.Encode(bodies.Next())));
  LiveEncoder again({.scene = "full"});
  Bodies same(13);
  const LiveFrame first = same.Next();
  Recorder recorder(measured.bytes().size());
  REQUIRE(recorder.Add(1, *again.Encode(first)));
  const auto full = recorder.Add(2, *again.Encode(same.Next()));
  REQUIRE(!full);
  CHECK(full.error() == Error{ErrorCode::kCapacity, "recording",
                              static_cast<std::int64_t>(measured.bytes().size())});
  LiveReader reader;
  const std::vector<std::byte> file = recorder.Take();
  REQUIRE(ReadRecording(file, reader, [](const EventStream&) {}) == 1u);
  CheckScene(reader.scene(), first);
}

TEST_CASE("an event of a recording that is wrong is named by its place in the file") {
  LiveEncoder encoder({.scene = "recorded"});
  Bodies bodies(9);
  LiveFrame frame = bodies.Next();
  Recorder recorder;
  REQUIRE(recorder.Add(1, *encoder.Encode(frame)));
  const std::size_t first = recorder.bytes().size();
  // Its checksum is right, and it names a body that is not there.
  EventWriter writer;
  writer.Begin(kLiveGone);
  writer.Value(std::uint32_t{4'000});
  writer.End();
  REQUIRE(recorder.Add(2, *EventStream::Open(writer.bytes())));
  const auto bytes = recorder.bytes();
  const auto type = std::as_bytes(std::span(&kLiveGone, 1));
  const auto event = std::search(bytes.begin() + static_cast<std::ptrdiff_t>(first), bytes.end(),
                                 type.begin(), type.end());
  REQUIRE(event != bytes.end());
  LiveReader reader;
  const auto wrong = ReadRecording(bytes, reader, [](const EventStream&) {});
  REQUIRE(!wrong);
  CHECK(std::string(wrong.error().subject) == "live event");
  CHECK(wrong.error().amount == event - bytes.begin());
}

}  // namespace
}  // namespace nowait

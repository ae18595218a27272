// Blobs and the streams of events in them: refused with one line and a place, or whole.
#include <zlib.h>

#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

#include "src/events/saved.h"
#include "src/events/stream.h"
#include "src/resource/blob.h"
#include "tests/fuzz/promise.h"

namespace nowait {
namespace {

void PromisePlace(const Error& error, std::size_t size) {
  fuzz::PromiseOneLine(ToString(error));
  fuzz::Promise(error.code == ErrorCode::kCorrupt, "what is wrong comes from outside");
  fuzz::Promise(error.amount >= 0 && static_cast<std::size_t>(error.amount) <= size,
                "the place of an error is in the bytes");
}

void CheckStream(const EventStream& stream) {
  std::size_t bytes = 0;
  for (const EventView event : stream) {
    bytes += BytesInStream(event.size());
    std::uint32_t sum = 0;
    for (const std::byte byte : event.data()) sum += static_cast<std::uint32_t>(byte);
    fuzz::Promise(sum <= event.size() * std::uint64_t{255}, "an event can be read");
  }
  fuzz::Promise(bytes == stream.bytes().size(), "a stream consists of its events");
}

void Check(std::span<const std::byte> bytes) {
  BlobSequence blobs(bytes);
  for (;;) {
    const auto blob = blobs.TakeNext();
    if (!blob) return PromisePlace(blob.error(), bytes.size());
    if (!*blob) {
      return fuzz::Promise(blobs.place() == bytes.size(), "a sequence ends with its bytes");
    }
    const auto events = OpenEvents(**blob);
    if (events) {
      CheckStream(events->stream);
    } else {
      fuzz::PromiseOneLine(ToString(events.error()));
      // An offset may be any number of 32 bits, and so is the place that it leads to.
      fuzz::Promise(events.error().amount >= 0, "an error has a place");
    }
  }
}

}  // namespace
}  // namespace nowait

// As it is; and as the content of one blob, whose header no fuzzer guesses; and as a stream.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::vector<std::byte> bytes(size);
  if (size > 0) std::memcpy(bytes.data(), data, size);
  nowait::Check(bytes);
  if (const auto stream = nowait::EventStream::Open(bytes)) {
    nowait::CheckStream(*stream);
  } else {
    nowait::PromisePlace(stream.error(), size);
  }

  const std::size_t whole = (size + 15) / 16 * 16 + sizeof(nowait::BlobHeader);
  std::vector<std::byte> blob(whole);
  if (size > 0) std::memcpy(blob.data() + sizeof(nowait::BlobHeader), data, size);
  nowait::BlobHeader header{{'N', 'O', 'W', 'A', 'I', 'T', 'B', 'L'},
                            1,
                            0,
                            nowait::kSavedEventsKind,
                            nowait::kSavedEventsVersion,
                            whole};
  std::memcpy(blob.data(), &header, sizeof header);
  header.checksum = static_cast<std::uint32_t>(
      crc32_z(0, reinterpret_cast<const Bytef*>(blob.data()) + 16, whole - 16));
  std::memcpy(blob.data(), &header, sizeof header);
  nowait::fuzz::Promise(nowait::Blob::Open(blob).has_value(), "a sealed blob is one");
  nowait::Check(blob);
  return 0;
}

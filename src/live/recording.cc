#include "src/live/recording.h"

#include "src/base/or_no_memory.h"
#include "src/events/saved.h"
#include "src/resource/blob.h"

namespace nowait {

Result<void> Recorder::Add(std::uint64_t number, const EventStream& message) {
  const auto blob = SaveEvents(number, 0, message);
  if (!blob) return std::unexpected(blob.error());
  if (blob->size() > most_bytes_ - bytes_.size()) {
    return Fail(ErrorCode::kCapacity, "recording", static_cast<std::int64_t>(most_bytes_));
  }
  return OrNoMemory([&]() -> Result<void> {
    bytes_.insert(bytes_.end(), blob->begin(), blob->end());
    return {};
  });
}

Result<std::uint64_t> ReadRecording(std::span<const std::byte> bytes, LiveReader& reader,
                                    const std::function<void(const EventStream&)>& after) {
  BlobSequence blobs(bytes);
  std::uint64_t messages = 0;
  for (;;) {
    const auto place = static_cast<std::int64_t>(blobs.place());
    const auto within = [place](Error error) {
      if (error.code == ErrorCode::kCorrupt) error.amount += place;
      return std::unexpected(error);
    };
    const auto blob = blobs.TakeNext();
    if (!blob) return std::unexpected(blob.error());
    if (!*blob) break;
    const auto opened = OpenEvents(**blob);
    if (!opened) return within(opened.error());
    if (const auto read = reader.Read(opened->stream); !read) {
      Error error = read.error();
      // Counted from the beginning of the stream, which lies within the blob.
      if (error.code == ErrorCode::kCorrupt) {
        error.amount += opened->stream.bytes().data() - (*blob)->bytes().data();
      }
      return within(error);
    }
    after(opened->stream);
    ++messages;
  }
  if (messages == 0) return Fail(ErrorCode::kCorrupt, "recording", 0, "it has no message");
  return messages;
}

}  // namespace nowait

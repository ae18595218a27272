#include "src/events/saved.h"

#include <limits>
#include <span>

namespace nowait {

Result<std::vector<std::byte>> SaveEvents(std::uint64_t frame, std::uint64_t lost,
                                          const EventStream& stream) {
  BlobWriter writer(kSavedEventsKind, kSavedEventsVersion,
                    std::numeric_limits<std::uint32_t>::max());
  const auto head = writer.Add(SavedEvents{frame, lost, {}});
  if (!head) return std::unexpected(head.error());
  // Whole events: a multiple of 8 bytes, at a multiple of 8 bytes.
  const auto words =
      writer.AddArray(std::span(reinterpret_cast<const std::uint64_t*>(stream.bytes().data()),
                                stream.bytes().size() / sizeof(std::uint64_t)));
  if (!words) return std::unexpected(words.error());
  writer.Set(*head, SavedEvents{frame, lost, *words});
  return writer.Finish();
}

Result<OpenedEvents> OpenEvents(const Blob& blob) {
  if (Result<void> is = blob.Expect(kSavedEventsKind, kSavedEventsVersion); !is) {
    return std::unexpected(is.error());
  }
  const auto head = blob.First<SavedEvents>();
  if (!head) return std::unexpected(head.error());
  const auto words = blob.Get((*head)->stream);
  if (!words) return std::unexpected(words.error());
  const auto stream = EventStream::Open(std::as_bytes(*words));
  if (!stream) {
    Error error = stream.error();
    error.amount += (*head)->stream.at;
    return std::unexpected(error);
  }
  return OpenedEvents{(*head)->frame, (*head)->lost, *stream};
}

}  // namespace nowait

// A recording: the messages of a run, as a file.
//
// The file consists of saved events (src/events/saved.h): one blob per message, one after another.
// The first message is a greeting, so a recording can be read from its beginning.
//
// Thread safety: one thread at a time.
#ifndef NOWAIT_SRC_LIVE_RECORDING_H_
#define NOWAIT_SRC_LIVE_RECORDING_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <utility>
#include <vector>

#include "src/base/result.h"
#include "src/events/stream.h"
#include "src/live/reader.h"

namespace nowait {

// The limit of one recording: half an hour of a thousand bodies that never rest.
inline constexpr std::size_t kMostRecordedBytes = std::size_t{1} << 30;

class Recorder {
 public:
  explicit Recorder(std::size_t most_bytes = kMostRecordedBytes) : most_bytes_(most_bytes) {}

  // kCapacity "recording" with its bytes, "memory": the message was not added, and those before it
  // are a recording. A message has the changes since the previous one, so no more may follow.
  Result<void> Add(std::uint64_t number, const EventStream& message);

  std::span<const std::byte> bytes() const { return bytes_; }
  // Returns the bytes and leaves the recording empty.
  std::vector<std::byte> Take() { return std::exchange(bytes_, {}); }

 private:
  const std::size_t most_bytes_;
  std::vector<std::byte> bytes_;
};

// Passes each message to the reader, and then calls `after` with it. Returns the number of
// messages, at least one. kCorrupt with the offset in the file as `amount`: damaged, of another
// kind or version, or empty. bytes: aligned to 16 bytes, as ReadFile's are.
Result<std::uint64_t> ReadRecording(std::span<const std::byte> bytes, LiveReader& reader,
                                    const std::function<void(const EventStream&)>& after);

}  // namespace nowait

#endif  // NOWAIT_SRC_LIVE_RECORDING_H_

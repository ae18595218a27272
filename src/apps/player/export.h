// Recordings as pages and as text.
#ifndef NOWAIT_SRC_APPS_PLAYER_EXPORT_H_
#define NOWAIT_SRC_APPS_PLAYER_EXPORT_H_

#include <cstddef>
#include <span>
#include <string>

#include "src/base/result.h"

namespace nowait {

// A recording's length and its end, in lines. The errors are ReadRecording's, and kCapacity
// "memory".
Result<std::string> DescribeRecording(std::span<const std::byte> recording);

// The critical path of each frame of a recording, and what the frame would have taken with other
// priorities: JSON (docs/live-wire.md). Errors: as above.
Result<std::string> PathsOfRecording(std::span<const std::byte> recording);

// The recording as one page that works from a disk. The errors are ReadRecording's, and kCapacity
// "memory".
Result<std::string> PageOfRecording(std::span<const std::byte> recording);

}  // namespace nowait

#endif  // NOWAIT_SRC_APPS_PLAYER_EXPORT_H_

// WatchProgram: the messages of a running program, as a recording. A viewer without a page.
//
//   const auto watched = WatchProgram(address, {.go_on = [] { return !IsInterrupted(); }});
//   if (!watched) return Complain(ToString(watched.error()));
//   ... watched->recording: what LiveService would have recorded, from now on ...
//
// The address is the one that the program prints. The program does not wait for this viewer: frames
// that pass it by are counted, and the next message has their changes.
//
// Errors: kInvalidArgument "address", also where the program refuses the viewer; kIo "connection"
// with errno, where there is no such program; kCorrupt for a wrong message; kCapacity "memory". A
// recording that is full ends there: `recorded` says it.
// Test: tests/apps/player/cli_test.py.
#ifndef NOWAIT_SRC_APPS_PLAYER_WATCH_H_
#define NOWAIT_SRC_APPS_PLAYER_WATCH_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "src/base/result.h"
#include "src/live/parts.h"
#include "src/live/recording.h"

namespace nowait {

struct WatchDef {
  std::function<bool()> go_on;  // asked a few times a second
  LiveParts parts = {};         // in addition to bodies and spans
  std::size_t most_bytes = kMostRecordedBytes;
};

struct Watched {
  std::vector<std::byte> recording;
  std::uint64_t messages = 0;  // in it
  std::uint64_t missed = 0;    // frames that passed this viewer by
  Result<void> recorded;       // or why it ended early
};

// Returns when the program has ended, or go_on() is false. At least one message is in it.
Result<Watched> WatchProgram(const std::string& address, const WatchDef& def);

}  // namespace nowait

#endif  // NOWAIT_SRC_APPS_PLAYER_WATCH_H_

// Show: a scene in the terminal, frame by frame, with a person at the keyboard.
//
// A frame is a task, and makes the next one. It is a step of the scene, and lasts until its time is
// over; while the scene stands, the step waits for a key. Pictures are painted beside the frames. A
// picture whose camera has moved is given up; a frame that ends while a picture is being painted
// begins no other. After many such frames the next one waits for the picture. Only the main thread
// writes to the terminal, and stalls there. The other threads go on, unless it helps with the step:
// then that step lasts as long.
//
// Without a terminal each frame has its picture, and ends with it. Then the state and the last
// picture depend on the scene, the frames and the size alone.
//
// Thread safety: Run by one thread, once.
// Source: [bitsquid2010]: main threads, affinity, external work; [cbloom2011]: frames without a
// main loop, a device's thread, work that is put later in the tick.
#ifndef NOWAIT_SRC_APPS_TERMINAL_SHOW_H_
#define NOWAIT_SRC_APPS_TERMINAL_SHOW_H_

#include <cstdint>
#include <string>

#include "src/apps/player/scenes.h"
#include "src/apps/terminal/options.h"
#include "src/base/result.h"

namespace nowait {

struct ShowRecord {
  std::uint64_t frames = 0;      // that were computed
  std::uint64_t state_hash = 0;  // at the end
  std::uint64_t bodies = 0;
  std::uint64_t mean_frame = 0;  // nanoseconds of a step
  std::uint64_t longest_frame = 0;
  std::uint64_t painted = 0;    // pictures
  std::uint64_t given_up = 0;   // because the camera moved
  std::uint64_t passed_by = 0;  // frames without a picture
  std::uint64_t thrown = 0;
  std::uint64_t not_thrown = 0;  // there was no room until the end
  std::string last_picture;      // as plain text; without a terminal
};

// Shows the scene until it is quit, interrupted, or `options.frames` are over. in, out: of the
// person; no terminal unless both are one.
Result<ShowRecord> RunShow(const TerminalOptions& options, const PlayerScene& scene, int in,
                           int out);

}  // namespace nowait

#endif  // NOWAIT_SRC_APPS_TERMINAL_SHOW_H_

// Progress: one line on stderr while the demo runs.
//
// On a terminal the line is overwritten ten times a second and erased at the end; elsewhere a line
// is added each second.
#ifndef NOWAIT_SRC_APPS_DEMO_PROGRESS_H_
#define NOWAIT_SRC_APPS_DEMO_PROGRESS_H_

#include <cstdint>

#include "src/apps/demo/run.h"

namespace nowait {

class Progress {
 public:
  explicit Progress(std::uint32_t frames);

  void Show(std::uint32_t frame, const FrameRecord& record);
  void Finish();

 private:
  const std::uint32_t frames_;
  const bool terminal_;
  std::uint64_t next_;  // nanoseconds: when the next line is due
  bool shown_ = false;
};

}  // namespace nowait

#endif  // NOWAIT_SRC_APPS_DEMO_PROGRESS_H_

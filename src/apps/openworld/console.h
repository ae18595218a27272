// Console: lines for a person, written by a device's thread: a terminal may stall.
//
//   console.Say("tile 3, 4 is missing: ...");       kept
//   console.Flush();                                once a frame: asks the device, if it is idle
//
// On a terminal the progress line is overwritten, elsewhere one is added each second.
//
// Thread safety: one thread at a time. End after the last frame, by a main thread; it helps.
#ifndef NOWAIT_SRC_APPS_OPENWORLD_CONSOLE_H_
#define NOWAIT_SRC_APPS_OPENWORLD_CONSOLE_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "src/base/result.h"
#include "src/jobs/device.h"
#include "src/jobs/task_id.h"
#include "src/jobs/task_pool.h"

namespace nowait {

class Console {
 public:
  explicit Console(TaskPool& pool);

  void Say(std::string line);
  // Replaces the progress that is not shown yet.
  void Progress(std::string line) { progress_ = std::move(line); }
  void Flush();
  Result<void> End();

 private:
  static constexpr std::size_t kMostLines = 40;  // in one run

  static Result<void> Write(void* data);

  TaskPool& pool_;
  const bool terminal_;
  std::vector<std::string> lines_;
  std::string progress_;
  std::size_t said_ = 0;
  // Of the request in progress.
  std::optional<DeviceRequest> request_;
  TaskId task_;
  std::string text_;
};

}  // namespace nowait

#endif  // NOWAIT_SRC_APPS_OPENWORLD_CONSOLE_H_

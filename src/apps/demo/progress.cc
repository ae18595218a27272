#include "src/apps/demo/progress.h"

#include <fmt/format.h>
#include <unistd.h>

#include "src/apps/command_line/print.h"

namespace nowait {
namespace {

constexpr std::uint64_t kSecond = 1'000'000'000;

}  // namespace

Progress::Progress(std::uint32_t frames)
    : frames_(frames),
      terminal_(::isatty(STDERR_FILENO) == 1),
      next_(SteadyNanoseconds() + (terminal_ ? 0 : kSecond)) {}

void Progress::Show(std::uint32_t frame, const FrameRecord& record) {
  if (record.end < next_) return;
  next_ = record.end + (terminal_ ? kSecond / 10 : kSecond);
  shown_ = true;
  PrintProgress(fmt::format("{}frame {} of {}: {} awake, {} contacts, {} islands{}",
                            terminal_ ? "\r" : "", frame + 1, frames_, record.awake,
                            record.contacts, record.islands, terminal_ ? "\x1b[K" : "\n"));
}

void Progress::Finish() {
  if (terminal_ && shown_) PrintProgress("\r\x1b[K");
}

}  // namespace nowait

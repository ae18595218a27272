#include "src/apps/openworld/console.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>
#include <utility>

namespace nowait {
namespace {

constexpr const char* kErase = "\r\x1b[K";

}  // namespace

Console::Console(TaskPool& pool) : pool_(pool), terminal_(::isatty(STDERR_FILENO) == 1) {}

void Console::Say(std::string line) {
  if (said_++ < kMostLines) lines_.push_back(std::move(line));
}

void Console::Flush() {
  if (lines_.empty() && progress_.empty()) return;
  if (task_.IsTask() && !pool_.IsComplete(task_)) return;
  text_ = terminal_ ? kErase : "";
  for (const std::string& line : std::exchange(lines_, {})) text_ += line + "\n";
  text_ += std::exchange(progress_, {});
  if (!terminal_ && !text_.empty() && text_.back() != '\n') text_ += "\n";
  request_.emplace("console", &Write, this);
  const auto task = pool_.AddRequest("console", *request_);
  if (!task) return;  // the pool is full: this text is lost
  task_ = *task;
  const auto submitted = pool_.Submit(*task);
  static_cast<void>(submitted);  // its creator may submit it
}

Result<void> Console::End() {
  if (task_.IsTask()) {
    if (auto waited = pool_.Wait(task_); !waited) return waited;
  }
  progress_.clear();
  if (said_ > kMostLines) lines_.push_back(fmt::format("and {} lines more", said_ - kMostLines));
  if (!lines_.empty() || terminal_) {
    text_ = terminal_ ? kErase : "";
    for (const std::string& line : std::exchange(lines_, {})) text_ += line + "\n";
    return Write(this);
  }
  return {};
}

Result<void> Console::Write(void* data) {
  const std::string& text = static_cast<Console*>(data)->text_;
  std::fwrite(text.data(), 1, text.size(), stderr);
  std::fflush(stderr);
  return {};
}

}  // namespace nowait

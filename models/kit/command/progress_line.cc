#include "models/kit/command/progress_line.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdlib>
#include <string>
#include <string_view>
#include <utility>

#include "models/kit/command/report.h"

namespace nowait::model {
namespace {

constexpr double kSecondsBetweenLines = 10;
constexpr char kEraseLine[] = "\r\x1b[K";

std::string FormatDuration(double seconds) {
  constexpr double kMinute = 60;
  constexpr double kHour = 60 * kMinute;
  constexpr double kDay = 24 * kHour;
  if (seconds < 100) return fmt::format("{:.0f} s", seconds);
  if (seconds < 100 * kMinute) return fmt::format("{:.0f} min", seconds / kMinute);
  if (seconds < 100 * kHour) return fmt::format("{:.0f} h", seconds / kHour);
  if (seconds < 1'000 * kDay) return fmt::format("{:.0f} days", seconds / kDay);
  return "years";
}

}  // namespace

std::string FormatProgress(const std::string& what, const Progress& progress) {
  return fmt::format("{}: {}, {} executions, {}, about {} left", what,
                     FormatFraction(progress.fraction), FormatCount(progress.executions),
                     FormatDuration(progress.seconds), FormatDuration(progress.seconds_left));
}

ProgressLine::ProgressLine(std::FILE* out, bool is_terminal, std::string what, double seconds)
    : out_(out), is_terminal_(is_terminal), what_(std::move(what)), last_(seconds) {}

ProgressLine::~ProgressLine() {
  if (!shown_ || !is_terminal_) return;
  fmt::print(out_, "{}", kEraseLine);
  std::fflush(out_);
}

void ProgressLine::Show(const Progress& progress) {
  if (!is_terminal_) {
    if (progress.seconds - last_ < kSecondsBetweenLines) return;
    last_ = progress.seconds;
  }
  const std::string line = FormatProgress(what_, progress);
  if (is_terminal_) {
    fmt::print(out_, "{}{}", kEraseLine, line);
  } else {
    fmt::print(out_, "{}\n", line);
  }
  std::fflush(out_);
  shown_ = true;
}

bool IsTerminal(std::FILE* out) {
  const char* kind = std::getenv("TERM");
  return isatty(fileno(out)) != 0 && kind != nullptr && std::string_view(kind) != "dumb";
}

}  // namespace nowait::model

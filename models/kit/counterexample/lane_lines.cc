#include "models/kit/counterexample/lane_lines.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>

namespace nowait::model::counterexample {
namespace {

constexpr int kNarrowest = 60;
// The last lane needs room for a step; the other lanes can extend to their right.
constexpr int kRoomOfStep = 50;
constexpr int kLeastOffset = 8;
constexpr int kMostOffset = 44;

}  // namespace

LaneLines::LaneLines(const LanesStyle& style, int threads)
    : colors_(style.colors), width_(std::max(style.width, kNarrowest)), threads_(threads) {
  const int between = threads_ > 1 ? (width_ - kRoomOfStep) / (threads_ - 1) : 0;
  offset_ = std::clamp(between, kLeastOffset, kMostOffset);
}

std::string LaneLines::In(Ink ink, const std::string& text) const {
  return colors_ ? Inked(ink, text) : text;
}

void LaneLines::InLane(int thread, Ink ink, const std::string& text) {
  const auto gap = static_cast<std::size_t>(offset_ - 1);
  std::string line = "  ";
  for (int lane = 0; lane < thread; ++lane) line += Bar() + std::string(gap, ' ');
  const std::string shown = Cut(text, RoomIn(thread));
  line += Bar() + " " + In(ink, shown);
  int column = BeginOf(thread) + WidthOf(shown);
  for (int lane = thread + 1; lane < threads_; ++lane) {
    const int at = 2 + lane * offset_;
    if (at <= column) continue;
    line += std::string(static_cast<std::size_t>(at - column), ' ') + Bar();
    column = at + 1;
  }
  Line(line);
}

void LaneLines::WrappedInLane(int thread, Ink ink, const std::string& text,
                              const std::string& indent) {
  for (const std::string& line : Wrap(text, RoomIn(thread) - WidthOf(indent))) {
    InLane(thread, ink, indent + line);
  }
}

void LaneLines::Bars() {
  std::string line = "  ";
  for (int lane = 0; lane < threads_; ++lane) {
    line += Bar();
    if (lane + 1 < threads_) line += std::string(static_cast<std::size_t>(offset_) - 1, ' ');
  }
  Line(line);
}

void LaneLines::Headings() {
  std::string line = "  ";
  for (int thread = 0; thread < threads_; ++thread) {
    std::string name = fmt::format("thread {}", thread);
    if (thread + 1 < threads_) name.resize(static_cast<std::size_t>(offset_), ' ');
    line += In(Ink::kCall, name);
  }
  Line("");
  Line(line);
}

}  // namespace nowait::model::counterexample

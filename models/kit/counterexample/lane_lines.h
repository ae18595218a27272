// LaneLines: lines of text, each in the lane of a thread.
#ifndef NOWAIT_MODELS_KIT_COUNTEREXAMPLE_LANE_LINES_H_
#define NOWAIT_MODELS_KIT_COUNTEREXAMPLE_LANE_LINES_H_

#include <string>
#include <utility>

#include "models/kit/counterexample/lanes.h"
#include "models/kit/counterexample/wrapped.h"

namespace nowait::model::counterexample {

class LaneLines {
 public:
  LaneLines(const LanesStyle& style, int threads);

  int width() const { return width_; }
  // For text in the lane of this thread.
  int RoomIn(int thread) const { return width_ - BeginOf(thread); }
  // The text in that ink, where there are colours.
  std::string In(Ink ink, const std::string& text) const;

  void Line(const std::string& text) { text_ += text + "\n"; }
  // In the lane of a thread, with the other threads' lanes beside it where nothing is in their
  // place.
  void InLane(int thread, Ink ink, const std::string& text);
  void WrappedInLane(int thread, Ink ink, const std::string& text, const std::string& indent);
  // The lanes with nothing in them.
  void Bars();
  // The lanes' names.
  void Headings();

  std::string Take() { return std::move(text_); }

 private:
  int BeginOf(int thread) const { return 2 + thread * offset_ + 2; }
  std::string Bar() const { return In(Ink::kFaint, "│"); }

  const bool colors_;
  const int width_;
  const int threads_;
  int offset_ = 0;  // from lane to lane
  std::string text_;
};

}  // namespace nowait::model::counterexample

#endif  // NOWAIT_MODELS_KIT_COUNTEREXAMPLE_LANE_LINES_H_

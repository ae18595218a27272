// LaneLines: lines of text, each in a thread's lane.
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
  // The room for text in the lane of this thread.
  int RoomIn(int thread) const { return width_ - BeginOf(thread); }
  // The text in that ink, if colours are used.
  std::string In(Ink ink, const std::string& text) const;

  void Line(const std::string& text) { text_ += text + "\n"; }
  // Writes into the lane of a thread. The other threads' lanes appear beside it where they have
  // room.
  void InLane(int thread, Ink ink, const std::string& text);
  void WrappedInLane(int thread, Ink ink, const std::string& text, const std::string& indent);
  // Writes a line of empty lanes.
  void Bars();
  // Writes the names of the lanes.
  void Headings();

  std::string Take() { return std::move(text_); }

 private:
  int BeginOf(int thread) const { return 2 + thread * offset_ + 2; }
  std::string Bar() const { return In(Ink::kFaint, "│"); }

  const bool colors_;
  const int width_;
  const int threads_;
  int offset_ = 0;  // distance between lanes
  std::string text_;
};

}  // namespace nowait::model::counterexample

#endif  // NOWAIT_MODELS_KIT_COUNTEREXAMPLE_LANE_LINES_H_

// The choices of a run, enumerated by running again: a script of what to choose, counted up like
// an odometer.
#ifndef NOWAIT_MODELS_KIT_ARM_CHOICES_H_
#define NOWAIT_MODELS_KIT_ARM_CHOICES_H_

#include <cstddef>
#include <vector>

namespace nowait::arm {

class Choices {
 public:
  // 0 .. count-1; count is at least 1.
  std::size_t Choose(std::size_t count) {
    if (next_ == script_.size()) script_.push_back({0, count});
    return script_[next_++].chosen;
  }

  // Before each run.
  void Begin() { next_ = 0; }

  // After each run: the next script. False when all were run.
  bool Advance() {
    script_.resize(next_);
    while (!script_.empty() && script_.back().chosen + 1 == script_.back().count) {
      script_.pop_back();
    }
    if (script_.empty()) return false;
    ++script_.back().chosen;
    return true;
  }

 private:
  struct Choice {
    std::size_t chosen;
    std::size_t count;
  };
  std::vector<Choice> script_;
  std::size_t next_ = 0;
};

}  // namespace nowait::arm

#endif  // NOWAIT_MODELS_KIT_ARM_CHOICES_H_

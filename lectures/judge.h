// Judge: the questions of an exercise's check, a line for each, so that a starter can fail for one.
#ifndef NOWAIT_LECTURES_JUDGE_H_
#define NOWAIT_LECTURES_JUDGE_H_

#include <fmt/format.h>

#include <string_view>

namespace nowait {

class Judge {
 public:
  void Ask(bool holds, std::string_view what) {
    fmt::print("  {}  {}\n", holds ? "yes" : "NO ", what);
    if (!holds) ++failed_;
  }

  // The program's exit status.
  int End() const {
    fmt::print("{}\n", failed_ == 0 ? "1 passed, 0 failed" : "0 passed, 1 failed");
    return failed_ == 0 ? 0 : 1;
  }

 private:
  int failed_ = 0;
};

}  // namespace nowait

#endif  // NOWAIT_LECTURES_JUDGE_H_

// ProgressLine: shows a waiting user how far a search has got.
//
// On a terminal, one line is rewritten. Elsewhere (in a log), a line is added every ten seconds, so
// short searches leave nothing behind.
#ifndef NOWAIT_MODELS_KIT_COMMAND_PROGRESS_LINE_H_
#define NOWAIT_MODELS_KIT_COMMAND_PROGRESS_LINE_H_

#include <cstdio>
#include <string>

#include "models/kit/engine/search_control.h"

namespace nowait::model {

// "2x1 full: 41%, 61,234 executions, 12 s, about 17 s left"
std::string FormatProgress(const std::string& what, const Progress& progress);

class ProgressLine {
 public:
  // what: the search in words. seconds: the time that earlier pieces took.
  ProgressLine(std::FILE* out, bool is_terminal, std::string what, double seconds);
  ~ProgressLine();  // leaves the terminal's line empty
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  void Show(const Progress& progress);

 private:
  std::FILE* out_;
  bool is_terminal_;
  std::string what_;
  double last_;  // the time of the last added line
  bool shown_ = false;
};

// Whether the file is a terminal, on which lines can be rewritten.
bool IsTerminal(std::FILE* out);

}  // namespace nowait::model

#endif  // NOWAIT_MODELS_KIT_COMMAND_PROGRESS_LINE_H_

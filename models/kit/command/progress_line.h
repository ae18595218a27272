// ProgressLine: shows how far a search is, to a person who waits for it.
//
// On a terminal one line is rewritten; elsewhere (a log) a line is added every ten seconds, so that
// short searches leave nothing.
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
  // what: the search in words. seconds: of earlier pieces.
  ProgressLine(std::FILE* out, bool is_terminal, std::string what, double seconds);
  ~ProgressLine();  // leaves a terminal's line empty
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  void Show(const Progress& progress);

 private:
  std::FILE* out_;
  bool is_terminal_;
  std::string what_;
  double last_;  // when a line was added
  bool shown_ = false;
};

// Whether lines can be rewritten on it.
bool IsTerminal(std::FILE* out);

}  // namespace nowait::model

#endif  // NOWAIT_MODELS_KIT_COMMAND_PROGRESS_LINE_H_

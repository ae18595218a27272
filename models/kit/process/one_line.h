// OneLine: any text as a single line, so that it fits into an error message or a table cell.
#ifndef NOWAIT_MODELS_KIT_PROCESS_ONE_LINE_H_
#define NOWAIT_MODELS_KIT_PROCESS_ONE_LINE_H_

#include <algorithm>
#include <string>

namespace nowait::model {

// Drops line breaks at the end; other control characters become spaces.
inline std::string OneLine(std::string text) {
  while (!text.empty() && text.back() == '\n') text.pop_back();
  std::replace_if(
      text.begin(), text.end(), [](unsigned char c) { return c < ' ' || c == 0x7f; }, ' ');
  return text;
}

}  // namespace nowait::model

#endif  // NOWAIT_MODELS_KIT_PROCESS_ONE_LINE_H_

// SourceText: the source files that a counterexample shows.
#ifndef NOWAIT_MODELS_KIT_COUNTEREXAMPLE_SOURCE_TEXT_H_
#define NOWAIT_MODELS_KIT_COUNTEREXAMPLE_SOURCE_TEXT_H_

#include <map>
#include <string>
#include <vector>

#include "models/kit/counterexample/counterexample.h"

namespace nowait::model::counterexample {

class SourceText {
 public:
  // Files that are named from the root directory. The reports of this repository name none; those
  // of a user's program do (check/).
  enum class Rooted : bool { kLeftOut, kRead };

  // directories: where files are looked for, in this order; then in the working directory.
  explicit SourceText(std::vector<std::string> directories = {}, Rooted rooted = Rooted::kLeftOut)
      : directories_(std::move(directories)), rooted_(rooted) {
    directories_.emplace_back(".");
  }

  // The file's lines; empty when it cannot be read, or is left out.
  const std::vector<std::string>& Lines(const std::string& file);

  // The object of a member function's call there: "fetched_" of `fetched_.load(...)`. A reference
  // that is named shortly before is replaced by the object that it refers to. Empty if the text
  // does not say.
  std::string ReceiverAt(const Place& place);

 private:
  std::vector<std::string> directories_;
  Rooted rooted_;
  std::map<std::string, std::vector<std::string>> files_;
};

}  // namespace nowait::model::counterexample

#endif  // NOWAIT_MODELS_KIT_COUNTEREXAMPLE_SOURCE_TEXT_H_

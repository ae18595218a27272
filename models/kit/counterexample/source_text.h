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
  // Files with absolute paths. The reports of this repository name none, but those of a user's
  // program do (check/).
  enum class Rooted : bool { kLeftOut, kRead };

  // directories: searched in this order, before the working directory.
  explicit SourceText(std::vector<std::string> directories = {}, Rooted rooted = Rooted::kLeftOut)
      : directories_(std::move(directories)), rooted_(rooted) {
    directories_.emplace_back(".");
  }

  // The file's lines; empty if it cannot be read or is left out.
  const std::vector<std::string>& Lines(const std::string& file);

  // The object on which a member function is called there: "fetched_" in `fetched_.load(...)`. A
  // reference declared shortly before is replaced by the object that it refers to. Empty if the
  // text does not tell.
  std::string ReceiverAt(const Place& place);

 private:
  std::vector<std::string> directories_;
  Rooted rooted_;
  std::map<std::string, std::vector<std::string>> files_;
};

}  // namespace nowait::model::counterexample

#endif  // NOWAIT_MODELS_KIT_COUNTEREXAMPLE_SOURCE_TEXT_H_

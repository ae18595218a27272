// The gallery's front page, and what each of its pages tells before the counterexample.
#ifndef NOWAIT_MODELS_GALLERY_INDEX_H_
#define NOWAIT_MODELS_GALLERY_INDEX_H_

#include <string>
#include <vector>

#include "models/gallery/defects.h"

namespace nowait::model::gallery {

// One header as nowait has it, to be shown beside the mutant's.
struct SourceFile {
  std::string name;
  std::string text;
};

// JSON, for counterexample::PageParts::story.
std::string StoryOf(const Defect& defect, const std::vector<SourceFile>& repaired);

// index.html
std::string IndexOf(const Defects& defects);

}  // namespace nowait::model::gallery

#endif  // NOWAIT_MODELS_GALLERY_INDEX_H_

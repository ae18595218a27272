// The gallery's front page, and the story of each of its pages before the counterexample.
#ifndef NOWAIT_MODELS_GALLERY_INDEX_H_
#define NOWAIT_MODELS_GALLERY_INDEX_H_

#include <string>
#include <vector>

#include "models/gallery/defects.h"

namespace nowait::model::gallery {

// A header of nowait, shown beside the mutant's version.
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

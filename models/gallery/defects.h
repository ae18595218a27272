// The list of defects, models/gallery/defects.toml, read and validated.
#ifndef NOWAIT_MODELS_GALLERY_DEFECTS_H_
#define NOWAIT_MODELS_GALLERY_DEFECTS_H_

#include <expected>
#include <string>
#include <vector>

namespace nowait::model::gallery {

struct Defect {
  std::string number;
  // False: a lecture of the course shows this defect, against which its structure guards.
  bool published = true;
  std::string title;
  std::string structure;  // a description, and the names in its lanes, for a reader who does not
                          // know it
  std::string page;       // the name of its file, without ".html"
  std::string mutant;     // the label of the program with the defect
  std::string scenario;
  std::string fails;                 // how: Failure::Label()
  std::vector<std::string> headers;  // the headers that the mutant patches
  std::string believed;
  std::string happens;
  std::string fixed;
  std::string source;
};

struct Missing {
  std::string number;
  std::string title;
  std::string why;
};

struct Defects {
  std::vector<Defect> pages;
  std::vector<Missing> missing;
};

// Returns one line with the mistake and its place in the file, if there is one.
std::expected<Defects, std::string> ParseDefects(const std::string& file, const std::string& text);

}  // namespace nowait::model::gallery

#endif  // NOWAIT_MODELS_GALLERY_DEFECTS_H_

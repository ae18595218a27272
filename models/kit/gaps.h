// Gaps: what C++20 allows and a search does not produce, in words. A defect or a mutant that needs
// one of them is not found, so every report says which gaps its searches have.
//
// Each gap names the rows of the litmus suite (models/kit/litmus) that show it. A test holds the
// two together: a row's outcome that some search does not produce is named by a gap, and a gap that
// a row no longer shows is an error.
#ifndef NOWAIT_MODELS_KIT_GAPS_H_
#define NOWAIT_MODELS_KIT_GAPS_H_

#include <string>
#include <vector>

#include "models/kit/search.h"

namespace nowait::model {

struct Gap {
  const char* words;
  bool Search::*closed_by;  // the option with which a search produces it; null: no search does
  std::vector<const char*> rows;

  bool In(const Search& search) const { return closed_by == nullptr || !(search.*closed_by); }
};

const std::vector<Gap>& Gaps();

// Those that all of these searches have.
std::vector<Gap> GapsOf(const std::vector<Search>& searches);

// The words and the rows: one line without its end.
std::string Format(const Gap& gap);

}  // namespace nowait::model

#endif  // NOWAIT_MODELS_KIT_GAPS_H_

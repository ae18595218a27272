// UnsupportedBehaviours: a behaviour that C++20 allows but a search does not produce, in words. A
// defect or a mutant that needs such a gap is not found. Every report therefore names the gaps of
// its searches.
//
// Both back ends have gaps. `graphs` examines every execution that the memory model allows, as far
// as the model that it enumerates goes; Relacy's searches produce interleavings and some late or
// stale stores.
//
// Each gap names the rows of the litmus suite (models/kit/litmus) that show it. A test keeps the
// two in agreement. An outcome of a row that some search does not produce must be named by a gap,
// and a gap that a row no longer shows is an error.
#ifndef NOWAIT_MODELS_KIT_BACK_ENDS_UNSUPPORTED_BEHAVIOURS_H_
#define NOWAIT_MODELS_KIT_BACK_ENDS_UNSUPPORTED_BEHAVIOURS_H_

#include <string>
#include <string_view>
#include <vector>

#include "models/kit/back_ends/back_ends.h"
#include "models/kit/engine/omitted.h"
#include "models/kit/scenario/search.h"

namespace nowait::model {

struct UnsupportedBehaviour {
  const char* words;
  BackEnds of;              // the back ends whose searches do not produce it
  bool Search::*closed_by;  // the option that closes the gap; null: no option does
  std::vector<const char*> rows;
  // Whether a scenario with these omissions could show the behaviour; null: every scenario could.
  bool (*shows)(const Omitted&) = nullptr;

  bool In(const Search& search) const {
    return Includes(of, search) && (closed_by == nullptr || !(search.*closed_by));
  }
};

const std::vector<UnsupportedBehaviour>& UnsupportedBehaviours();

// Whether a report of these searches of one scenario has to name the gap. If `graphs` is among
// them, it stands for all executions, and the others only sample the outcomes that it leaves out.
bool IsLeftOut(const UnsupportedBehaviour& gap, const std::vector<Search>& searches);
// The same for a completed search of graphs: only the behaviours that the scenario could show.
bool IsLeftOut(const UnsupportedBehaviour& gap, const Omitted& omitted);
std::vector<UnsupportedBehaviour> UnsupportedBehavioursOf(const std::vector<Search>& searches);

// Whether the outcome of this litmus row is one that the search does not produce.
bool LeavesOut(const Search& search, std::string_view row);

// The words and the rows, as one line without a line break.
std::string Format(const UnsupportedBehaviour& gap);

}  // namespace nowait::model

#endif  // NOWAIT_MODELS_KIT_BACK_ENDS_UNSUPPORTED_BEHAVIOURS_H_

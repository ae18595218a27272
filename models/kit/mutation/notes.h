// Notes: the file beside a model that explains which mutants survive and why.
//
//   # The files whose atomic operations this model answers for.
//   sources = ["src/islands/union_find.h"]
//   # How deep each mutant is searched: executions per scenario and kind of search. Optional.
//   executions = 2000
//
//   [[survivor]]
//   mutations = ["union_find.h:Find:load:delayed"]    one or more, with one reason
//   class = "equivalent"      no execution shows the difference; because: the happens-before edge
//                             or the invariant that hides it
//           "unverified"      a difference that this checker cannot produce; litmus: the row of the
//                             litmus table that shows this. Reported as unverified, not as passed
//           "performance"     correct but slower; shown_by: the test or benchmark that shows it
//   because = "..."
//
//   [[stronger]]              where the source has a stronger order than the minimiser needs
//   sites = ["reader_epochs.h:Enter:load"]
//   because = "..."
//
//   [[disagreement]]          killed by Relacy in a scenario in which every execution graph was
//   mutations = ["..."]       examined and none failed; litmus: the row of the litmus table that
//   litmus = "..."            graphs does not produce and that the failure needs
//   because = "..."
#ifndef NOWAIT_MODELS_KIT_MUTATION_NOTES_H_
#define NOWAIT_MODELS_KIT_MUTATION_NOTES_H_

#include <cstdint>
#include <expected>
#include <string>
#include <string_view>
#include <vector>

namespace nowait::model {

enum class SurvivorClass : std::uint8_t { kEquivalent, kUnverified, kPerformance };

const char* Name(SurvivorClass survivor_class);

struct SurvivorNote {
  std::vector<std::string> mutations;
  SurvivorClass survivor_class = SurvivorClass::kEquivalent;
  std::string because;
  std::string litmus;    // unverified only
  std::string shown_by;  // performance only
};

struct StrongerNote {
  std::vector<std::string> sites;
  std::string because;
};

struct DisagreementNote {
  std::vector<std::string> mutations;
  std::string litmus;
  std::string because;
};

struct Notes {
  std::vector<std::string> sources;
  std::uint64_t executions = 2000;
  std::vector<SurvivorNote> survivors;
  std::vector<StrongerNote> stronger;
  std::vector<DisagreementNote> disagreements;

  // The note on this mutation; null if there is no note.
  const SurvivorNote* FindSurvivor(std::string_view mutation) const;
  const StrongerNote* FindStronger(std::string_view site) const;
  const DisagreementNote* FindDisagreement(std::string_view mutation) const;
};

// text: must be ASCII. The error is one line with file, line and reason.
std::expected<Notes, std::string> ParseNotes(std::string_view text, const std::string& file);
std::expected<Notes, std::string> ReadNotes(const std::string& file);

}  // namespace nowait::model

#endif  // NOWAIT_MODELS_KIT_MUTATION_NOTES_H_

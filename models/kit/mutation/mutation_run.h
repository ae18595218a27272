// MutationRun: every mutation of the operations that a model is responsible for, judged by the
// model's scenarios and compared with the notes beside the model.
#ifndef NOWAIT_MODELS_KIT_MUTATION_MUTATION_RUN_H_
#define NOWAIT_MODELS_KIT_MUTATION_MUTATION_RUN_H_

#include <cstdint>
#include <expected>
#include <functional>
#include <string>
#include <vector>

#include "models/kit/mutation/judge.h"
#include "models/kit/mutation/mutation.h"
#include "models/kit/mutation/notes.h"
#include "models/kit/mutation/site_name.h"

namespace nowait::model {

enum class Fate : std::uint8_t {
  kKilled,
  kNoEffect,    // never executed, or delayed with no operation to be swapped with: equal to the
                // original
  kEquivalent,  // these three as the notes say
  kUnverified,
  kPerformance,
  kUnexplained,   // survived, and the notes give no reason
  kStale,         // contradicts the notes: killed, or a checker that sees it finds it harmless
  kDisagreement,  // killed by Relacy though no execution graph fails, and no note says why
};

const char* Name(Fate fate);
// Whether this fate makes the whole run fail.
bool IsFailure(Fate fate);

struct MutantReport {
  std::string mutation;
  Fate fate = Fate::kKilled;
  Verdict verdict;
  std::string stale;  // the error in the note
};

// The common part of one structure's mutations: its operations, as an unedited run visits
// them.
class Subject {
 public:
  // Returns a one-line error if a scenario fails without any edit. depth: see
  // Judge::Visit.
  static std::expected<Subject, std::string> Visit(Judge& judge, const Notes& notes,
                                                   Depth depth = Depth::kQuick);

  const std::vector<NamedSite>& sites() const { return sites_; }
  std::vector<std::pair<const NamedSite*, Mutation>> Mutations() const;

 private:
  explicit Subject(std::vector<NamedSite> sites) : sites_(std::move(sites)) {}

  std::vector<NamedSite> sites_;
};

// Judges one mutation.
MutantReport JudgeMutation(const Judge& judge, const Notes& notes, const NamedSite& site,
                           const Mutation& mutation);

// Mutations and sites that the notes name but that the source does not have.
std::vector<std::string> UnknownNames(const Subject& subject, const Notes& notes);

// "union_find.h:Union:compare-exchange:torn   killed by 2x1 after 66 executions: ..."
std::string Format(const MutantReport& report);

}  // namespace nowait::model

#endif  // NOWAIT_MODELS_KIT_MUTATION_MUTATION_RUN_H_

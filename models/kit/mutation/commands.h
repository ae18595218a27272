// The commands of a model's binary for mutations: --mutate, --mutation and --minimise.
#ifndef NOWAIT_MODELS_KIT_MUTATION_COMMANDS_H_
#define NOWAIT_MODELS_KIT_MUTATION_COMMANDS_H_

#include <cstdint>
#include <expected>
#include <string>
#include <vector>

#include "models/kit/back_ends/back_ends.h"
#include "models/kit/mutation/edits.h"
#include "models/kit/scenario/scenario.h"

namespace nowait::model {

struct MutationOptions {
  std::string structure;
  std::string notes;  // path of the notes file
  BackEnds back_ends = BackEnds::kBoth;
  std::uint64_t executions;  // per mutant; 0: the number in the notes
  unsigned shard = 0;        // judge the mutations whose number is this ...
  unsigned shards = 1;       // ... modulo this
  std::string json;          // file for machine-readable results; may be empty
};

// Judges every mutation of the operations in the notes' sources, and prints the fate of each. The
// last line is "N passed, M failed", counting mutations and errors in the notes. Returns the exit
// code.
int RunMutations(const std::vector<ScenarioEntry>& scenarios, const MutationOptions& options);

// The edits of the mutation with this name; a one-line error if there is no such mutation.
std::expected<Edits, std::string> FindMutation(const std::vector<ScenarioEntry>& scenarios,
                                               const MutationOptions& options,
                                               const std::string& name);

// The use of a table of minimal orders.
enum class TableUse : std::uint8_t { kCompare, kUpdate };

// Prints the table of minimal orders, and either compares it with the file or writes it there.
// Fails if they differ, or if the source is stronger somewhere without a reason. Returns the exit
// code.
int RunMinimiser(const std::vector<ScenarioEntry>& scenarios, const MutationOptions& options,
                 const std::string& table, TableUse use);

}  // namespace nowait::model

#endif  // NOWAIT_MODELS_KIT_MUTATION_COMMANDS_H_

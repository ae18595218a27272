// The text of an execution or of an end under other names of its interchangeable threads.
#ifndef NOWAIT_MODELS_KIT_EXHAUSTIVE_ORACLE_RENAMING_H_
#define NOWAIT_MODELS_KIT_EXHAUSTIVE_ORACLE_RENAMING_H_

#include <cstddef>
#include <string>
#include <vector>

namespace nowait::model::oracle {

// The text of an execution, when thread t is named names[t].
std::string Rename(const std::string& text, const std::vector<std::size_t>& names);

// Of an end, "deadlock at 2 4, x y m n are 11 0 0 0": the positions, and the addresses among the
// values.
std::string RenameEnd(const std::string& text, const std::vector<std::size_t>& names);

std::vector<std::vector<std::size_t>> AllNames(std::size_t threads);

}  // namespace nowait::model::oracle

#endif  // NOWAIT_MODELS_KIT_EXHAUSTIVE_ORACLE_RENAMING_H_

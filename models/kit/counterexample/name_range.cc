#include "models/kit/counterexample/name_range.h"

#include <fmt/format.h>

#include <charconv>
#include <cstddef>
#include <system_error>
#include <utility>

namespace nowait::model::counterexample {

bool NameRange::Add(const std::string& name) {
  if (names_.size() > 1) {
    if (name != fmt::format("{}{}{}", before_, first_ + names_.size(), behind_)) return false;
    names_.push_back(name);
    return true;
  }
  const std::string& only = names_.front();
  for (std::size_t open = only.find('['); open != only.npos; open = only.find('[', open + 1)) {
    const char* digits = only.data() + open + 1;
    std::uint64_t index = 0;
    const auto [end, error] = std::from_chars(digits, only.data() + only.size(), index);
    if (error != std::errc{} || *end != ']') continue;
    std::string before = only.substr(0, open + 1);
    std::string behind = end;
    if (name != fmt::format("{}{}{}", before, index + 1, behind)) continue;
    before_ = std::move(before);
    first_ = index;
    behind_ = std::move(behind);
    names_.push_back(name);
    return true;
  }
  return false;
}

std::string NameRange::Words() const {
  if (names_.size() == 1) return names_.front();
  return fmt::format("{}{}..{}{}", before_, first_, first_ + names_.size() - 1, behind_);
}

}  // namespace nowait::model::counterexample

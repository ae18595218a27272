#include "models/kit/engine/omitted.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <string>
#include <vector>

#include "models/kit/process/count.h"

namespace nowait::model {
namespace {

std::string Counted(std::uint64_t number, const char* one, const char* many) {
  return fmt::format("{} {}", FormatCount(number), number == 1 ? one : many);
}

}  // namespace

const char* Name(Gap gap) {
  switch (gap) {
    case Gap::kLoadBuffering:
      return "load buffering";
    case Gap::kSecondSpuriousFailure:
      return "a second spurious failure";
    case Gap::kSpuriousFailureElsewhere:
      return "a spurious failure at a second object";
    case Gap::kWeakConsume:
      return "a consume weaker than an acquire";
  }
  return "";
}

std::vector<std::string> Gaps::Names() const {
  std::vector<std::string> names;
  for (const Gap gap : kGaps) {
    if (Has(gap)) names.push_back(Name(gap));
  }
  return names;
}

std::string Listed(Gaps gaps) {
  const std::vector<std::string> names = gaps.Names();
  if (names.size() < 2) return names.empty() ? "" : names.front();
  return fmt::format("{} and {}", fmt::join(names.begin(), names.end() - 1, ", "), names.back());
}

std::string Omitted::Reductions() const {
  if (blocked == 0) return "";
  std::string parts;
  if (rounds > 0)
    parts = Counted(rounds, "round of a loop that yields", "rounds of loops that yield");
  if (tries > 0) {
    parts += (parts.empty() ? "" : ", ") + Counted(tries, "failing try", "failing tries");
  }
  const std::string text =
      Counted(blocked, "execution that ends in a wait", "executions that end in a wait");
  return parts.empty() ? text : fmt::format("{} ({})", text, parts);
}

}  // namespace nowait::model

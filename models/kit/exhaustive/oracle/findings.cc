#include "models/kit/exhaustive/oracle/findings.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <utility>

namespace nowait::model::oracle {
namespace {

// The number of differences of each kind that are shown.
constexpr std::size_t kShown = 3;

std::string Format(const Where& where) {
  if (where.thread < 0) return "init";
  std::string text;
  text += static_cast<char>('0' + where.thread);
  text += '.';
  text += static_cast<char>('0' + where.statement);
  return text;
}

std::vector<std::string> Without(const std::vector<std::string>& all,
                                 const std::vector<std::string>& known) {
  std::vector<std::string> rest;
  std::set_difference(all.begin(), all.end(), known.begin(), known.end(), std::back_inserter(rest));
  return rest;
}

// Leaves each element once; returns those that occurred more than once.
std::vector<std::string> SortAndTakeRepeated(std::vector<std::string>& all) {
  std::sort(all.begin(), all.end());
  std::vector<std::string> repeated;
  for (std::size_t i = 1; i < all.size(); ++i) {
    if (all[i] == all[i - 1] && (repeated.empty() || repeated.back() != all[i])) {
      repeated.push_back(all[i]);
    }
  }
  all.erase(std::unique(all.begin(), all.end()), all.end());
  return repeated;
}

std::string FormatSome(const char* what, const std::vector<std::string>& executions) {
  std::string text;
  if (!executions.empty()) text = fmt::format("  {} {}:\n", executions.size(), what);
  for (std::size_t i = 0; i < std::min(executions.size(), kShown); ++i) {
    text += fmt::format("    {}\n", executions[i]);
  }
  return text;
}

}  // namespace

std::string Signature(const Picture& picture) {
  std::string text;
  for (const auto& thread : picture.threads) {
    for (const Outcome& outcome : thread) {
      text += outcome.from ? Format(*outcome.from) : "-";
      if (outcome.result == Outcome::Result::kExchanged) text += '!';
      if (outcome.result == Outcome::Result::kSpuriousFailure) text += '?';
      text += ' ';
    }
    text += "| ";
  }
  for (std::size_t location = 0; location < kMaxLocations; ++location) {
    if (picture.modifications[location].empty()) continue;
    text += "xyz"[location];
    text += ':';
    for (const Where& where : picture.modifications[location]) text += ' ' + Format(where);
    text += ' ';
  }
  return text;
}

Difference Compare(Findings expected, Findings found) {
  Difference difference;
  difference.words = found.complaint;
  if (expected.race != found.race) {
    difference.words += found.race ? "a data race that does not exist" : "a data race was not seen";
  }
  if (expected.race || found.race) return difference;
  SortAndTakeRepeated(expected.executions);
  difference.repeated = SortAndTakeRepeated(found.executions);
  difference.missing = Without(expected.executions, found.executions);
  difference.extra = Without(found.executions, expected.executions);
  return difference;
}

std::string Format(const Difference& difference) {
  std::string text;
  if (!difference.words.empty()) text += fmt::format("  {}\n", difference.words);
  return text + FormatSome("missing", difference.missing) +
         FormatSome("not allowed", difference.extra) +
         FormatSome("visited more than once", difference.repeated);
}

}  // namespace nowait::model::oracle

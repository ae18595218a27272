#include "models/kit/scenario/search.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>
#include <string>
#include <string_view>

namespace nowait::model {
namespace {

struct NamedReduction {
  std::string_view name;
  bool Reductions::*reduction;
};
constexpr std::array<NamedReduction, 3> kReductions = {{
    {"tries", &Reductions::failed_tries},
    {"names", &Reductions::names},
    {"looks", &Reductions::vain_looks},
}};

template <class Number>
bool ParseNumber(std::string_view text, Number& number) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc{} && end == text.data() + text.size();
}

constexpr std::uint64_t kDefaultExecutions = 100'000;

// Parses what follows "pct:": a depth, and possibly a number of executions.
std::optional<Search> ParsePct(std::string_view text) {
  const std::size_t colon = text.find(':');
  unsigned depth = 0;
  std::uint64_t executions = kDefaultExecutions;
  if (!ParseNumber(text.substr(0, colon), depth) || depth < 1 || depth > kMaxDepth ||
      (colon != text.npos && !ParseNumber(text.substr(colon + 1), executions)) || executions == 0) {
    return std::nullopt;
  }
  return Pct(depth, executions);
}

// Parses a kind such as "bound:2": the part before the colon, and the number after it.
std::optional<Search> ParseKind(std::string_view text) {
  if (text == "graphs") return Graphs();
  if (text == "full") return Full();
  const std::size_t colon = text.find(':');
  const std::string_view name = text.substr(0, colon);
  const std::string_view number = colon == text.npos ? "" : text.substr(colon + 1);
  if (name == "pct") return ParsePct(number);
  if (name == "bound") {
    Search search = ContextBound(0);
    if (ParseNumber(number, search.bound)) return search;
  } else if (name == "random") {
    Search search = Random(kDefaultExecutions);
    if (colon == text.npos || ParseNumber(number, search.executions)) return search;
  }
  return std::nullopt;
}

}  // namespace

std::string Format(const Search& search) {
  std::string text;
  switch (search.kind) {
    case Search::Kind::kGraphs:
      text = "graphs";
      break;
    case Search::Kind::kPct:
      text = fmt::format("pct:{}:{}", search.depth, search.executions);
      break;
    case Search::Kind::kFull:
      text = "full";
      break;
    case Search::Kind::kContextBound:
      text = fmt::format("bound:{}", search.bound);
      break;
    case Search::Kind::kRandom:
      text = fmt::format("random:{}", search.executions);
      break;
  }
  for (const auto& [name, reduction] : kReductions) {
    if (!(search.reductions.*reduction)) text.append("+").append(name);
  }
  if (search.deferred_stores) text += "+deferred";
  if (search.stale_exchanges) text += "+stale";
  if (search.deep_history) text += "+deep";
  return text;
}

std::optional<Search> ParseSearch(std::string_view text) {
  std::size_t end = text.find('+');
  std::optional<Search> search = ParseKind(text.substr(0, end));
  while (search && end != text.npos) {
    text.remove_prefix(end + 1);
    end = text.find('+');
    const std::string_view option = text.substr(0, end);
    const auto* const of_graphs = std::ranges::find(kReductions, option, &NamedReduction::name);
    const bool is_of_graphs = of_graphs != kReductions.end();
    if (search->kind == Search::Kind::kPct) return std::nullopt;  // it has no options
    if (is_of_graphs != (search->kind == Search::Kind::kGraphs)) return std::nullopt;
    if (is_of_graphs) {
      search->reductions.*(of_graphs->reduction) = false;
    } else if (option == "deferred") {
      search->deferred_stores = true;
    } else if (option == "stale") {
      search->stale_exchanges = true;
    } else if (option == "deep") {
      search->deep_history = true;
    } else {
      return std::nullopt;
    }
  }
  return search;
}

}  // namespace nowait::model

#include "models/kit/litmus/table.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "models/kit/back_ends/back_ends.h"
#include "models/kit/back_ends/unsupported_behaviours.h"

namespace nowait::model {
namespace {

// The headings of the columns, in the order of LitmusSearches.
constexpr const char* kHeadings[] = {"graphs", "full", "+deferred", "+stale",
                                     "+deep",  "all",  "random"};

constexpr char kLegend[] =
    "graphs: every execution graph; and of Relacy's searches\n"
    "full: every schedule; +deferred, +stale, +deep: the same with that option; all: with the "
    "three;\nrandom: 30,000 executions with the three.\n"
    "yes: the search produces the outcome. -: it does not, and every execution of it was tried "
    "(of\nrandom: it did not come up). ?: it did not come up before the search stopped.\n"
    "open: the letter of C++20 forbids it, and an open issue of the standard is that it should "
    "not.\n";

const char* Name(Cxx20 verdict) {
  switch (verdict) {
    case Cxx20::kAllowed:
      return "allowed";
    case Cxx20::kForbidden:
      return "forbidden";
    case Cxx20::kOpen:
      return "open";
  }
  return "";
}

const char* Finding(const MeasuredRow& row) {
  if (row.Wrong()) return "wrong";
  if (row.NeverProduced()) return "never";
  return row.IsUnsupported() ? "gap" : "none";
}

// The remark that a reader should notice in a row.
const char* Remark(const MeasuredRow& row) {
  if (row.Wrong()) return "WRONG: forbidden, and produced";
  if (row.NeverProduced()) return "never produced";
  if (!row.ByRelacy() && row.ByGraphs()) return "only by graphs";
  if (row.ByRelacy() && !row.ByGraphs()) return "not by graphs";
  return "";
}

const char* Mark(const Measured& measured, const Search& search) {
  if (measured.produced) return "yes";
  return measured.exhausted || search.kind == Search::Kind::kRandom ? "-" : "?";
}

bool IsProduced(const MeasuredRow& row, BackEnds by) {
  for (std::size_t i = 0; i < row.by_search.size(); ++i) {
    if (row.by_search[i].produced && Includes(by, LitmusSearches()[i])) return true;
  }
  return false;
}

nlohmann::ordered_json OptionOf(const UnsupportedBehaviour& gap) {
  if (gap.closed_by == &Search::deferred_stores) return "deferred";
  if (gap.closed_by == &Search::stale_exchanges) return "stale";
  if (gap.closed_by == &Search::deep_history) return "deep";
  return nullptr;
}

std::string WithoutTrailingSpaces(std::string line) {
  line.erase(line.find_last_not_of(' ') + 1);
  return line + "\n";
}

}  // namespace

bool MeasuredRow::Wrong() const {
  return test->cxx20 == Cxx20::kForbidden &&
         std::any_of(by_search.begin(), by_search.end(),
                     [](const Measured& measured) { return measured.produced; });
}

bool MeasuredRow::IsUnsupported() const {
  return test->cxx20 != Cxx20::kForbidden &&
         !std::all_of(by_search.begin(), by_search.end(),
                      [](const Measured& measured) { return measured.produced; });
}

bool MeasuredRow::NeverProduced() const {
  return test->cxx20 != Cxx20::kForbidden &&
         std::none_of(by_search.begin(), by_search.end(),
                      [](const Measured& measured) { return measured.produced; });
}

bool MeasuredRow::ByGraphs() const { return IsProduced(*this, BackEnds::kExhaustive); }
bool MeasuredRow::ByRelacy() const { return IsProduced(*this, BackEnds::kRelacy); }

std::vector<MeasuredRow> MeasureAll() {
  std::vector<MeasuredRow> rows;
  for (const LitmusTest& test : LitmusTests()) {
    MeasuredRow& row = rows.emplace_back(MeasuredRow{&test, {}});
    for (const Search& search : LitmusSearches()) row.by_search.push_back(Measure(test, search));
  }
  return rows;
}

std::string FormatTable(const std::vector<MeasuredRow>& rows) {
  std::string text = fmt::format("{:<19} {:<10}", "row", "C++20");
  for (const char* heading : kHeadings) text += fmt::format(" {:<9}", heading);
  text = WithoutTrailingSpaces(text);
  for (const MeasuredRow& row : rows) {
    std::string line = fmt::format("{:<19} {:<10}", row.test->name, Name(row.test->cxx20));
    for (std::size_t i = 0; i < row.by_search.size(); ++i) {
      line += fmt::format(" {:<9}", Mark(row.by_search[i], LitmusSearches()[i]));
    }
    text += WithoutTrailingSpaces(line + " " + Remark(row));
  }
  return text + kLegend;
}

std::string FormatSummary(const std::vector<MeasuredRow>& rows) {
  std::string text;
  for (const BackEnds back_end : {BackEnds::kExhaustive, BackEnds::kRelacy}) {
    text +=
        fmt::format("Outcomes that C++20 allows and {} produce:\n",
                    back_end == BackEnds::kRelacy ? "Relacy's searches do not" : "graphs does not");
    for (const UnsupportedBehaviour& gap : UnsupportedBehaviours()) {
      if (gap.of == back_end || gap.of == BackEnds::kBoth) {
        text += fmt::format("  {}\n", gap.words);
      }
    }
  }
  const auto count = [&](bool (MeasuredRow::*property)() const) {
    return std::count_if(rows.begin(), rows.end(),
                         [&](const MeasuredRow& row) { return (row.*property)(); });
  };
  text += fmt::format("{} rows: {} allowed and never produced, {} forbidden and produced\n",
                      rows.size(), count(&MeasuredRow::NeverProduced), count(&MeasuredRow::Wrong));
  return text;
}

std::string Explain(const MeasuredRow& row) {
  const LitmusTest& test = *row.test;
  std::string text = fmt::format("{}: {}\nasked: {}\nC++20: {} ({})\n", test.name, test.says,
                                 test.asked, Name(test.cxx20), test.source);
  const Measured* example = nullptr;
  for (std::size_t i = 0; i < row.by_search.size(); ++i) {
    const Measured& measured = row.by_search[i];
    const char* end = measured.produced    ? "produced"
                      : measured.exhausted ? "not produced, exhausted"
                                           : "not produced, not exhausted";
    text += fmt::format("  {:<32} {:>9} executions, {}\n", Format(LitmusSearches()[i]),
                        measured.result.executions, end);
    if (measured.produced && example == nullptr) example = &measured;
  }
  if (example != nullptr) text += example->result.trace.Format();
  return text;
}

std::string ToJson(const std::vector<MeasuredRow>& rows) {
  nlohmann::ordered_json json;
  for (const Search& search : LitmusSearches()) json["searches"].push_back(Format(search));
  for (const MeasuredRow& row : rows) {
    const LitmusTest& test = *row.test;
    nlohmann::ordered_json entry = {
        {"name", test.name},   {"says", test.says},         {"threads", test.threads.size()},
        {"asked", test.asked}, {"cxx20", Name(test.cxx20)}, {"source", test.source}};
    for (std::size_t i = 0; i < row.by_search.size(); ++i) {
      const Measured& measured = row.by_search[i];
      entry["searches"].push_back({{"search", Format(LitmusSearches()[i])},
                                   {"produced", measured.produced},
                                   {"exhausted", measured.exhausted},
                                   {"executions", measured.result.executions}});
    }
    entry["finding"] = Finding(row);
    entry["remark"] = Remark(row);
    json["rows"].push_back(entry);
  }
  for (const UnsupportedBehaviour& gap : UnsupportedBehaviours()) {
    json["unsupported_behaviours"].push_back({{"words", gap.words},
                                              {"closed_by", OptionOf(gap)},
                                              {"of", Name(gap.of)},
                                              {"rows", gap.rows}});
  }
  return json.dump(2) + "\n";
}

}  // namespace nowait::model

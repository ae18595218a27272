// The results of the litmus suite: C++20's verdict, and beside it the outcomes that each search
// produces. The results are always measured.
#ifndef NOWAIT_MODELS_KIT_LITMUS_TABLE_H_
#define NOWAIT_MODELS_KIT_LITMUS_TABLE_H_

#include <string>
#include <vector>

#include "models/kit/litmus/litmus.h"

namespace nowait::model {

struct MeasuredRow {
  const LitmusTest* test;
  std::vector<Measured> by_search;  // in the order of LitmusSearches

  // Forbidden but produced: the checker is wrong.
  bool Wrong() const;
  // Allowed or open, but not produced by some search (or by any search).
  bool IsUnsupported() const;
  bool NeverProduced() const;
  // Produced by graphs, or by one of Relacy's searches.
  bool ByGraphs() const;
  bool ByRelacy() const;
};

std::vector<MeasuredRow> MeasureAll();

// One line per row, with a heading and a legend.
std::string FormatTable(const std::vector<MeasuredRow>& rows);

// The gaps in words, and the checker's errors, if there are any.
std::string FormatSummary(const std::vector<MeasuredRow>& rows);

// One test explained: its steps, its measurements, and an execution that produces its outcome.
std::string Explain(const MeasuredRow& row);

// Schema: {"searches": ["full", ...], "rows": [{"name", "says", "threads", "asked", "cxx20":
// "allowed" | "forbidden" | "open", "source", "searches": [{"search", "produced", "exhausted",
// "executions"}], "finding": "none" | "gap" | "never" | "wrong", "remark"}],
// "unsupported_behaviours": [{"words", "closed_by": "deferred" | "stale" | "deep" | null, "of":
// "relacy" | "exhaustive" | "both", "rows"}]}. finding: "gap" when some search does not produce an
// allowed outcome, "never" when no search does, "wrong" when a forbidden one is produced.
std::string ToJson(const std::vector<MeasuredRow>& rows);

}  // namespace nowait::model

#endif  // NOWAIT_MODELS_KIT_LITMUS_TABLE_H_

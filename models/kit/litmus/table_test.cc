// The litmus suite holds: no forbidden outcome is produced, the committed table agrees with the
// measurement, and every gap is described in words.
#include "models/kit/litmus/table.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <fstream>
#include <iterator>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "models/kit/back_ends/unsupported_behaviours.h"
#include "models/kit/litmus/litmus.h"

namespace nowait::model {
namespace {

const std::vector<MeasuredRow>& Rows() {
  static const std::vector<MeasuredRow> rows = MeasureAll();
  return rows;
}

std::string ReadFile(const std::string& path) {
  std::ifstream file(path);
  REQUIRE(file.is_open());
  return {std::istreambuf_iterator<char>(file), {}};
}

TEST_CASE("no outcome that C++20 forbids is produced") {
  for (const MeasuredRow& row : Rows()) {
    INFO(Explain(row));
    CHECK_FALSE(row.Wrong());
    if (row.test->cxx20 == Cxx20::kForbidden) {
      CHECK_FALSE(Measure(*row.test, ContextBound(2)).produced);
    }
  }
}

TEST_CASE("outcomes that are not produced were looked for exhaustively") {
  for (const MeasuredRow& row : Rows()) {
    for (std::size_t i = 0; i < row.by_search.size(); ++i) {
      if (LitmusSearches()[i].kind == Search::Kind::kRandom) continue;
      INFO(row.test->name << " under " << Format(LitmusSearches()[i]));
      // Or the search itself reports that it is unfinished.
      const Measured& measured = row.by_search[i];
      CHECK((measured.produced || measured.exhausted || measured.result.failure));
    }
  }
}

// The table can be stale in two ways: an outcome is no longer produced, or a new one is produced.
TEST_CASE("the committed table agrees with the measurement") {
  const std::string committed = ReadFile("models/kit/litmus/table.txt");
  const std::string measured = FormatTable(Rows());
  std::istringstream old_lines(committed);
  std::istringstream new_lines(measured);
  INFO(
      "if the change is meant: ./nowait check --litmus --table > models/kit/litmus/table.txt, and "
      "the same lines in models/README.md");
  for (std::string old_line, new_line; std::getline(new_lines, new_line);) {
    std::getline(old_lines, old_line);
    CHECK(new_line == old_line);
  }
  CHECK(measured == committed);
  CHECK_THAT(ReadFile("models/README.md"), Catch::Contains(committed));
}

TEST_CASE("every gap is put in words, and every gap in words is one") {
  std::set<std::string> named;
  for (const UnsupportedBehaviour& gap : UnsupportedBehaviours()) {
    CHECK_FALSE(gap.rows.empty());
    for (const char* name : gap.rows) {
      INFO(gap.words << " [" << name << "]");
      const auto row = std::find_if(
          Rows().begin(), Rows().end(),
          [&](const MeasuredRow& candidate) { return std::string(candidate.test->name) == name; });
      REQUIRE(row != Rows().end());
      CHECK(row->test->cxx20 != Cxx20::kForbidden);
      for (std::size_t i = 0; i < row->by_search.size(); ++i) {
        CHECK(row->by_search[i].produced != gap.In(LitmusSearches()[i]));
      }
      CHECK(named.insert(name).second);
    }
  }
  for (const MeasuredRow& row : Rows()) {
    INFO(row.test->name);
    CHECK(row.IsUnsupported() == named.contains(row.test->name));
  }
}

TEST_CASE("where the back ends differ, a gap of one of them says why") {
  for (const MeasuredRow& row : Rows()) {
    if (row.ByGraphs() == row.ByRelacy()) continue;
    const BackEnds lacking = row.ByGraphs() ? BackEnds::kRelacy : BackEnds::kExhaustive;
    INFO(Explain(row));
    CHECK(std::any_of(UnsupportedBehaviours().begin(), UnsupportedBehaviours().end(),
                      [&](const UnsupportedBehaviour& gap) {
                        return gap.of == lacking &&
                               std::find(gap.rows.begin(), gap.rows.end(),
                                         std::string(row.test->name)) != gap.rows.end();
                      }));
  }
}

TEST_CASE("a report names the gaps that all of its searches have") {
  const auto has = [](const std::vector<UnsupportedBehaviour>& gaps, const std::string& row) {
    return std::any_of(gaps.begin(), gaps.end(), [&](const UnsupportedBehaviour& gap) {
      return std::find(gap.rows.begin(), gap.rows.end(), row) != gap.rows.end();
    });
  };
  const std::vector<UnsupportedBehaviour> plain = UnsupportedBehavioursOf({Full()});
  const std::vector<UnsupportedBehaviour> graphs = UnsupportedBehavioursOf({Graphs(), Full()});
  const std::vector<UnsupportedBehaviour> mixed =
      UnsupportedBehavioursOf({Full(), Random(10).StaleExchanges()});
  CHECK(has(plain, "CAS+stale"));
  CHECK_FALSE(has(mixed, "CAS+stale"));
  CHECK(has(mixed, "2+2W+rlx"));
  CHECK(has(mixed, "LB+rlx"));
  CHECK(has(graphs, "LB+rlx"));
  CHECK_FALSE(has(graphs, "2+2W+rlx"));
  // Relacy's search produces it now and then, and so the line about exhausted searches omits it.
  CHECK(has(graphs, "Yield+same"));
  CHECK_FALSE(has(plain, "Yield+same"));
  CHECK_THAT(Format(mixed.back()), Catch::Contains("consume") && Catch::Contains("MP+rel+consume"));
}

// The gaps named are those of the rows that show them. LB+data looks like a cycle, because the
// search does not see that the writes depend on the reads. In LB+ctrl no thread reaches its write.
TEST_CASE("a search of graphs knows which gaps a row could show") {
  for (const MeasuredRow& row : Rows()) {
    const std::string name = row.test->name;
    const Measured& measured = row.by_search.front();
    REQUIRE(LitmusSearches().front().kind == Search::Kind::kGraphs);
    if (!measured.exhausted) continue;
    INFO(name << ": " << Listed(measured.result.omitted.gaps));
    for (const UnsupportedBehaviour& gap : UnsupportedBehaviours()) {
      const bool of_this_row = gap.In(Graphs()) && gap.shows != nullptr &&
                               std::ranges::find(gap.rows, name) != gap.rows.end();
      if (of_this_row) CHECK(gap.shows(measured.result.omitted));
    }
    if (name == "LB+rlx" || name == "LB+data") {
      CHECK(measured.result.omitted.gaps == Gaps{Gap::kLoadBuffering});
    }
    if (name == "LB+acq+rel" || name == "LB+ctrl") CHECK(measured.result.omitted.gaps.empty());
  }
}

TEST_CASE("rows have names of their own and state their subjects") {
  std::set<std::string> names;
  for (const std::string& name : LitmusRows()) CHECK(names.insert(name).second);
  for (const LitmusTest& test : LitmusTests()) {
    INFO(test.name);
    CHECK((test.outcome != nullptr) != test.failure.has_value());
    CHECK_FALSE(std::string(test.source).empty());
  }
}

}  // namespace
}  // namespace nowait::model

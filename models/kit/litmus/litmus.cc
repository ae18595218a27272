#include "models/kit/litmus/litmus.h"

#include <cstdio>
#include <cstdlib>
#include <iterator>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "models/kit/program/site_table.h"

namespace nowait::model {
namespace {

// create() of a scenario takes no argument; this variable passes the test to it.
const LitmusTest* running = nullptr;

class LitmusProgram final : public Program {
 public:
  void Thread(int t) override { running->threads[static_cast<std::size_t>(t)](cells_); }

  void After() override {
    if (running->outcome == nullptr) return;
    const auto value = [](const ModelSync::atomic<int>& atomic) {
      return atomic.load(std::memory_order::relaxed);
    };
    cells_.last = {value(cells_.x), value(cells_.y), value(cells_.z), value(cells_.v),
                   value(cells_.w)};
    Check(!running->outcome(cells_), running->asked);
  }

 private:
  Cells cells_;
};

void Append(std::vector<LitmusTest>& tests, std::vector<LitmusTest> more) {
  tests.insert(tests.end(), std::make_move_iterator(more.begin()),
               std::make_move_iterator(more.end()));
}

std::vector<LitmusTest> AllTests() {
  std::vector<LitmusTest> tests;
  Append(tests, BufferingTests());
  Append(tests, MessagePassingTests());
  Append(tests, LateStoreTests());
  Append(tests, CoherenceTests());
  Append(tests, ReleaseSequenceTests());
  Append(tests, StalenessTests());
  Append(tests, SeqCstTests());
  Append(tests, BlockingTests());
  Append(tests, ReuseTests());
  return tests;
}

}  // namespace

const std::vector<LitmusTest>& LitmusTests() {
  static const std::vector<LitmusTest> tests = AllTests();
  return tests;
}

std::vector<std::string> LitmusRows() {
  std::vector<std::string> names;
  for (const LitmusTest& test : LitmusTests()) names.emplace_back(test.name);
  return names;
}

const std::vector<Search>& LitmusSearches() {
  static const std::vector<Search> searches = {
      Graphs(),
      Full(),
      Full().DeferringStores(),
      Full().StaleExchanges(),
      Full().DeepHistory(),
      Full().DeferringStores().StaleExchanges().DeepHistory(),
      Random(30'000).DeferringStores().StaleExchanges().DeepHistory(),
  };
  return searches;
}

ScenarioEntry ScenarioOf(const LitmusTest& test) {
  running = &test;
  return {{.name = test.name, .promise = test.says, .searches = {}},
          static_cast<int>(test.threads.size()),
          [] { return std::unique_ptr<Program>(new LitmusProgram); }};
}

Measured Measure(const LitmusTest& test, const Search& search) {
  const ScenarioEntry scenario = ScenarioOf(test);
  SiteTable sites;
  Measured measured;
  measured.result = RunSearch(scenario, search, {}, sites);
  running = nullptr;
  // A search that gave up, and reports it, has not produced the outcome.
  const bool gave_up =
      measured.result.failure && measured.result.failure->kind == FailureKind::kNotFinished;
  if (const auto& failure = measured.result.failure; failure && !gave_up) {
    measured.produced = failure->kind == test.failure.value_or(FailureKind::kInvariant);
    if (!measured.produced) {
      std::fprintf(stderr, "%s under %s: %s: %s\n%s", test.name, Format(search).c_str(),
                   Name(failure->kind), failure->words.c_str(),
                   measured.result.trace.Format().c_str());
      std::abort();
    }
  }
  measured.exhausted = measured.result.exhausted;
  return measured;
}

}  // namespace nowait::model

// A litmus test: a few threads with a few operations each, and one outcome. C++20 allows or
// forbids the outcome, and a checker does or does not produce it. Where the two differ, either a
// PASS says less than it seems to (allowed, never produced) or a failure means nothing (forbidden,
// produced).
//
// The tests are declared once for every back end. Each is a scenario
// (models/kit/scenario/scenario.h) that fails when its outcome occurs. A search either finds the
// outcome, with trace and replay, or has tried everything that it can.
//
// Names are stable: reports and lists of survivors refer to them
// (models/kit/back_ends/unsupported_behaviours.h). They follow the literature's shapes (SB, MP, LB,
// 2+2W, ...: Alglave, Maranget, Tautschnig, "Herding Cats", TOPLAS 36(2), 2014), then the orders:
// rlx, acq, rel, sc.
#ifndef NOWAIT_MODELS_KIT_LITMUS_LITMUS_H_
#define NOWAIT_MODELS_KIT_LITMUS_LITMUS_H_

#include <array>
#include <atomic>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "models/kit/engine/run_search.h"
#include "models/kit/scenario/model.h"
#include "models/kit/scenario/search.h"

namespace nowait::model {

// The data that the threads of a litmus test share, initially zero, and the registers that they
// read into.
struct Cells {
  ModelSync::atomic<int> x{0};
  ModelSync::atomic<int> y{0};
  ModelSync::atomic<int> z{0};
  ModelSync::atomic<int> v{0};
  ModelSync::atomic<int> w{0};
  ModelSync::plain<int> data{0};
  int undeclared = 0;  // memory that is not declared to a checker
  ModelSync::mutex mutex;
  ModelSync::condition_variable changed;

  std::array<int, 4> r{};              // each is written by one thread
  std::array<const void*, 2> block{};  // the address of a thread's block; likewise
  struct Final {
    int x, y, z, v, w;
  } last{};  // the final values of the atomics
};

enum class Cxx20 : std::uint8_t {
  kAllowed,
  kForbidden,
  kOpen,  // forbidden by the text, which has an open issue here; as unreliable as kAllowed
};

struct LitmusTest {
  const char* name;
  const char* says;  // the effect that the test shows, in one line
  std::vector<void (*)(Cells& c)> threads;
  const char* asked;                          // the outcome, in words
  bool (*outcome)(const Cells& c) = nullptr;  // of an execution that ends;
  std::optional<FailureKind> failure = {};    // or the failure that the test asks about
  Cxx20 cxx20;
  const char* source;  // the origin of the verdict: paragraphs of N4861, or a paper
};

// The suite, one function per file.
std::vector<LitmusTest> BufferingTests();
std::vector<LitmusTest> MessagePassingTests();
std::vector<LitmusTest> LateStoreTests();
std::vector<LitmusTest> CoherenceTests();
std::vector<LitmusTest> ReleaseSequenceTests();
std::vector<LitmusTest> StalenessTests();
std::vector<LitmusTest> SeqCstTests();
std::vector<LitmusTest> BlockingTests();
std::vector<LitmusTest> ReuseTests();

// The whole suite, in that order.
const std::vector<LitmusTest>& LitmusTests();

// The names of the suite's tests.
std::vector<std::string> LitmusRows();

// The test as a scenario, which fails when the outcome occurs. test: outlives the runs of the
// scenario. There is one such scenario at a time.
ScenarioEntry ScenarioOf(const LitmusTest& test);

// The searches that the suite is measured with: graphs, which is all that the exhaustive back end
// has, and Relacy's with each option alone and with all of them together.
const std::vector<Search>& LitmusSearches();

struct Measured {
  bool produced = false;
  // If not produced: whether the search tried every execution; otherwise it stopped at a limit.
  bool exhausted = false;
  SearchResult result;
};

// Aborts the program, with the trace, on any failure other than the outcome asked about.
Measured Measure(const LitmusTest& test, const Search& search);

}  // namespace nowait::model

#endif  // NOWAIT_MODELS_KIT_LITMUS_LITMUS_H_

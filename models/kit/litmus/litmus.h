// A litmus test: a few threads of a few operations, and one outcome. C++20 allows it or forbids it;
// a checker produces it or does not. Where the two differ, a PASS says less than it seems to
// (allowed, never produced) or a failure says nothing (forbidden, produced).
//
// The tests are declared here for every back end: each is a scenario of
// models/kit/scenario/scenario.h that fails when its outcome comes up. A search either finds it,
// with trace and replay, or has tried everything that it can.
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

// The data that the threads of a litmus test share, zero at first, and the registers that they read
// into.
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

  std::array<int, 4> r{};              // each written by one thread
  std::array<const void*, 2> block{};  // where a thread's block was; as r
  struct Final {
    int x, y, z, v, w;
  } last{};  // the atomics' values in the end
};

enum class Cxx20 : std::uint8_t {
  kAllowed,
  kForbidden,
  kOpen,  // the letter forbids it, and that is an open issue; not to be relied on, so as kAllowed
};

struct LitmusTest {
  const char* name;
  const char* says;  // the effect that it shows, one line
  std::vector<void (*)(Cells& c)> threads;
  const char* asked;                          // the outcome, in words
  bool (*outcome)(const Cells& c) = nullptr;  // of an execution that ends;
  std::optional<FailureKind> failure = {};    // or the failure that is asked about
  Cxx20 cxx20;
  const char* source;  // of the verdict: paragraphs of N4861, or a paper
};

// The suite, file by file.
std::vector<LitmusTest> BufferingTests();
std::vector<LitmusTest> MessagePassingTests();
std::vector<LitmusTest> LateStoreTests();
std::vector<LitmusTest> CoherenceTests();
std::vector<LitmusTest> ReleaseSequenceTests();
std::vector<LitmusTest> StalenessTests();
std::vector<LitmusTest> SeqCstTests();
std::vector<LitmusTest> BlockingTests();
std::vector<LitmusTest> ReuseTests();

// All of it, in that order.
const std::vector<LitmusTest>& LitmusTests();

// The names of the suite's tests.
std::vector<std::string> LitmusRows();

// The searches that the suite is measured with: graphs, which is all of the exhaustive back end,
// and Relacy's, each option and all of them together.
const std::vector<Search>& LitmusSearches();

struct Measured {
  bool produced = false;
  // Not produced: whether every execution of the search was tried; otherwise the search just
  // stopped.
  bool exhausted = false;
  SearchResult result;
};

// Aborts the program, with the trace, when anything but the outcome asked about goes wrong.
Measured Measure(const LitmusTest& test, const Search& search);

}  // namespace nowait::model

#endif  // NOWAIT_MODELS_KIT_LITMUS_LITMUS_H_

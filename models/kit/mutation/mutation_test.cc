// Mutations of a structure defined by this test, a ring for one producer and one consumer: the
// operations executed in place of the source's, the scenarios that kill them, and the minimal
// orders.
#include "models/kit/mutation/mutation.h"

#include <array>
#include <atomic>
#include <catch2/catch.hpp>
#include <map>
#include <string>
#include <vector>

#include "models/kit/mutation/judge.h"
#include "models/kit/mutation/minimise.h"
#include "models/kit/mutation/mutation_run.h"
#include "models/kit/mutation/notes.h"
#include "models/kit/mutation/site_name.h"
#include "models/kit/scenario/model.h"

namespace nowait::model {
namespace {

// One slot; full_ says which side has access to it.
class Ring {
 public:
  bool Put(int value) {
    if (full_.load(std::memory_order::acquire)) return false;
    value_.set(value);
    full_.store(true, std::memory_order::release);
    return true;
  }
  bool Get(int& value) {
    if (!full_.load(std::memory_order::acquire)) return false;
    value = value_.get();
    full_.store(false, std::memory_order::release);
    return true;
  }
  // No scenario needs this operation.
  void Count() { count_.fetch_add(1, std::memory_order::seq_cst); }

 private:
  ModelSync::atomic<bool> full_{false};
  ModelSync::plain<int> value_{0};
  ModelSync::atomic<int> count_{0};
};

struct PutGet {
  static constexpr int kThreads = 2;
  void Thread(int t) {
    for (int i = 0; i < 2; ++i) {
      int value = 0;
      if (t == 0 && ring.Put(put + 1)) ++put;
      if (t == 1 && ring.Get(value)) Check(value == ++got, "values come in order, each once");
      ring.Count();
    }
  }
  void After() {
    int value = 0;
    while (ring.Get(value)) Check(value == ++got, "values come in order, each once");
    Check(put == got, "the value put is got");
    Check(put > 0, "an empty ring has room");
  }
  Ring ring;
  int put = 0;
  int got = 0;
};

std::vector<ScenarioEntry> RingScenarios() {
  return {Scenario<PutGet>::Entry({.name = "put-get", .promise = "", .searches = {Random(1)}})};
}

constexpr const char* kThisFile = "models/kit/mutation/mutation_test.cc";

Notes NotesOf(const std::string& text) {
  return ParseNotes("sources = [\"" + std::string(kThisFile) + "\"]\n" + text, "notes").value();
}

constexpr const char* kNote = R"([[survivor]]
mutations = [
  "mutation_test.cc:Count:fetch_add:to-acq_rel", "mutation_test.cc:Count:fetch_add:to-acquire",
  "mutation_test.cc:Count:fetch_add:to-release", "mutation_test.cc:Count:fetch_add:to-relaxed",
  "mutation_test.cc:Count:fetch_add:torn", "mutation_test.cc:Count:fetch_add:dropped",
]
class = "equivalent"
because = "no thread reads the count"
)";

TEST_CASE("a function's name is found in the compilers' text") {
  CHECK(FunctionName("void nowait::UnionFind<Sync>::Union(uint32_t, uint32_t) [with Sync = X]") ==
        "Union");
  CHECK(FunctionName("bool nowait::(anonymous namespace)::Ring::Put(int)") == "Put");
  CHECK(FunctionName("nowait::Ring<int>::Ring(std::function<void(int)>) [with T = F(int)]") ==
        "Ring");
  CHECK(FunctionName("nowait::Ring::~Ring()") == "~Ring");
  CHECK(FunctionName("T* Make<T>() [with T = int]") == "Make");
}

TEST_CASE("orders weaker than an order") {
  using enum std::memory_order;
  using Orders = std::vector<std::memory_order>;
  CHECK(WeakerOrders(OperationKind::kLoad, seq_cst) == Orders{acquire, relaxed});
  CHECK(WeakerOrders(OperationKind::kStore, release) == Orders{relaxed});
  CHECK(WeakerOrders(OperationKind::kFetchAdd, seq_cst) ==
        Orders{acq_rel, acquire, release, relaxed});
  CHECK(WeakerOrders(OperationKind::kExchange, acquire) == Orders{relaxed});
  CHECK(WeakerOrders(OperationKind::kLoad, relaxed).empty());
  CHECK(WeakerOrders(OperationKind::kNotify, seq_cst).empty());
  CHECK(WeakerFailureOrders(acquire) == Orders{relaxed});
}

TEST_CASE("each mutation of the ring is killed, except of operations that no scenario needs") {
  const BackEnds back_ends = GENERATE(BackEnds::kRelacy, BackEnds::kExhaustive, BackEnds::kBoth);
  CAPTURE(Name(back_ends));
  const std::vector<ScenarioEntry> scenarios = RingScenarios();
  Judge judge(scenarios, 2000, back_ends);
  const Notes notes = NotesOf(kNote);
  const auto subject = Subject::Visit(judge, notes);
  REQUIRE(subject.has_value());
  CHECK(UnknownNames(*subject, notes).empty());
  std::map<std::string, Fate> fates;
  for (const auto& [site, mutation] : subject->Mutations()) {
    fates[mutation.name] = JudgeMutation(judge, notes, *site, mutation).fate;
  }
  for (const char* killed : {"Put:load:to-relaxed", "Put:store:to-relaxed", "Put:store:dropped",
                             "Get:load:to-relaxed", "Get:store:to-relaxed", "Get:store:dropped"}) {
    INFO(killed);
    CHECK(fates.at(std::string("mutation_test.cc:") + killed) == Fate::kKilled);
  }
  for (const std::string& mutation : notes.survivors[0].mutations) {
    INFO(mutation);
    CHECK(fates.at(mutation) == Fate::kEquivalent);
  }
  CHECK(fates.size() == 14);
}

TEST_CASE("a survivor without a note fails, and so does a note without a survivor") {
  const std::vector<ScenarioEntry> scenarios = RingScenarios();
  Judge judge(scenarios, 500);
  const Notes notes = NotesOf(R"([[survivor]]
mutations = ["mutation_test.cc:Put:store:dropped", "mutation_test.cc:Put:store:gone"]
class = "equivalent"
because = "it is not")");
  const auto subject = Subject::Visit(judge, notes);
  REQUIRE(subject.has_value());
  CHECK(UnknownNames(*subject, notes) ==
        std::vector<std::string>{"mutation_test.cc:Put:store:gone"});
  for (const auto& [site, mutation] : subject->Mutations()) {
    const Fate fate = JudgeMutation(judge, notes, *site, mutation).fate;
    if (mutation.name == "mutation_test.cc:Put:store:dropped") CHECK(fate == Fate::kStale);
    if (mutation.name == "mutation_test.cc:Count:fetch_add:torn") {
      CHECK(fate == Fate::kUnexplained);
    }
  }
}

// The verdict on one mutation of the ring.
MutantReport Judged(const std::vector<ScenarioEntry>& scenarios, BackEnds back_ends,
                    const Notes& notes, const std::string& name) {
  Judge judge(scenarios, 500, back_ends);
  const auto subject = Subject::Visit(judge, notes);
  REQUIRE(subject.has_value());
  for (const auto& [site, mutation] : subject->Mutations()) {
    if (mutation.name == name) return JudgeMutation(judge, notes, *site, mutation);
  }
  FAIL(name + " is not there");
  return {};
}

constexpr const char* kHarmless = "mutation_test.cc:Count:fetch_add:to-relaxed";

TEST_CASE("where every execution is examined, a survivor has no counterexample") {
  const MutantReport exact = Judged(RingScenarios(), BackEnds::kBoth, NotesOf(kNote), kHarmless);
  CHECK(exact.verdict.exact());
  CHECK(Format(exact).find("no counterexample exists in the scenarios") != std::string::npos);

  std::vector<ScenarioEntry> bounded = RingScenarios();
  bounded[0].text.bounded = "for this test";
  for (const MutantReport& sampled :
       {Judged(bounded, BackEnds::kBoth, NotesOf(kNote), kHarmless),
        Judged(RingScenarios(), BackEnds::kRelacy, NotesOf(kNote), kHarmless)}) {
    CHECK(sampled.fate == Fate::kEquivalent);
    CHECK_FALSE(sampled.verdict.exact());
    CHECK(Format(sampled).find("every one of 0 of 1 scenarios") != std::string::npos);
  }
}

TEST_CASE("nothing is beyond this checker that it has examined") {
  const auto note = [](const std::string& row) {
    return NotesOf("[[survivor]]\nmutations = [\"" + std::string(kHarmless) +
                   "\"]\nclass = \"unverified\"\nbecause = \"late\"\nlitmus = \"" + row + "\"\n");
  };
  const auto fate = [](BackEnds back_ends, const Notes& notes) {
    return Judged(RingScenarios(), back_ends, notes, kHarmless).fate;
  };
  CHECK(fate(BackEnds::kRelacy, note("S+rel+rlx")) == Fate::kUnverified);
  CHECK(fate(BackEnds::kBoth, note("S+rel+rlx")) == Fate::kStale);
  CHECK(fate(BackEnds::kBoth, note("LB+rlx")) == Fate::kUnverified);
}

TEST_CASE("a verdict says how to see it again, and repeats") {
  const BackEnds back_ends = GENERATE(BackEnds::kRelacy, BackEnds::kExhaustive);
  const std::vector<ScenarioEntry> scenarios = RingScenarios();
  Judge judge(scenarios, 2000, back_ends);
  const auto subject = Subject::Visit(judge, NotesOf(kNote));
  for (const auto& [site, mutation] : subject->Mutations()) {
    if (mutation.name != "mutation_test.cc:Put:store:to-relaxed") continue;
    Edits edits;
    edits.Set(site->record.site, site->record.kind, site->record.order, mutation.edit);
    const Verdict first = judge.Try(edits);
    const Verdict second = judge.Try(edits);
    REQUIRE(first.killed);
    CHECK(first.scenario == "put-get");
    CHECK(first.failure.kind == FailureKind::kDataRace);
    CHECK(first.executions == second.executions);
    CHECK(first.replay.seed == second.replay.seed);
    CHECK(first.replay.state == second.replay.state);
    CHECK(Includes(back_ends, first.search));
  }
}

// A scenario whose threads neither put nor count.
struct GetOnly {
  static constexpr int kThreads = 2;
  GetOnly() { Check(ring.Put(1), "an empty ring has room"); }
  void Thread(int t) {
    int value = 0;
    if (t == 0) Check(ring.Get(value) && value == 1, "the value put is got");
  }
  Ring ring;
};

TEST_CASE("scenarios that do not execute the edited operation are left out without effect") {
  std::vector<ScenarioEntry> scenarios = RingScenarios();
  scenarios.push_back(
      Scenario<GetOnly>::Entry({.name = "get-only", .promise = "", .searches = {Random(1)}}));
  const bool is_bounded = GENERATE(false, true);
  if (is_bounded) scenarios[1].text.bounded = "for this test";
  Judge unvisited(scenarios, 500);
  Judge judge(scenarios, 500);
  const Notes notes = NotesOf(kNote);
  const auto subject = Subject::Visit(judge, notes);
  int fewer = 0;
  for (const auto& [site, mutation] : subject->Mutations()) {
    CAPTURE(mutation.name);
    const MutantReport all = JudgeMutation(unvisited, notes, *site, mutation);
    const MutantReport report = JudgeMutation(judge, notes, *site, mutation);
    CHECK(report.fate == all.fate);
    CHECK(report.verdict.exact() == all.verdict.exact());
    CHECK(report.verdict.scenario == all.verdict.scenario);
    CHECK(report.verdict.failure.kind == all.verdict.failure.kind);
    CHECK(report.verdict.effects == all.verdict.effects);
    const bool is_left_out = report.verdict.executions < all.verdict.executions;
    fewer += is_left_out;
    const bool is_executed = site->name != "mutation_test.cc:Count:fetch_add" &&
                             mutation.name != "mutation_test.cc:Put:store:delayed";
    if (is_executed) CHECK_FALSE(is_left_out);
    if (!report.verdict.killed && !is_executed) CHECK(is_left_out);
  }
  CHECK(fewer == 7);
}

TEST_CASE("an edit without effect is not searched again") {
  std::vector<ScenarioEntry> scenarios = RingScenarios();
  const bool is_bounded = GENERATE(false, true);
  if (is_bounded) scenarios[0].text.bounded = "for this test";
  const Depth visited = GENERATE(Depth::kQuick, Depth::kWhole);
  Judge unvisited(scenarios, 500);
  Judge judge(scenarios, 500);
  const auto subject = Subject::Visit(judge, NotesOf(kNote), visited);
  Edits source;
  for (const NamedSite& site : subject->sites()) {
    source.Set(site.record.site, site.record.kind, site.record.order, {.order = site.record.order});
  }
  const Verdict all = unvisited.Try(source);
  const Verdict verdict = judge.Try(source);
  CHECK(all.executions > 500);
  CHECK(verdict.executions == 0);
  CHECK_FALSE(verdict.killed);
  CHECK(verdict.examined == all.examined);
  CHECK(verdict.exact() == !is_bounded);
}

TEST_CASE("the minimiser finds the ring's canonical orders") {
  using enum std::memory_order;
  const BackEnds back_ends = GENERATE(BackEnds::kRelacy, BackEnds::kExhaustive);
  const std::vector<ScenarioEntry> scenarios = RingScenarios();
  Judge judge(scenarios, 2000, back_ends);
  const Notes notes = NotesOf(kNote);
  const auto subject = Subject::Visit(judge, notes);
  const MinimalOrders minimal = Minimise(judge, *subject, notes, [](const std::string&) {});
  std::map<std::string, MinimalOrder> orders;
  for (const MinimalOrder& order : minimal.orders) orders.emplace(order.operation, order);
  CHECK(minimal.together.exact() == (back_ends == BackEnds::kExhaustive));
  CHECK(orders.at("mutation_test.cc:Put:load").weakest == acquire);
  CHECK(orders.at("mutation_test.cc:Put:store").weakest == release);
  CHECK(orders.at("mutation_test.cc:Get:load").weakest == acquire);
  CHECK(orders.at("mutation_test.cc:Get:store").weakest == release);
  CHECK(orders.at("mutation_test.cc:Get:store").forbidden_by == "relaxed: put-get, data race");
  const MinimalOrder& count = orders.at("mutation_test.cc:Count:fetch_add");
  CHECK(count.weakest == relaxed);
  CHECK(count.SourceIsStronger());
  CHECK(count.because == "no thread reads the count");
}

// Fails without any edit.
struct Broken {
  static constexpr int kThreads = 2;
  void Thread(int t) { Check(t == 0, "there is one thread"); }
};

TEST_CASE("mutations of a source that fails by itself are refused") {
  const std::vector<ScenarioEntry> scenarios = {
      Scenario<Broken>::Entry({.name = "broken", .promise = "", .searches = {}})};
  Judge judge(scenarios, 10);
  const auto subject = Subject::Visit(judge, NotesOf(""));
  REQUIRE_FALSE(subject.has_value());
  CHECK(subject.error().find("the source itself fails in broken") == 0);
  CHECK(subject.error().find('\n') == std::string::npos);
}

// Thread 0 may read an old value again and is then abandoned; thread 1 has held a store back by
// then.
struct HeldBack {
  static constexpr int kThreads = 2;
  void Thread(int t) {
    for (auto& cell : cells) {
      if (t == 1) cell.store(1, std::memory_order::release);
      while (t == 0 && cell.load(std::memory_order::acquire) == 0) ModelSync::Yield();
    }
  }
  std::array<ModelSync::atomic<int>, 3> cells;
};

TEST_CASE("a store that is held back ends with its execution") {
  const std::vector<ScenarioEntry> scenarios = {
      Scenario<HeldBack>::Entry({.name = "held back", .promise = "", .searches = {}})};
  const std::string name = "mutation_test.cc:Thread:store:delayed";
  const MutantReport report =
      Judged(scenarios, BackEnds::kExhaustive,
             NotesOf("[[survivor]]\nmutations = [\"" + name +
                     "\"]\nclass = \"equivalent\"\nbecause = \"in the end all are there\"\n"),
             name);
  CHECK(report.fate == Fate::kEquivalent);
}

}  // namespace
}  // namespace nowait::model

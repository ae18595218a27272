// A record is unchanged after writing and reading, and a damaged one is refused with one line.
#include "models/kit/counterexample/json.h"

#include <catch2/catch.hpp>
#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "models/kit/counterexample/from_trace.h"
#include "models/kit/engine/run_search.h"
#include "models/kit/scenario/model.h"

namespace nowait::model::counterexample {
namespace {

using Catch::Matchers::StartsWith;
using Order = std::memory_order;

// Message passing without a release: a race, after a load that may read an old value.
struct Unpublished {
  static constexpr int kThreads = 2;
  void Thread(int t) {
    const model::Call call(t == 0 ? "Publish" : "Look");
    if (t == 0) {
      count.fetch_add(1, Order::acq_rel);
      data.set(1);
      ready.store(true, Order::relaxed);
    } else if (ready.load(Order::acquire)) {
      count.fetch_add(1, Order::acq_rel);
      data.get();
    }
  }
  ModelSync::plain<int> data{0};
  ModelSync::atomic<bool> ready{false};
  ModelSync::atomic<int> count{0};
};

Counterexample Record() {
  SiteTable sites;
  const ScenarioEntry entry =
      model::Scenario<Unpublished>::Entry({.name = "one", .promise = "a promise", .searches = {}});
  const SearchResult result = RunSearch(entry, Graphs(), {}, sites);
  REQUIRE(result.failure);
  SourceText text;
  Counterexample record;
  record.structure = "box";
  record.scenario = {"one", "a promise", 2};
  record.search = {"graphs", result.executions};
  record.again = "./nowait check box";
  record.execution = ExecutionOf(result.trace, result.failure, text);
  record.sources = {{"a.h", {"one line", "another \"line\""}}};
  return record;
}

// A record with all optional parts.
Counterexample FullRecord() {
  Counterexample record = Record();
  const Size size = SizeOf(record.execution, 2);
  record.minimised = Minimised{size, size, "as small as it gets"};
  Repair& repair = record.repair.emplace();
  repair.words = "release instead of relaxed";
  repair.operation =
      Repair::Operation{"store", {"a.h", 1, 2, "Publish"}, "relaxed", "", "release", ""};
  repair.verdict = "all 3 executions examined";
  repair.execution = record.execution;
  repair.execution->failure.reset();
  repair.diverges = Repair::Divergence{1, 2, "here"};
  Recorded& recorded = record.recorded.emplace();
  recorded.complete = true;
  recorded.words = "all 1 executions";
  recorded.operations = {
      {0, "", "store", "ready", "relaxed", "", {"a.h", 1, 2, "Publish"}, {}, "true", ""},
      {1, "Look", "load", "ready", "acquire", "", {}, "true", {}, ""}};
  recorded.executions = {{"fails", "data race", {{0, -1}, {1, 0}}}};
  return record;
}

TEST_CASE("A written record is read back") {
  for (const Counterexample& record : {Record(), FullRecord()}) {
    const auto read = FromJson(ToJson(record));
    INFO((read ? "" : read.error()));
    REQUIRE(read);
    CHECK(*read == record);
  }
}

TEST_CASE("A race is named by its two accesses, and each read has its candidates") {
  const Execution execution = Record().execution;
  REQUIRE(execution.failure);
  CHECK(execution.failure->kind == "data race");
  CHECK(execution.failure->events.size() == 2);
  REQUIRE(execution.failure->thread);
  CHECK(execution.calls.size() == 2);
  CHECK_FALSE(execution.candidates.empty());
  for (const Choice& choice : execution.candidates) {
    for (const Candidate& candidate : choice.stores) {
      CHECK_FALSE(candidate.words.empty());
      CHECK(candidate.allowed == candidate.rule.empty());
    }
  }
}

using Json = nlohmann::ordered_json;

struct Damage {
  std::string words;  // the beginning of the complaint
  std::function<void(Json&)> change;
};

TEST_CASE("A damaged record is refused in one line that names the field") {
  const std::string whole = ToJson(FullRecord());
  const std::vector<Damage> damages = {
      {"format: is not", [](Json& j) { j["format"] = "something else"; }},
      {"format: is not", [](Json& j) { j.erase("format"); }},
      {"version: is not 1", [](Json& j) { j["version"] = 2; }},
      {"version: is not 1", [](Json& j) { j["version"] = "1"; }},
      {"structure: is missing", [](Json& j) { j.erase("structure"); }},
      {"structure: is no text", [](Json& j) { j["structure"] = 7; }},
      {"more: is no field", [](Json& j) { j["more"] = 7; }},
      {"scenario: is no object", [](Json& j) { j["scenario"] = "one"; }},
      {"scenario.threads: 9 is not", [](Json& j) { j["scenario"]["threads"] = 9; }},
      {"scenario.threads: is no number", [](Json& j) { j["scenario"]["threads"] = 2.5; }},
      {"search.executions: is no number", [](Json& j) { j["search"]["executions"] = -1; }},
      {"sources[1].file: a.h is there twice",
       [](Json& j) { j["sources"].push_back(j["sources"][0]); }},
      {"sources[0].lines[1]: is no text", [](Json& j) { j["sources"][0]["lines"][1] = nullptr; }},
      {"execution: is no object", [](Json& j) { j["execution"] = nullptr; }},
      {"execution.events: is no list", [](Json& j) { j["execution"]["events"] = 3; }},
      {"execution.events[0].number: 5", [](Json& j) { j["execution"]["events"][0]["number"] = 5; }},
      {"execution.", [](Json& j) { j["execution"]["events"].erase(0); }},
      {"execution.events[1].thread: 2 is no thread",
       [](Json& j) { j["execution"]["events"][1]["thread"] = 2; }},
      {"execution.events[0].thread: is no number",
       [](Json& j) { j["execution"]["events"][0]["thread"] = 99'999'999'999; }},
      {"execution.events[1].thread: -1 is out of order",
       [](Json& j) { j["execution"]["events"][1]["thread"] = -1; }},
      {"execution.events[0].call: 77 is no call",
       [](Json& j) { j["execution"]["events"][0]["call"] = 77; }},
      {"execution.events[0].object: 77 is no object",
       [](Json& j) { j["execution"]["events"][0]["object"] = 77; }},
      {"execution.events[0].kind: laod is no kind",
       [](Json& j) { j["execution"]["events"][0]["kind"] = "laod"; }},
      {"execution.events[0].order: fast is no memory order",
       [](Json& j) { j["execution"]["events"][0]["order"] = "fast"; }},
      {"execution.events[0].outcome: maybe is no outcome",
       [](Json& j) { j["execution"]["events"][0]["outcome"] = "maybe"; }},
      {"execution.events[0].site.line: is missing",
       [](Json& j) { j["execution"]["events"][0]["site"].erase("line"); }},
      {"execution.events[0].read.from: 99 is no earlier store",
       [](Json& j) { j["execution"]["events"][0]["read"]["from"] = 99; }},
      {"execution.objects[0].id: 4", [](Json& j) { j["execution"]["objects"][0]["id"] = 4; }},
      {"execution.objects[0].kind: thing",
       [](Json& j) { j["execution"]["objects"][0]["kind"] = "thing"; }},
      {"execution.calls[0].last: 0", [](Json& j) { j["execution"]["calls"][0]["last"] = 0; }},
      {"execution.calls[0].outer: 0", [](Json& j) { j["execution"]["calls"][0]["outer"] = 0; }},
      {"execution.modification_orders[0].stores",
       [](Json& j) {
         Json& stores = j["execution"]["modification_orders"][0]["stores"];
         stores.push_back(stores[0]);
       }},
      {"execution.events", [](Json& j) { j["execution"]["modification_orders"].erase(0); }},
      {"execution.synchronises_with[0].from: 88",
       [](Json& j) {
         j["execution"]["synchronises_with"] = {{{"from", 88}, {"to", 1}}};
       }},
      {"execution.candidates[0].event: 88",
       [](Json& j) { j["execution"]["candidates"][0]["event"] = 88; }},
      {"execution.candidates[0].stores: 88",
       [](Json& j) { j["execution"]["candidates"][0]["stores"][0]["store"] = 88; }},
      {"execution.failure.events: 88",
       [](Json& j) { j["execution"]["failure"]["events"][0] = 88; }},
      {"execution.failure.thread: 8", [](Json& j) { j["execution"]["failure"]["thread"] = 8; }},
      {"repair.execution.events[0].number: 5",
       [](Json& j) { j["repair"]["execution"]["events"][0]["number"] = 5; }},
      {"repair.diverges.other: 88", [](Json& j) { j["repair"]["diverges"]["other"] = 88; }},
      {"recorded.executions[0].order: 9 is no operation",
       [](Json& j) { j["recorded"]["executions"][0]["order"][0][0] = 9; }},
      {"recorded.executions[0].order: 0 is no earlier step",
       [](Json& j) { j["recorded"]["executions"][0]["order"][0][1] = 0; }},
      {"recorded.executions[0].order[0]: is no pair",
       [](Json& j) { j["recorded"]["executions"][0]["order"][0] = 1; }},
      {"minimised.from.threads: is missing",
       [](Json& j) { j["minimised"]["from"].erase("threads"); }},
  };
  for (const Damage& damage : damages) {
    Json json = Json::parse(whole);
    damage.change(json);
    const auto read = FromJson(json.dump());
    INFO(damage.words);
    REQUIRE_FALSE(read);
    CHECK_THAT(read.error(), StartsWith(damage.words));
    CHECK(read.error().find('\n') == std::string::npos);
  }
}

TEST_CASE("A text that is no record at all is refused") {
  const std::string whole = ToJson(Record());
  for (const std::string& text :
       {std::string(), std::string("{"), std::string("[]"), std::string("null"), std::string("7"),
        whole.substr(0, whole.size() / 2), whole + "x", std::string("\xff\xfe{}"),
        std::string(100'000, '[')}) {
    const auto read = FromJson(text);
    REQUIRE_FALSE(read);
    CHECK(read.error().find('\n') == std::string::npos);
  }
  CHECK(FromJson("{\"a\": 1, \"a\": 2}").error() == "a: is there twice");
  CHECK_THAT(Load("no/such/file.json").error(), StartsWith("no/such/file.json: cannot be read: "));
}

}  // namespace
}  // namespace nowait::model::counterexample

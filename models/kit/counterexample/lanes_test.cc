// The lanes of a small record: the position of each part. Nothing is conveyed by colour alone.
#include "models/kit/counterexample/lanes.h"

#include <catch2/catch.hpp>
#include <cstddef>
#include <sstream>
#include <string>

#include "models/kit/counterexample/json.h"
#include "models/kit/program/failure.h"

namespace nowait::model::counterexample {
namespace {

using Catch::Matchers::Contains;

Event Step(int number, int thread, const char* kind, int object, const char* order) {
  Event event;
  event.number = number;
  event.thread = thread;
  event.kind = kind;
  event.object = object;
  event.order = order;
  event.site = {"a.h", static_cast<std::uint32_t>(number), 1, "f"};
  return event;
}

// A stale read, two stores behind, and a synchronises-with edge.
Counterexample Record() {
  Counterexample record;
  record.structure = "box";
  record.scenario = {"one", "a promise", 2};
  record.search = {"graphs", 3};
  record.again = "./nowait check box --scenario one --search graphs --state .1";
  record.sources = {{"a.h", {"one.store(1);", "two.store(1);", "  two.load();", "one.load();"}}};
  Execution& execution = record.execution;
  execution.objects = {{0, "atomic", "one", "int", "0"}, {1, "atomic", "two", "int", "0"}};
  execution.calls = {{0, 0, "Put", {"Put() = true"}, 1, 2, true, {}},
                     {1, 1, "Take", {}, 3, 4, false, {}}};
  execution.events = {Step(1, 0, "store", 0, "relaxed"), Step(2, 0, "store", 1, "release"),
                      Step(3, 1, "load", 1, "acquire"), Step(4, 1, "load", 0, "relaxed")};
  for (std::size_t i = 0; i < 2; ++i) {
    execution.events[i].call = 0;
    execution.events[i].written = "1";
    execution.events[i + 2].call = 1;
  }
  execution.events[2].read = Read{"1", 2, false};
  execution.events[3].read = Read{"0", 0, true};
  execution.modification_orders = {{0, {1}}, {1, {2}}};
  execution.synchronises_with = {{2, 3}};
  execution.failure =
      Failure{"invariant", "what is put is taken", {"  more"}, {"a.h", 4, 1, "f"}, 1, {}};
  return record;
}

TEST_CASE("Lanes show the steps under the repair") {
  Counterexample record = Record();
  Repair& repair = record.repair.emplace();
  repair.words = "one memory order repairs this";
  repair.diverges = Repair::Divergence{4, 4, "[2] synchronises with [3]"};
  CHECK_THAT(FormatLanes(record, {}), Contains("  repair: one memory order repairs this\n"
                                               "    then, at [4]: [2] synchronises with [3]\n"));
}

TEST_CASE("A store that stands before an earlier one is marked as late") {
  Counterexample record = Record();
  Execution& execution = record.execution;
  // Thread 1 stores to `one` after thread 0, but precedes it in modification order.
  execution.events[3] = Step(4, 1, "store", 0, "relaxed");
  execution.events[3].call = 1;
  execution.events[3].written = "2";
  execution.modification_orders[0].stores = {4, 1};
  REQUIRE(FromJson(ToJson(record)));
  const std::string text = FormatLanes(record, {160, false});
  CHECK_THAT(text, Contains("LATE: in the modification order of one it stands before [1]"));
  CHECK_THAT(FormatLanes(Record(), {}), !Contains("LATE"));
}

TEST_CASE("Lanes show each thread's steps, the values read and the failure") {
  REQUIRE(FromJson(ToJson(Record())));
  const std::string text = FormatLanes(Record(), {});
  CHECK_THAT(text, Contains("first values: one = 0, two = 0"));
  CHECK_THAT(text, Contains("thread 0") && Contains("thread 1"));
  CHECK_THAT(text, Contains("┌ Put") && Contains("└ Put returns: Put() = true"));
  CHECK_THAT(text, Contains("╎ Take has not returned"));
  CHECK_THAT(text, Contains("[2] two store (release): writes 1"));
  CHECK_THAT(text, Contains("[3] two load (acquire): reads 1 from [2]"));
  CHECK_THAT(text, Contains("a.h:3  two.load();"));
  CHECK_THAT(text, Contains("<= synchronises with [2]"));
  CHECK_THAT(text, Contains("[4] one load (relaxed): reads 0, the first value"));
  CHECK_THAT(text, Contains("STALE: [1] is newer"));
  CHECK_THAT(text, Contains("FAILS HERE: what is put is taken"));
  CHECK_THAT(text, Contains("  broken invariant: what is put is taken\n    more\n"));
  CHECK_THAT(text, Contains("  at a.h:4"));
  CHECK_THAT(text, Contains("  again: ./nowait check box --scenario one"));
  CHECK_THAT(text, !Contains("\x1b["));
}

TEST_CASE("Colours are added, and nothing else") {
  std::string colored = FormatLanes(Record(), {100, true});
  CHECK_THAT(colored, Contains("\x1b["));
  for (std::size_t at; (at = colored.find("\x1b[")) != colored.npos;) {
    colored.erase(at, colored.find('m', at) - at + 1);
  }
  CHECK(colored == FormatLanes(Record(), {}));
}

// Thread 1 visits the stripes of a counter after thread 0 has added to one of them.
Counterexample WithStripes() {
  Counterexample record = Record();
  Execution& execution = record.execution;
  execution.events.resize(1);
  execution.calls = {{0, 0, "Enter", {}, 1, 1, true, {}}, {1, 1, "Reclaim", {}, 2, 20, true, {}}};
  execution.objects.clear();
  for (int i = 0; i < 20; ++i) {
    const std::string name = "stripes[" + std::to_string(i) + "].readers";
    execution.objects.push_back({i, "atomic", i < 18 ? name : "other", "int", "0"});
  }
  execution.modification_orders = {{0, {1}}};
  execution.synchronises_with.clear();
  for (int i = 0; i < 18; ++i) {
    Event& look = execution.events.emplace_back(Step(i + 2, 1, "load", i, "seq_cst"));
    look.call = 1;
    look.site.line = 2;
    look.read = i == 0 ? Read{"1", 1, false} : Read{"0", 0, false};
  }
  execution.events.push_back(Step(20, 1, "store", 18, "relaxed"));
  execution.events.back().call = 1;
  execution.events.back().written = "1";
  execution.events.push_back(Step(21, -2, "load", 19, "relaxed"));
  execution.events.back().read = Read{"0", 0, false};
  execution.modification_orders.push_back({18, {20}});
  execution.failure = Failure{"invariant", "what is put is taken", {}, {"a.h", 4, 1, "f"}, {}, {}};
  return record;
}

TEST_CASE("Idle elements of an array are one line, and one first value") {
  const std::string text = FormatLanes(WithStripes(), {});
  CHECK_THAT(text,
             Contains("  first values: stripes[0..17].readers = 0, other = 0, and 1 more that "
                      "no thread touches\n"));
  const std::string wide = FormatLanes(WithStripes(), {200, false});
  CHECK_THAT(wide, Contains("[2] stripes[0].readers load (seq_cst): reads 1 from [1]"));
  CHECK_THAT(wide, Contains("[3]-[19] stripes[1..17].readers load (seq_cst): each reads 0, the "
                            "first value"));
  CHECK_THAT(wide, Contains("┌ Reclaim") && Contains("└ Reclaim returns"));
  CHECK_THAT(wide, !Contains("stripes[9].readers"));
}

TEST_CASE("A look that the failure or its repair names has a line of its own") {
  Counterexample record = WithStripes();
  record.execution.failure->events = {10};
  Repair& repair = record.repair.emplace();
  repair.words = "one memory order repairs this";
  repair.diverges = Repair::Divergence{6, 6, "it reads another store"};
  const std::string wide = FormatLanes(record, {200, false});
  CHECK_THAT(wide, Contains("[6] stripes[4].readers load (seq_cst): reads 0") &&
                       Contains("[10] stripes[8].readers load (seq_cst): reads 0") &&
                       Contains("[11]-[19] stripes[9..17].readers"));
  // Too few names for a range.
  CHECK_THAT(wide, Contains("[7] stripes[5].readers") && Contains("[8] stripes[6].readers"));
}

TEST_CASE("No line of the lanes is wider than the terminal") {
  for (const int width : {60, 80, 100, 200}) {
    std::istringstream text(FormatLanes(Record(), {width, false}));
    for (std::string line; std::getline(text, line);) {
      if (line.starts_with("  again:") || line.starts_with("  at ")) continue;
      int characters = 0;
      for (const char c : line) characters += (static_cast<unsigned char>(c) & 0xc0) != 0x80;
      INFO(line);
      CHECK(characters <= width);
    }
  }
}

}  // namespace
}  // namespace nowait::model::counterexample

// The structures of src as AArch64 code: every promise of their scenarios is kept. Text that is not
// object code is refused.
#include <catch2/catch.hpp>
#include <fstream>
#include <iterator>
#include <set>
#include <string>
#include <utility>

#include "models/kit/arm/object_code.h"
#include "models/kit/arm/scenarios.h"

namespace nowait::arm {
namespace {

Program ProgramOf(const std::string& name) {
  std::ifstream file("models/arm/" + name + ".code");
  auto program = ParseObjectCode(std::string(std::istreambuf_iterator<char>(file), {}));
  REQUIRE(program.has_value());
  return *program;
}

TEST_CASE("every scenario keeps its promise, with exclusive pairs and with atomics") {
  // The exchange that replaces a version can fail four times: the reader changes the word twice. A
  // device's thread looks more often than three times before it sleeps.
  const std::set<std::pair<std::string, std::string>> bounded = {
      {"exclusive", "object_table folds"},
      {"exclusive", "device_queue takes"},
      {"lse", "device_queue takes"}};
  for (const char* name : {"exclusive", "lse"}) {
    const Program program = ProgramOf(name);
    const auto scenarios = ScenariosOf(program);
    REQUIRE(scenarios.has_value());
    CHECK(scenarios->size() == 46);
    for (const Scenario& scenario : *scenarios) {
      const auto result = Examine(program, scenario, Limits{});
      INFO(name << ", " << scenario.name << ": " << (result ? result->broken : result.error()));
      REQUIRE(result.has_value());
      CHECK(result->kept);
      CHECK((result->cut != 0) == bounded.contains({name, scenario.name}));
      CHECK(result->executions > 1);
    }
  }
}

// The code of a scenario is changed, and its promise is broken: a release becomes a plain store.
TEST_CASE("a ring that publishes by a plain store is noticed") {
  Program program = ProgramOf("lse");
  std::size_t changed = 0;
  for (auto& [address, line] : program.code) {
    if (line.instruction.name != "stlr") continue;
    line.instruction.name = "str";
    ++changed;
  }
  REQUIRE(changed > 0);
  std::set<std::string> broken;
  const auto scenarios = ScenariosOf(program);
  REQUIRE(scenarios.has_value());
  for (const Scenario& scenario : *scenarios) {
    const auto result = Examine(program, scenario, Limits{});
    REQUIRE(result.has_value());
    if (!result->kept) broken.insert(scenario.name);
  }
  CHECK(broken.contains("spsc_ring passes_notes"));
  CHECK(broken.contains("work_deque publishes"));
  CHECK_FALSE(broken.contains("quota two_takers"));
}

TEST_CASE("an instruction that is not known is named, and no verdict is given") {
  Program program = ProgramOf("lse");
  program.code.at(program.symbols.at("QuotaTwoTakers_thread0")).instruction = {
      .address = 0, .name = "ldxp", .operands = {}, .text = "ldxp x0, x1, [x2]"};
  const auto scenarios = ScenariosOf(program);
  REQUIRE(scenarios.has_value());
  for (const Scenario& scenario : *scenarios) {
    if (scenario.symbol != "QuotaTwoTakers") continue;
    const auto result = Examine(program, scenario, Limits{});
    REQUIRE_FALSE(result.has_value());
    CHECK(result.error().ends_with("no such instruction here: \"ldxp x0, x1, [x2]\""));
  }
}

TEST_CASE("text that is no object code is refused by its line") {
  const auto said = [](const std::string& text) {
    const auto program = ParseObjectCode(text);
    return program ? std::string("read") : program.error();
  };
  CHECK(said("") == "there is no code in it");
  CHECK(said("a.elf:     file format elf64-x86-64\n") == "line 1: it is not of AArch64");
  CHECK(said("SYMBOL TABLE:\nno symbols\n") == "line 2: no symbol: \"no symbols\"");
  CHECK(said("SYMBOL TABLE:\n0040 g     O .tdata\t0008 own\n") ==
        "line 2: initialised by code, or in each thread: \"0040 g     O .tdata\t0008 own\"");
  CHECK(said("Disassembly of section .text:\n  nop\n") == "line 2: no instruction: \"nop\"");
  CHECK(said("Contents of section .rodata:\nabc\n") == "line 2: no contents: \"abc\"");
  CHECK(said("Disassembly of section .text:\n 40:\tret\n") == "read");
  const auto program = ParseObjectCode("Disassembly of section .text:\n 40:\tret\n");
  CHECK(ScenariosOf(*program).error() == "there is no scenario in it");
}

}  // namespace
}  // namespace nowait::arm

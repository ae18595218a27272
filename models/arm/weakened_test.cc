// The scenarios' code without its orders: each acquire and release becomes a plain access. Then a
// promise that rests on an order is broken, and one that rests on atomicity alone is kept.
#include <catch2/catch.hpp>
#include <fstream>
#include <iterator>
#include <map>
#include <string>
#include <string_view>

#include "models/kit/arm/object_code.h"
#include "models/kit/arm/scenarios.h"

namespace nowait::arm {
namespace {

// ldaddal, casab, swplh: what stands behind the name of an atomic of ARMv8.1 is its order, and then
// its size.
std::string WithoutOrder(std::string_view name) {
  static const std::map<std::string_view, std::string_view> kAccesses = {
      {"ldar", "ldr"}, {"ldarb", "ldrb"}, {"ldarh", "ldrh"},
      {"stlr", "str"}, {"stlrb", "strb"}, {"stlrh", "strh"}};
  if (const auto access = kAccesses.find(name); access != kAccesses.end()) {
    return std::string(access->second);
  }
  for (const std::string_view atomic : {"cas", "swp", "ldadd", "ldset", "ldclr"}) {
    if (!name.starts_with(atomic)) continue;
    std::string_view size = name.substr(atomic.size());
    if (size.starts_with('a')) size.remove_prefix(1);
    if (size.starts_with('l')) size.remove_prefix(1);
    return std::string(atomic) + std::string(size);
  }
  return std::string(name);
}

// Left out are those that have too many executions then: index_pool hands_over, bounded_queue
// push_and_pop, task_graph releases, transaction commit_is_one_step.
const std::map<std::string, bool> kKept = {
    {"awake_set wake_once", true},
    {"device_queue takes", false},
    {"event_count wakes_sleeper", false},
    {"job_list fetched_once", false},
    {"job_list finishes", false},
    {"job_list sections", false},
    {"job_list_registry closes", true},
    {"job_list_registry gives_back", false},
    {"job_list_registry publishes", false},
    {"object_table commits_once", true},
    {"object_table folds", false},
    {"object_table reads", false},
    {"object_table reuses", false},
    {"phase_fair_lock reader_and_writer", false},
    {"phase_fair_lock two_writers", false},
    {"phase_monitor sees_overlap", true},
    {"quad_tree finds_inserted", false},
    {"quad_tree hands_slot_over", false},
    {"quad_tree keeps_both", true},
    {"quad_tree reuses_slot", false},
    {"quota two_takers", true},
    {"reader_epochs keep_what_is_read", false},
    {"spsc_ring passes_notes", false},
    {"stealable_ranges taken_once", true},
    {"task_completion last_close", false},
    {"task_completion registers", false},
    {"task_completion wakes_sleeper", false},
    {"task_graph completes", false},
    {"task_graph refuses_cycle", false},
    {"task_scheduler passes", false},
    {"task_state freed_once", false},
    {"task_state last_leaves", false},
    {"task_state one_run_counts", true},
    {"task_state start_or_cancel", false},
    {"task_state started_once", false},
    {"transaction commits_exclude", false},
    {"union_find unions_meet", true},
    {"work_deque last_but_one", false},
    {"work_deque last_item", true},
    {"work_deque publishes", false},
    {"work_deque two_thieves", false},
    {"work_events wakes_idle", false},
};

TEST_CASE("a promise is kept without the orders exactly where it does not rest on them") {
  CHECK(WithoutOrder("ldaddal") == "ldadd");
  CHECK(WithoutOrder("casab") == "casb");
  CHECK(WithoutOrder("ldr") == "ldr");
  std::ifstream file("models/arm/lse.code");
  auto program = ParseObjectCode(std::string(std::istreambuf_iterator<char>(file), {}));
  REQUIRE(program.has_value());
  for (auto& [address, line] : program->code) {
    line.instruction.name = WithoutOrder(line.instruction.name);
  }
  const auto scenarios = ScenariosOf(*program);
  REQUIRE(scenarios.has_value());
  REQUIRE(scenarios->size() == kKept.size() + 4);
  for (const Scenario& scenario : *scenarios) {
    const auto kept = kKept.find(scenario.name);
    if (kept == kKept.end()) continue;
    const auto result = Examine(*program, scenario, Limits{});
    INFO(scenario.name << ": " << (result ? result->broken : result.error()));
    REQUIRE(result.has_value());
    CHECK(result->kept == kept->second);
  }
}

}  // namespace
}  // namespace nowait::arm

// Random programs with dependencies, beside the evaluator of the ARMv8 model (models/kit/arm).
//
// IMM is made so that each outcome of the compiled program on ARMv8 is one of the program
// [podkopaev2019]. Both sides have their own axioms, their own search and their own reading of what
// a dependency is.
#include <algorithm>
#include <atomic>
#include <catch2/catch.hpp>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "models/kit/arm/litmus.h"
#include "models/kit/buffering/carried.h"
#include "models/kit/buffering/explore.h"
#include "models/kit/scenario/scenario.h"
#include "src/math/random.h"

namespace nowait::model::buffering {
namespace {

constexpr std::size_t kLocations = 3;
constexpr int kThreads = 2;
constexpr std::uint64_t kSeed = 1;

enum class Dependency : std::uint8_t { kNo, kData, kControl, kAddress };

struct Operation {
  bool loads = true;
  std::size_t location = 0;
  bool ordered = false;  // acquire or release
  int value = 0;         // stored
  Dependency on_last_load = Dependency::kNo;
};
using RandomProgram = std::vector<std::vector<Operation>>;

// Mostly loads before stores to the location that the other thread loads first: such programs may
// buffer. Each store has a value of its own.
RandomProgram Generate(std::uint64_t number) {
  nowait::Random random(kSeed * 1'000'003 + number);
  RandomProgram program(kThreads);
  int value = 0;
  for (std::size_t t = 0; t < program.size(); ++t) {
    const std::size_t length = 2 + random.Below(2);
    for (std::size_t i = 0; i < length; ++i) {
      Operation operation{.loads = i == 0 || random.Below(3) == 0,
                          .location = random.Below(kLocations),
                          .ordered = random.Below(6) == 0};
      if (i == 0) operation.location = t;
      if (!operation.loads && random.Below(3) != 0) operation.location = 1 - t;
      if (!operation.loads) operation.value = ++value;
      if (i != 0) operation.on_last_load = static_cast<Dependency>(random.Below(4));
      if (operation.loads && operation.on_last_load == Dependency::kData) {
        operation.on_last_load = Dependency::kNo;
      }
      // Ordered accesses have no register offset.
      if (operation.on_last_load == Dependency::kAddress) operation.ordered = false;
      program[t].push_back(operation);
    }
  }
  return program;
}

// --- as C++ ---

const RandomProgram* running = nullptr;

class Interpreter final : public Program {
 public:
  void Thread(int t) override {
    Carried<int> last;
    for (const Operation& operation : (*running)[static_cast<std::size_t>(t)]) {
      const Carried<int> zero = last * 0;
      if (operation.on_last_load == Dependency::kControl && zero != 0) return;
      std::size_t location = operation.location;
      if (operation.on_last_load == Dependency::kAddress) {
        location += static_cast<std::size_t>(Index(zero));
      }
      if (operation.loads) {
        last = atomics_[location].load(operation.ordered ? std::memory_order::acquire
                                                         : std::memory_order::relaxed);
        continue;
      }
      Carried<int> value = operation.value;
      if (operation.on_last_load == Dependency::kData) value = value + zero;
      atomics_[location].store(
          value, operation.ordered ? std::memory_order::release : std::memory_order::relaxed);
    }
  }
  void After() override {}

 private:
  CarryingSync::atomic<int> atomics_[kLocations];
};

using Outcome = std::vector<std::uint64_t>;  // the values of the loads

struct Outcomes {
  std::set<Outcome> all;
  std::uint64_t buffering = 0;  // executions
};

Outcomes ByBuffering(const RandomProgram& program) {
  running = &program;
  const ScenarioEntry scenario{{.name = "", .promise = ""}, kThreads, [] {
                                 return std::unique_ptr<Program>(new Interpreter);
                               }};
  Outcomes outcomes;
  const Explored explored = ExploreBuffering(scenario, {}, {}, [&](const Visited& visited) {
    Outcome outcome;
    for (const Events* events : visited.threads) {
      for (const Event& event : *events) {
        if (event.Reads()) outcome.push_back(event.read);
      }
    }
    outcomes.all.insert(outcome);
    if (visited.judged.buffers) ++outcomes.buffering;
  });
  REQUIRE(explored.refused.empty());
  REQUIRE(explored.possible == 0);
  return outcomes;
}

// --- as AArch64 ---

// X1, X2, X3 hold the locations. The n-th load of a thread goes into W10 + n.
std::vector<std::string> LinesOf(const std::vector<Operation>& thread) {
  std::vector<std::string> lines;
  int loads = 0;
  int labels = 0;
  for (const Operation& operation : thread) {
    const std::string last = "W" + std::to_string(9 + loads);
    const std::string at = "X" + std::to_string(1 + operation.location);
    std::string place = "[" + at + "]";
    std::string label;
    if (operation.on_last_load == Dependency::kControl) {
      const std::string name = "on" + std::to_string(labels++);
      lines.push_back("CBNZ " + last + "," + name);
      label = name + ": ";
    } else if (operation.on_last_load != Dependency::kNo) {
      lines.push_back("EOR W5," + last + "," + last);
      if (operation.on_last_load == Dependency::kAddress) place = "[" + at + ",W5,SXTW]";
    }
    if (operation.loads) {
      lines.push_back(label + (operation.ordered ? "LDAR" : "LDR") + " W" +
                      std::to_string(10 + loads++) + "," + place);
      continue;
    }
    const std::string value = "#" + std::to_string(operation.value);
    const bool data = operation.on_last_load == Dependency::kData;
    lines.push_back(label + (data ? "ADD W6,W5," : "MOV W6,") + value);
    lines.push_back(std::string(operation.ordered ? "STLR" : "STR") + " W6," + place);
  }
  return lines;
}

std::string LitmusText(const RandomProgram& program, const Outcome& outcome) {
  std::string text = "AArch64 random\n{";
  for (int t = 0; t < kThreads; ++t) {
    const std::string thread = std::to_string(t);
    text += " " + thread + ":X1=x; " + thread + ":X2=y; " + thread + ":X3=z;";
  }
  text += " }\n P0 | P1 ;\n";
  std::vector<std::vector<std::string>> lines;
  std::size_t longest = 0;
  for (const auto& thread : program) {
    lines.push_back(LinesOf(thread));
    longest = std::max(longest, lines.back().size());
  }
  for (std::size_t line = 0; line < longest; ++line) {
    text += " ";
    for (std::size_t t = 0; t < lines.size(); ++t) {
      text +=
          (line < lines[t].size() ? lines[t][line] : "") + (t + 1 < lines.size() ? " | " : " ;");
    }
    text += "\n";
  }
  std::string asked;
  std::size_t number = 0;
  for (std::size_t t = 0; t < program.size(); ++t) {
    int loads = 0;
    for (const Operation& operation : program[t]) {
      if (!operation.loads) continue;
      if (!asked.empty()) asked += " /\\ ";
      asked += std::to_string(t) + ":X" + std::to_string(10 + loads++) + "=" +
               std::to_string(outcome[number++]);
    }
  }
  return text + "exists (" + asked + ")\nAllowed [podkopaev2019] section 4\n";
}

// The location of each load, through all threads.
std::vector<std::size_t> LoadsOf(const RandomProgram& program) {
  std::vector<std::size_t> loads;
  for (const auto& thread : program) {
    for (const Operation& operation : thread) {
      if (operation.loads) loads.push_back(operation.location);
    }
  }
  return loads;
}

// Calls `visit` with every combination of values that the loads might find.
template <class Visit>
void ForEachConceivable(const RandomProgram& program, const Visit& visit) {
  const std::vector<std::size_t> loads = LoadsOf(program);
  std::vector<std::vector<std::uint64_t>> values(kLocations, {0});
  for (const auto& thread : program) {
    for (const Operation& operation : thread) {
      if (operation.loads) continue;
      values[operation.location].push_back(static_cast<std::uint64_t>(operation.value));
    }
  }
  std::vector<Outcome> outcomes = {{}};
  for (const std::size_t location : loads) {
    std::vector<Outcome> longer;
    for (const Outcome& outcome : outcomes) {
      for (const std::uint64_t value : values[location]) {
        longer.push_back(outcome);
        longer.back().push_back(value);
      }
    }
    outcomes = std::move(longer);
  }
  for (const Outcome& outcome : outcomes) visit(outcome);
}

TEST_CASE("an outcome on ARMv8 is an outcome here, dependencies included") {
  std::uint64_t allowed = 0;
  std::uint64_t forbidden = 0;
  std::uint64_t buffering = 0;
  for (std::uint64_t number = 1; number <= 600; ++number) {
    const RandomProgram program = Generate(number);
    const Outcomes here = ByBuffering(program);
    buffering += here.buffering;
    ForEachConceivable(program, [&](const Outcome& outcome) {
      const std::string text = LitmusText(program, outcome);
      const auto parsed = arm::ParseLitmus(text);
      INFO("program " << number << " of seed " << kSeed << "\n" << text);
      if (!parsed) FAIL(parsed.error());
      const auto there = arm::Judge(parsed->front());
      if (!there) FAIL(there.error());
      if (there->allowed) CHECK(here.all.contains(outcome));
      ++(here.all.contains(outcome) ? allowed : forbidden);
    });
  }
  INFO(allowed << " allowed, " << forbidden << " forbidden, " << buffering
               << " with load buffering");
  CHECK(allowed > 1000);
  CHECK(forbidden > 500);
  CHECK(buffering > 50);
}

}  // namespace
}  // namespace nowait::model::buffering

#include "models/kit/arm/scenarios.h"

#include <cstdio>
#include <set>
#include <utility>

#include "models/kit/arm/exploration.h"

namespace nowait::arm {
namespace {

constexpr std::uint64_t kScenario = 0x1000'0000;  // where the object lies
constexpr std::uint64_t kFirstStack = 0x7000'0000;
constexpr std::uint64_t kStackSize = 0x10'0000;
constexpr std::size_t kMostThreads = 4;  // that models/arm/code.cc has functions for

std::uint64_t Number(const Image& memory, std::uint64_t address, unsigned size) {
  std::uint64_t bits = 0;
  for (unsigned i = 0; i < size; ++i) {
    const auto byte = memory.find(address + i);
    if (byte != memory.end()) bits |= std::uint64_t{byte->second} << (8 * i);
  }
  return bits;
}

// The text that a constant pointer points to.
std::string Text(const Program& program, const std::string& symbol) {
  const auto at = program.symbols.find(symbol);
  if (at == program.symbols.end()) return {};
  std::string text;
  for (std::uint64_t address = Number(program.memory, at->second, 8);; ++address) {
    const auto byte = program.memory.find(address);
    if (byte == program.memory.end() || byte->second == 0) return text;
    text += static_cast<char>(byte->second);
  }
}

Start Call(const Program& program, const std::string& symbol, std::size_t stack) {
  return {program.symbols.at(symbol),
          {{0, kScenario}, {kStack, kFirstStack + kStackSize * (stack + 1)}}};
}

// Runs a function alone, over this memory, to which it writes.
struct Alone {
  std::uint64_t result = 0;
  std::string problem = {};
};
Alone RunAlone(const Program& program, Image& memory, const Start& start) {
  Sharing sharing;
  const Script script;
  Machine machine(program, memory, 0, Limits{}, sharing, script);
  Alone alone;
  if (machine.Run(start) != Machine::End::kReturned) {
    alone.problem = machine.problem();
    return alone;
  }
  const Path path = machine.TakePath();
  alone.result = path.registers[0];
  for (const auto& [address, byte] : path.memory) memory[address] = byte;
  return alone;
}

std::string Describe(const std::vector<const Path*>& paths) {
  std::string text;
  for (std::size_t thread = 0; thread < paths.size(); ++thread) {
    for (const Event& event : paths[thread]->events) {
      char line[120];
      if (event.Accesses()) {
        std::snprintf(line, sizeof line, "  thread %zu %s%s +0x%llx = 0x%llx\n", thread,
                      event.Reads() ? "reads " : "writes",
                      event.acquire      ? " acquire"
                      : event.acquire_pc ? " acquirePC"
                      : event.release    ? " release"
                                         : "",
                      static_cast<unsigned long long>(event.address - kScenario),
                      static_cast<unsigned long long>(event.value));
      } else {
        std::snprintf(line, sizeof line, "  thread %zu %s\n", thread,
                      event.kind == Kind::kIsb ? "isb" : "dmb");
      }
      text += line;
    }
  }
  return text;
}

class Examination {
 public:
  Examination(const Program& program, const Scenario& scenario, const Image& memory)
      : program_(program), holds_(Call(program, scenario.symbol + "_holds", 0)), memory_(memory) {}

  // An execution's end, which is asked about once.
  void Judge(const std::vector<const Path*>& paths, const Contents& shared,
             const std::map<std::uint64_t, unsigned>& sizes) {
    if (!problem.empty() || !seen_.emplace(paths, shared).second) return;
    Image memory = memory_;
    for (const Path* path : paths) {
      for (const auto& [address, byte] : path->memory) memory[address] = byte;
    }
    for (const auto& [address, value] : shared) {
      for (unsigned i = 0; i < sizes.at(address); ++i) {
        memory[address + i] = static_cast<std::uint8_t>(value >> (8 * i));
      }
    }
    const Alone alone = RunAlone(program_, memory, holds_);
    problem = alone.problem;
    if ((alone.result & 1) != 0 || !result.kept) return;
    result.kept = false;
    result.broken = Describe(paths);
  }
  std::uint64_t outcomes() const { return seen_.size(); }

  ScenarioResult result;
  std::string problem;

 private:
  const Program& program_;
  const Start holds_;
  const Image& memory_;
  std::set<std::pair<std::vector<const Path*>, Contents>> seen_;
};

}  // namespace

std::expected<std::vector<Scenario>, std::string> ScenariosOf(const Program& program) {
  constexpr std::string_view kSetup = "_setup";
  std::vector<Scenario> scenarios;
  for (const auto& [symbol, address] : program.symbols) {
    if (!symbol.ends_with(kSetup)) continue;
    Scenario scenario;
    scenario.symbol = symbol.substr(0, symbol.size() - kSetup.size());
    for (const char* part : {"_holds", "_thread0", "_thread1", "_thread2", "_thread3", "_threads",
                             "_name", "_promise"}) {
      if (!program.symbols.contains(scenario.symbol + part)) {
        return std::unexpected("there is no " + scenario.symbol + part);
      }
    }
    scenario.name = Text(program, scenario.symbol + "_name");
    scenario.promise = Text(program, scenario.symbol + "_promise");
    scenario.threads = Number(program.memory, program.symbols.at(scenario.symbol + "_threads"), 4);
    if (scenario.threads < 2 || scenario.threads > kMostThreads) {
      return std::unexpected(scenario.symbol + "_threads: neither 2, 3 nor 4");
    }
    if (scenario.name.empty() || scenario.promise.empty()) {
      return std::unexpected(scenario.symbol + " has no name or no promise");
    }
    scenarios.push_back(std::move(scenario));
  }
  if (scenarios.empty()) return std::unexpected("there is no scenario in it");
  return scenarios;
}

std::expected<ScenarioResult, std::string> Examine(const Program& program, const Scenario& scenario,
                                                   Limits limits) {
  Image memory = program.memory;
  const Alone setup = RunAlone(program, memory, Call(program, scenario.symbol + "_setup", 0));
  if (!setup.problem.empty()) return std::unexpected(scenario.name + ": " + setup.problem);
  std::vector<Start> threads;
  for (std::size_t thread = 0; thread < scenario.threads; ++thread) {
    threads.push_back(Call(program, scenario.symbol + "_thread" + std::to_string(thread), thread));
  }
  Examination examination(program, scenario, memory);
  const auto explored = Explore(program, memory, threads, limits,
                                [&](const std::vector<const Path*>& paths, const Contents& shared,
                                    const std::map<std::uint64_t, unsigned>& sizes) {
                                  examination.Judge(paths, shared, sizes);
                                });
  if (!explored) return std::unexpected(scenario.name + ": " + explored.error());
  if (explored->executions == 0) return std::unexpected(scenario.name + ": no execution ends");
  if (!examination.problem.empty()) {
    return std::unexpected(scenario.name + ": " + examination.problem);
  }
  examination.result.executions = explored->executions;
  examination.result.cut = explored->cut;
  examination.result.outcomes = examination.outcomes();
  return examination.result;
}

}  // namespace nowait::arm

// Programs whose threads are alike: of the executions that become each other when the threads change
// names, the search finds one, and of each such class one.
#include <algorithm>
#include <catch2/catch.hpp>
#include <cstddef>
#include <cstdint>
#include <map>
#include <numeric>
#include <set>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "models/kit/exhaustive/oracle/brute_force.h"
#include "models/kit/exhaustive/oracle/checker.h"
#include "models/kit/exhaustive/oracle/generator.h"

namespace nowait::model::oracle {
namespace {

// The signature (findings.h) of the execution in which thread t is called names[t].
std::string Renamed(const std::string& signature, const std::vector<std::size_t>& names) {
  std::vector<std::string> threads(names.size());
  std::string rest;
  std::istringstream words(signature);
  std::size_t thread = 0;
  for (std::string word; words >> word;) {
    if (word == "|") {
      ++thread;
      continue;
    }
    if (const std::size_t dot = word.find('.'); dot != std::string::npos) {
      word = std::to_string(names[std::stoul(word)]) + word.substr(dot);
    }
    (thread < names.size() ? threads[names[thread]] : rest) += word + ' ';
  }
  std::string renamed;
  for (const std::string& each : threads) renamed += each + "| ";
  return renamed + rest;
}

// The least of those that become each other.
std::string ClassOf(const std::string& signature, std::size_t threads) {
  std::vector<std::size_t> names(threads);
  std::iota(names.begin(), names.end(), std::size_t{0});
  std::string least = Renamed(signature, names);
  while (std::ranges::next_permutation(names).found) {
    least = std::min(least, Renamed(signature, names));
  }
  return least;
}

struct Classes {
  std::size_t executions = 0;
  std::map<std::string, int> found;  // how often
};

Classes ClassesOf(const Findings& findings, std::size_t threads) {
  Classes classes;
  for (const std::string& signature : findings.executions) {
    ++classes.executions;
    ++classes.found[ClassOf(signature, threads)];
  }
  return classes;
}

TEST_CASE("threads that change names make another execution of the same class") {
  CHECK(Renamed("init! | 0.0 1.1 | x: 0.0 1.1 ", {1, 0}) == "1.0 0.1 | init! | x: 1.0 0.1 ");
  CHECK(ClassOf("init! | 0.0 1.1 | x: 0.0 1.1 ", 2) == ClassOf("1.0 0.1 | init! | x: 1.0 0.1 ", 2));
}

TEST_CASE("of each class of executions of threads that are alike, the search finds one") {
  std::size_t executions = 0;
  std::size_t representatives = 0;
  for (const Style& style : Styles()) {
    if (HasData(style)) continue;
    for (std::uint64_t number = 0; number < 300; ++number) {
      StraightLine program = Generate(style, 3, number);
      const std::size_t threads = number % 3 == 0 ? 2 : 3;
      auto thread = std::ranges::max_element(program.threads, {}, &std::vector<Statement>::size);
      auto statements = *thread;
      statements.resize(
          std::min(statements.size(), threads == 2 ? std::size_t{4} : std::size_t{3}));
      program.threads.assign(threads, statements);
      INFO(style.name << " " << number << "\n" << Format(program));
      const Findings all = BruteForce(program);
      const Findings found = FindRepresentatives(program);
      REQUIRE(found.complaint.empty());
      const Classes expected = ClassesOf(all, threads);
      const Classes visited = ClassesOf(found, threads);
      for (const auto& [signature, times] : expected.found) {
        INFO("missing: " << signature);
        REQUIRE(visited.found.contains(signature));
      }
      for (const auto& [signature, times] : visited.found) {
        INFO("not allowed, or more than once: " << signature);
        REQUIRE(expected.found.contains(signature));
        REQUIRE(times == 1);
      }
      executions += expected.executions;
      representatives += visited.executions;
    }
  }
  INFO(executions << " executions, " << representatives << " visited");
  CHECK(representatives * 3 < executions);
}

}  // namespace
}  // namespace nowait::model::oracle

// The searches that a run makes of a scenario: by back end, in shards, whole or bounded.
#include <catch2/catch.hpp>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "models/kit/back_ends/back_ends.h"
#include "models/kit/command/test_program.h"
#include "models/kit/scenario/model.h"

namespace nowait::model {
namespace {

using Catch::Matchers::Contains;

TEST_CASE("shards of the program add up, asked for by a flag or by Bazel") {
  const Folder folder;
  const auto whole = folder.RunForJson({"--scenario", "counting"});
  for (const bool by_flag : {true, false}) {
    std::vector<std::uint64_t> sums(3);
    for (const int index : {0, 1, 2}) {
      const std::string shard = std::to_string(index + 1) + "/3";
      std::vector<const char*> words = {"--scenario", "counting"};
      if (by_flag) words.insert(words.end(), {"--shard", shard.c_str()});
      if (!by_flag) {
        setenv("TEST_TOTAL_SHARDS", "3", 1);
        setenv("TEST_SHARD_INDEX", std::to_string(index).c_str(), 1);
        setenv("TEST_SHARD_STATUS_FILE", (folder / "status").c_str(), 1);
      }
      const auto part = folder.RunForJson(words);
      for (std::size_t search = 0; search < sums.size(); ++search) {
        sums[search] += part["scenarios"][0]["searches"][search]["executions"].get<std::uint64_t>();
      }
    }
    for (std::size_t search = 0; search < sums.size(); ++search) {
      CHECK(sums[search] == whole["scenarios"][0]["searches"][search]["executions"]);
    }
    CHECK(std::filesystem::exists(folder / "status") == !by_flag);
  }
  for (const char* name : {"TEST_TOTAL_SHARDS", "TEST_SHARD_INDEX", "TEST_SHARD_STATUS_FILE"}) {
    unsetenv(name);
  }
}

// The searches that a run made of its first scenario.
std::vector<std::string> SearchesIn(const nlohmann::json& results) {
  std::vector<std::string> words;
  for (const auto& search : results.at("scenarios").at(0).at("searches")) {
    words.push_back(search.at("search"));
  }
  return words;
}

TEST_CASE("each back end runs its own searches") {
  using Words = std::vector<std::string>;
  const Folder folder;
  CHECK(SearchesIn(folder.RunForJson({"--scenario", "counting"})) ==
        Words{"graphs", "full", "random:5000"});
  CHECK(SearchesIn(folder.RunForJson({"--scenario", "counting", "--with", "relacy"})) ==
        Words{"full", "random:5000"});
  CHECK(SearchesIn(folder.RunForJson({"--scenario", "counting", "--with", "exhaustive"})) ==
        Words{"graphs"});
  CHECK(SearchesIn(folder.RunForJson({"--scenario", "spreading", "--executions", "5"})) ==
        Words{"full", "random:1000000000"});
}

TEST_CASE("where every execution is examined, Relacy compares and is not run at full length") {
  ScenarioText text{
      .name = "any", .promise = "none", .searches = {Full(), Random(50'000), Random(10)}};
  const auto limits = [&text](BackEnds back_ends) {
    std::vector<std::uint64_t> limits;
    for (const Search& search : SearchesOf(text, back_ends)) limits.push_back(search.executions);
    return limits;
  };
  using Limits = std::vector<std::uint64_t>;
  CHECK(limits(BackEnds::kBoth) == Limits{0, kComparedExecutions, kComparedExecutions, 10});
  CHECK(limits(BackEnds::kExhaustive) == Limits{0});
  CHECK(limits(BackEnds::kRelacy) == Limits{0, 50'000, 10});
  text.bounded = "too many";
  CHECK(limits(BackEnds::kBoth) == Limits{0, 50'000, 10});
}

TEST_CASE("every execution was examined, or the scenario has not passed") {
  const Folder folder;
  const auto all = folder.Run({"--scenario", "counting", "--with", "exhaustive"});
  CHECK(all.code == 0);
  CHECK_THAT(all.output, Contains("executions examined"));
  const auto some = folder.Run({"--scenario", "hurried", "--json", "results"});
  CHECK(some.code == 1);
  CHECK_THAT(some.output, Contains("3 executions, NOT FINISHED (about ") &&
                              Contains("every execution was to be examined") &&
                              Contains("0 passed, 1 failed"));
  CHECK_FALSE(nlohmann::json::parse(TextAt(folder / "results"))["scenarios"][0]["passed"]);
}

TEST_CASE("a bounded scenario says so, and is not counted where it is not searched") {
  const Folder folder;
  const auto bounded = folder.Run({"--scenario", "spreading", "--executions", "5"});
  CHECK(bounded.code == 0);
  CHECK_THAT(bounded.output, Contains("bounded: billions of orders of its increments"));
  CHECK_THAT(folder.Run({"--with", "exhaustive", "--all"}).output, Contains("2 passed, 3 failed"));
  const auto results = folder.RunForJson({"--scenario", "spreading", "--executions", "5"});
  CHECK(results["scenarios"][0]["bounded"] == "billions of orders of its increments");
}

}  // namespace
}  // namespace nowait::model

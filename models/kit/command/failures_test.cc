// Failures as a run shows them, and the files that it writes of them or cannot write.
#include <catch2/catch.hpp>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "models/kit/command/test_program.h"
#include "models/kit/counterexample/json.h"

namespace nowait::model {
namespace {

using Catch::Matchers::Contains;

TEST_CASE("a failure is written as a record and as a page, which are named at the end") {
  const Folder folder;
  const auto ended = folder.Run({"--scenario", "losing", "--counterexamples", "found/here"});
  CHECK(ended.code == 1);
  CHECK_THAT(ended.output,
             Contains("thread 0") && Contains("broken invariant: no increment is lost"));
  CHECK_THAT(ended.output, Contains("page: found/here/structure_losing.html"));
  CHECK(ended.output.find("page: ") < ended.output.find("0 passed, 1 failed"));
  const auto record = counterexample::Load(folder / "found/here/structure_losing.json");
  INFO((record ? "" : record.error()));
  REQUIRE(record);
  CHECK(record->structure == "structure");
  CHECK(record->scenario.name == "losing");
  REQUIRE(record->execution.failure);
  CHECK(record->execution.failure->words == "no increment is lost");
  CHECK_THAT(record->again, Contains("--scenario losing"));
  CHECK_THAT(TextAt(folder / "found/here/structure_losing.html"), Contains("<html"));
}

TEST_CASE("a failure like that of an earlier scenario is one line, and its lanes are kept") {
  const Folder folder;
  const auto ended = folder.Run({"--with", "exhaustive", "--all", "--counterexamples", "found"});
  CHECK_THAT(ended.output, Contains("2 passed, 3 failed"));
  CHECK_THAT(ended.output, Contains("  no increment is lost; its lanes: ./nowait show "
                                    "found/structure_losing-twice.json\n"));
  const std::string verdict = "broken invariant: no increment is lost";
  CHECK(ended.output.find(verdict) == ended.output.rfind(verdict));
  const auto record = counterexample::Load(folder / "found/structure_losing-twice.json");
  REQUIRE(record);
  CHECK(record->scenario.name == "losing-twice");
  CHECK_THAT(ended.output,
             Contains("page: found/structure_losing.html") && Contains("1 more page in found\n"));
}

TEST_CASE("behind a scenario that fails the others are left out, and named") {
  const Folder folder;
  const auto ended = folder.Run({"--with", "exhaustive", "--json", "results"});
  CHECK(ended.code == 1);
  CHECK_THAT(ended.output, Contains("1 passed, 1 failed") && !Contains("structure many:"));
  // `spreading` is not named, because it has no search of this back end.
  CHECK_THAT(ended.output, Contains("left out after this failure, and run with --all: "
                                    "losing-twice, hurried, many\n"));
  const auto results = nlohmann::json::parse(TextAt(folder / "results"));
  CHECK(results["scenarios"].size() == 2);
  CHECK(results["left_out"] == std::vector<std::string>{"losing-twice", "hurried", "many"});
  // Nothing is left out if one scenario is requested, if all are, or if none fails.
  for (const std::vector<const char*>& words : {std::vector<const char*>{"--scenario", "losing"},
                                                {"--with", "exhaustive", "--all"},
                                                {"--scenario", "counting"}}) {
    CHECK_THAT(folder.Run(words).output, !Contains("left out after this failure"));
    CHECK_FALSE(folder.RunForJson(words).contains("left_out"));
  }
}

TEST_CASE("a mutant goes on until it fails as declared") {
  const Folder folder;
  const auto ended = folder.Run({"--with", "exhaustive", "--expect-failure", "deadlock"});
  CHECK_THAT(ended.output, Contains("structure many:") && Contains("0 passed, 1 failed") &&
                               !Contains("left out after this failure"));
}

TEST_CASE("a test of Bazel's names its files as they are called after the test") {
  const Folder folder;
  const std::string kept = "bazel-out/k8-opt/testlogs/models/box/shard_1_of_2/test.outputs";
  const std::string outputs = folder / ("sandbox/7/execroot/nowait/" + kept).c_str();
  std::filesystem::create_directories(outputs);
  const char* const name = "TEST_UNDECLARED_OUTPUTS_DIR";
  const char* const before = std::getenv(name);
  const std::string own = before == nullptr ? "" : before;
  setenv(name, outputs.c_str(), 1);
  const auto ended = folder.Run({"--with", "exhaustive", "--all"});
  const auto elsewhere = folder.Run({"--scenario", "losing", "--counterexamples", "found"});
  before == nullptr ? unsetenv(name) : setenv(name, own.c_str(), 1);
  const std::string shown = ".bazel/out/k8-opt/testlogs/models/box/shard_1_of_2/test.outputs";
  CHECK(std::filesystem::exists(outputs + "/structure_losing.html"));
  CHECK_THAT(ended.output, Contains("page: " + shown +
                                    "/structure_losing.html   (unpacked, and in "
                                    "the terminal again: ./nowait show " +
                                    shown + "/structure_losing.json)\n"));
  CHECK_THAT(ended.output,
             Contains("; its lanes: ./nowait show " + shown + "/structure_losing-twice.json\n"));
  CHECK_THAT(ended.output, Contains("1 more page in " + shown + "\n") && !Contains("sandbox"));
  // A folder that the user named is where its name says.
  CHECK_THAT(elsewhere.output, Contains("page: found/structure_losing.html   (in the terminal "));
}

TEST_CASE("a counterexample that cannot be written takes no verdict with it") {
  const Folder folder;
  std::ofstream(folder / "file") << "no directory";
  const auto ended = folder.Run({"--scenario", "losing", "--counterexamples", "file"});
  CHECK(ended.code == 2);
  CHECK_THAT(ended.output, Contains("broken invariant") && Contains("0 passed, 1 failed"));
  CHECK_THAT(ended.errors, Contains("file/structure_losing.json cannot be written: "));
  CHECK(TextAt(folder / "file") == "no directory");
  CHECK(folder.Run({"--scenario", "counting", "--counterexamples", "file"}).code == 0);
}

TEST_CASE("results that could not be written are refused before the search") {
  const Folder folder;
  for (const char* file : {"no/such/results", "/proc/results", "."}) {
    const auto ended = folder.Run({"--scenario", "counting", "--json", file});
    CHECK(ended.code == 2);
    CHECK(ended.output.empty());
    CHECK_THAT(ended.errors, Contains(file) && Contains(" cannot be written: "));
  }
  // The figures that cannot be known in advance.
  const auto ended = folder.Run({"--scenario", "counting", "--json", "/dev/full"});
  CHECK(ended.code == 2);
  CHECK_THAT(ended.errors, Contains("/dev/full cannot be written: No space left"));
}

TEST_CASE("colours where they are asked for") {
  const Folder folder;
  CHECK_THAT(folder.Run({"--scenario", "losing"}).output, !Contains("\x1b["));
  CHECK_THAT(folder.Run({"--scenario", "losing", "--color", "always"}).output, Contains("\x1b["));
  CHECK(folder.Run({"--color", "red"}).code == 2);
}

}  // namespace
}  // namespace nowait::model

// A run that a signal, a limit or a lost process ends, and another run that continues it.
#include <signal.h>

#include <catch2/catch.hpp>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "models/kit/command/test_program.h"

namespace nowait::model {
namespace {

using Catch::Matchers::Contains;

// The children of a process, as the kernel lists them.
std::vector<pid_t> ChildrenOf(pid_t process) {
  const std::string id = std::to_string(process);
  std::ifstream file("/proc/" + id + "/task/" + id + "/children");
  return {std::istream_iterator<pid_t>(file), {}};
}

TEST_CASE("Ctrl-C saves the state and says how to continue") {
  for (const int number : {SIGINT, SIGTERM}) {
    for (const std::string search : {"graphs", "full", "bound:5", "random:1000000000"}) {
      const Folder folder;
      const auto ended = folder.Run({"--scenario", "spreading", "--search", search.c_str()},
                                    [number](pid_t child) { kill(child, number); });
      CHECK(ended.code == 128 + number);
      CHECK_THAT(ended.output, Contains("interrupted at "));
      CHECK_THAT(ended.output,
                 Contains("go on with: ./nowait check structure --resume structure.search"));
      CHECK(ended.errors.empty());
      const auto again = folder.Run({"--resume", "structure.search", "--executions", "100"});
      CHECK(again.code == (search == "graphs" ? 1 : 0));  // an unfinished search has not passed
      CHECK_THAT(again.output, Contains("not finished; go on with: ./nowait check structure"));
    }
  }
}

TEST_CASE("interrupted again and again, a run ends as if it had not been") {
  const Folder folder;
  const auto whole = folder.RunForJson({"--scenario", "counting"});
  const std::function<void(pid_t)> interrupt = [](pid_t child) { kill(child, SIGINT); };
  auto ended = folder.Run({"--scenario", "counting", "--save", "file"}, interrupt);
  int times = 0;
  for (; ended.code == 130; ++times) {
    REQUIRE(std::filesystem::exists(folder / "file"));
    ended = folder.Run({"--resume", "file"}, times < 5 ? interrupt : nullptr);
  }
  CHECK(times > 0);
  CHECK(ended.code == 0);
  CHECK(Essence(folder.RunForJson({"--resume", "file"})) == Essence(whole));
}

TEST_CASE("Ctrl-C stops all processes and saves their state") {
  const WorkersWrite workers_write;
  for (const bool reaches_all : {false, true}) {
    const Folder folder;
    const auto ended = folder.Run(
        {"--scenario", "spreading", "--search", "graphs", "--jobs", "3"}, [&](pid_t child) {
          for (const pid_t worker : reaches_all ? ChildrenOf(child) : std::vector<pid_t>()) {
            kill(worker, SIGINT);
          }
          kill(child, SIGINT);
        });
    CHECK(ended.code == 130);
    CHECK_THAT(ended.output, Contains("interrupted at "));
    CHECK(ended.errors.empty());
    for (const char* jobs : {"1", "2"}) {
      const auto again =
          folder.Run({"--resume", "structure.search", "--jobs", jobs, "--executions", "9000"});
      CHECK(again.code == 1);  // an unfinished search has not passed
      CHECK_THAT(again.output, Contains("not finished; go on with"));
    }
  }
}

TEST_CASE("a process that is killed is reported as lost, and nothing has passed") {
  const WorkersWrite workers_write;
  const Folder folder;
  const auto ended =
      folder.Run({"--scenario", "spreading", "--search", "graphs", "--jobs", "2", "--save", "file"},
                 [](pid_t child) { kill(ChildrenOf(child).at(0), SIGKILL); });
  CHECK(ended.code == 1);
  CHECK_THAT(ended.output,
             Contains("NOT FINISHED") &&
                 Contains("cannot be checked: process lost: several worked on this search, and "
                          "signal 9 (Killed) ended one of them") &&
                 Contains("0 passed, 1 failed"));
  CHECK_THAT(ended.output, !Contains("again: ./nowait"));
}

TEST_CASE("a run in several processes reports the same as a run in one") {
  const Folder folder;
  const auto alone = folder.RunForJson({"--with", "exhaustive", "--scenario", "many"});
  const auto together =
      folder.RunForJson({"--with", "exhaustive", "--scenario", "many", "--jobs", "2"});
  CHECK(alone["scenarios"][0]["searches"][0]["executions"] == 34'650);
  CHECK(Essence(together) == Essence(alone));
}

TEST_CASE("a run with limits continues in pieces") {
  const Folder folder;
  const auto whole = folder.RunForJson({"--scenario", "counting"});
  auto ended = folder.Run({"--scenario", "counting", "--executions", "700"});
  int pieces = 1;
  for (; ended.output.find("not finished; go on with") != std::string::npos; ++pieces) {
    CHECK(ended.code == 0);
    ended =
        folder.Run({"--resume", "structure.search", "--executions", "700", "--json", "results"});
  }
  CHECK(pieces == 8);  // 5,000 random executions
  CHECK(Essence(nlohmann::json::parse(TextAt(folder / "results"))) == Essence(whole));
}

TEST_CASE("a run that ended leaves nothing to go on with") {
  const Folder folder;
  CHECK(folder.Run({"--scenario", "losing", "--save", "file"}).code == 1);
  CHECK(folder.Run({"--scenario", "counting", "--save", "file"}).code == 0);
  CHECK_FALSE(std::filesystem::exists(folder / "file"));
}

TEST_CASE("a failure before an interruption is shown again") {
  const Folder folder;
  const auto first =
      folder.Run({"--all", "--executions", "700", "--save", "file", "--search", "full"});
  CHECK_THAT(first.output, Contains("2 failed") && Contains("--resume file --all\n"));
  const auto again = folder.Run({"--resume", "file", "--all", "--executions", "700"});
  CHECK(again.code == 1);
  CHECK_THAT(again.output, Contains("broken invariant: no increment is lost"));
  CHECK_THAT(again.output, Contains("--state"));
}

TEST_CASE("a reader of the progress sees whole files, and in the end what the run printed") {
  const Folder folder;
  const auto progress = [&folder] { return nlohmann::json::parse(TextAt(folder / "progress")); };
  nlohmann::json running;
  const auto ended =
      folder.Run({"--scenario", "spreading", "--search", "graphs", "--progress", "progress"},
                 [&](pid_t child) {
                   running = progress();
                   kill(child, SIGINT);
                 });
  CHECK(ended.code == 128 + SIGINT);
  CHECK(running.at("schema") == "nowait.check_progress");
  CHECK(running.at("what") == "structure");
  CHECK(running.at("state") == "running");
  CHECK(running.at("all") == 1);
  CHECK(running.at("done") == 0);
  CHECK(running.at("current").at("name") == "spreading graphs");
  CHECK(progress().at("state") == "interrupted");
  CHECK(progress().at("done") == 0);
  CHECK(progress().at("current").is_null());

  const auto results = folder.RunForJson({"--scenario", "counting", "--progress", "progress"});
  std::uint64_t executions = 0;
  for (const auto& search : results.at("scenarios").at(0).at("searches")) {
    executions += search.at("executions").get<std::uint64_t>();
  }
  CHECK(executions > 5'000);
  CHECK(progress().at("state") == "passed");
  CHECK(progress().at("executions") == executions);
  CHECK(progress().at("done") == 1);
  CHECK(progress().at("failed") == 0);
  CHECK(progress().at("last") == "counting");

  CHECK(folder.Run({"--scenario", "losing", "--progress", "progress"}).code == 1);
  CHECK(progress().at("state") == "failed");
  CHECK(progress().at("done") == 1);
  CHECK(progress().at("failed") == 1);
  CHECK(folder.Run({"--scenario", "counting", "--progress", "no/such/file"}).code == 2);
  CHECK(folder.Run({"--scenario", "counting", "--progress", "/dev/full"}).code == 0);
}

TEST_CASE("a damaged file is refused, and the file stays") {
  const Folder folder;
  folder.Run({"--scenario", "spreading", "--search", "full", "--executions", "10"});
  std::string text = TextAt(folder / "structure.search");
  text[text.size() / 2] ^= 1;
  std::ofstream(folder / "structure.search") << text;
  const auto ended = folder.Run({"--resume", "structure.search"});
  CHECK(ended.code == 2);
  CHECK(ended.output.empty());
  CHECK_THAT(ended.errors, Contains("structure.search is damaged"));
  CHECK(TextAt(folder / "structure.search") == text);
}

}  // namespace
}  // namespace nowait::model

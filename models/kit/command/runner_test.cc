// A model's program as a user runs it: interrupted by a signal or a limit, continued, in shards.
#include "models/kit/command/runner.h"

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <initializer_list>
#include <iterator>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "models/kit/back_ends/back_ends.h"
#include "models/kit/counterexample/json.h"
#include "models/kit/scenario/model.h"

namespace nowait::model {
namespace {

using Order = std::memory_order;
using Catch::Matchers::Contains;

// Written to after each execution, so that a test can wait until a search is in progress.
int executed = -1;
// Whether the worker processes of a search write there in place of the program itself.
bool workers_write = false;
pid_t program = 0;

void TellTest() {
  if (executed < 0 || workers_write == (getpid() == program)) return;
  // The pipe is read only once, so it may fill up.
  if (write(executed, "", 1) < 0) executed = -1;
}

struct Counting {
  static constexpr int kThreads = 2;
  void Thread(int) {
    for (int i = 0; i < 2; ++i) count.fetch_add(1, Order::relaxed);
    count.load(Order::relaxed);
  }
  void After() {
    Check(count.load(Order::relaxed) == 4, "no increment is lost");
    TellTest();
  }
  ModelSync::atomic<int> count{0};
};
const Scenario<Counting> counting({.name = "counting",
                                   .promise = "increments are added up",
                                   .searches = {Full(), Random(5'000)}});

struct Losing {
  static constexpr int kThreads = 2;
  void Thread(int) { count.store(count.load(Order::relaxed) + 1, Order::relaxed); }
  void After() { Check(count.load(Order::relaxed) == 2, "no increment is lost"); }
  ModelSync::atomic<int> count{0};
};
const Scenario<Losing> losing({.name = "losing",
                               .promise = "none: it fails",
                               .searches = {ContextBound(2), Full()}});

// Fails in the same way, but in many more executions.
struct LosingTwice {
  static constexpr int kThreads = 2;
  void Thread(int) {
    for (int i = 0; i < 2; ++i) count.store(count.load(Order::relaxed) + 1, Order::relaxed);
  }
  void After() { Check(count.load(Order::relaxed) == 4, "no increment is lost"); }
  ModelSync::atomic<int> count{0};
};
const Scenario<LosingTwice> losing_twice({.name = "losing-twice", .promise = "none: it fails"});

struct Spreading {
  static constexpr int kThreads = 4;
  void Thread(int) {
    for (int i = 0; i < 8; ++i) count.fetch_add(1, Order::relaxed);
    TellTest();
  }
  ModelSync::atomic<int> count{0};
};
const Scenario<Spreading> spreading({.name = "spreading",
                                     .promise = "has too many executions to wait for",
                                     .searches = {Full(), Random(1'000'000'000)},
                                     .bounded = "billions of orders of its increments"});

// Declared as fully examined, with no time to examine it.
const Scenario<Counting> hurried({.name = "hurried",
                                  .promise = "more executions than it lets be examined",
                                  .searches = {ContextBound(0)},
                                  .graphs = Graphs().AtMost(3)});

// Enough executions to keep several processes busy.
struct Many {
  static constexpr int kThreads = 3;
  void Thread(int) {
    for (int i = 0; i < 4; ++i) count.fetch_add(1, Order::relaxed);
  }
  ModelSync::atomic<int> count{0};
};
const Scenario<Many> many({.name = "many", .promise = "none"});

// The children of a process, as the kernel lists them.
std::vector<pid_t> ChildrenOf(pid_t process) {
  const std::string id = std::to_string(process);
  std::ifstream file("/proc/" + id + "/task/" + id + "/children");
  return {std::istream_iterator<pid_t>(file), {}};
}

std::string Read(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

// A folder in which a test runs programs.
class Folder {
 public:
  Folder() : path_(std::filesystem::temp_directory_path() / "runner_test") {
    std::filesystem::remove_all(path_);
    std::filesystem::create_directory(path_);
  }
  ~Folder() { std::filesystem::remove_all(path_); }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;

  std::string operator/(const char* name) const { return path_ + "/" + name; }

  // Runs the program there and returns its exit code and its output. meanwhile: called once the
  // program has executed something.
  struct Ended {
    int code;
    std::string output;
    std::string errors;
  };
  Ended Run(std::vector<const char*> words,
            const std::function<void(pid_t)>& meanwhile = nullptr) const {
    words.insert(words.begin(), "structure");
    int ends[2];
    REQUIRE(pipe(ends) == 0);
    const pid_t child = fork();
    if (child == 0) {
      if (meanwhile) executed = ends[1];
      program = getpid();
      close(ends[0]);
      signal(SIGPIPE, SIG_IGN);
      if (chdir(path_.c_str()) != 0) _exit(99);
      if (std::freopen("output", "w", stdout) == nullptr) _exit(99);
      if (std::freopen("errors", "w", stderr) == nullptr) _exit(99);
      std::vector<char*> argv;
      for (const char* word : words) argv.push_back(const_cast<char*>(word));
      const int code = RunModel(static_cast<int>(argv.size()), argv.data());
      std::fflush(nullptr);
      _exit(code);
    }
    close(ends[1]);
    char byte;
    if (meanwhile && read(ends[0], &byte, 1) == 1) meanwhile(child);
    close(ends[0]);
    int status = 0;
    REQUIRE(waitpid(child, &status, 0) == child);
    return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, Read(*this / "output"),
            Read(*this / "errors")};
  }

  // The results of a run, which writes them to a file.
  nlohmann::json RunForJson(std::vector<const char*> words) const {
    words.insert(words.end(), {"--json", "results"});
    Run(words);
    return nlohmann::json::parse(Read(*this / "results"));
  }

 private:
  std::string path_;
};

// The results that must be equal however a run was divided.
std::vector<std::string> Essence(const nlohmann::json& results) {
  std::vector<std::string> lines;
  for (const auto& scenario : results.at("scenarios")) {
    for (const auto& search : scenario.at("searches")) {
      lines.push_back(scenario.at("name").get<std::string>() + " " +
                      search.at("search").get<std::string>() + " " +
                      search.at("executions").dump() + " " + search.at("exhausted").dump() + " " +
                      search.value("failure", nlohmann::json()).dump());
    }
  }
  for (const auto& site : results.at("sites")) lines.push_back(site.dump());
  return lines;
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

// Makes the worker processes of a search report their executions, for one test.
class WorkersWrite {
 public:
  WorkersWrite() { workers_write = true; }
  ~WorkersWrite() { workers_write = false; }
  WorkersWrite(const WorkersWrite&) = delete;
  WorkersWrite& operator=(const WorkersWrite&) = delete;
};

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
  CHECK(Essence(nlohmann::json::parse(Read(folder / "results"))) == Essence(whole));
}

TEST_CASE("a run that ended leaves nothing to go on with") {
  const Folder folder;
  CHECK(folder.Run({"--scenario", "losing", "--save", "file"}).code == 1);
  CHECK(folder.Run({"--scenario", "counting", "--save", "file"}).code == 0);
  CHECK_FALSE(std::filesystem::exists(folder / "file"));
}

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
  CHECK_THAT(Read(folder / "found/here/structure_losing.html"), Contains("<html"));
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
  const auto results = nlohmann::json::parse(Read(folder / "results"));
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
  CHECK(Read(folder / "file") == "no directory");
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

TEST_CASE("a reader of the progress sees whole files, and in the end what the run printed") {
  const Folder folder;
  const auto progress = [&folder] { return nlohmann::json::parse(Read(folder / "progress")); };
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

TEST_CASE("colours where they are asked for") {
  const Folder folder;
  CHECK_THAT(folder.Run({"--scenario", "losing"}).output, !Contains("\x1b["));
  CHECK_THAT(folder.Run({"--scenario", "losing", "--color", "always"}).output, Contains("\x1b["));
  CHECK(folder.Run({"--color", "red"}).code == 2);
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
  CHECK_FALSE(nlohmann::json::parse(Read(folder / "results"))["scenarios"][0]["passed"]);
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

TEST_CASE("a damaged file is refused, and the file stays") {
  const Folder folder;
  folder.Run({"--scenario", "spreading", "--search", "full", "--executions", "10"});
  std::string text = Read(folder / "structure.search");
  text[text.size() / 2] ^= 1;
  std::ofstream(folder / "structure.search") << text;
  const auto ended = folder.Run({"--resume", "structure.search"});
  CHECK(ended.code == 2);
  CHECK(ended.output.empty());
  CHECK_THAT(ended.errors, Contains("structure.search is damaged"));
  CHECK(Read(folder / "structure.search") == text);
}

}  // namespace
}  // namespace nowait::model

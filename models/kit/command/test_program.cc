#include "models/kit/command/test_program.h"

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "models/kit/command/runner.h"
#include "models/kit/scenario/model.h"

namespace nowait::model {
namespace {

using Order = std::memory_order;

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

}  // namespace

std::string TextAt(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

Folder::Folder() : path_(std::filesystem::temp_directory_path() / "test_program.XXXXXX") {
  REQUIRE(mkdtemp(path_.data()) != nullptr);
}

Folder::~Folder() { std::filesystem::remove_all(path_); }

Folder::Ended Folder::Run(std::vector<const char*> words,
                          const std::function<void(pid_t)>& meanwhile) const {
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
  return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, TextAt(*this / "output"),
          TextAt(*this / "errors")};
}

nlohmann::json Folder::RunForJson(std::vector<const char*> words) const {
  words.insert(words.end(), {"--json", "results"});
  Run(words);
  return nlohmann::json::parse(TextAt(*this / "results"));
}

WorkersWrite::WorkersWrite() { workers_write = true; }

WorkersWrite::~WorkersWrite() { workers_write = false; }

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

}  // namespace nowait::model

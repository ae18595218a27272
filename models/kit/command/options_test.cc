// The arguments that a model's command line accepts, and the one-line message for each mistake.
#include "models/kit/command/options.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cstdlib>
#include <filesystem>
#include <initializer_list>
#include <string>
#include <thread>
#include <vector>

#include "models/kit/scenario/model.h"

namespace nowait::model {
namespace {

struct Nothing {
  static constexpr int kThreads = 2;
  void Thread(int) {}
};

std::expected<Options, Refusal> Read(std::initializer_list<const char*> words) {
  const std::vector<ScenarioEntry> scenarios = {
      Scenario<Nothing>::Entry({.name = "2x1", .promise = "", .searches = {}}),
      Scenario<Nothing>::Entry({.name = "3x3",
                                .promise = "",
                                .searches = {Random(10)},
                                .bounded = "over 31 million executions"})};
  std::vector<const char*> argv = {"somewhere/structure"};
  argv.insert(argv.end(), words);
  return ParseOptions(static_cast<int>(argv.size()), argv.data(), scenarios);
}

std::string ComplaintAbout(std::initializer_list<const char*> words) {
  const auto options = Read(words);
  if (options) return "none";
  CHECK(options.error().exit_code == 2);
  std::string line = options.error().words;
  CHECK(line.find('\n') == line.size() - 1);
  return line;
}

using Catch::Matchers::Contains;

TEST_CASE("a command that makes no sense gets one line with the reason") {
  CHECK_THAT(ComplaintAbout({"--fast"}), Contains("--fast"));
  CHECK_THAT(ComplaintAbout({"--scenario", "9x9"}), Contains("structure") && Contains("'9x9'"));
  CHECK_THAT(ComplaintAbout({"--search", "all"}), Contains("'all' is not a search"));
  CHECK_THAT(ComplaintAbout({"--state", "01", "--search", "full"}), Contains("--scenario"));
  for (const char* shard : {"3/2", "0/2", "1/0", "1", "1/2/3", "-1/2", "a/b", "/", "1/2 ", ""}) {
    CHECK_THAT(ComplaintAbout({"--shard", shard}), Contains("--shard"));
  }
  for (const char* limit : {"0", "-1", "soon", ""}) {
    CHECK_THAT(ComplaintAbout({"--seconds", limit}), Contains("--seconds"));
    CHECK_THAT(ComplaintAbout({"--executions", limit}), Contains("--executions"));
  }
  CHECK_THAT(ComplaintAbout({"--executions", "1.5"}), Contains("--executions"));
  for (const char* jobs : {"0", "-1", "x", "2x", "1.5", "257", ""}) {
    CHECK_THAT(ComplaintAbout({"--jobs", jobs}), Contains("--jobs"));
  }
  CHECK_THAT(ComplaintAbout({"--jobs", "0"}), Contains("--jobs '0' is not a number from 1 to 256"));
}

TEST_CASE("options that contradict each other are refused") {
  CHECK_THAT(ComplaintAbout({"--resume", "file", "--scenario", "2x1"}), Contains("--resume"));
  CHECK_THAT(ComplaintAbout({"--resume", "file", "--search", "full"}), Contains("--resume"));
  CHECK_THAT(ComplaintAbout({"--resume", "file", "--shard", "1/2"}), Contains("--resume"));
  CHECK_THAT(
      ComplaintAbout({"--scenario", "2x1", "--search", "full", "--state", "0", "--shard", "1/2"}),
      Contains("--shard"));
}

TEST_CASE("several processes are only for searches that they can share") {
  CHECK(Read({"--jobs", "8"})->jobs == 8);
  CHECK(Read({"--jobs", "1"})->jobs == 1);
  CHECK(Read({"--with", "exhaustive", "--jobs", "256"})->jobs == 256);
  CHECK(Read({"--search", "graphs", "--shard", "1/2", "--jobs", "3"})->jobs == 3);
  CHECK_THAT(ComplaintAbout({"--with", "relacy", "--jobs", "2"}),
             Contains("--jobs is for searches of graphs, and --with relacy makes no such search"));
  CHECK_THAT(ComplaintAbout({"--search", "full", "--jobs", "2"}),
             Contains("--jobs is for searches of graphs, and full is no such search"));
  for (const char* other : {"--mutate", "--minimise", "--estimate"}) {
    CHECK_THAT(ComplaintAbout({other, "--notes", "file", "--jobs", "2"}),
               Contains("--jobs") && Contains(other));
  }
  CHECK_THAT(
      ComplaintAbout({"--scenario", "2x1", "--search", "graphs", "--state", ".", "--jobs", "2"}),
      Contains("--jobs") && Contains("--state"));
}

TEST_CASE("load buffering has a checker of its own, without searches to choose") {
  CHECK(Read({"--buffering"})->buffering);
  CHECK(Read({"--buffering", "--scenario", "2x1"})->scenario == "2x1");
  for (const char* other : {"--with", "--search", "--jobs", "--shard", "--seed"}) {
    CHECK_THAT(ComplaintAbout({"--buffering", other, "1"}), Contains(other));
  }
}

TEST_CASE("a run is with both back ends, or with the one that is asked for") {
  CHECK(Read({})->back_ends == BackEnds::kBoth);
  CHECK(Read({"--with", "both"})->back_ends == BackEnds::kBoth);
  CHECK(Read({"--with", "exhaustive"})->back_ends == BackEnds::kExhaustive);
  CHECK(Read({"--with", "relacy"})->back_ends == BackEnds::kRelacy);
  CHECK(Read({"--with", "exhaustive", "--search", "graphs"})->search->kind ==
        Search::Kind::kGraphs);
  CHECK(Read({"--with", "relacy", "--search", "full"}));
  CHECK(Read({"--with", "both", "--search", "full"}));
}

TEST_CASE("a back end is not asked for a search that it does not have") {
  for (const char* with : {"", "all", "Relacy", "relacy,exhaustive"}) {
    CHECK_THAT(ComplaintAbout({"--with", with}), Contains("--with"));
  }
  CHECK_THAT(ComplaintAbout({"--with", "relacy", "--search", "graphs"}),
             Contains("--with relacy does not run graphs"));
  CHECK_THAT(ComplaintAbout({"--with", "exhaustive", "--search", "full+stale"}),
             Contains("--with exhaustive does not run full+stale"));
  CHECK_THAT(ComplaintAbout({"--search", "graphs+deep"}), Contains("'graphs+deep'"));
  CHECK_THAT(ComplaintAbout({"--with", "exhaustive", "--scenario", "3x3"}),
             Contains("3x3 is bounded (over 31 million executions)"));
  CHECK_THAT(ComplaintAbout({"--with", "relacy", "--scenario", "2x1"}),
             Contains("2x1 has nothing to search --with relacy"));
  CHECK_THAT(ComplaintAbout({"--resume", "file", "--with", "both"}), Contains("--resume"));
  CHECK(Read({"--scenario", "3x3", "--search", "graphs"}));
}

TEST_CASE("files that cannot be read or written are reported before anything runs") {
  CHECK_THAT(ComplaintAbout({"--resume", "/no/such/file"}),
             Contains("/no/such/file: No such file"));
  CHECK_THAT(ComplaintAbout({"--resume", "/"}), Contains("/: Is a directory"));
  CHECK_THAT(ComplaintAbout({"--save", "/no/such/folder/file"}),
             Contains("/no/such/folder/file cannot be written: No such file or directory"));
  CHECK_THAT(ComplaintAbout({"--save", "/"}), Contains("/ cannot be written: Is a directory"));
  const std::string path = std::filesystem::temp_directory_path() / "options_test.search";
  CHECK(Read({"--save", path.c_str()}));
  CHECK_FALSE(std::filesystem::exists(path));
}

TEST_CASE("a shard is counted from one") {
  const auto options = Read({"--shard", "2/3"});
  REQUIRE(options);
  CHECK(options->shard == Shard{1, 3});
}

TEST_CASE("a search from the command line ends when it is done") {
  CHECK(Read({"--search", "full"})->search->seconds > 1e9);
  CHECK(Read({"--search", "full", "--seconds", "0.5"})->seconds == 0.5);
}

// Sets environment variables for one test.
class Environment {
 public:
  Environment(std::initializer_list<std::pair<const char*, std::string>> variables) {
    for (const auto& [name, value] : variables) {
      setenv(name, value.c_str(), 1);
      names_.push_back(name);
    }
  }
  ~Environment() {
    for (const char* name : names_) unsetenv(name);
  }
  Environment(const Environment&) = delete;
  Environment& operator=(const Environment&) = delete;

 private:
  std::vector<const char*> names_;
};

TEST_CASE("Bazel's shards are taken, and Bazel is notified of it") {
  const std::string status = std::filesystem::temp_directory_path() / "options_test.status";
  std::filesystem::remove(status);
  const Environment environment(
      {{"TEST_TOTAL_SHARDS", "4"}, {"TEST_SHARD_INDEX", "3"}, {"TEST_SHARD_STATUS_FILE", status}});
  const auto options = Read({});
  REQUIRE(options);
  CHECK(options->shard == Shard{3, 4});
  CHECK(std::filesystem::remove(status));
  CHECK(Read({"--shard", "1/2"})->shard == Shard{0, 2});
}

TEST_CASE("a run by hand has a process for each processor, a test has one") {
  {
    const Environment environment({{"TEST_SRCDIR", "somewhere"}});
    CHECK(Read({})->jobs == 1);
    CHECK(Read({"--jobs", "2"})->jobs == 2);
  }
  CHECK(Read({})->jobs == std::max(std::thread::hardware_concurrency(), 1u));
}

TEST_CASE("invalid shards of Bazel's are refused") {
  const Environment environment({{"TEST_TOTAL_SHARDS", "2"}, {"TEST_SHARD_INDEX", "2"}});
  CHECK_THAT(ComplaintAbout({}), Contains("TEST_SHARD_INDEX"));
}

}  // namespace
}  // namespace nowait::model

// The state that an interrupted run saves is read back unchanged, or is refused.
#include "models/kit/command/saved_run.h"

#include <fmt/format.h>
#include <zlib.h>

#include <catch2/catch.hpp>
#include <cerrno>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include "models/kit/process/files.h"

namespace nowait::model {
namespace {

using Catch::Matchers::Contains;

std::string LongState() {
  std::string state = "1:4";
  for (int i = 0; i < 1'000; ++i) {
    state += '.';
    state += std::to_string(i);
  }
  return state;
}

SavedRun Example() {
  SavedRun run;
  run.structure = "union_find";
  run.build = "123-0badcafe";
  run.scenario = "2x1";
  run.with = "exhaustive";
  run.search = "random:50000+stale";
  run.seed = 81;
  run.shard = {2, 3};
  run.expected_failure = "a link never points upwards \"ever\"";
  run.scenarios = {
      {"2x1",
       {{.executions = 50'000,
         .seconds = 1.0 / 3,
         .exhausted = true,
         .omitted = {.blocked = 7, .rounds = 2, .tries = 3, .gaps = {Gap::kLoadBuffering}},
         .state = {},
         .failed = {}},
        {.executions = 12, .fraction = 0.1, .omitted = {}, .state = "7 0120", .failed = {}}}},
      // A path through execution graphs, a few kilobytes long.
      {"4x2",
       {{.executions = 9, .fraction = 0.2, .omitted = {}, .state = LongState(), .failed = {}}}},
      {"3x1", {{.executions = 3, .omitted = {}, .state = {}, .failed = Start{5, "012"}}}}};
  run.sites = {{"src/islands/union_find.h", 103, 7, "load", "relaxed", "", 1'000'000'007}};
  return run;
}

std::string InTemporaryFolder(const char* name) {
  return std::filesystem::temp_directory_path() / name;
}

void Write(const std::string& path, const std::string& text) {
  std::ofstream(path, std::ios::binary) << text;
}

TEST_CASE("a run comes back as it was saved") {
  const std::string text = Serialise(Example());
  const auto run = Parse(text);
  REQUIRE(run);
  CHECK(Serialise(*run) == text);
  CHECK(run->scenario == "2x1");
  CHECK(run->with == "exhaustive");
  CHECK(run->search == "random:50000+stale");
  CHECK(run->seed == 81);
  CHECK(run->shard == Shard{2, 3});
  REQUIRE(run->Find("2x1", 0) != nullptr);
  CHECK(run->Find("2x1", 0)->seconds == 1.0 / 3);
  CHECK_FALSE(run->Find("2x1", 0)->state);
  CHECK(run->Find("2x1", 1)->state == "7 0120");
  CHECK(run->Find("4x2", 0)->state == LongState());
  CHECK(run->Find("3x1", 0)->failed->state == "012");
  CHECK(run->Find("2x1", 2) == nullptr);
  CHECK(run->Find("2x2", 0) == nullptr);
  CHECK(run->sites.at(0).hits == 1'000'000'007);
}

TEST_CASE("every truncation is refused") {
  const std::string text = Serialise(Example());
  for (std::size_t size = 0; size < text.size(); ++size) REQUIRE_FALSE(Parse(text.substr(0, size)));
  REQUIRE_FALSE(Parse(text + "\n"));
}

TEST_CASE("every changed byte is refused") {
  const std::string text = Serialise(Example());
  for (std::size_t i = 0; i < text.size(); ++i) {
    for (unsigned bit = 1; bit < 256; bit *= 2) {
      std::string damaged = text;
      damaged[i] = static_cast<char>(static_cast<unsigned char>(damaged[i]) ^ bit);
      INFO("byte " << i << " bit " << bit);
      REQUIRE_FALSE(Parse(damaged));
    }
  }
}

TEST_CASE("a file with a missing field is refused, though its checksum is right") {
  const std::string sealed = R"({
 "file": "nowait search",
 "version": 1,
 "checksum": "00000000"
}
)";
  CHECK_FALSE(Parse(sealed));
  for (const char* text : {"", "{}", "[]", "1", "null", "\"nowait search\"", "{\"file\": 1}"}) {
    CHECK_FALSE(Parse(text));
  }
}

// The text of Example with one part replaced, and with a matching checksum.
std::string Edited(const std::string& from, const std::string& to) {
  std::string text = Serialise(Example());
  const std::size_t at = text.find(from);
  REQUIRE(at != text.npos);
  text.replace(at, from.size(), to);
  const std::size_t checksum = text.find("\"checksum\": \"") + 13;
  text.replace(checksum, 8, "00000000");
  text.pop_back();  // the line break is not counted
  const auto sum = crc32_z(0, reinterpret_cast<const Bytef*>(text.data()), text.size());
  text.replace(checksum, 8, fmt::format("{:08x}", sum));
  return text + "\n";
}

TEST_CASE("a file with an unknown field is refused, though its checksum is right") {
  CHECK(Parse(Edited("2x1", "2x9")));
  CHECK_FALSE(Parse(Edited("\"seed\": 81", "\"seed\": -1")));
  CHECK_FALSE(Parse(Edited("\"seed\": 81", "\"seed\": 1e+300")));
  CHECK_FALSE(Parse(Edited("50000,", "50000.5,")));
  CHECK_FALSE(Parse(Edited("\"seed\": 81", "\"seed\": 81,\n  \"more\": 1")));
  CHECK_FALSE(Parse(Edited("103,", "4294967399,")));  // 103 in 32 bits
}

TEST_CASE("a text that is nested very deep is refused, and does not use up the stack") {
  const std::string open(1'000'000, '['), close(1'000'000, ']');
  CHECK_FALSE(Parse("{\"file\": \"nowait search\", \"x\": " + open + close + "}"));
}

TEST_CASE("a file of another structure or build is refused in one line") {
  const std::string path = InTemporaryFolder("saved_run_test.search");
  REQUIRE(WriteWhole(path, Serialise(Example())));
  CHECK(LoadRun(path, "union_find", "123-0badcafe"));
  CHECK_THAT(LoadRun(path, "quad_tree", "123-0badcafe").error(),
             Contains(path) && Contains("union_find, not of quad_tree"));
  CHECK_THAT(LoadRun(path, "union_find", "123-0badcaff").error(),
             Contains(path) && Contains("another build of union_find"));
  Write(path, "x");
  CHECK_THAT(LoadRun(path, "union_find", "123-0badcafe").error(),
             Contains(path) && Contains("damaged"));
  std::filesystem::remove(path);
  CHECK_THAT(LoadRun(path, "union_find", "123-0badcafe").error(),
             Contains(path) && Contains("No such file"));
}

TEST_CASE("the program's identity is its own, and stays") {
  CHECK(BuildIdentity() == BuildIdentity());
  CHECK(BuildIdentity().size() > 10);
}

}  // namespace
}  // namespace nowait::model

// Options of a program's command line: the values that are taken, and the line for a refused one.
#include <sys/stat.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <catch2/catch.hpp>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <string>

#include "src/apps/command_line/number.h"
#include "src/apps/command_line/output_file.h"
#include "src/apps/command_line/parse.h"

namespace nowait {
namespace {

namespace fs = std::filesystem;

// The text that a call writes to standard error, which goes through a file meanwhile.
template <class Call>
std::string PrintedBy(const Call& call) {
  const fs::path path = fs::temp_directory_path() / "command_line_test.XXXXXX";
  std::string name = path.string();
  const int file = ::mkstemp(name.data());
  REQUIRE(file >= 0);
  std::fflush(stderr);
  const int before = ::dup(STDERR_FILENO);
  REQUIRE(::dup2(file, STDERR_FILENO) >= 0);
  call();
  std::fflush(stderr);
  ::dup2(before, STDERR_FILENO);
  ::close(before);
  ::close(file);
  std::ifstream printed(name, std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(printed), {}};
  fs::remove(name);
  return text;
}

// Of an option --n from `low` to `high`: its value, or the line of the mistake.
template <class T>
std::string Given(const std::string& text, T low, T high) {
  CLI::App app("", "program");
  T value{};
  AddNumber(app, "--n", value, low, high, "help");
  const std::string option = "--n=" + text;
  const char* const arguments[] = {"program", option.c_str()};
  std::optional<int> status;
  std::string line = PrintedBy([&] { status = Parse(app, 2, arguments); });
  if (!status) return std::to_string(value);
  CHECK(*status == kUsage);
  return line;
}

TEST_CASE("a number is taken from its lowest to its highest value, and as it is written") {
  using Number = std::uint64_t;
  const auto given = [](const std::string& text) { return Given<Number>(text, 2, 1'000); };
  CHECK(given("2") == "2");
  CHECK(given("1000") == "1000");
  CHECK(given("250") == "250");
  for (const std::string bad : {"1", "1001", "-3", "", "3x", "2.5", "0x10", "1e2", "+3", " 3",
                                "18446744073709551618", "99999999999999999999999"}) {
    CAPTURE(bad);
    const std::string line = given(bad);
    CHECK_THAT(line, Catch::StartsWith("program: --n"));
    CHECK(line.find('\n') == line.size() - 1);
    if (bad.empty()) continue;
    CHECK_THAT(line, Catch::Contains("'" + bad + "' is not a whole number from 2 to 1000"));
  }
  // Not eight.
  CHECK_THAT(given("010"), Catch::Contains("'010' is not a whole number"));
  CHECK(Given<Number>("18446744073709551615", 0, ~Number{0}) == "18446744073709551615");
  CHECK_THAT(Given<Number>("18446744073709551616", 0, ~Number{0}), Catch::StartsWith("program:"));
  CHECK(Given<int>("-7", -7, 7) == "-7");
  CHECK_THAT(Given<int>("-8", -7, 7), Catch::Contains("from -7 to 7"));
}

TEST_CASE("a mistake is one line with the program's name, and help is no mistake") {
  CLI::App app("", "program");
  int value = 5;
  AddNumber(app, "--n", value, 0, 9, "help");
  const auto parse = [&](const char* argument) {
    const char* const arguments[] = {"program", argument};
    return Parse(app, 2, arguments);
  };
  CHECK_THAT(PrintedBy([&] { CHECK(parse("--m=3") == kUsage); }),
             Catch::StartsWith("program: ") && Catch::Contains("--m"));
  CHECK(value == 5);
  CHECK(parse("--n=3") == std::nullopt);
  CHECK(value == 3);
  const char* const none[] = {"program"};
  CHECK(Parse(app, 1, none) == std::nullopt);
}

// A folder of its own.
class Folder {
 public:
  Folder() {
    std::string made = (fs::temp_directory_path() / "command_line.XXXXXX").string();
    REQUIRE(::mkdtemp(made.data()) != nullptr);
    path_ = made;
  }
  ~Folder() { fs::remove_all(path_); }
  std::string operator/(const char* name) const { return path_ / name; }
  std::ptrdiff_t count() const {
    return std::distance(fs::directory_iterator(path_), fs::directory_iterator());
  }

 private:
  fs::path path_;
};

TEST_CASE("whether a file can be written is asked without writing it, or anything beside it") {
  const Folder folder;
  CHECK_FALSE(CheckOutputFile("--json", folder / "new"));
  CHECK(folder.count() == 0);
  std::ofstream(folder / "old") << "text";
  CHECK_FALSE(CheckOutputFile("--json", folder / "old"));
  std::ifstream old(folder / "old");
  CHECK(std::string(std::istreambuf_iterator<char>(old), {}) == "text");
  CHECK(folder.count() == 1);
}

TEST_CASE("a folder, a pipe and a folder that is missing are no place for a file") {
  const Folder folder;
  const std::string sub = folder / "sub", pipe = folder / "pipe", lost = folder / "no/file";
  fs::create_directory(sub);
  REQUIRE(::mkfifo(pipe.c_str(), 0600) == 0);
  CHECK(CheckOutputFile("--json", sub) == "--json: " + sub + ": is a folder");
  CHECK(CheckOutputFile("--svg", pipe) == "--svg: " + pipe + ": is not an ordinary file");
  CHECK(CheckOutputFile("--json", lost) == "--json: " + lost + ": No such file or directory");
  CHECK(folder.count() == 2);
}

}  // namespace
}  // namespace nowait

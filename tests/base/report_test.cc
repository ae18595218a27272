#include "src/base/report.h"

#include <sys/resource.h>
#include <sys/stat.h>

#include <catch2/catch.hpp>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

namespace nowait {
namespace {

namespace fs = std::filesystem;

// A directory of its own for each test case.
class Directory {
 public:
  Directory() {
    std::string pattern = (fs::temp_directory_path() / "report_test.XXXXXX").string();
    path_ = ::mkdtemp(pattern.data());
  }
  ~Directory() { fs::remove_all(path_); }

  fs::path operator/(const char* name) const { return path_ / name; }
  std::vector<std::string> names() const {
    std::vector<std::string> names;
    for (const auto& entry : fs::directory_iterator(path_))
      names.push_back(entry.path().filename());
    return names;
  }

 private:
  fs::path path_;
};

std::string ReadFile(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

TEST_CASE("a report opens with its schema and version and keeps the order of its fields") {
  Json report = NewReport("example", 3);
  report["zebras"] = 1;
  report["ants"] = HashString(0xabcdef);
  REQUIRE(report.dump() ==
          R"({"schema":"nowait.example","version":3,"zebras":1,"ants":"0000000000abcdef"})");
}

TEST_CASE("a hash has 16 digits, whatever it is") {
  REQUIRE(HashString(0) == "0000000000000000");
  REQUIRE(HashString(~std::uint64_t{0}) == "ffffffffffffffff");
}

TEST_CASE("a file is written whole, with nothing left beside it, over an older one too") {
  const Directory directory;
  const std::string longer(100'000, 'x');
  for (const std::string& text : {longer, std::string("short"), std::string()}) {
    REQUIRE(WriteFileWhole(directory / "out", text).has_value());
    REQUIRE(ReadFile(directory / "out") == text);
    REQUIRE(directory.names() == std::vector<std::string>{"out"});
  }
}

TEST_CASE("a written file has the permissions of an ordinary one") {
  const Directory directory;
  const mode_t mask = ::umask(027);
  REQUIRE(WriteFileWhole(directory / "out", "text").has_value());
  ::umask(mask);
  struct stat status;
  REQUIRE(::stat((directory / "out").c_str(), &status) == 0);
  REQUIRE((status.st_mode & 0777) == 0640);
}

TEST_CASE("a write leaves the process's mask of permissions as it was") {
  const Directory directory;
  const mode_t before = ::umask(027);
  REQUIRE(WriteFileWhole(directory / "out", "text").has_value());
  CHECK(::umask(before) == 027);
}

// The process limits the length of its files: the write fails in the middle.
TEST_CASE("a write that fails half way leaves the older file, and nothing beside it") {
  const Directory directory;
  REQUIRE(WriteFileWhole(directory / "out", "older").has_value());
  rlimit before;
  REQUIRE(::getrlimit(RLIMIT_FSIZE, &before) == 0);
  const auto handler = std::signal(SIGXFSZ, SIG_IGN);
  const rlimit little = {1000, before.rlim_max};
  REQUIRE(::setrlimit(RLIMIT_FSIZE, &little) == 0);
  const auto written = WriteFileWhole(directory / "out", std::string(5000, 'x'));
  REQUIRE(::setrlimit(RLIMIT_FSIZE, &before) == 0);
  std::signal(SIGXFSZ, handler);
  REQUIRE_FALSE(written.has_value());
  CHECK(written.error() == Error{ErrorCode::kIo, "output file", EFBIG, "cannot write it"});
  CHECK(ReadFile(directory / "out") == "older");
  CHECK(directory.names() == std::vector<std::string>{"out"});
}

TEST_CASE("a path that cannot be written is an error with errno, and leaves nothing") {
  const Directory directory;
  const auto missing = WriteFileWhole(directory / "no" / "such" / "file", "text");
  REQUIRE(missing.error() == Error{ErrorCode::kIo, "output file", ENOENT, "cannot create it"});
  REQUIRE(directory.names().empty());

  // The last step can fail as well: a directory is in the way.
  fs::create_directory(directory / "taken");
  const auto taken = WriteFileWhole(directory / "taken", "text");
  REQUIRE(taken.error().code == ErrorCode::kIo);
  REQUIRE(taken.error().amount == EISDIR);
  REQUIRE(directory.names() == std::vector<std::string>{"taken"});
}

// Root may rename over a device, and would take /dev/null from everybody. A FIFO stands for it.
TEST_CASE("a device, or anything else that is not an ordinary file, is not replaced") {
  const Directory directory;
  REQUIRE(::mkfifo((directory / "fifo").c_str(), 0600) == 0);
  fs::create_symlink(directory / "fifo", directory / "link");
  for (const char* name : {"fifo", "link"}) {
    CAPTURE(name);
    const auto written = WriteFileWhole(directory / name, "text");
    REQUIRE_FALSE(written.has_value());
    CHECK(written.error() ==
          Error{ErrorCode::kIo, "output file", EOPNOTSUPP, "it is not an ordinary file"});
  }
  CHECK(fs::is_fifo(fs::symlink_status(directory / "fifo")));
  CHECK(fs::is_symlink(fs::symlink_status(directory / "link")));
  CHECK(directory.names().size() == 2);
}

TEST_CASE("a report on disk is indented JSON that reads back as it was") {
  const Directory directory;
  Json report = NewReport("example", 1);
  report["wait_ms"] = 0.25;
  REQUIRE(WriteReport(directory / "out.json", report).has_value());
  const std::string text = ReadFile(directory / "out.json");
  REQUIRE(text == R"({
  "schema": "nowait.example",
  "version": 1,
  "wait_ms": 0.25
}
)");
  REQUIRE(Json::parse(text) == report);
}

TEST_CASE("a text that is no UTF-8 does not keep a report from being written") {
  const Directory directory;
  Json report = NewReport("example", 1);
  report["file"] = "caf\xE9.json";
  REQUIRE(WriteReport(directory / "out.json", report).has_value());
  CHECK(Json::parse(ReadFile(directory / "out.json"))["file"] == "caf\xEF\xBF\xBD.json");
}

TEST_CASE("a report that cannot be written is the error of its file, and leaves nothing") {
  const Directory directory;
  const auto written = WriteReport(directory / "no" / "out.json", NewReport("example", 1));
  REQUIRE_FALSE(written.has_value());
  CHECK(written.error() == Error{ErrorCode::kIo, "output file", ENOENT, "cannot create it"});
  CHECK(directory.names().empty());
}

}  // namespace
}  // namespace nowait

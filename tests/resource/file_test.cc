#include "src/resource/file.h"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <cstddef>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <system_error>
#include <vector>

#include "src/base/result.h"

namespace nowait {
namespace {

struct Directory {
  Directory() {
    const char* const root = std::getenv("TEST_TMPDIR");
    path = std::string(root == nullptr ? "/tmp" : root) + "/file_test.XXXXXX";
    REQUIRE(mkdtemp(path.data()) != nullptr);
  }
  ~Directory() { std::filesystem::remove_all(path); }
  std::string With(const std::string& name, const std::string& text) const {
    std::ofstream(path + "/" + name) << text;
    return path + "/" + name;
  }
  std::string path;
};

std::string Text(const std::vector<std::byte>& bytes) {
  return std::string(reinterpret_cast<const char*>(bytes.data()), bytes.size());
}

TEST_CASE("a file is read whole, or a range of it") {
  const Directory directory;
  const std::string path = directory.With("words", "one two three");
  REQUIRE(Text(ReadFile(path).value()) == "one two three");
  REQUIRE(ReadFile(directory.With("empty", "")).value().empty());
  std::vector<std::byte> bytes(3);
  REQUIRE(ReadFileRange(path, 4, bytes));
  REQUIRE(Text(bytes) == "two");
  REQUIRE(ReadFileRange(path, 13, {}));
  const std::string large(1 << 20, 'x');
  REQUIRE(Text(ReadFile(directory.With("large", large)).value()) == large);
}

TEST_CASE("a file that cannot be read: the error has its path and the system's words") {
  const Directory directory;
  const std::string missing = directory.path + "/missing";
  const auto not_there = ReadFile(missing);
  REQUIRE(not_there.error().code == ErrorCode::kNotFound);
  REQUIRE(ToString(not_there.error()) == missing + " not found: No such file or directory");

  const auto is_directory = ReadFile(directory.path);
  REQUIRE(is_directory.error().code == ErrorCode::kIo);
  REQUIRE(ToString(is_directory.error()) ==
          directory.path + ": input or output failed (errno 21): Is a directory");

  const std::string file = directory.With("file", "12345");
  const std::string below = file + "/below";
  REQUIRE(ReadFile(below).error().detail == std::string("Not a directory"));

  std::vector<std::byte> bytes(4);
  REQUIRE(ReadFileRange(file, 3, bytes).error() ==
          Error{ErrorCode::kCorrupt, file.c_str(), 2, "it ends before the range does"});
  REQUIRE(ReadFileRange(file, 99, bytes).error().code == ErrorCode::kCorrupt);
  REQUIRE(ReadFileRange(file, ~std::uint64_t{0}, bytes).error().code ==
          ErrorCode::kInvalidArgument);

  // Nobody writes into it: the call must not wait for that.
  const std::string pipe = directory.path + "/pipe";
  REQUIRE(mkfifo(pipe.c_str(), 0600) == 0);
  REQUIRE(ReadFile(pipe).error() ==
          Error{ErrorCode::kInvalidArgument, pipe.c_str(), 0, "not a regular file"});

  if (geteuid() != 0) {  // root may read anything
    REQUIRE(chmod(file.c_str(), 0) == 0);
    REQUIRE(ReadFile(file).error().detail == std::string("Permission denied"));
  }
}

TEST_CASE("a file that says it is empty is read to its end") {
  const auto bytes = ReadFile("/proc/self/status");
  REQUIRE(bytes);
  REQUIRE(Text(*bytes).starts_with("Name:"));
}

TEST_CASE("a file that is longer than memory is an error, and no allocation") {
  const Directory directory;
  const std::string path = directory.With("sparse", "");
  std::error_code failed;
  std::filesystem::resize_file(path, std::uintmax_t{1} << 40, failed);
  REQUIRE_FALSE(failed);
  REQUIRE(ReadFile(path).error() ==
          Error{ErrorCode::kCapacity, path.c_str(), kMostFileBytes, "bytes of a file"});
  std::vector<std::byte> bytes(3);
  REQUIRE(ReadFileRange(path, std::uint64_t{1} << 39, bytes));
}

TEST_CASE("a path with a NUL is no path") {
  const Directory directory;
  const std::string path = directory.With("words", "one") + std::string("\0.txt", 5);
  std::vector<std::byte> bytes(3);
  const auto whole = ReadFile(path);
  REQUIRE_FALSE(whole);
  REQUIRE(whole.error().code == ErrorCode::kInvalidArgument);
  const auto range = ReadFileRange(path, 0, bytes);
  REQUIRE_FALSE(range);
  REQUIRE(range.error().code == ErrorCode::kInvalidArgument);
}

}  // namespace
}  // namespace nowait

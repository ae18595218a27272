#include "src/resource/file.h"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <limits>
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

TEST_CASE("a file of as many bytes as the caller takes is read, one of more is a capacity") {
  const Directory directory;
  const std::string path = directory.With("words", "12345");
  CHECK(Text(ReadFile(path, 5).value()) == "12345");
  CHECK(ReadFile(path, 4).error() ==
        Error{ErrorCode::kCapacity, path.c_str(), 4, "bytes of a file"});
  const std::string empty = directory.With("empty", "");
  CHECK(ReadFile(empty, 0).value().empty());
  // One that does not say how long it is.
  const std::string kernel = "/proc/sys/kernel/ostype";
  const auto whole = ReadFile(kernel);
  REQUIRE(whole);
  const auto length = static_cast<std::int64_t>(whole->size());
  REQUIRE(length > 1);
  CHECK(ReadFile(kernel, length) == whole);
  CHECK(ReadFile(kernel, length - 1).error() ==
        Error{ErrorCode::kCapacity, kernel.c_str(), length - 1, "bytes of a file"});
}

TEST_CASE("a range goes up to the last byte, and one byte further is what could be read") {
  const Directory directory;
  const std::string path = directory.With("words", "12345");
  std::vector<std::byte> bytes(5);
  REQUIRE(ReadFileRange(path, 0, bytes));
  CHECK(Text(bytes) == "12345");
  std::vector<std::byte> last(1);
  REQUIRE(ReadFileRange(path, 4, last));
  CHECK(Text(last) == "5");
  CHECK(ReadFileRange(path, 5, last).error() ==
        Error{ErrorCode::kCorrupt, path.c_str(), 0, "it ends before the range does"});
  CHECK(ReadFileRange(path, 1, bytes).error() ==
        Error{ErrorCode::kCorrupt, path.c_str(), 4, "it ends before the range does"});
  CHECK(ReadFileRange(path, 5, {}));
  // The last range that a file could have, and the first that none has.
  const auto most = static_cast<std::uint64_t>(std::numeric_limits<off_t>::max());
  CHECK(ReadFileRange(path, most - 5, bytes).error().code == ErrorCode::kCorrupt);
  CHECK(ReadFileRange(path, most - 4, bytes).error() ==
        Error{ErrorCode::kInvalidArgument, path.c_str(), 0, "an offset that no file has"});
}

TEST_CASE("a range of a path that is no file has the same error as the whole") {
  const Directory directory;
  const std::string pipe = directory.path + "/pipe";
  REQUIRE(mkfifo(pipe.c_str(), 0600) == 0);
  const std::string missing = directory.path + "/missing";
  const std::string nul("words\0.txt", 10);
  for (const std::string& path : {pipe, missing, directory.path, nul}) {
    CAPTURE(path);
    std::vector<std::byte> bytes(1);
    const auto range = ReadFileRange(path, 0, bytes);
    const auto whole = ReadFile(path);
    REQUIRE_FALSE(range);
    REQUIRE_FALSE(whole);
    CHECK(range.error() == whole.error());
    CHECK(range.error().subject == path.c_str());  // it points to the path of the caller
  }
  CHECK(ReadFile(nul).error() ==
        Error{ErrorCode::kInvalidArgument, nul.c_str(), 0, "a path has no NUL inside"});
  CHECK(ReadFile(missing).error().amount == ENOENT);
}

std::size_t OpenFiles() {
  std::size_t open = 0;
  for (const auto& entry : std::filesystem::directory_iterator("/proc/self/fd")) {
    static_cast<void>(entry);
    ++open;
  }
  return open;
}

TEST_CASE("each call closes what it has opened, also when it fails") {
  const Directory directory;
  const std::string path = directory.With("words", "12345");
  const std::size_t before = OpenFiles();
  std::vector<std::byte> bytes(9);
  for (int i = 0; i < 10; ++i) {
    CHECK(ReadFile(path));
    CHECK_FALSE(ReadFile(path, 1));
    CHECK_FALSE(ReadFileRange(path, 0, bytes));
    CHECK_FALSE(ReadFile(directory.path));
  }
  CHECK(OpenFiles() == before);
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

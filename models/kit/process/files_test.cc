// Regular files are replaced whole or stay unchanged; other paths remain what they are.
#include "models/kit/process/files.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <iterator>
#include <string>

#include "models/kit/process/printing.h"

namespace nowait::model {
namespace {

namespace fs = std::filesystem;

class Folder {
 public:
  Folder() : path_(fs::path(std::getenv("TEST_TMPDIR")) / "files_test") {
    fs::remove_all(path_);
    fs::create_directory(path_);
  }
  ~Folder() { fs::remove_all(path_); }
  std::string operator/(const char* name) const { return (path_ / name).string(); }
  long Files() const { return std::distance(fs::directory_iterator(path_), {}); }

 private:
  fs::path path_;
};

// Limits the size of files that this process writes, which simulates a full disk.
class FullDisk {
 public:
  explicit FullDisk(rlim_t bytes) : handler_(std::signal(SIGXFSZ, SIG_IGN)) {
    getrlimit(RLIMIT_FSIZE, &before_);
    const rlimit limit{bytes, before_.rlim_max};
    setrlimit(RLIMIT_FSIZE, &limit);
  }
  ~FullDisk() {
    setrlimit(RLIMIT_FSIZE, &before_);
    std::signal(SIGXFSZ, handler_);
  }

 private:
  rlimit before_;
  void (*handler_)(int);
};

TEST_CASE("a file without an end is refused instead of read") {
  REQUIRE_FALSE(ReadAll("/dev/zero").has_value());
  REQUIRE(errno == EFBIG);
}

TEST_CASE("a pipe is read to its end, however slowly it is written") {
  const Folder folder;
  const std::string path = folder / "pipe";
  REQUIRE(mkfifo(path.c_str(), 0600) == 0);
  const std::string text = "a byte at a time";
  std::fflush(nullptr);
  const pid_t child = fork();
  REQUIRE(child >= 0);
  if (child == 0) {
    const int pipe = open(path.c_str(), O_WRONLY);
    // All that has been written is read before the next byte arrives.
    int unread = 0;
    for (const char byte : text) {
      if (write(pipe, &byte, 1) != 1) _exit(1);
      do {
        if (ioctl(pipe, FIONREAD, &unread) != 0) _exit(2);
      } while (unread != 0);
    }
    _exit(0);
  }
  CHECK(ReadAll(path) == text);
  int status = 0;
  waitpid(child, &status, 0);
  CHECK(status == 0);
}

TEST_CASE("a file is replaced as a whole, and nothing is left beside it") {
  const Folder folder;
  const std::string path = folder / "file";
  for (const char* text : {"first", "second"}) {
    CHECK(CanWrite(path));
    REQUIRE(WriteWhole(path, text));
    CHECK(ReadAll(path) == text);
  }
  CHECK(folder.Files() == 1);
}

TEST_CASE("a directory is no file, and nothing is below a file") {
  const Folder folder;
  const std::string path = folder / "file";
  const std::string inner = folder / "inner";
  REQUIRE(WriteWhole(path, "text"));
  fs::create_directory(inner);
  CHECK_FALSE(CanWrite(inner));
  CHECK_FALSE(WriteWhole(inner, "text"));
  CHECK(errno == EISDIR);
  CHECK_FALSE(ReadAll(inner));
  CHECK(errno == EISDIR);
  CHECK_FALSE(CanWrite(path + "/below"));
  CHECK(errno == ENOTDIR);
  CHECK(folder.Files() == 2);
}

TEST_CASE("on a disk that is full the file stays as it was") {
  const Folder folder;
  const std::string path = folder / "file";
  REQUIRE(WriteWhole(path, "as it was"));
  {
    const FullDisk full(10'000);
    CHECK_FALSE(WriteWhole(path, std::string(20'000, 'x')));
    CHECK(errno == EFBIG);
  }
  CHECK(ReadAll(path) == "as it was");
  CHECK(folder.Files() == 1);
}

TEST_CASE("a device is written to and stays one") {
  CHECK(CanWrite("/dev/full"));
  CHECK_FALSE(WriteWhole("/dev/full", "text"));
  CHECK(errno == ENOSPC);
  CHECK(WriteWhole("/dev/null", "text"));
  CHECK(fs::is_character_file("/dev/full"));
  CHECK(fs::is_character_file("/dev/null"));
}

TEST_CASE("a link stays one") {
  const Folder folder;
  fs::create_symlink("file", folder / "link");
  REQUIRE(WriteWhole(folder / "file", "first"));
  REQUIRE(WriteWhole(folder / "link", "second"));
  CHECK(fs::is_symlink(folder / "link"));
  CHECK(ReadAll(folder / "file") == "second");
}

// Runs it in a process whose standard output is this file. Returns the exit code.
template <class Run>
int CodeOf(const char* output, Run run) {
  std::fflush(nullptr);
  const pid_t child = fork();
  if (child == 0) {
    const int file = open(output, O_WRONLY);
    dup2(file, STDOUT_FILENO);
    _exit(Printing(run));
  }
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

TEST_CASE("output that cannot be printed is a failure") {
  const auto little = [] {
    fmt::print("all is well\n");
    return 0;
  };
  const auto much = [] {
    for (int i = 0; i < 10'000; ++i) fmt::print("all is well\n");
    return 0;
  };
  CHECK(CodeOf("/dev/null", little) == 0);
  CHECK(CodeOf("/dev/null", [] { return 1; }) == 1);
  CHECK(CodeOf("/dev/full", little) == 2);
  CHECK(CodeOf("/dev/full", much) == 2);
}

}  // namespace
}  // namespace nowait::model

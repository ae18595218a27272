// Reading: a reader of files, and its promise when the file or the system misbehaves: the same
// contents, or one line that names the error and the place.
#ifndef NOWAIT_TESTS_WHOLE_FAULTS_READING_H_
#define NOWAIT_TESTS_WHOLE_FAULTS_READING_H_

#include <catch2/catch.hpp>
#include <cerrno>
#include <cstdint>
#include <expected>
#include <filesystem>
#include <fstream>
#include <functional>
#include <string>

#include "tests/whole/faults/reads.h"
#include "tests/whole/faults/temporary_directory.h"

namespace nowait::whole {

// The contents that were read, as a text that differs for different contents; or the error.
using Contents = std::expected<std::string, std::string>;

struct Reading {
  std::string name;
  std::string bytes;  // of a file that can be read
  std::function<Contents(const std::string& path)> read;
  std::string named = {};  // by its errors, where it is not the path
};

inline void CheckError(const Reading& reading, const std::string& path, const Contents& contents,
                       const std::string& why = "") {
  REQUIRE_FALSE(contents.has_value());
  const std::string& error = contents.error();
  INFO(error);
  CHECK(error.find('\n') == error.npos);
  CHECK(error.find(reading.named.empty() ? path : reading.named) != error.npos);
  CHECK(error.find(why) != error.npos);
}

// A file with the reading's bytes.
class ReadableFile {
 public:
  explicit ReadableFile(const Reading& reading) { std::ofstream(path_) << reading.bytes; }
  const std::string& path() const { return path_; }

 private:
  TemporaryDirectory directory_;
  const std::string path_ = directory_ / "file";
};

// Slow and interrupted reads change nothing.
inline void CheckSlowReads(const Reading& reading) {
  INFO(reading.name);
  const ReadableFile file(reading);
  const Contents whole = reading.read(file.path());
  REQUIRE(whole.has_value());
  for (const bool interrupted : {false, true}) {
    INFO((interrupted ? "interrupted" : "a byte each"));
    const ReadFault fault({.a_byte_each = true, .interrupted = interrupted});
    CHECK(reading.read(file.path()) == whole);
  }
}

// Each call of the system that it makes fails once. Returns how many there are.
inline std::uint64_t CheckFailingCalls(const Reading& reading) {
  const ReadableFile file(reading);
  for (std::uint64_t n = 1;; ++n) {
    INFO(reading.name << ", call " << n << " fails");
    Contents contents;
    bool struck = false;
    {
      const ReadFault fault({.failing_call = n, .error = EIO});
      contents = reading.read(file.path());
      struck = fault.has_struck();
    }
    if (!struck) {
      CHECK(contents.has_value());
      return n - 1;
    }
    CheckError(reading, file.path(), contents, "Input/output error");
    CHECK(reading.read(file.path()).has_value());  // afterwards all is well
  }
}

// The file loses its second half when the first has been read.
inline void CheckShrinkingFile(const Reading& reading) {
  INFO(reading.name);
  const ReadableFile file(reading);
  const std::uint64_t half = reading.bytes.size() / 2;
  const ReadFault fault({.a_byte_each = true, .before_read = half, .change = [&] {
                           std::filesystem::resize_file(file.path(), half);
                         }});
  CheckError(reading, file.path(), reading.read(file.path()));
  CHECK(fault.has_struck());
}

// Paths that name no readable file.
inline void CheckNoFile(const Reading& reading) {
  INFO(reading.name);
  const TemporaryDirectory directory;
  std::filesystem::create_directory(directory / "directory");
  for (const std::string& path :
       {directory / "directory", directory / "missing", directory / "missing/below",
        std::string("/dev/zero"), std::string("/dev/full"), std::string("/proc/self/mem")}) {
    INFO(path);
    CheckError(reading, path, reading.read(path));
  }
}

}  // namespace nowait::whole

#endif  // NOWAIT_TESTS_WHOLE_FAULTS_READING_H_

// Files that the engine reads: reads that are short, interrupted or fail, files that change
// meanwhile, and paths that name no file.
#include <sys/stat.h>

#include <catch2/catch.hpp>
#include <cstddef>
#include <cstdint>
#include <fstream>
#include <iterator>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "src/apps/frame/music.h"
#include "src/apps/frame/run.h"
#include "src/base/result.h"
#include "src/jobs/file_read.h"
#include "src/jobs/task_pool.h"
#include "src/profile/profile.h"
#include "src/resource/elevation.h"
#include "src/resource/file.h"
#include "tests/whole/faults/reading.h"
#include "tests/whole/faults/reads.h"
#include "tests/whole/faults/temporary_directory.h"

namespace nowait::whole {
namespace {

const std::string kBytes = "a file with some bytes in it";

template <class T>
Contents Told(const Result<T>& result, std::span<const std::byte> bytes) {
  if (!result) return std::unexpected(ToString(result.error()));
  return std::string(reinterpret_cast<const char*>(bytes.data()), bytes.size());
}

Contents Whole(const std::string& path) {
  const auto bytes = ReadFile(path, 4096);
  return Told(bytes, bytes ? std::span<const std::byte>(*bytes) : std::span<const std::byte>());
}

Contents Range(const std::string& path) {
  std::vector<std::byte> bytes(kBytes.size());
  return Told(ReadFileRange(path, 0, bytes), bytes);
}

// By a device's thread.
Contents ByDevice(const std::string& path) {
  const auto pool = TaskPool::Create({.devices = {"disk"}, .workers = 0});
  REQUIRE(pool);
  const auto here = (*pool)->Register("main");
  std::vector<std::byte> into(kBytes.size());
  FileRead read(path, 0, into);
  const auto task = (*pool)->AddRequest("disk", read.request());
  REQUIRE(task);
  REQUIRE((*pool)->Wait(*task));
  const auto bytes = read.bytes();
  return Told(bytes, bytes.value_or(std::span<const std::byte>()));
}

Contents Posts(const std::string& path) {
  const auto elevation = LoadElevation(path);
  if (!elevation) return std::unexpected(ToString(elevation.error()));
  return Told(Result<void>(), std::as_bytes(std::span(elevation->posts)));
}

constexpr std::uint32_t kFrames = 3;

// A block for each of the frames, which mix it.
Contents Heard(const std::string& path) {
  Profile profile({.lanes = 2, .spans_per_lane = 1u << 8});
  const FrameResult result =
      RunFrames({.frames = kFrames, .nodes = 5, .workers = 0, .music = path}, profile);
  if (!result.error.empty()) return std::unexpected(result.error);
  return std::to_string(result.hash);
}

std::vector<Reading> Readings() {
  std::ifstream hill("tests/fuzz/corpus/elevation/hill.elevation", std::ios::binary);
  return {{"ReadFile", kBytes, &Whole},
          {"ReadFileRange", kBytes, &Range},
          {"FileRead", kBytes, &ByDevice},
          {"LoadElevation", {std::istreambuf_iterator<char>(hill), {}}, &Posts, "terrain file"},
          {"RunFrames", std::string(kFrames * Music::kBlock, 'x'), &Heard}};
}

TEST_CASE("slow and interrupted reads of a file give its contents") {
  for (const Reading& reading : Readings()) CheckSlowReads(reading);
}

TEST_CASE("each call of the system that fails is an error with its reason") {
  for (const Reading& reading : Readings()) {
    const std::uint64_t files = reading.name == "RunFrames" ? kFrames : 1;
    CHECK(CheckFailingCalls(reading) == 3 * files);  // open, fstat and pread
  }
}

TEST_CASE("a file that becomes shorter while it is read is an error") {
  for (const Reading& reading : Readings()) CheckShrinkingFile(reading);
}

TEST_CASE("a file that becomes longer while it is read is read as it was") {
  for (const Reading& reading : Readings()) {
    INFO(reading.name);
    const ReadableFile file(reading);
    const Contents whole = reading.read(file.path());
    const ReadFault fault(
        {.before_read = 1, .change = [&] { std::ofstream(file.path(), std::ios::app) << "more"; }});
    CHECK(reading.read(file.path()) == whole);
    CHECK(fault.has_struck());
  }
}

TEST_CASE("a path that is no file is an error, and nothing waits for it") {
  const TemporaryDirectory directory;
  const std::string pipe = directory / "pipe";
  REQUIRE(mkfifo(pipe.c_str(), 0600) == 0);  // nobody writes into it
  for (const Reading& reading : Readings()) {
    CheckNoFile(reading);
    CheckError(reading, pipe, reading.read(pipe));
  }
}

TEST_CASE("a file of the kernel's is read slowly, too, and no further than the caller takes") {
  const auto whole = ReadFile("/proc/self/limits");
  REQUIRE(whole);
  REQUIRE(whole->size() > 100);
  {
    const ReadFault fault({.a_byte_each = true, .interrupted = true});
    CHECK(ReadFile("/proc/self/limits") == whole);
  }
  const auto size = static_cast<std::int64_t>(whole->size());
  CHECK(ReadFile("/proc/self/limits", size) == whole);
  CHECK(ReadFile("/proc/self/limits", size - 1).error() ==
        Error{ErrorCode::kCapacity, "/proc/self/limits", size - 1, "bytes of a file"});
}

}  // namespace
}  // namespace nowait::whole

#include "src/jobs/file_read.h"

#include <atomic>
#include <catch2/catch.hpp>
#include <cstddef>
#include <cstdlib>
#include <deque>
#include <filesystem>
#include <fstream>
#include <functional>
#include <numeric>
#include <string>
#include <vector>

#include "src/jobs/task_pool.h"
#include "tests/jobs/make_pool.h"

namespace nowait {
namespace {

struct Directory {
  Directory() {
    const char* const root = std::getenv("TEST_TMPDIR");
    path = std::string(root == nullptr ? "/tmp" : root) + "/file_read_test.XXXXXX";
    REQUIRE(mkdtemp(path.data()) != nullptr);
  }
  ~Directory() { std::filesystem::remove_all(path); }
  std::string path;
};

// Byte i of file n.
char ByteOf(std::size_t n, std::size_t i) { return static_cast<char>(n * 31 + i * 7); }

std::uint64_t Sum(std::span<const std::byte> bytes) {
  std::uint64_t sum = 0;
  for (const std::byte byte : bytes) sum += std::to_integer<std::uint64_t>(byte);
  return sum;
}

#define EACH_POLICY TaskPool, OneQueueTaskPool

// A task for each file that needs it, other work meanwhile, and a main thread that does that while
// it waits.
TEMPLATE_TEST_CASE("tasks use the files that they depend on, and the main thread helps meanwhile",
                   "", EACH_POLICY) {
  constexpr std::size_t kFiles = 40;
  constexpr std::size_t kLength = 10'000;
  const Directory directory;
  std::vector<std::uint64_t> expected;
  for (std::size_t n = 0; n < kFiles; ++n) {
    std::string text;
    for (std::size_t i = 0; i < kLength + n; ++i) text += ByteOf(n, i);
    std::ofstream(directory.path + "/" + std::to_string(n), std::ios::binary) << text;
    expected.push_back(Sum(std::as_bytes(std::span(text))));
  }
  const auto owned = MakePool<TestType>({.devices = {"disk"}, .workers = GENERATE(0u, 1u, 3u)});
  TestType& tasks = *owned;
  const auto here = tasks.Register("main");
  REQUIRE(here);

  struct Use {
    static void Run(void* data) {
      auto& use = *static_cast<Use*>(data);
      const auto bytes = use.read->bytes();
      if (bytes) use.sum = Sum(*bytes);
    }
    FileRead* read;
    std::uint64_t sum = 0;
  };
  std::deque<FileRead> reads;
  std::deque<Use> uses;
  std::atomic<int> others = 0;
  const Job other{[](void* data) { ++*static_cast<std::atomic<int>*>(data); }, &others};
  const auto all = tasks.AddEmpty();
  REQUIRE(all);
  for (std::size_t n = 0; n < kFiles; ++n) {
    reads.emplace_back(directory.path + "/" + std::to_string(n));
    uses.push_back({&reads.back()});
    const auto read = tasks.AddRequest("disk", reads.back().request(), *all);
    REQUIRE(read);
    REQUIRE(tasks.Add({.work = {&Use::Run, &uses.back()}, .parent = *all, .dependency = *read}));
    REQUIRE(tasks.Add({.work = other, .parent = *all}));
  }
  REQUIRE(tasks.Wait(*all));
  for (std::size_t n = 0; n < kFiles; ++n) REQUIRE(uses[n].sum == expected[n]);
  REQUIRE(others == static_cast<int>(kFiles));

  // A range, into memory of the caller's.
  std::vector<std::byte> part(100);
  FileRead range(directory.path + "/7", 50, part);
  REQUIRE(tasks.Wait(*tasks.AddRequest("disk", range.request())));
  REQUIRE(range.bytes().value().data() == part.data());
  for (std::size_t i = 0; i < part.size(); ++i) {
    REQUIRE(part[i] == static_cast<std::byte>(ByteOf(7, 50 + i)));
  }
}

TEST_CASE("a read that fails completes, with an error that has the path") {
  const Directory directory;
  const auto owned = MakePool({.devices = {"disk"}, .workers = 0});
  TaskPool& tasks = *owned;
  const auto here = tasks.Register("main");
  FileRead missing(directory.path + "/missing");
  REQUIRE(ToString(missing.bytes().error()) == "request is not allowed in this phase: cancelled");
  REQUIRE(tasks.Wait(*tasks.AddRequest("disk", missing.request())));
  REQUIRE(ToString(missing.bytes().error()) ==
          directory.path + "/missing not found: No such file or directory");
  FileRead itself(directory.path);
  REQUIRE(tasks.Wait(*tasks.AddRequest("disk", itself.request())));
  REQUIRE(itself.bytes().error().detail == std::string("Is a directory"));
  REQUIRE(tasks.StopDevice("disk"));
  REQUIRE(tasks.Wait(*tasks.AddRequest("disk", itself.request())));
  REQUIRE(itself.bytes().error().detail == std::string("the device stopped"));
}

}  // namespace
}  // namespace nowait

// CacheLines: what loads, stores and read-modify-writes of several cores cost, by the places of the
// cache lines that they touch.
//
//   CacheLines lines(2, 6, 60);                                 // picoseconds, see the constructor
//   const Served served = lines.Serve(core, Access::kUpdate, address, now);
//   now = served.end;
//
// A line is 64 bytes. A core has it alone, shares it with others, or does not have it. A load by a
// core that has it, and a store by one that has it alone, are hits. Everything else is a transfer
// from another core, after which a loading core shares the line and a storing core has it alone. A
// line serves one request at a time, in the order in which they come: that is contention. The first
// touch of a line is a hit: memory is warm.
//
// Left out: a cache's size, sockets, hyper-threads, store buffers, transfers that overlap.
//
// Times are those of the requests: a later call has no earlier one. Thread safety: one thread.
// Complexity: constant. Source: the states of the MSI protocol. Test: cache_lines_test.cc.
#ifndef NOWAIT_TESTS_WHOLE_CORES_CACHE_LINES_H_
#define NOWAIT_TESTS_WHOLE_CORES_CACHE_LINES_H_

#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <vector>

namespace nowait::whole {

enum class Access : std::uint8_t { kLoad, kStore, kUpdate };

struct Served {
  std::size_t line;      // its number, in the order of first touches
  bool transferred;      // it came from another core
  std::uint64_t waited;  // until the line had served those that came before
  std::uint64_t end;     // when the access is done
};

class CacheLines {
 public:
  static constexpr std::size_t kBytes = 64;
  static constexpr std::uint32_t kMostCores = 64;

  // hit: a load or a store of a line that the core has. update: a read-modify-write of one.
  // transfer: the time before either of them when another core has the line.
  CacheLines(std::uint64_t hit, std::uint64_t update, std::uint64_t transfer)
      : hit_(hit), update_(update), transfer_(transfer) {}

  Served Serve(std::uint32_t core, Access access, const void* address, std::uint64_t now);

  std::size_t size() const { return lines_.size(); }

 private:
  struct Line {
    std::uint64_t cores = 0;  // the cores that have it, a bit each
    std::uint64_t busy_until = 0;
  };

  const std::uint64_t hit_;
  const std::uint64_t update_;
  const std::uint64_t transfer_;
  std::unordered_map<std::uintptr_t, std::size_t> numbers_;
  std::vector<Line> lines_;
};

}  // namespace nowait::whole

#endif  // NOWAIT_TESTS_WHOLE_CORES_CACHE_LINES_H_

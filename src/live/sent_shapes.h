// SentShapes: the numbers of the hulls or compounds that a viewer has.
//
//   const auto [number, is_new] = sent.Use(std::as_bytes(data));   a body or a compound has it
//   if (is_new) ...                                               the message needs the shape
//   sent.Release(number);                                         it has it no more
//
// A shape is known by its data: one that is gone may leave its address to another one. It keeps
// its number as long as it is in use or among the latest kMost shapes. Then another shape gets the
// number, and takes its place in the viewer. So a compound that is edited in each frame fills
// neither the memory nor the numbers, which are exact in the floats of a LiveBodyRecord.
//
// Thread safety: one thread. Errors: std::bad_alloc, also without a number that is free.
// Complexity: O(n log kMost) for n bytes. Memory: the data of the latest shapes, and 4 bytes for
// each number, of which there are as many as shapes were in use at once, and kMost.
// Test: tests/live/shape_numbers_test.cc.
#ifndef NOWAIT_SRC_LIVE_SENT_SHAPES_H_
#define NOWAIT_SRC_LIVE_SENT_SHAPES_H_

#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <new>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace nowait {

class SentShapes {
 public:
  static constexpr std::size_t kMost = 1024;
  static constexpr std::size_t kNumbers = std::size_t{1} << 24;  // a float skips the next one

  explicit SentShapes(std::size_t numbers = kNumbers) : numbers_(numbers) {}

  // The number of the shape with these data, and whether the viewer does not have it yet.
  std::pair<std::uint32_t, bool> Use(std::span<const std::byte> data) {
    std::string key(reinterpret_cast<const char*>(data.data()), data.size());
    if (const auto at = latest_.find(key); at != latest_.end()) {
      ++uses_[at->second];
      return {at->second, false};
    }
    if (oldest_first_.size() == kMost) {
      Release(oldest_first_.front()->second);
      latest_.erase(oldest_first_.front());
      oldest_first_.pop_front();
    }
    const std::uint32_t number = FreeNumber();
    oldest_first_.push_back(latest_.emplace(std::move(key), number).first);
    uses_[number] = 2;  // the caller's, and its place among the latest
    return {number, true};
  }

  // Ends one use. number: in use.
  void Release(std::uint32_t number) {
    if (--uses_[number] == 0) free_.push_back(number);
  }

 private:
  using Numbers = std::map<std::string, std::uint32_t>;

  std::uint32_t FreeNumber() {
    if (free_.empty()) {
      if (uses_.size() == numbers_) throw std::bad_alloc();
      uses_.push_back(0);
      return static_cast<std::uint32_t>(uses_.size() - 1);
    }
    const std::uint32_t number = free_.back();
    free_.pop_back();
    return number;
  }

  const std::size_t numbers_;
  std::vector<std::uint32_t> uses_;  // by number
  std::vector<std::uint32_t> free_;
  Numbers latest_;
  std::deque<Numbers::iterator> oldest_first_;
};

}  // namespace nowait

#endif  // NOWAIT_SRC_LIVE_SENT_SHAPES_H_

// SentShapes: the numbers of the hulls or compounds that a viewer has.
//
//   const auto [number, is_new] = sent.NumberOf(std::as_bytes(data));
//   if (is_new) ...                                               the message needs the shape
//
// A shape is known by its data: one that is gone may leave its address to another one. Of more than
// kMost shapes the oldest one is forgotten, and sent again if a body has it later. So a compound
// that is edited in each frame does not fill the memory.
//
// Thread safety: one thread. Errors: std::bad_alloc.
// Complexity: O(n log kMost) for n bytes. Test: tests/live/encoder_shapes_test.cc.
#ifndef NOWAIT_SRC_LIVE_SENT_SHAPES_H_
#define NOWAIT_SRC_LIVE_SENT_SHAPES_H_

#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <span>
#include <string>
#include <utility>

#include "src/live/wire.h"

namespace nowait {

class SentShapes {
 public:
  static constexpr std::size_t kMost = kLiveLatestShapes;  // readers forget by it as well

  // The number of the shape with these data, and whether the viewer does not have it yet.
  std::pair<std::uint32_t, bool> NumberOf(std::span<const std::byte> data) {
    const auto [at, is_new] = numbers_.try_emplace(
        std::string(reinterpret_cast<const char*>(data.data()), data.size()), next_);
    if (!is_new) return {at->second, false};
    oldest_first_.push_back(at);
    if (oldest_first_.size() > kMost) {
      numbers_.erase(oldest_first_.front());
      oldest_first_.pop_front();
    }
    return {next_++, true};
  }

 private:
  using Numbers = std::map<std::string, std::uint32_t>;

  std::uint32_t next_ = 0;
  Numbers numbers_;
  std::deque<Numbers::iterator> oldest_first_;
};

}  // namespace nowait

#endif  // NOWAIT_SRC_LIVE_SENT_SHAPES_H_

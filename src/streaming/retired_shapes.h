// RetiredShapes: shapes that no body has any more, kept until no query can still look at one.
//
// A query copies a body under its lock and looks at the copy's shape afterwards. If the body is
// removed meanwhile, a ground or a hull has to live on until that query has ended. A query that
// may overlap a let-go pins itself (Pin) before it begins, and drops the guard after its last look
// at a body. Queries that the frame orders before or after the game update need no guard.
//
// Thread safety: Pin and the guard's end on any thread, any time; the rest by one thread at a time.
// Progress: as ReaderEpochs: no reader waits, nor does the owner.
// Promise: shapes are destroyed in a Collect, after each guard that was there when they were given
// to Add has ended. Complexity: Collect is O(1) for each of the shapes.
// Errors: Add never fails; full() says that the caller should not retire more: a guard is kept.
// Source: src/sync/reader_epochs.h, which the tree's nodes use in the same way.
#ifndef NOWAIT_SRC_STREAMING_RETIRED_SHAPES_H_
#define NOWAIT_SRC_STREAMING_RETIRED_SHAPES_H_

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "src/streaming/contents.h"
#include "src/sync/reader_epochs.h"

namespace nowait {

class RetiredShapes {
 public:
  using Guard = ReaderEpochs<>::Guard;

  // most: how many tiles and scenes can wait here.
  explicit RetiredShapes(std::size_t most) : most_(most) { retired_.reserve(most); }

  [[nodiscard]] Guard Pin() { return epochs_.Pin(); }

  bool full() const { return retired_.size() >= most_; }
  void Add(Shapes shapes) {
    bytes_ += shapes.bytes();
    retired_.push_back({std::move(shapes), kAdvances});
  }

  // Destroys what no query can see any more.
  void Collect() {
    if (retired_.empty() || !epochs_.TryAdvance()) return;
    std::erase_if(retired_, [this](Retired& retired) {
      if (--retired.advances > 0) return false;
      bytes_ -= retired.shapes.bytes();
      return true;
    });
  }

  std::size_t count() const { return retired_.size(); }
  std::size_t bytes() const { return bytes_; }

 private:
  // After the second advance each reader of the time of Add has left (reader_epochs.h).
  static constexpr std::uint32_t kAdvances = 2;
  struct Retired {
    Shapes shapes;
    std::uint32_t advances;
  };

  const std::size_t most_;
  ReaderEpochs<> epochs_;
  std::vector<Retired> retired_;
  std::size_t bytes_ = 0;
};

}  // namespace nowait

#endif  // NOWAIT_SRC_STREAMING_RETIRED_SHAPES_H_

// ReaderEpochs: readers that no thread waits for, and memory that is reclaimed after they left.
//
// A reader pins the current epoch, reads for as long as it likes, and unpins. The single writer
// unlinks things (an old tree), retires them, and learns later that no reader can see them any
// more. Neither side ever waits: a reader that stays only delays reclamation.
//
//   reader: { auto pin = epochs.Pin(); ... read ... }       writer: unlink X; retired.push(X);
//                                                                    if (epochs.TryAdvance()) ...
//
// Thread safety: Pin and Unpin from any thread, any time. TryAdvance, Drained and the numbers from
// one thread at a time (the physics update). The destructor after every Unpin, which debug builds
// assert.
// Progress: Pin is lock-free (it tries again only when the writer advanced meanwhile), Unpin and
// TryAdvance are wait-free.
//
// Promise: when TryAdvance returns true for the second time after X was unlinked, every reader that
// could have reached X has unpinned, and its reads happen before that return.
//
// Source: [rouwe2022], "keep old tree until next physics update", with its read lock replaced. The
// counting of readers in two banks is that of sleepable RCU [mckenney2006]. Readers here check the
// epoch again after pinning. Model: models/sync/reader_epochs. Lecture: rebuilding, swapping,
// reclaiming.
#ifndef NOWAIT_SRC_SYNC_READER_EPOCHS_H_
#define NOWAIT_SRC_SYNC_READER_EPOCHS_H_

#include <atomic>
#include <cstdint>
#include <utility>

#include "src/base/assert.h"
#include "src/sync/policy.h"

namespace nowait {

// kStripes: the number of cache lines over which the counts are spread; a power of two.
template <class Sync = EngineSync, std::uint32_t kStripes = 16>
class ReaderEpochs {
 public:
  // A pinned epoch; its destructor unpins it. Movable, so that a view can keep it.
  class Guard {
   public:
    Guard(Guard&& other) noexcept : count_(std::exchange(other.count_, nullptr)) {}
    Guard& operator=(Guard&& other) noexcept {
      std::swap(count_, other.count_);
      return *this;
    }
    ~Guard() {
      // release: pairs with the writer's load in BankIsEmpty: our reads happen before its reuse.
      if (count_ != nullptr) count_->fetch_sub(1, std::memory_order::release);
    }

   private:
    friend class ReaderEpochs;
    using Count = typename Sync::template atomic<std::uint32_t>;
    explicit Guard(Count* count) : count_(count) {}
    Count* count_;
  };

  ReaderEpochs() = default;
  // All guards must be destroyed before the epochs.
  ~ReaderEpochs() { NOWAIT_ASSERT(HasNoReader(), "every reader unpins before its epochs end"); }
  ReaderEpochs(const ReaderEpochs&) = delete;
  ReaderEpochs& operator=(const ReaderEpochs&) = delete;

  [[nodiscard]] Guard Pin() {
    const std::uint32_t stripe = Sync::ThreadSlot() % kStripes;
    for (;;) {
      // relaxed: it only chooses the bank. The second look sees everything that was linked before
      // the advance, for it reads the same store: epochs never repeat.
      const std::uint64_t epoch = epoch_.load(std::memory_order::relaxed);
      auto& count = banks_[epoch % 2].stripes[stripe].readers;
      // seq_cst here and on the second look, against seq_cst on the writer's store and its look at
      // the banks (store buffering): either the writer sees this reader or this reader sees the
      // writer's new epoch. No weaker order gives that. The second look is also the acquire that
      // pairs with the store in TryAdvance.
      count.fetch_add(1, std::memory_order::seq_cst);
      if (epoch_.load(std::memory_order::seq_cst) == epoch) return Guard(&count);
      count.fetch_sub(1, std::memory_order::relaxed);  // nothing has been read under this count
    }
  }

  // Advances to the next epoch if the epoch before the current one has no readers left. Returns
  // whether it did. Things that were unlinked before the last successful call, and not after it,
  // may be reclaimed as soon as Drained() returns true.
  bool TryAdvance() {
    const std::uint64_t epoch = epoch_.load(std::memory_order::relaxed);  // only this thread writes
    if (!BankIsEmpty((epoch + 1) % 2)) return false;
    epoch_.store(epoch + 1, std::memory_order::seq_cst);  // see Pin; also a release for its acquire
    return true;
  }

  // Whether every reader of the epoch before the current one has left.
  bool Drained() const { return BankIsEmpty((epoch_.load(std::memory_order::relaxed) + 1) % 2); }

 private:
  struct alignas(64) Stripe {
    typename Sync::template atomic<std::uint32_t> readers{0};
  };
  struct Bank {
    Stripe stripes[kStripes];
  };

  // relaxed: called at the end, when the caller's own order has to show it each unpinning.
  bool HasNoReader() const {
    for (const Bank& bank : banks_) {
      for (const Stripe& stripe : bank.stripes) {
        if (stripe.readers.load(std::memory_order::relaxed) != 0) return false;
      }
    }
    return true;
  }
  bool BankIsEmpty(std::uint64_t bank) const {
    for (const Stripe& stripe : banks_[bank].stripes) {
      // seq_cst: see Pin. As an acquire it pairs with the release of each Unpin: the counts change
      // only by read-modify-writes, and the zero read here ends all of their release sequences.
      if (stripe.readers.load(std::memory_order::seq_cst) != 0) return false;
    }
    return true;
  }

  typename Sync::template atomic<std::uint64_t> epoch_{0};
  Bank banks_[2];
};

// Implementation: why this is right
//
// Invariants
//   1. epoch_ only grows. A pinned reader of epoch e is counted in bank e mod 2.
//   2. The writer advances from e to e + 1 only when bank (e + 1) mod 2 is empty: a bank never
//      holds true readers of two epochs.
//   3. A reader counts itself first and then checks that the epoch is still the same. A count in a
//      bank of the past is taken back before anything is read. A reader that holds a pin of e was
//      therefore counted in e's bank before the writer could have seen that bank drained.
//
// Pin, Unpin and TryAdvance are linearizable over happens-before
// (models/kit/scenario/linearizability.h). TryAdvance returns false only because of a reader that
// has pinned the epoch before the current one and not yet left, or because of a reader whose Pin
// overlaps it.

}  // namespace nowait

#endif  // NOWAIT_SRC_SYNC_READER_EPOCHS_H_

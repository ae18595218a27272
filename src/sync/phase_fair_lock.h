// PhaseFairLock: a reader-writer lock in which neither readers nor writers can starve the other
// side.
//
// std::shared_mutex (glibc) lets readers pass a waiting writer as long as new readers arrive, and a
// lock that prefers writers does the same to readers. Here phases alternate: while both sides want
// the lock, one writer enters, then all readers that have arrived by then, then the next writer.
//
// Thread safety: every function from any thread. Not recursive: a thread that holds the lock must
// not lock it again, not even for reading. At most kMaxWriters and kMaxReaders threads at a time
// hold the lock or want it; debug builds assert it. The lock must outlive the last call of Leave.
// Progress: blocking. Arriving and leaving are wait-free up to the hardware's fetch_add; a wait
// spins for a short time and then sleeps.
//
// Bounds, counted from the arrival (the first atomic operation of the call)
//   1. A reader waits for at most one writer, and for the readers that this writer waits for.
//   2. A writer waits for the writers that arrived before it, first in, first out. Before each of
//      them and before its own turn it waits for one phase of readers, in which each thread reads
//      at most once.
//
// Promise: a writer excludes all others, readers share. Each section happens before every later
// one, unless both are readers'.
//
// Source: [brandenburg2010] (phase-fairness and its bounds); the count of the leaving readers is
// that of Go's sync.RWMutex. Model: models/sync/phase_fair_lock. Lecture: body locks.
#ifndef NOWAIT_SRC_SYNC_PHASE_FAIR_LOCK_H_
#define NOWAIT_SRC_SYNC_PHASE_FAIR_LOCK_H_

#include <atomic>
#include <cstdint>

#include "src/base/assert.h"
#include "src/sync/policy.h"

namespace nowait {

// kTicketBits: the models take 2: tickets then come back within an execution.
template <class Sync = EngineSync, unsigned kTicketBits = 10>
class PhaseFairLock {
  using Word = std::uint32_t;

 public:
  static constexpr Word kMaxWriters = (Word{1} << kTicketBits) - 1;
  static constexpr Word kMaxReaders = (Word{1} << (32 - 2 * kTicketBits)) - 1;

  // An arrival. Each is followed by its Await, which returns at once unless MustWait.
  class ReadTicket {
   public:
    bool MustWait() const { return must_wait_; }

   private:
    friend class PhaseFairLock;
    Word before_ = 0;  // the ticket of the writer that goes first
    bool must_wait_ = false;
  };
  class WriteTicket {
   public:
    bool MustWait() const { return for_writers_ || for_readers_; }

   private:
    friend class PhaseFairLock;
    Word own_ = 0;
    bool for_writers_ = false;
    bool for_readers_ = false;
  };

  ReadTicket ArriveRead() {
    // acquire: pairs with the release in LeaveWrite, for a reader that need not wait.
    const Word state = state_.fetch_add(kReader, std::memory_order::acquire);
    NOWAIT_ASSERT(Readers(state) < kMaxReaders, "at most kMaxReaders threads want to read");
    ReadTicket ticket;
    ticket.before_ = First(state);
    ticket.must_wait_ = Writers(state) != 0;
    return ticket;
  }
  void Await(const ReadTicket& ticket) {
    if (!ticket.must_wait_) return;
    AwaitValue(state_, [&](Word state) { return First(state) != ticket.before_; });
  }
  void LockRead() { Await(ArriveRead()); }

  void LeaveRead() {
    // release: pairs with the acquire in ArriveWrite, for a writer that arrives after this.
    const Word state = state_.fetch_sub(kReader, std::memory_order::release);
    if (Writers(state) == 0) return;
    // release: pairs with the acquires in AddReaders and Await: this section comes before the
    // writer's. All, though at most one thread sleeps here: by the letter of [atomics.wait],
    // notify_one may wake the writer's last look but one, which then reads an old number and keeps
    // sleeping.
    if (leaving_.fetch_sub(1, std::memory_order::release) == 1) leaving_.notify_all();
  }

  WriteTicket ArriveWrite() {
    // acquire: pairs with the releases in LeaveWrite and LeaveRead, for a writer that is first.
    const Word state = state_.fetch_add(kWriter, std::memory_order::acquire);
    NOWAIT_ASSERT(Writers(state) < kMaxWriters, "at most kMaxWriters threads want to write");
    WriteTicket ticket;
    ticket.own_ = (First(state) + Writers(state)) & kMaxWriters;
    ticket.for_writers_ = Writers(state) != 0;
    if (!ticket.for_writers_) ticket.for_readers_ = AddReaders(Readers(state));
    return ticket;
  }
  void Await(const WriteTicket& ticket) {
    bool for_readers = ticket.for_readers_;
    if (ticket.for_writers_) {
      const Word turn =
          AwaitValue(turn_, [&](Word word) { return word >> kReaderBits == ticket.own_; });
      // Invariant 5. relaxed: a writer that could mistake it for its own arrives after this one's
      // Leave.
      turn_.store(kNobody, std::memory_order::relaxed);
      for_readers = AddReaders(Readers(turn));
    }
    if (for_readers) AwaitValue(leaving_, [](Word readers) { return readers == 0; });
  }
  void LockWrite() { Await(ArriveWrite()); }

  void LeaveWrite() {
    // The next writer is first from here on, and these readers go before it. release: pairs with
    // the acquires in ArriveRead, in ArriveWrite and, for the readers that wait, in Await.
    const Word state = state_.fetch_add(kNextTicket - kWriter, std::memory_order::release);
    if (Readers(state) != 0) state_.notify_all();
    if (Writers(state) == 1) return;
    // release: pairs with the acquire in Await: this section comes before the next writer's. An
    // exchange, because libstdc++ looks for sleepers by a load, which may overtake a mere store.
    turn_.exchange(Turn((First(state) + 1) & kMaxWriters, Readers(state)),
                   std::memory_order::release);
    turn_.notify_all();
  }

 private:
  // From the low bits up: readers, writers, the first writer's ticket, which may overflow.
  static constexpr unsigned kReaderBits = 32 - 2 * kTicketBits;
  static constexpr Word kReader = 1;
  static constexpr Word kWriter = Word{1} << kReaderBits;
  static constexpr Word kNextTicket = kWriter << kTicketBits;
  static constexpr Word kNobody = ~Word{0};  // no ticket has so many bits

  static Word Readers(Word word) { return word & kMaxReaders; }
  static Word Writers(Word state) { return (state >> kReaderBits) & kMaxWriters; }
  static Word First(Word state) { return state >> (kReaderBits + kTicketBits); }
  static Word Turn(Word ticket, Word readers) { return (ticket << kReaderBits) | readers; }

  // For the first writer: whether it must wait for readers that precede it (invariant 4).
  bool AddReaders(Word readers) {
    // acquire: pairs with the release in LeaveRead, of the readers that have left already.
    return readers != 0 && leaving_.fetch_add(readers, std::memory_order::acquire) + readers != 0;
  }

  // Returns the first value read that is `good`. Spins for about as long as a short section takes.
  template <class Good>
  static Word AwaitValue(const typename Sync::template atomic<Word>& word, Good good) {
    for (std::uint32_t spins = 0;; ++spins) {
      // acquire: pairs with the releases in LeaveRead and LeaveWrite.
      const Word value = word.load(std::memory_order::acquire);
      if (good(value)) return value;
      if (spins < Sync::kSpins / 4) {
        Sync::Pause();
      } else {
        word.wait(value, std::memory_order::relaxed);  // the next load acquires
      }
    }
  }

  typename Sync::template atomic<Word> state_{0};
  typename Sync::template atomic<Word> leaving_{0};
  typename Sync::template atomic<Word> turn_{kNobody};
};

// Implementation: why this is right
//
// Invariants
//   1. state_ has three fields: the readers that have arrived and not left, the writers that have
//      arrived and not left, and the ticket of the first of these writers. All of it changes only
//      by read-modify-writes: arrivals have one total order, state_'s modification order.
//   2. A reader that arrives while a writer is there waits until the ticket changes. The ticket
//      changes when that writer leaves, and not again before this reader has left (bound 1): the
//      next writer counts it among the readers that it waits for.
//   3. A writer is first by its arrival, or because the writer before it handed over by turn_. In
//      both cases one read-modify-write on state_ makes it first and reads the number of readers
//      that go before it: exactly those.
//   4. leaving_ is zero unless a writer is first. Then each of the readers that go before that
//      writer takes one off as it leaves, and the writer adds their number, in any order (modulo
//      2^32); it enters at zero. The readers that wait for that writer cannot leave before it does.
//   5. turn_ names at most one writer, the first one, which empties it as it takes its turn.
//      Tickets come back after 2^kTicketBits writers; an old one left in turn_ would let a writer
//      in early.
//
// Sleeping: a reader sleeps on state_ until the ticket changes. The writer that leaves learns from
// its own read-modify-write that readers wait, and notifies. The last reader to leave sees zero in
// leaving_ only if the writer has added, and notifies. A hand-over notifies all queued writers.

}  // namespace nowait

#endif  // NOWAIT_SRC_SYNC_PHASE_FAIR_LOCK_H_

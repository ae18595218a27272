// Model of src/sync/phase_fair_lock.h.
//
// Promise checked: a writer excludes all others; readers share and see whole writes; each section
// happens before the next one (the failure would be a data race); no wake-up is lost (a deadlock).
// The bounds: at most one writer passes a reader that has arrived; at most one section of a reading
// thread passes a writer that has arrived. Sections are counted between arrival and entry.
//
// Examined: every execution of two and three threads with one section each, and of two with up to
// three, with tickets of two bits, which recur after four writers.
#include "src/sync/phase_fair_lock.h"

#include <atomic>
#include <cstdint>

#include "models/kit/scenario/model.h"

namespace nowait {
namespace {

using model::Call;
using model::Check;
using model::ContextBound;
using model::Random;
using model::Scenario;

using Lock = PhaseFairLock<ModelSync, 2>;

// Two halves that are equal whenever no thread writes.
class Halves {
 public:
  void Write() {
    first_.set(first_.get() + 1);
    second_.set(second_.get() + 1);
  }
  int Read() const {
    const int first = first_.get();
    Check(first == second_.get(), "a reader sees whole writes");
    return first;
  }

 private:
  ModelSync::plain<int> first_{0};
  ModelSync::plain<int> second_{0};
};

// The data that the lock guards.
class Guarded {
 public:
  void Read() {
    const Call call("read");
    lock_.LockRead();
    halves_.Read();
    lock_.LeaveRead();
  }
  void Write() {
    const Call call("write");
    lock_.LockWrite();
    halves_.Write();
    lock_.LeaveWrite();
  }

  // The same for scenarios with one reading thread; they count the sections that are entered. The
  // counts are relaxed: the lock orders them.
  void ReadAndCount() {
    const Call call("read");
    const auto ticket = lock_.ArriveRead();
    const int before = Count(writers_);
    lock_.Await(ticket);
    // Sections entered before the arrival happen before it; sections to be entered after this one
    // happen after it. The difference is the number of sections that passed.
    Check(Count(writers_) - before <= 1, "a reader waits for one writer at most");
    readers_.fetch_add(1, std::memory_order::relaxed);
    halves_.Read();
    lock_.LeaveRead();
  }
  void WriteAndCount() {
    const Call call("write");
    const auto ticket = lock_.ArriveWrite();
    const int before = Count(readers_);
    lock_.Await(ticket);
    writers_.fetch_add(1, std::memory_order::relaxed);
    // One phase for each writer that arrived before this one, and one for itself; in these
    // scenarios no writer arrives before.
    Check(Count(readers_) - before <= 1, "a writer waits for one section of a reader at most");
    halves_.Write();
    lock_.LeaveWrite();
  }

  // Called while no other thread exists.
  int Written() const { return halves_.Read(); }
  Lock& lock() { return lock_; }

 private:
  // A read-modify-write reads the newest value: a section missed before the arrival would count as
  // passing.
  static int Count(ModelSync::atomic<int>& count) {
    return count.fetch_add(0, std::memory_order::relaxed);
  }

  Lock lock_;
  Halves halves_;
  ModelSync::atomic<int> writers_{0};  // sections entered
  ModelSync::atomic<int> readers_{0};
};

// Thread t makes one section after another: 'r' reads, 'w' writes; 'R' and 'W' also count.
template <class Plan>
struct Sections {
  static constexpr int kThreads = Plan::kThreads;

  void Thread(int t) {
    for (const char* kind = Plan::kSections[t]; *kind != '\0'; ++kind) {
      if (*kind == 'w') guarded.Write();
      if (*kind == 'r') guarded.Read();
      if (*kind == 'W') guarded.WriteAndCount();
      if (*kind == 'R') guarded.ReadAndCount();
    }
  }
  void After() {
    int writes = 0;
    for (const char* sections : Plan::kSections) {
      for (; *sections != '\0'; ++sections) writes += *sections == 'w' || *sections == 'W' ? 1 : 0;
    }
    Check(guarded.Written() == writes, "each write is kept");
  }

  Guarded guarded;
};

struct ReaderWriter {
  static constexpr int kThreads = 2;
  static constexpr const char* kSections[2] = {"W", "R"};
};
const Scenario<Sections<ReaderWriter>> reader_writer({
    .name = "reader-writer",
    .promise = "a reader and a writer exclude each other, and both get the lock",
    .searches = {ContextBound(2), Random(20'000).DeferringStores().DeepHistory()},
});

struct TwoWriters {
  static constexpr int kThreads = 2;
  static constexpr const char* kSections[2] = {"ww", "w"};
};
const Scenario<Sections<TwoWriters>> two_writers({
    .name = "writers",
    .promise = "two writers take turns, and each hands over to the other",
    .searches = {ContextBound(2), Random(20'000).DeferringStores().DeepHistory()},
});

// While one writer writes, the other two queue up.
struct ThreeWriters {
  static constexpr int kThreads = 3;
  static constexpr const char* kSections[3] = {"w", "w", "w"};
};
const Scenario<Sections<ThreeWriters>> three_writers({
    .name = "queue",
    .promise = "of several writers that wait one takes its turn, and the next one after it",
    .searches = {Random(20'000).DeferringStores().DeepHistory()},
});

struct TwoReaders {
  static constexpr int kThreads = 3;
  static constexpr const char* kSections[3] = {"w", "r", "r"};
};
const Scenario<Sections<TwoReaders>> two_readers({
    .name = "readers",
    .promise = "the last reader that leaves lets the writer in, and the writer all readers",
    .searches = {ContextBound(2), Random(20'000).DeferringStores().DeepHistory()},
});

// A reader without a pause beside a writer: it passes at most once.
struct ReaderPasses {
  static constexpr int kThreads = 2;
  static constexpr const char* kSections[2] = {"W", "RRR"};
};
const Scenario<Sections<ReaderPasses>> writer_bound({
    .name = "writer-bound",
    .promise = "a writer waits for one section of a reader, however many come",
    .searches = {ContextBound(2), Random(20'000).DeferringStores().DeepHistory()},
});

// A writer without a pause beside a reader: it passes at most once.
struct WriterPasses {
  static constexpr int kThreads = 2;
  static constexpr const char* kSections[2] = {"WW", "RR"};
};
const Scenario<Sections<WriterPasses>> reader_bound({
    .name = "reader-bound",
    .promise = "a reader waits for one section of a writer, however many come",
    .searches = {ContextBound(2), Random(20'000).DeferringStores().DeepHistory()},
});

// Two writers that alternate: one of them passes a reader.
struct WritersPass {
  static constexpr int kThreads = 3;
  static constexpr const char* kSections[3] = {"w", "w", "r"};
};
const Scenario<Sections<WritersPass>> writers_and_reader({
    .name = "writers-reader",
    .promise = "a writer that takes over from another one waits for the readers between",
    .searches = {Random(20'000).DeferringStores().DeepHistory()},
});

// The first ticket was called long ago, and recurs. Then two writers queue up, and a third.
struct TicketsComeBack {
  static constexpr int kThreads = 2;

  TicketsComeBack() {
    Lock& lock = guarded.lock();
    const auto first = lock.ArriveWrite();
    const auto second = lock.ArriveWrite();
    lock.Await(first);
    lock.LeaveWrite();
    lock.Await(second);
    lock.LeaveWrite();
    // The one after the next has the second writer's ticket.
    for (std::uint32_t i = 0; i + 2 < Lock::kMaxWriters + 1; ++i) {
      lock.LockWrite();
      lock.LeaveWrite();
    }
  }
  void Thread() { guarded.Write(); }
  void After() { Check(guarded.Written() == 2, "each write is kept"); }

  Guarded guarded;
};
const Scenario<TicketsComeBack> tickets_come_back({
    .name = "tickets",
    .promise = "a ticket that comes back is not mistaken for the one that was called long ago",
    .searches = {Random(20'000).DeferringStores().DeepHistory()},
});

// Readers alone do not wait.
struct ReadersAlone {
  static constexpr int kThreads = 2;

  void Thread() {
    const Call call("read");
    Check(!lock.ArriveRead().MustWait(), "readers do not wait for each other");
    lock.LeaveRead();
  }

  Lock lock;
};
const Scenario<ReadersAlone> alone({
    .name = "alone",
    .promise = "readers do not wait for each other",
    .searches = {ContextBound(2), Random(20'000).DeferringStores().DeepHistory()},
});

}  // namespace
}  // namespace nowait

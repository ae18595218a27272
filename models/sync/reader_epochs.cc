// Model of src/sync/reader_epochs.h.
//
// Promise checked: no reader still uses an object that was unlinked, and freed after TryAdvance had
// returned true twice (the failure would be a use after free, or an end that nothing orders after
// the last use), and readers find the current object at all times. Pinning, unpinning and advancing
// are linearizable: an advance is refused only because of a reader of the former epoch, or one that
// is just pinning.
//
// Examined: every execution of one writer with one and two readers. The readers' second look and
// the writer's look at the banks form a store buffering.
#include "src/sync/reader_epochs.h"

#include <array>
#include <atomic>
#include <cstdint>
#include <optional>
#include <string>

#include "models/kit/scenario/linearizability.h"
#include "models/kit/scenario/model.h"

namespace nowait {
namespace {

using model::Check;
using model::CheckLinearizable;
using model::Context;
using model::ContextBound;
using model::Full;
using model::History;
using model::Random;
using model::Scenario;

struct EpochOp {
  enum class Kind { kPin, kUnpin, kAdvance };
  Kind kind;
  std::uint32_t thread;   // kPin, kUnpin
  bool advanced = false;  // kAdvance
  std::string Words() const {
    if (kind == Kind::kPin) return "Pin()";
    if (kind == Kind::kUnpin) return "~Guard()";
    return advanced ? "TryAdvance() = true" : "TryAdvance() = false";
  }
};

struct EpochSpec {
  using Op = EpochOp;
  struct State {
    std::uint8_t epoch = 0;
    std::array<std::optional<std::uint8_t>, model::kMaxThreads> pinned{};  // the epoch, by thread
    bool operator==(const State&) const = default;
  };
  static bool Apply(State& state, const Op& op, const Context<Op>& context) {
    switch (op.kind) {
      case Op::Kind::kPin:
        state.pinned[op.thread] = state.epoch;
        return true;
      case Op::Kind::kUnpin:
        state.pinned[op.thread].reset();
        return true;
      case Op::Kind::kAdvance: {
        bool has_former_reader = false;
        for (const auto& epoch : state.pinned) {
          has_former_reader |= epoch && *epoch != state.epoch;
        }
        if (op.advanced) {
          ++state.epoch;
          return !has_former_reader;
        }
        return has_former_reader ||
               context.Overlapped([](const Op& other) { return other.kind == Op::Kind::kPin; });
      }
    }
    return false;
  }
};

template <std::uint32_t kStripes>
class RecordedEpochs {
 public:
  // Calls `read` with the epoch pinned.
  template <class F>
  void Read(F&& read) {
    using Guard = typename ReaderEpochs<ModelSync, kStripes>::Guard;
    const std::uint32_t thread = ModelSync::ThreadSlot();
    std::optional<Guard> pin;
    history_.Record("Pin", [&] {
      pin.emplace(epochs_.Pin());
      return EpochOp{EpochOp::Kind::kPin, thread};
    });
    read();
    history_.Record("Unpin", [&] {
      pin.reset();
      return EpochOp{EpochOp::Kind::kUnpin, thread};
    });
  }
  bool TryAdvance() {
    return history_
        .Record("TryAdvance",
                [this] {
                  return EpochOp{EpochOp::Kind::kAdvance, 0, epochs_.TryAdvance()};
                })
        .advanced;
  }
  // In the engine a writer comes back at the next frame; here it tries until readers have left.
  void Advance() {
    while (!TryAdvance()) ModelSync::Yield();
  }
  void CheckHistory() const {
    CheckLinearizable<EpochSpec>(history_, "reader epochs are linearizable");
  }

 private:
  ReaderEpochs<ModelSync, kStripes> epochs_;
  History<EpochOp> history_;
};

struct Tree {
  explicit Tree(int number) : number(number) {}
  ModelSync::plain<int> number;
};

// Thread 0 replaces the tree and frees the old one when permitted; the others read the current one.
template <int kReaders>
struct ReplaceAndFree {
  static constexpr int kThreads = 1 + kReaders;

  ReplaceAndFree() : current(ModelSync::New<Tree>(1)) {}
  ~ReplaceAndFree() { ModelSync::Delete(current.load(std::memory_order::relaxed)); }

  void Thread(int t) {
    if (t != 0) {
      epochs.Read([this] {
        // The pointer publishes the tree itself, as in src/broadphase.
        const Tree* tree = current.load(std::memory_order::acquire);
        const int number = tree->number.get();
        Check(number == 1 || number == 2, "a reader finds a tree that is there");
      });
      return;
    }
    Tree* old = current.load(std::memory_order::relaxed);
    current.store(ModelSync::New<Tree>(2), std::memory_order::release);
    epochs.Advance();
    epochs.Advance();
    ModelSync::Delete(old);
  }
  void After() { epochs.CheckHistory(); }

  RecordedEpochs<1> epochs;
  ModelSync::atomic<Tree*> current;
};
const Scenario<ReplaceAndFree<1>> one_reader({
    .name = "one_reader",
    .promise = "an old tree is freed only after its reader has left",
    .searches = {ContextBound(6), ContextBound(4).DeferringStores().DeepHistory(),
                 Random(50'000).DeferringStores().DeepHistory()},
});
const Scenario<ReplaceAndFree<2>> two_readers({
    .name = "two_readers",
    .promise = "an old tree is freed only after both readers have left",
    .searches = {ContextBound(3), Random(50'000).DeferringStores().DeepHistory()},
});

// Two stripes: each reader is counted in its own.
struct Striped {
  static constexpr int kThreads = 3;

  Striped() : current(ModelSync::New<Tree>(1)) {}
  ~Striped() { ModelSync::Delete(current.load(std::memory_order::relaxed)); }

  void Thread(int t) {
    if (t != 0) {
      epochs.Read([this] { current.load(std::memory_order::acquire)->number.get(); });
      return;
    }
    Tree* old = current.load(std::memory_order::relaxed);
    current.store(ModelSync::New<Tree>(2), std::memory_order::release);
    epochs.Advance();
    epochs.Advance();
    ModelSync::Delete(old);
  }
  void After() { epochs.CheckHistory(); }

  RecordedEpochs<2> epochs;
  ModelSync::atomic<Tree*> current;
};
const Scenario<Striped> striped({
    .name = "striped",
    .promise = "the writer waits for the readers of every stripe",
    .searches = {ContextBound(3), Random(50'000).DeferringStores().DeepHistory()},
});

// The writer knows of a reader that has pinned the current epoch.
struct CurrentReader {
  static constexpr int kThreads = 2;

  void Thread(int t) {
    if (t == 1) {
      epochs.Read([this] { pinned.store(true, std::memory_order::release); });
    } else if (pinned.load(std::memory_order::acquire)) {
      epochs.TryAdvance();
      epochs.TryAdvance();
    }
  }
  void After() { epochs.CheckHistory(); }

  RecordedEpochs<1> epochs;
  ModelSync::atomic<bool> pinned{false};
};
const Scenario<CurrentReader> current_reader({
    .name = "current_reader",
    .promise = "a reader keeps the writer from its second advance, not from its first",
    .searches = {Full(), Random(20'000).DeferringStores().DeepHistory()},
});

// One advance, after which the old epoch's readers must be gone: the question of a writer that does
// not want to wait for another frame.
struct FreeWhenDrained {
  static constexpr int kThreads = 2;

  FreeWhenDrained() : current(ModelSync::New<Tree>(1)) {}
  ~FreeWhenDrained() { ModelSync::Delete(current.load(std::memory_order::relaxed)); }

  void Thread(int t) {
    if (t != 0) {
      const auto pin = epochs.Pin();
      current.load(std::memory_order::acquire)->number.get();
      return;
    }
    Tree* old = current.load(std::memory_order::relaxed);
    current.store(ModelSync::New<Tree>(2), std::memory_order::release);
    Check(epochs.TryAdvance(), "the first advance finds no reader in the epoch before");
    while (!epochs.Drained()) ModelSync::Yield();
    ModelSync::Delete(old);
  }

  ReaderEpochs<ModelSync, 1> epochs;
  ModelSync::atomic<Tree*> current;
};
const Scenario<FreeWhenDrained> drained({
    .name = "drained",
    .promise =
        "an object that was unlinked before an advance is freed once the earlier epoch has drained",
    .searches = {ContextBound(5), Random(50'000).DeferringStores().DeepHistory()},
});

}  // namespace
}  // namespace nowait

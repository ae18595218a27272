// Model of src/sync/reader_epochs.h.
//
// Promise checked: an object that was unlinked, and freed after TryAdvance had returned true twice,
// is not used by any reader any more (the failure would be a use after free, or an end that nothing
// orders after the last use), while readers find the current object at all times.
//
// What the searches cover: one writer with one and two readers, up to a number of switches, and at
// random with late stores and deep history. The readers' second look and the writer's look at the
// banks form a store buffering: it needs both sides and two switches.
#include "src/sync/reader_epochs.h"

#include <atomic>

#include "models/kit/model.h"

namespace nowait {
namespace {

using model::Check;
using model::ContextBound;
using model::Random;
using model::Scenario;

struct Tree {
  explicit Tree(int number) : number(number) {}
  ModelSync::plain<int> number;
};

// Thread 0 replaces the tree and frees the old one when it may; the others read the current one.
template <int kReaders>
struct ReplaceAndFree {
  static constexpr int kThreads = 1 + kReaders;

  ReplaceAndFree() : current(ModelSync::New<Tree>(1)) {}
  ~ReplaceAndFree() { ModelSync::Delete(current.load(std::memory_order::relaxed)); }

  void Thread(int t) {
    if (t != 0) {
      const auto pin = epochs.Pin();
      // The tree itself is published by the pointer, as src/broadphase does it.
      const Tree* tree = current.load(std::memory_order::acquire);
      const int number = tree->number.get();
      Check(number == 1 || number == 2, "a reader finds a tree that is there");
      return;
    }
    Tree* old = current.load(std::memory_order::relaxed);
    current.store(ModelSync::New<Tree>(2), std::memory_order::release);
    Advance();
    Advance();
    ModelSync::Delete(old);
  }

 private:
  // A writer in the engine comes back at the next frame; here it tries until readers have left.
  void Advance() {
    while (!epochs.TryAdvance()) ModelSync::Yield();
  }

  ReaderEpochs<ModelSync, 1> epochs;
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

// Two stripes: each reader counts itself on its own.
struct Striped {
  static constexpr int kThreads = 3;

  Striped() : current(ModelSync::New<Tree>(1)) {}
  ~Striped() { ModelSync::Delete(current.load(std::memory_order::relaxed)); }

  void Thread(int t) {
    if (t != 0) {
      const auto pin = epochs.Pin();
      current.load(std::memory_order::acquire)->number.get();
      return;
    }
    Tree* old = current.load(std::memory_order::relaxed);
    current.store(ModelSync::New<Tree>(2), std::memory_order::release);
    for (int i = 0; i < 2; ++i) {
      while (!epochs.TryAdvance()) ModelSync::Yield();
    }
    ModelSync::Delete(old);
  }

  ReaderEpochs<ModelSync, 2> epochs;
  ModelSync::atomic<Tree*> current;
};
const Scenario<Striped> striped({
    .name = "striped",
    .promise = "the writer waits for the readers of every stripe",
    .searches = {ContextBound(3), Random(50'000).DeferringStores().DeepHistory()},
});

// One advance, and then the old epoch's readers have to be gone: what the writer asks for that does
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
    Check(epochs.TryAdvance(), "the first advance finds nobody in the epoch before");
    while (!epochs.Drained()) ModelSync::Yield();
    ModelSync::Delete(old);
  }

  ReaderEpochs<ModelSync, 1> epochs;
  ModelSync::atomic<Tree*> current;
};
const Scenario<FreeWhenDrained> drained({
    .name = "drained",
    .promise = "what was unlinked before an advance is freed once the epoch before it has drained",
    .searches = {ContextBound(5), Random(50'000).DeferringStores().DeepHistory()},
});

}  // namespace
}  // namespace nowait

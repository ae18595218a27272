// Scenarios of src/sync/reader_epochs.h.
#ifndef NOWAIT_MODELS_ARM_READER_EPOCHS_H_
#define NOWAIT_MODELS_ARM_READER_EPOCHS_H_

#include <atomic>
#include <cstdint>

#include "src/sync/reader_epochs.h"

namespace nowait::arm {

// The writer unlinks an object, advances twice and, if it may, ends it. A reader that is pinned
// finds an object that has not been ended.
template <class Sync>
struct EpochsKeepWhatIsRead {
  static constexpr const char* kName = "reader_epochs keep_what_is_read";
  static constexpr const char* kPromise = "no reader uses an object that the writer has ended";
  static constexpr int kThreads = 2;

  void Thread(int t) {
    if (t == 0) {
      current.store(1, std::memory_order::release);
      if (epochs.TryAdvance() && epochs.TryAdvance()) objects[0].set(kEnded);
      return;
    }
    const auto pin = epochs.Pin();
    const std::uint32_t object = current.load(std::memory_order::acquire);
    read = objects[object].get();
  }
  bool Holds() { return read != kEnded; }

  static constexpr std::uint32_t kAlive = 1;
  static constexpr std::uint32_t kEnded = 2;

  using Object = typename Sync::template plain<std::uint32_t>;

  ReaderEpochs<Sync, 1> epochs;
  typename Sync::template atomic<std::uint32_t> current{0};
  Object objects[2] = {Object(kAlive), Object(kAlive)};
  std::uint32_t read = 0;
};

}  // namespace nowait::arm

#endif  // NOWAIT_MODELS_ARM_READER_EPOCHS_H_

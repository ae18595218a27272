// SyncArray: a fixed array whose memory comes from the policy. The size is given once.
#ifndef NOWAIT_SRC_SYNC_SYNC_ARRAY_H_
#define NOWAIT_SRC_SYNC_SYNC_ARRAY_H_

#include <cstddef>

#include "src/base/assert.h"

namespace nowait {

template <class Sync, class T>
class SyncArray {
 public:
  explicit SyncArray(std::size_t count) : data_(Sync::template NewArray<T>(count)), count_(count) {}
  ~SyncArray() { Sync::DeleteArray(data_); }
  SyncArray(const SyncArray&) = delete;
  SyncArray& operator=(const SyncArray&) = delete;

  T& operator[](std::size_t i) { return data_[Checked(i)]; }
  const T& operator[](std::size_t i) const { return data_[Checked(i)]; }
  std::size_t size() const { return count_; }

 private:
  std::size_t Checked(std::size_t i) const {
    NOWAIT_ASSERT(i < count_, "an index is below the size of its array");
    return i;
  }

  T* data_;
  std::size_t count_;
};

}  // namespace nowait

#endif  // NOWAIT_SRC_SYNC_SYNC_ARRAY_H_

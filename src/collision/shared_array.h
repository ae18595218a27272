// SharedArray: objects in a row that do not change: those of a vector that it keeps, or of a blob,
// where they lie.
//
//   SharedArray<Vec3> made(std::move(vertices));
//   SharedArray<Vec3> found(vertices_of_blob, owner);   // no copy
//
// Copies share the objects. With an owner nobody has to know how long they are needed; without one,
// the objects outlive the array and all of its copies.
//
// Thread safety: immutable; any thread. Errors: throws std::bad_alloc where it takes a vector.
#ifndef NOWAIT_SRC_COLLISION_SHARED_ARRAY_H_
#define NOWAIT_SRC_COLLISION_SHARED_ARRAY_H_

#include <cstddef>
#include <memory>
#include <new>
#include <span>
#include <utility>
#include <vector>

namespace nowait {

// Keeps the bytes of a blob; empty where they live long enough anyway.
using BlobOwner = std::shared_ptr<const void>;

template <class T>
class SharedArray {
 public:
  SharedArray() = default;
  SharedArray(std::span<const T> objects, BlobOwner owner)
      : objects_(objects), owner_(std::move(owner)) {}
  template <class Allocator>
  explicit SharedArray(std::vector<T, Allocator> objects) {
    auto kept = std::make_shared<const std::vector<T, Allocator>>(std::move(objects));
    objects_ = *kept;
    owner_ = std::move(kept);
  }

  std::size_t size() const { return objects_.size(); }
  bool empty() const { return objects_.empty(); }
  const T& operator[](std::size_t i) const { return objects_[i]; }
  std::span<const T> all() const { return objects_; }
  std::size_t bytes() const { return objects_.size_bytes(); }

 private:
  std::span<const T> objects_;
  BlobOwner owner_;
};

// Of a vector whose objects are cache lines: none of them lies in two.
template <class T>
struct OnCacheLines {
  using value_type = T;
  static constexpr std::align_val_t kLine{64};
  static_assert(sizeof(T) % 64 == 0);

  OnCacheLines() = default;
  T* allocate(std::size_t count) {
    return static_cast<T*>(::operator new(count * sizeof(T), kLine));
  }
  void deallocate(T* objects, std::size_t count) {
    ::operator delete(objects, count * sizeof(T), kLine);
  }
  friend bool operator==(const OnCacheLines&, const OnCacheLines&) = default;
};

}  // namespace nowait

#endif  // NOWAIT_SRC_COLLISION_SHARED_ARRAY_H_

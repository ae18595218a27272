#include "models/kit/process/arena.h"

#include <sys/mman.h>

#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <new>

namespace nowait::model {

constinit thread_local Region* current_region = nullptr;
constinit const Allocations* watched_allocations = nullptr;

namespace {

// The address range of all arenas: `delete` leaves blocks in this range alone. It exists on any
// processor with 48-bit addresses, and neither the kernel nor AddressSanitizer maps anything there
// by itself.
constexpr std::uintptr_t kArenasBegin = std::uintptr_t{32} << 40;
constexpr std::uintptr_t kArenasSize = std::uintptr_t{1} << 40;

// Reserves the first free range, which is the same one in each run.
char* Reserve(std::size_t size) {
  for (std::uintptr_t place = kArenasBegin; place + size <= kArenasBegin + kArenasSize;
       place += size) {
    void* const wanted = reinterpret_cast<void*>(place);
    void* const memory =
        ::mmap(wanted, size, PROT_READ | PROT_WRITE,
               MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0);
    if (memory == wanted) return static_cast<char*>(memory);
    if (memory != MAP_FAILED) ::munmap(memory, size);  // a kernel before 4.17
    if (memory == MAP_FAILED && errno != EEXIST) break;
  }
  std::perror("models/kit: no address space for an arena");
  std::abort();
}

// Repeats an allocation until it succeeds or no handler is left that could free memory, as the
// standard demands of `new`.
template <class Allocate>
void* AllocateOrThrow(Allocate allocate) {
  for (;;) {
    if (void* address = allocate()) return address;
    const std::new_handler handler = std::get_new_handler();
    if (handler == nullptr) throw std::bad_alloc();
    handler();
  }
}

void* NewInRegion(std::size_t size, std::size_t alignment) {
  if (watched_allocations != nullptr) return watched_allocations->allocate(size, alignment);
  return current_region->Allocate(size, alignment);
}

void* New(std::size_t size) {
  if (current_region != nullptr) return NewInRegion(size, __STDCPP_DEFAULT_NEW_ALIGNMENT__);
  return AllocateOrThrow([=] { return std::malloc(size == 0 ? 1 : size); });
}

void* New(std::size_t size, std::size_t alignment) {
  if (current_region != nullptr) return NewInRegion(size, alignment);
  return AllocateOrThrow([=]() -> void* {
    void* address = nullptr;
    // aligned_alloc takes no less than a pointer's alignment.
    const std::size_t at_least = alignment < sizeof(void*) ? sizeof(void*) : alignment;
    return ::posix_memalign(&address, at_least, size == 0 ? 1 : size) == 0 ? address : nullptr;
  });
}

void Delete(void* address) {
  if (!IsInArena(address)) return std::free(address);
  if (watched_allocations != nullptr && current_region != nullptr) {
    watched_allocations->free(address);
  }
}

}  // namespace

bool IsInArena(const void* address) {
  return reinterpret_cast<std::uintptr_t>(address) - kArenasBegin < kArenasSize;
}

void Region::Reset() {
  std::memset(begin_, 0, static_cast<std::size_t>(next_ - begin_));
  next_ = begin_;
}

void Region::Restore(const std::vector<char>& copy) {
  char* const end = begin_ + copy.size();
  std::memcpy(begin_, copy.data(), copy.size());
  if (next_ > end) std::memset(end, 0, static_cast<std::size_t>(next_ - end));
  next_ = end;
}

void Region::Exhausted() {
  std::fprintf(stderr, "models/kit: a thread of a scenario allocates more than %zu MiB\n",
               kSize >> 20);
  current_region = nullptr;  // the kit's own end, not a fault of the code under test
  std::abort();
}

Arena::Arena(int regions) {
  char* const memory = Reserve(static_cast<std::size_t>(regions) * Region::kSize);
  for (int i = 0; i < regions; ++i) {
    regions_.emplace_back(memory + static_cast<std::size_t>(i) * Region::kSize);
  }
}

Arena::~Arena() { ::munmap(regions_.front().begin(), regions_.size() * Region::kSize); }

void Arena::Reset() {
  for (Region& region : regions_) region.Reset();
}

Arena::Copies Arena::Copy() const {
  Copies copies;
  for (const Region& region : regions_) copies.push_back(region.Copy());
  return copies;
}

void Arena::Restore(const Copies& copies) {
  for (std::size_t i = 0; i < regions_.size(); ++i) regions_[i].Restore(copies[i]);
}

}  // namespace nowait::model

// The program's own `new` and `delete`. The remaining forms are the library's, which call these
// ([new.delete.single], [new.delete.array]).
void* operator new(std::size_t size) { return nowait::model::New(size); }
void* operator new[](std::size_t size) { return nowait::model::New(size); }
void* operator new(std::size_t size, std::align_val_t alignment) {
  return nowait::model::New(size, static_cast<std::size_t>(alignment));
}
void* operator new[](std::size_t size, std::align_val_t alignment) {
  return nowait::model::New(size, static_cast<std::size_t>(alignment));
}
void operator delete(void* address) noexcept { nowait::model::Delete(address); }
void operator delete[](void* address) noexcept { nowait::model::Delete(address); }
void operator delete(void* address, std::size_t) noexcept { nowait::model::Delete(address); }
void operator delete[](void* address, std::size_t) noexcept { nowait::model::Delete(address); }
void operator delete(void* address, std::align_val_t) noexcept { nowait::model::Delete(address); }
void operator delete[](void* address, std::align_val_t) noexcept { nowait::model::Delete(address); }

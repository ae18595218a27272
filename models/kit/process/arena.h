// Arena: the memory of the user code of one execution. Dropping the execution drops the memory.
//
// A back end that abandons an execution midway unwinds nothing. The memory that the scenario's
// functions had allocated would leak each time. While user code runs, `new` therefore takes memory
// from a region of an arena, one block after the other, and `delete` of such a block does nothing.
// At the start of the next execution all regions are empty again. All other code (the kit's own
// bookkeeping, the library, other operating-system threads) uses malloc as usual, and either side
// may delete what the other has allocated.
//
// Addresses are deterministic: the k-th allocation of a region has the same address in each
// execution and in each run, whatever the other regions do meanwhile, and its memory is zeroed.
// Even a scenario that derives a value from an address, or reads memory that it never wrote, does
// the same when the same choices are made.
//
// Memory that a static object allocates on its first use by user code disappears with that
// execution, which is another reason against static objects (models/kit/scenario/scenario.h).
//
// Thread safety: an arena belongs to one operating-system thread; `delete` works on any thread.
#ifndef NOWAIT_MODELS_KIT_PROCESS_ARENA_H_
#define NOWAIT_MODELS_KIT_PROCESS_ARENA_H_

#include <cstddef>
#include <cstdint>
#include <vector>

namespace nowait::model {

// A part of an arena, for code that runs independently, such as one thread of a scenario.
class Region {
 public:
  // The size of a region in address space, which costs nothing until it is used.
  static constexpr std::size_t kSize = std::size_t{64} * 1024 * 1024;

  explicit Region(char* begin) : begin_(begin), next_(begin), end_(begin + kSize) {}

  // Returns zeroed memory. alignment: a power of two. Ends the program if the region is full.
  void* Allocate(std::size_t size, std::size_t alignment) {
    // Sizes are rounded up to a multiple of this, so that `new` has nothing to align. The size is
    // never 0, so that no two allocations share an address.
    constexpr std::size_t kGrain = __STDCPP_DEFAULT_NEW_ALIGNMENT__;
    const std::size_t taken = (size + (size == 0) + kGrain - 1) & ~(kGrain - 1);
    const std::size_t gap = (0 - reinterpret_cast<std::uintptr_t>(next_)) & (alignment - 1);
    const std::size_t room = static_cast<std::size_t>(end_ - next_);
    if (size > room || gap + taken > room) Exhausted();
    char* const address = next_ + gap;
    next_ = address + taken;
    return address;
  }
  // Drops the allocations and zeroes their memory.
  void Reset();
  // Returns a copy of everything allocated so far.
  std::vector<char> Copy() const { return {begin_, next_}; }
  // Makes the copy the region's whole contents, with the values at the time of the copy.
  void Restore(const std::vector<char>& copy);

  char* begin() const { return begin_; }
  bool Contains(const void* address) const { return begin_ <= address && address < end_; }

 private:
  [[noreturn]] static void Exhausted();

  char* begin_;
  char* next_;
  char* end_;
};

class Arena {
 public:
  explicit Arena(int regions);
  ~Arena();
  Arena(const Arena&) = delete;
  Arena& operator=(const Arena&) = delete;

  // Empties all regions. All allocations there are gone.
  void Reset();
  // Copies of all regions, and their contents from such copies (Region).
  using Copies = std::vector<std::vector<char>>;
  Copies Copy() const;
  void Restore(const Copies& copies);
  void* Allocate(int region, std::size_t size, std::size_t alignment) {
    return this->region(region).Allocate(size, alignment);
  }
  Region& region(int number) { return regions_[static_cast<std::size_t>(number)]; }

 private:
  std::vector<Region> regions_;
};

// Where `new` allocates on this operating-system thread; null: with malloc. An access costs as much
// as that of a plain global, because the executable knows its offset from the thread pointer.
extern constinit thread_local Region* current_region;

// Whether the address lies in an arena of this program.
bool IsInArena(const void* address);

// The hooks of a program that wants every block of the scenario watched, not only those of its
// policy (check/, the library). While the pointer is set, `new` and `delete` in a region come here.
// Both are called with the region as the current one, on behalf of the scenario.
struct Allocations {
  void* (*allocate)(std::size_t size, std::size_t alignment);
  void (*free)(void* block);
};
extern constinit const Allocations* watched_allocations;

inline void EnterRegion(Arena* arena, int region) { current_region = &arena->region(region); }
inline void LeaveArena() { current_region = nullptr; }

}  // namespace nowait::model

#endif  // NOWAIT_MODELS_KIT_PROCESS_ARENA_H_

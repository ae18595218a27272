// Arena: where the user's code of an execution allocates, so that dropping the execution drops it.
//
// A back end that gives up an execution in the middle unwinds nothing. Memory that the scenario's
// functions had allocated would be lost each time. Therefore `new` takes from a region of an arena
// while user code runs, one block behind the other, and `delete` of a block there does nothing. At
// the start of the next execution all regions are empty again. Everything else (the kit's own
// book-keeping, the library, other operating-system threads) has malloc's memory as ever, and
// either side may delete what the other has allocated.
//
// Addresses are deterministic: the k-th allocation of a region is in the same place in each
// execution and in each run, whatever the other regions do meanwhile, and holds zeros. A scenario
// that derives a value from an address, or reads memory that it never wrote, still does the same
// when the same choices are made.
//
// Memory that a static object allocates when user code reaches it first is gone with that
// execution: another reason why a scenario has no static objects (models/kit/scenario/scenario.h).
//
// Thread safety: an arena belongs to one operating-system thread; `delete` works on any.
#ifndef NOWAIT_MODELS_KIT_PROCESS_ARENA_H_
#define NOWAIT_MODELS_KIT_PROCESS_ARENA_H_

#include <cstddef>
#include <cstdint>
#include <vector>

namespace nowait::model {

// A part of an arena, for code that runs by itself: one thread of a scenario.
class Region {
 public:
  // Address space, which costs nothing until it is used.
  static constexpr std::size_t kSize = std::size_t{64} * 1024 * 1024;

  explicit Region(char* begin) : begin_(begin), next_(begin), end_(begin + kSize) {}

  // Zeros. alignment: a power of two. The program ends where there is no room.
  void* Allocate(std::size_t size, std::size_t alignment) {
    // Multiples of this, so that `new` has nothing to align; at least one, so that no two
    // allocations have one address.
    constexpr std::size_t kGrain = __STDCPP_DEFAULT_NEW_ALIGNMENT__;
    const std::size_t taken = (size + (size == 0) + kGrain - 1) & ~(kGrain - 1);
    const std::size_t gap = (0 - reinterpret_cast<std::uintptr_t>(next_)) & (alignment - 1);
    const std::size_t room = static_cast<std::size_t>(end_ - next_);
    if (size > room || gap + taken > room) Exhausted();
    char* const address = next_ + gap;
    next_ = address + taken;
    return address;
  }
  // The allocations are gone, and their memory is zero again.
  void Reset();
  // A copy of all that is allocated now.
  std::vector<char> Copy() const { return {begin_, next_}; }
  // Makes the copy all that is allocated, with the values that it had then.
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

  // All regions are empty. Everything allocated there is gone.
  void Reset();
  void* Allocate(int region, std::size_t size, std::size_t alignment) {
    return this->region(region).Allocate(size, alignment);
  }
  Region& region(int number) { return regions_[static_cast<std::size_t>(number)]; }

 private:
  std::vector<Region> regions_;
};

// Where `new` allocates on this operating-system thread; null: with malloc. It costs as much as a
// plain global: the executable knows its place beside the thread pointer.
extern constinit thread_local Region* current_region;

// Whether the address lies in an arena of this program.
bool IsInArena(const void* address);

// A program that has every block of the scenario watched, and not only those of its policy
// (check/, the library): while the pointer is set, `new` and `delete` in a region come here.
// Both are called with the region as the current one, and run in the scenario's name.
struct Allocations {
  void* (*allocate)(std::size_t size, std::size_t alignment);
  void (*free)(void* block);
};
extern constinit const Allocations* watched_allocations;

inline void EnterRegion(Arena* arena, int region) { current_region = &arena->region(region); }
inline void LeaveArena() { current_region = nullptr; }

}  // namespace nowait::model

#endif  // NOWAIT_MODELS_KIT_PROCESS_ARENA_H_

// Arena: where the user's code of an execution allocates, so that dropping the execution drops it.
//
// A back end that gives up an execution in the middle unwinds nothing, and what the scenario's
// functions had allocated would be lost each time. So while user code runs, `new` takes from a
// region of an arena, one behind the other; `delete` of what lies there does nothing; and at the
// start of the next execution all regions are empty again. Everything else (the kit's own
// book-keeping, the library, other operating-system threads) has malloc's memory as ever, and
// either side may delete what the other has allocated.
//
// Addresses are deterministic: the k-th allocation of a region is in the same place in each
// execution and in each run, whatever the other regions do meanwhile, and holds zeros. So a
// scenario that lets a value come from an address, or reads what it never wrote, still does the
// same when the same choices are made.
//
// What a static object allocates when user code reaches it first is gone with that execution:
// another reason why a scenario has none (models/kit/scenario.h).
//
// Thread safety: an arena belongs to one operating-system thread; `delete` works on any.
#ifndef NOWAIT_MODELS_KIT_ARENA_H_
#define NOWAIT_MODELS_KIT_ARENA_H_

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

  // Zeros. alignment: a power of two. Without room the program ends.
  void* Allocate(std::size_t size, std::size_t alignment) {
    // Multiples of this, so that `new` has nothing to align; never nothing, so that no two
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
  // What was allocated is gone, and zeros again.
  void Reset();
  // All that is allocated, as it is now.
  std::vector<char> Copy() const { return {begin_, next_}; }
  // Makes what was copied all that is allocated, and what it was then.
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

  // All regions are empty. What was allocated there is gone.
  void Reset();
  void* Allocate(int region, std::size_t size, std::size_t alignment) {
    return this->region(region).Allocate(size, alignment);
  }
  Region& region(int number) { return regions_[static_cast<std::size_t>(number)]; }

 private:
  std::vector<Region> regions_;
};

// Where `new` allocates on this operating-system thread; null: with malloc. It costs what a plain
// global costs: the executable knows its place beside the thread pointer.
extern constinit thread_local Region* current_region;

inline void EnterRegion(Arena* arena, int region) { current_region = &arena->region(region); }
inline void LeaveArena() { current_region = nullptr; }

}  // namespace nowait::model

#endif  // NOWAIT_MODELS_KIT_ARENA_H_

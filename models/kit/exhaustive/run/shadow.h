// Shadow: the accesses to each byte of plain memory, and whether two of them race.
//
// [intro.races] 21 for undeclared memory (models/kit/watch/watch.h); races.h does the same for
// declared data. Nothing is forgotten within an execution: for each eight bytes, all accesses are
// kept that a later one may race with. A later access of a thread replaces an earlier one that it
// covers.
#ifndef NOWAIT_MODELS_KIT_EXHAUSTIVE_RUN_SHADOW_H_
#define NOWAIT_MODELS_KIT_EXHAUSTIVE_RUN_SHADOW_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "models/kit/exhaustive/graph/clock.h"
#include "models/kit/exhaustive/run/races.h"
#include "models/kit/watch/watch.h"

namespace nowait::model {

class Shadow {
 public:
  Shadow();

  struct Earlier {
    Epoch epoch;
    bool writes = false;
    const void* code = nullptr;
  };

  // Forgets all accesses.
  void Clear();
  // Returns another thread's access that races with this one, by a thread that knows `known`.
  std::optional<Earlier> Add(const PlainAccess& access, const Epoch& now, const Clock& known);

 private:
  static constexpr std::size_t kGranule = 8;
  static constexpr std::uint32_t kNone = 0;

  struct Cell {
    Earlier access;
    std::uint8_t bytes = 0;      // of the granule, one bit each
    std::uint32_t next = kNone;  // of the same granule
  };
  struct Granule {
    std::uintptr_t number = 0;    // address / kGranule
    std::uint32_t execution = 0;  // the execution that this entry belongs to
    std::uint32_t first = kNone;  // cell
  };

  std::optional<Earlier> AddTo(std::uintptr_t number, std::uint8_t bytes, const Earlier& access,
                               const Clock& known);
  Granule& Find(std::uintptr_t number);
  void Grow();

  std::vector<Granule> granules_;  // a hash table with a power of two of entries, at most half full
  std::size_t used_ = 0;
  std::uint32_t execution_ = 1;
  std::vector<Cell> cells_;  // index 0: no access
};

}  // namespace nowait::model

#endif  // NOWAIT_MODELS_KIT_EXHAUSTIVE_RUN_SHADOW_H_

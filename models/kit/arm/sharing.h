// The locations that threads share, as far as their runs have shown.
//
// A location is shared if two threads access it and one of them writes. Only shared locations make
// events. Other memory is a thread's own, or never changes: nothing that the model says about it
// can be seen, and its accesses only hand dependencies on (README.md, "Accesses that are no
// events").
#ifndef NOWAIT_MODELS_KIT_ARM_SHARING_H_
#define NOWAIT_MODELS_KIT_ARM_SHARING_H_

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <unordered_map>

namespace nowait::arm {

class Sharing {
 public:
  // The shared location that an access meets. The error names an access of another size or place
  // than the location, since the model has no accesses of mixed sizes, or an access that is not
  // aligned, since the architecture may split it.
  struct Met {
    bool shared = false;
    std::string problem = {};
  };
  Met At(std::uint64_t address, unsigned size) const;

  void NoteAccess(std::size_t thread, std::uint64_t address, unsigned size, bool writes);

  // Makes shared what two threads have accessed. Returns whether a location is new.
  bool Update();

  const std::map<std::uint64_t, unsigned>& locations() const { return locations_; }

 private:
  struct Use {
    std::uint64_t threads = 0;  // a bit for each
    bool written = false;
    std::uint64_t address = 0;
    unsigned size = 0;
  };
  std::map<std::uint64_t, Use> uses_;             // by byte
  std::map<std::uint64_t, unsigned> locations_;   // the sizes of shared locations
  std::map<std::uint64_t, std::uint64_t> owner_;  // of each byte of them: the location
};

}  // namespace nowait::arm

#endif  // NOWAIT_MODELS_KIT_ARM_SHARING_H_

// What threads know of each other: the locations that they share, and the values found there.
//
// A location is shared if two threads access it and one of them writes. Only shared locations make
// events. Other memory is a thread's own, or never changes: nothing that the model says about it
// can be seen, and its accesses only hand dependencies on (README.md, "What is no event").
#ifndef NOWAIT_MODELS_KIT_ARM_SHARING_H_
#define NOWAIT_MODELS_KIT_ARM_SHARING_H_

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace nowait::arm {

class Sharing {
 public:
  // The shared location that an access meets. The error names an access of another size or place
  // than the location: the model has no accesses of mixed sizes.
  struct Met {
    bool shared = false;
    std::string problem = {};
  };
  Met At(std::uint64_t address, unsigned size) const;

  void NoteAccess(std::size_t thread, std::uint64_t address, unsigned size, bool writes);
  void NoteValue(std::size_t thread, std::uint64_t address, std::uint64_t value);

  // Makes shared what two threads have accessed. Returns whether anything is new since the last
  // call: a location or a value.
  bool Update();

  // The values that other threads have written there.
  std::set<std::uint64_t> ValuesFor(std::size_t thread, std::uint64_t address) const;

  const std::map<std::uint64_t, unsigned>& locations() const { return locations_; }

 private:
  struct Use {
    std::set<std::size_t> threads = {};
    bool written = false;
    std::uint64_t address = 0;
    unsigned size = 0;
  };
  std::map<std::uint64_t, Use> uses_;             // by byte
  std::map<std::uint64_t, unsigned> locations_;   // the sizes of shared locations
  std::map<std::uint64_t, std::uint64_t> owner_;  // of each byte of them: the location
  std::map<std::uint64_t, std::map<std::size_t, std::set<std::uint64_t>>> written_;
  bool news_ = false;
};

}  // namespace nowait::arm

#endif  // NOWAIT_MODELS_KIT_ARM_SHARING_H_

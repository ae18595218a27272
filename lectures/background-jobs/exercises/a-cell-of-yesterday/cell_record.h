// CellRecord: what a builder of navigation meshes knows about one cell: is its mesh of today?
//
//   record.Change();                         something has moved in the cell
//   if (record.NeedsBuild()) record.Begin(); a build goes on meanwhile, for some frames
//   record.End(Outcome::kBuilt);             it is over
//
// The build reads the world at a moment between Begin and End that the record does not know.
//
// Thread safety: one thread at a time.
#ifndef NOWAIT_LECTURES_A_CELL_OF_YESTERDAY_CELL_RECORD_H_
#define NOWAIT_LECTURES_A_CELL_OF_YESTERDAY_CELL_RECORD_H_

#include <cstdint>

namespace nowait {

enum class Outcome : std::uint8_t {
  kBuilt,      // its result takes the place of the cell in the mesh
  kCancelled,  // there is no result
};

class CellRecord {
 public:
  // Any time, also during a build.
  void Change() { changed_ = true; }

  // Whether a build has to begin: none goes on, and the mesh may be older than the last change.
  bool NeedsBuild() const { return changed_ && !building_; }
  void Begin() { building_ = true; }
  void End(Outcome) {
    building_ = false;
    changed_ = false;
  }

  // Whether the cell in the mesh is known to be of the present world.
  bool IsCurrent() const { return !changed_; }

 private:
  bool building_ = false;
  bool changed_ = true;  // it has never been built
};

}  // namespace nowait

#endif  // NOWAIT_LECTURES_A_CELL_OF_YESTERDAY_CELL_RECORD_H_

// ReadMotion: captured motion from a BVH file, as curves for each bone.
//
// Each joint with channels becomes a bone; a joint that is only an end does not. Assimp reads the
// file: BVH is a text format with a hierarchy, Euler angles in any order and a table of numbers.
//
// Thread safety: any thread.
// Errors: kNotFound or kCorrupt "motion", kInvalidArgument of Motion::Check, kCapacity "memory".
#ifndef NOWAIT_SRC_APPS_CROWD_IMPORT_MOTION_H_
#define NOWAIT_SRC_APPS_CROWD_IMPORT_MOTION_H_

#include <cstdint>
#include <string>

#include "src/animation/motion.h"
#include "src/base/result.h"

namespace nowait {

struct ImportDef {
  float metres_per_unit = 1.0f;
  // Frames that are left out at the beginning: a pose in which the joints were calibrated.
  std::uint32_t first_frame = 0;
};

Result<Motion> ReadMotion(const std::string& path, const ImportDef& def);

}  // namespace nowait

#endif  // NOWAIT_SRC_APPS_CROWD_IMPORT_MOTION_H_

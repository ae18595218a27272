// Clips: captured motions and their mirror images, with as many bones as wanted, fitted and packed;
// and the moments at which a foot comes down in them.
//
// Thread safety: any of the pool's threads, which helps: a motion for each task.
// Errors: those of ReadMotion, WithBones, FitClip and PackClip; kInvalidArgument "motion": the
// skeletons differ. `file` is then the one that it is about.
#ifndef NOWAIT_SRC_APPS_CROWD_CLIPS_H_
#define NOWAIT_SRC_APPS_CROWD_CLIPS_H_

#include <cstddef>
#include <cstdint>
#include <expected>
#include <string>
#include <vector>

#include "src/animation/fit_clip.h"
#include "src/animation/motion.h"
#include "src/animation/packed_clip.h"
#include "src/apps/crowd/import_motion.h"
#include "src/base/result.h"
#include "src/jobs/task_pool.h"

namespace nowait {

// The motions of the files: read, mirrored, and with added bones. Two for each file. error: a line.
std::expected<std::vector<Motion>, std::string> ReadMotions(const std::vector<std::string>& files,
                                                            const ImportDef& import,
                                                            std::uint32_t bones);

// A foot comes down. foot: 0 is the left one, 1 the right one.
struct Footfall {
  float frame;
  std::uint32_t foot;
};

// A clip and its footfalls, in the order of their frames.
struct CrowdClip {
  PackedClip clip;
  std::vector<Footfall> footfalls;
};

// A blob for each motion.
class Clips {
 public:
  static Result<Clips> Pack(TaskPool& pool, const std::vector<Motion>& motions,
                            const FitLimits& limits);

  const std::vector<CrowdClip>& opened() const { return opened_; }
  std::size_t bytes() const;  // of all blobs

 private:
  std::vector<std::vector<std::byte>> blobs_;
  std::vector<CrowdClip> opened_;
};

}  // namespace nowait

#endif  // NOWAIT_SRC_APPS_CROWD_CLIPS_H_

// Report: a ride's figures as a table for a person.
#ifndef NOWAIT_SRC_APPS_OPENWORLD_REPORT_H_
#define NOWAIT_SRC_APPS_OPENWORLD_REPORT_H_

#include <cstddef>
#include <cstdint>
#include <string>

#include "src/apps/openworld/ride.h"
#include "src/profile/profile.h"

namespace nowait {

// Bytes of files.
struct FileSizes {
  std::uintmax_t resources = 0;  // tiles, scenes and the index, in `files` files
  std::size_t files = 0;
  std::uintmax_t program = 0;
};
// Of a folder of tiles, and of the running program; 0 for what cannot be read.
FileSizes SizesOf(const std::string& folder);

// profile: the lanes of the pool that the ride had.
std::string RideTable(const RideResult& ride, const Profile& profile, const FileSizes& files);

}  // namespace nowait

#endif  // NOWAIT_SRC_APPS_OPENWORLD_REPORT_H_

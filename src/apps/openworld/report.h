// Report: a ride's figures as a table for a person.
#ifndef NOWAIT_SRC_APPS_OPENWORLD_REPORT_H_
#define NOWAIT_SRC_APPS_OPENWORLD_REPORT_H_

#include <string>

#include "src/apps/openworld/ride.h"
#include "src/profile/profile.h"

namespace nowait {

// profile: the lanes of the pool that the ride had.
std::string RideTable(const RideResult& ride, const Profile& profile);

}  // namespace nowait

#endif  // NOWAIT_SRC_APPS_OPENWORLD_REPORT_H_

// Programs from seeds. The same seed gives the same program everywhere.
#ifndef NOWAIT_TESTS_WHOLE_WORLD_GENERATE_H_
#define NOWAIT_TESTS_WHOLE_WORLD_GENERATE_H_

#include <cstdint>

#include "tests/whole/world/program.h"

namespace nowait::world_programs {

WorldProgram Generate(std::uint64_t seed);

}  // namespace nowait::world_programs

#endif  // NOWAIT_TESTS_WHOLE_WORLD_GENERATE_H_

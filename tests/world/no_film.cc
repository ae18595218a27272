#include "tests/world/film.h"

namespace nowait {

void Film(const World&) {}

}  // namespace nowait

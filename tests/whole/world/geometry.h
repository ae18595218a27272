// Where a query looks, for the checks: exact where the promise is exact, generous where it is.
#ifndef NOWAIT_TESTS_WHOLE_WORLD_GEOMETRY_H_
#define NOWAIT_TESTS_WHOLE_WORLD_GEOMETRY_H_

#include "src/bodies/body_def.h"
#include "src/math/bounds.h"
#include "src/world/world_view.h"
#include "tests/whole/world/lives.h"

namespace nowait::world_programs {

// The smallest axis-aligned box around a body of that shape in that place.
Bounds<3> BoxAround(const Shape& shape, const Put& put);

// Metres from the point to the box; 0 inside.
float DistanceTo(const Bounds<3>& box, Vec3 point);

// An axis-aligned box around the area, grown by what a body's box in the tree may be larger than
// the body: twice the margin, and for one that turns its own size.
Bounds<3> Widest(const QueryArea& area, BodyType type, const Shape& shape);

// Whether a body with this box is surely touched: the area's middle lies in the box, or for areas
// that are boxes, it overlaps. An area that is not finite touches nothing.
bool IsTouched(const QueryArea& area, const Bounds<3>& box);
bool IsFiniteArea(const QueryArea& area);

}  // namespace nowait::world_programs

#endif  // NOWAIT_TESTS_WHOLE_WORLD_GEOMETRY_H_

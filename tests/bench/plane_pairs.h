// The pairs of convex shapes with a plane, and rays against one, beside Bullet's.
#ifndef NOWAIT_TESTS_BENCH_PLANE_PAIRS_H_
#define NOWAIT_TESTS_BENCH_PLANE_PAIRS_H_

namespace nowait {

// Registers them as benchmarks.
void RegisterPlanes();

}  // namespace nowait

#endif  // NOWAIT_TESTS_BENCH_PLANE_PAIRS_H_

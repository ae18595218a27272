// Queries of one shape: rays, casts, closest points and a point inside, beside Bullet's.
#ifndef NOWAIT_TESTS_BENCH_SHAPE_QUERIES_H_
#define NOWAIT_TESTS_BENCH_SHAPE_QUERIES_H_

namespace nowait {

// Registers them as benchmarks.
void RegisterShapeQueries();

}  // namespace nowait

#endif  // NOWAIT_TESTS_BENCH_SHAPE_QUERIES_H_

// Queries of a whole world of bodies, beside those of Bullet's collision world.
#ifndef NOWAIT_TESTS_BENCH_WORLD_QUERIES_H_
#define NOWAIT_TESTS_BENCH_WORLD_QUERIES_H_

namespace nowait {

// Registers them as benchmarks.
void RegisterWorldQueries();

}  // namespace nowait

#endif  // NOWAIT_TESTS_BENCH_WORLD_QUERIES_H_

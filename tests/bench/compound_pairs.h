// The pairs of convex shapes with a compound, and of two compounds, beside Bullet's.
#ifndef NOWAIT_TESTS_BENCH_COMPOUND_PAIRS_H_
#define NOWAIT_TESTS_BENCH_COMPOUND_PAIRS_H_

namespace nowait {

// Registers them as benchmarks.
void RegisterCompounds();

}  // namespace nowait

#endif  // NOWAIT_TESTS_BENCH_COMPOUND_PAIRS_H_

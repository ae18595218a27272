// The pairs of convex shapes with a height field, and rays against one, beside Bullet's.
#ifndef NOWAIT_TESTS_BENCH_FIELD_PAIRS_H_
#define NOWAIT_TESTS_BENCH_FIELD_PAIRS_H_

namespace nowait {

// Registers them as benchmarks.
void RegisterFields();

}  // namespace nowait

#endif  // NOWAIT_TESTS_BENCH_FIELD_PAIRS_H_

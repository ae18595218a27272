// LoadRow: four neighbouring atomic floats with one load, where the processor promises that this is
// one. BoxRows (probe.h) uses it for the boxes of a node's children, and reads them one by one elsewhere.
//
// A vector load of memory that other threads write is a data race in C++, whatever the processor does,
// and an intrinsic is such a load too. So this is a piece of assembly, which the compiler neither looks
// into nor takes for a load: nothing is assumed of the value, and nothing is merged or repeated.
//
// Why it is right
//   - The processor. A 16-byte aligned load from ordinary (write-back) memory is one access on every
//     processor with AVX: Intel's Software Developer's Manual, volume 3A, "Guaranteed atomic operations";
//     AMD's Architecture Programmer's Manual, volume 2, "Access atomicity". Of 32 bytes neither says so.
//     Less would do: that no single float is torn.
//   - The promise. Element by element is how the models and ThreadSanitizer read these boxes, in every
//     order and with anything in between. Four elements at one moment is one of those executions, so
//     what the models show of all of them holds for it.
//   - The order. It stands for relaxed loads. What has to come before it, the acquire of the ids in
//     Traverse, does: assembly that is volatile stays behind an acquire load, and x86 keeps loads in the
//     order of the program.
//
// What it is worth: `./nowait bench row_load_bench --ratios`, and the table in docs/benchmarks.md.
//
// Thread safety: any thread. Progress: wait-free. Model: models/broadphase/quad_tree, of the elements.
// Lecture: conservative bounds and the quad tree.
#ifndef NOWAIT_SRC_BROADPHASE_ROW_LOAD_H_
#define NOWAIT_SRC_BROADPHASE_ROW_LOAD_H_

#include <atomic>

#include "src/math/simd.h"
#include "src/sync/policy.h"

#if defined(__SANITIZE_THREAD__)
#define NOWAIT_ROW_LOAD 0
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define NOWAIT_ROW_LOAD 0
#endif
#endif
#if !defined(NOWAIT_ROW_LOAD)
#if defined(__x86_64__) && defined(__AVX__)
#define NOWAIT_ROW_LOAD 1
#else
#define NOWAIT_ROW_LOAD 0
#endif
#endif

namespace nowait {

// Whether LoadRow is there for rows of N of these.
template <class AtomicFloat, int N>
inline constexpr bool kHasRowLoad = false;

#if NOWAIT_ROW_LOAD

static_assert(sizeof(StdSync::atomic<float>) == sizeof(float) &&
              std::atomic<float>::is_always_lock_free);

template <>
inline constexpr bool kHasRowLoad<StdSync::atomic<float>, 4> = true;

// row: 16-byte aligned; otherwise the processor faults.
inline Floats<4> LoadRow(const StdSync::atomic<float> (&row)[4]) {
  Floats<4>::Raw lanes;
  __asm__ volatile("vmovaps %1, %0" : "=x"(lanes.raw) : "m"(row));
  return Floats<4>(lanes);
}

#endif

}  // namespace nowait

#endif  // NOWAIT_SRC_BROADPHASE_ROW_LOAD_H_

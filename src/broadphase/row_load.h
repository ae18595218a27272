// LoadRow: reads four neighbouring atomic floats with one load, where the processor promises that
// this is one access. BoxRows (probe.h) uses it for the boxes of a node's children, and elsewhere
// reads them one by one.
//
// In C++ a vector load of memory that other threads write is a data race, whatever the processor
// does, and an intrinsic is such a load too. LoadRow is therefore a piece of assembly: the compiler
// neither looks into it nor treats it as a load. It assumes nothing about the value, and merges or
// repeats nothing.
//
// Its gain: `./nowait bench row_load_bench --ratios`, and the table in docs/benchmarks.md.
//
// Thread safety: any thread. Progress: wait-free. Model: models/broadphase/quad_tree, for the
// elements. Lecture: conservative bounds and the quad tree.
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

// Whether LoadRow exists for rows of N of these.
template <class AtomicFloat, int N>
inline constexpr bool kHasRowLoad = false;

#if NOWAIT_ROW_LOAD

static_assert(sizeof(StdSync::atomic<float>) == sizeof(float) &&
              std::atomic<float>::is_always_lock_free);

template <>
inline constexpr bool kHasRowLoad<StdSync::atomic<float>, 4> = true;

// row: must be 16-byte aligned; otherwise the processor faults.
inline Floats<4> LoadRow(const StdSync::atomic<float> (&row)[4]) {
  Floats<4>::Raw lanes;
  __asm__ volatile("vmovaps %1, %0" : "=x"(lanes.raw) : "m"(row));
  return Floats<4>(lanes);
}

#endif

// Implementation: why this is right
//   - The processor. A 16-byte aligned load from ordinary (write-back) memory is one access on
//     every processor with AVX: Intel's Software Developer's Manual, volume 3A, "Guaranteed atomic
//     operations"; AMD's Architecture Programmer's Manual, volume 2, "Access atomicity". Neither
//     promises it for 32 bytes. Less would be enough: no single float may be torn.
//   - The promise. The models and ThreadSanitizer read these boxes element by element, in every
//     order and with anything in between. Four elements at one moment is one of those executions,
//     and every result of the models about all of them holds for it.
//   - The order. It stands for relaxed loads. The acquire of the ids in Traverse has to come before
//     it, and does: volatile assembly stays behind an acquire load, and x86 keeps loads in program
//     order.

}  // namespace nowait

#endif  // NOWAIT_SRC_BROADPHASE_ROW_LOAD_H_

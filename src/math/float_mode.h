// FloatModeScope: IEEE arithmetic within its scope, whatever the mode of the thread.
//
// The game, a library or a compiler's start-up code may have set a thread to flush denormals to
// zero or to round in another direction. The result of a step would then depend on which thread ran
// which job. Each job of a step therefore opens with this scope, including the rebuild of a tree,
// and so do the functions that create or move a body on the game's threads. The scope sets the
// default (round to nearest, denormals kept, no traps) and restores the previous mode at its end.
#ifndef NOWAIT_SRC_MATH_FLOAT_MODE_H_
#define NOWAIT_SRC_MATH_FLOAT_MODE_H_

#include <xmmintrin.h>

// The scope can't undo what a compiler has fused. g++ 12 does so in what it vectorises, in spite of
// -ffp-contract=off, and two compilers then have two results.
#ifdef __FMA__
#error "compile with -mno-fma: g++ fuses products and sums although -ffp-contract=off forbids it"
#endif

namespace nowait {

class FloatModeScope {
 public:
  FloatModeScope() : before_(_mm_getcsr()) {
    if (before_ != kDefault) _mm_setcsr(kDefault);
  }
  ~FloatModeScope() { _mm_setcsr(before_); }
  FloatModeScope(const FloatModeScope&) = delete;
  FloatModeScope& operator=(const FloatModeScope&) = delete;

  // Whether the calling thread is in the default mode now.
  static bool IsDefault() { return (_mm_getcsr() & ~kRaised) == kDefault; }

 private:
  // The state of MXCSR after a reset: all exceptions masked and no flag raised.
  static constexpr unsigned kDefault = 0x1f80;
  static constexpr unsigned kRaised = 0x3f;  // the exceptions since the last reset
  unsigned before_;
};

}  // namespace nowait

#endif  // NOWAIT_SRC_MATH_FLOAT_MODE_H_

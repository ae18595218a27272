// FloatModeScope: IEEE arithmetic in its scope, in any mode of the thread.
//
// A thread may have been set to flush denormals to zero or to round in another direction: by the
// game, by a library, by a compiler's start-up code. The result of a step would then depend on
// which thread ran which job. Each job of a step opens with this scope, the rebuild of a tree
// included, and so do the functions that create or move a body on the game's threads. It sets the
// default (round to nearest, denormals kept, no traps) and restores the previous mode.
#ifndef NOWAIT_SRC_MATH_FLOAT_MODE_H_
#define NOWAIT_SRC_MATH_FLOAT_MODE_H_

#include <xmmintrin.h>

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

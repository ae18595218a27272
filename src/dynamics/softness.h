// Softness: a spring and damper as a constraint, for one length of sub-step.
//
// A spring of a given frequency and damping ratio, integrated implicitly, is a rigid constraint
// with three changes: an error is undone at a rate, the effective mass is scaled, and a share of
// the impulse that was applied is given back. Such a spring never gains energy, however stiff it is
// and however long the sub-step.
//
// Source: E. Catto, "Soft Constraints", GDC 2011.
#ifndef NOWAIT_SRC_DYNAMICS_SOFTNESS_H_
#define NOWAIT_SRC_DYNAMICS_SOFTNESS_H_

namespace nowait {

// By default rigid.
struct Softness {
  float bias_rate = 0.0f;
  float mass_scale = 1.0f;
  float impulse_scale = 0.0f;

  // hertz: cycles a second, above zero. h: the sub-step's length, seconds.
  static Softness Of(float hertz, float damping_ratio, float h) {
    constexpr float kTwoPi = 6.28318531f;
    const float omega = kTwoPi * hertz;
    const float a1 = 2.0f * damping_ratio + h * omega;
    const float a2 = h * omega * a1;
    const float a3 = 1.0f / (1.0f + a2);
    return {omega / a1, a2 * a3, a3};
  }
};

}  // namespace nowait

#endif  // NOWAIT_SRC_DYNAMICS_SOFTNESS_H_

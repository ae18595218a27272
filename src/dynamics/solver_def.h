// SolverDef: the constants of the solver. Lengths are metres, times seconds.
#ifndef NOWAIT_SRC_DYNAMICS_SOLVER_DEF_H_
#define NOWAIT_SRC_DYNAMICS_SOLVER_DEF_H_

#include <cstdint>

namespace nowait {

struct SolverDef {
  std::uint32_t substeps = 4;   // 1 .. 64
  float contact_hertz = 30.0f;  // stiffness of the soft contact; at most 1/4 of a sub-step's
  float contact_damping_ratio = 10.0f;  // overdamped: penetration is pushed out without a bounce
  float joint_hertz = 60.0f;            // stiffness of a joint's hold; limited likewise
  float joint_damping_ratio = 2.0f;
  float max_push_speed = 3.0f;         // how fast penetration is pushed out at most
  float slop = 0.0f;                   // penetration that is left alone
  float restitution_threshold = 1.0f;  // a slower impact does not bounce
  float max_linear_speed = 500.0f;
  float max_angular_speed = 100.0f;
};

}  // namespace nowait

#endif  // NOWAIT_SRC_DYNAMICS_SOLVER_DEF_H_

// Scenarios of src/sync/phase_monitor.h.
#ifndef NOWAIT_MODELS_ARM_PHASE_MONITOR_H_
#define NOWAIT_MODELS_ARM_PHASE_MONITOR_H_

#include "src/sync/phase_monitor.h"

namespace nowait::arm {

template <class Sync>
struct MonitorSeesOverlap {
  static constexpr const char* kName = "phase_monitor sees_overlap";
  static constexpr const char* kPromise =
      "of two operations that may not overlap and do not end, one is refused";
  static constexpr int kThreads = 2;

  void Thread(int t) { alone[t] = monitor.Enter(t == 0 ? Op::kModify : Op::kCollide); }
  bool Holds() { return !(alone[0] && alone[1]); }

  PhaseMonitor<Sync> monitor;
  bool alone[2] = {};
};

}  // namespace nowait::arm

#endif  // NOWAIT_MODELS_ARM_PHASE_MONITOR_H_

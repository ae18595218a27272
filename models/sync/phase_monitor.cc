// Model of src/sync/phase_monitor.h.
//
// Promise checked: if two operations overlap that the phase table forbids to overlap, at least one
// of them is reported (src/sync/phase_monitor.h defines an overlap). Operations that may overlap
// are never reported. The monitor orders nothing.
//
// Examined: every execution of two threads. The monitor is one atomic that changes only by
// read-modify-writes: there are no more executions.
#include "src/sync/phase_monitor.h"

#include "models/kit/scenario/model.h"

namespace nowait {
namespace {

using model::Check;
using model::Full;
using model::Random;
using model::Scenario;

// The monitor, with its calls recorded by name.
class NamedMonitor {
 public:
  bool Enter(Op op) {
    const model::Call call("Enter");
    return monitor_.Enter(op);
  }
  void Leave(Op op) {
    const model::Call call("Leave");
    monitor_.Leave(op);
  }

 private:
  PhaseMonitor<ModelSync> monitor_;
};

// Thread 0 rebuilds the tree, thread 1 moves a body: no phase allows both.
struct Forbidden {
  static constexpr int kThreads = 2;

  void Thread(int t) {
    const Op op = t == 0 ? Op::kRebuild : Op::kModify;
    allowed[t] = monitor.Enter(op);
    inside[t].store(true, std::memory_order::release);
    saw_other[t] = inside[1 - t].load(std::memory_order::acquire);
    monitor.Leave(op);
  }
  // If each saw the other inside, each one's Enter happens before the other's Leave. It is not
  // enough that one of them sees the other, whatever the orders of `inside`: Leave is relaxed, and
  // by the monitor's count a thread may be out before the others see its writes from inside.
  void After() {
    if (saw_other[0] && saw_other[1]) {
      Check(!allowed[0] || !allowed[1], "of two operations that overlap one is reported");
    }
  }

  NamedMonitor monitor;
  ModelSync::atomic<bool> inside[2];
  bool allowed[2] = {};
  bool saw_other[2] = {};
};
const Scenario<Forbidden> forbidden({
    .name = "forbidden",
    .promise = "when a rebuild and a move overlap, one of them is reported",
    .searches = {Full(), Random(20'000).DeepHistory()},
});

// Queries may overlap with everything, and with each other.
struct Permitted {
  static constexpr int kThreads = 2;

  void Thread(int t) {
    const Op op = t == 0 ? Op::kRebuild : Op::kQuery;
    for (int i = 0; i < 2; ++i) {
      Check(monitor.Enter(op), "operations that may overlap are not reported");
      monitor.Leave(op);
    }
  }
  void After() {
    Check(monitor.Enter(Op::kModify), "an operation that has ended is not in the way");
    monitor.Leave(Op::kModify);
  }

  NamedMonitor monitor;
};
const Scenario<Permitted> permitted({
    .name = "permitted",
    .promise = "a query is let through while a tree is rebuilt",
    .searches = {Full(), Random(20'000).DeepHistory()},
});

}  // namespace
}  // namespace nowait

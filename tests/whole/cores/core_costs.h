// CoreCosts: what the simulated cores take for what a program does, in nanoseconds.
//
//   CoreCosts costs{.update = 6, .transfer = 50};
//   if (auto good = costs.Check(); !good) ...            cost "transfer" is not a time ...
//
// The times are fitted to a machine with two cores (fit.h). Errors: kInvalidArgument names the
// first cost that is no number, negative or above a second. Test: core_clocks_test.cc.
#ifndef NOWAIT_TESTS_WHOLE_CORES_CORE_COSTS_H_
#define NOWAIT_TESTS_WHOLE_CORES_CORE_COSTS_H_

#include <array>

#include "src/base/result.h"

namespace nowait::whole {

struct CoreCosts {
  double step = 2;        // the instructions around each operation of the policy
  double hit = 0;         // a load or store of a line that the core has, beyond these
  double update = 6;      // a read-modify-write of one, likewise
  double transfer = 60;   // a line from another core's cache
  double pause = 15;      // Pause and Yield
  double notify = 1000;   // the system call that wakes a thread, for the thread that makes it
  double further = 1000;  // in the same call, for each thread after the first
  double wake = 5000;     // from the beginning of that call until the woken thread runs

  struct Named {
    const char* name;
    double CoreCosts::*cost;
  };
  static constexpr std::array<Named, 8> kAll{{{"step", &CoreCosts::step},
                                              {"hit", &CoreCosts::hit},
                                              {"update", &CoreCosts::update},
                                              {"transfer", &CoreCosts::transfer},
                                              {"pause", &CoreCosts::pause},
                                              {"notify", &CoreCosts::notify},
                                              {"further", &CoreCosts::further},
                                              {"wake", &CoreCosts::wake}}};

  Result<void> Check() const {
    constexpr double kSecond = 1e9;
    for (const Named& one : kAll) {
      const double value = this->*one.cost;
      if (value >= 0 && value <= kSecond) continue;  // false for NaN
      return Fail(ErrorCode::kInvalidArgument, one.name, 0,
                  "a cost is a time from 0 to a second, in nanoseconds");
    }
    return {};
  }
};

}  // namespace nowait::whole

#endif  // NOWAIT_TESTS_WHOLE_CORES_CORE_COSTS_H_

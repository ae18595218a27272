// Faults: the failures that are to strike in a run.
//
// As text: "allocation-17", "thread-2", "clock-5", "stands-5"; empty for a run without a fault.
#ifndef NOWAIT_TESTS_WHOLE_SCHEDULER_FAULTS_H_
#define NOWAIT_TESTS_WHOLE_SCHEDULER_FAULTS_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace nowait::whole {

// 0: nothing. Counted from 1, in the order of the run, among what faults may hit (fault_scope.h).
struct Faults {
  std::uint64_t refused_thread = 0;  // this start of a thread is refused
  // this operator new throws (failing_allocation.cc is linked)
  std::uint64_t failed_allocation = 0;
  std::uint64_t time_jump = 0;    // this reading of the clock comes an hour later
  std::uint64_t time_stands = 0;  // from this reading on no step takes time, but sleep does

  friend bool operator==(const Faults&, const Faults&) = default;
};

std::string ToString(const Faults& faults);
// Of one fault, which the text names.
std::optional<Faults> ParseFaults(std::string_view text);

// How many there were in a run of each thing that may go wrong.
struct FaultPlaces {
  std::uint64_t starts = 0;  // of threads
  std::uint64_t allocations = 0;
  std::uint64_t clock_readings = 0;
};

// One fault at one of these places, the seed's; none if there is no place.
Faults DrawFault(const FaultPlaces& places, std::uint64_t seed);

}  // namespace nowait::whole

#endif  // NOWAIT_TESTS_WHOLE_SCHEDULER_FAULTS_H_

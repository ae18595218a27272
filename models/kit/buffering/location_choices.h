// The reads-from and modification orders of one atomic that its values allow.
#ifndef NOWAIT_MODELS_KIT_BUFFERING_LOCATION_CHOICES_H_
#define NOWAIT_MODELS_KIT_BUFFERING_LOCATION_CHOICES_H_

#include <cstddef>
#include <vector>

#include "models/kit/buffering/event.h"

namespace nowait::model::buffering {

// An access of the location by a thread of the execution.
struct Access {
  std::size_t thread = 0;
  std::size_t place = 0;   // in its thread
  std::size_t number = 0;  // in the execution
  const Event* event = nullptr;
};

struct LocationChoice {
  static constexpr std::size_t kInitial = ~std::size_t{0};

  std::vector<std::size_t> writes;  // their numbers, in modification order
  struct Source {
    std::size_t read = 0;
    std::size_t write = kInitial;
  };
  std::vector<Source> sources;  // of the reads
};

// All choices that are coherent within each thread, and in which nothing comes between a
// read-modify-write and the write that it reads. accesses: in program order within each thread.
std::vector<LocationChoice> ChoicesOf(const std::vector<Access>& accesses, Word initial);

}  // namespace nowait::model::buffering

#endif  // NOWAIT_MODELS_KIT_BUFFERING_LOCATION_CHOICES_H_

// Handle: the part of a ModelSync object that knows whether the object still exists.
//
// It holds the machine's identifier for the object next to a mark. The destructor removes the mark,
// and freed memory does not contain it. The destructor and the check are compiled separately from
// their callers, so that no optimiser can drop the last store to an object that is about to end.
#ifndef NOWAIT_MODELS_KIT_PROGRAM_HANDLE_H_
#define NOWAIT_MODELS_KIT_PROGRAM_HANDLE_H_

#include <cstdint>

#include "models/kit/program/machine.h"
#include "models/kit/program/operation.h"

namespace nowait::model {

class Handle {
 public:
  explicit Handle(ObjectId object) : object_(object), mark_(kAlive) {}
  Handle(const Handle&) = delete;
  Handle& operator=(const Handle&) = delete;

  // Returns the object's identifier. Fails the execution if the object no longer exists.
  ObjectId Get(const Site& site) const {
    if (mark_ != kAlive) Gone(site);
    return object_;
  }

  // Returns the object's identifier and ends the object. Called once.
  ObjectId Release();

 private:
  static constexpr std::uint32_t kAlive = 0x6c697665;
  static constexpr std::uint32_t kGone = 0x676f6e65;

  [[noreturn]] void Gone(const Site& site) const;

  ObjectId object_;
  std::uint32_t mark_;
};

}  // namespace nowait::model

#endif  // NOWAIT_MODELS_KIT_PROGRAM_HANDLE_H_

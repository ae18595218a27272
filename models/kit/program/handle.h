// Handle: the part of a ModelSync object that knows whether the object is still there.
//
// It holds the machine's name for the object beside a mark that its destructor removes and that
// freed memory does not contain. The destructor and the check are compiled apart from their
// callers, so that no optimiser can drop the last store to an object that is about to end.
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

  // The object's name; fails the execution when the object is gone.
  ObjectId Get(const Site& site) const {
    if (mark_ != kAlive) Gone(site);
    return object_;
  }

  // The object's name, and its end. Once.
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

// The calls of Carried<T> to the checker that runs the scenario: they are about the reads that a
// value comes from.
//
// Other back ends have no need of them: there `tracking` is null, and values come from no reads.
#ifndef NOWAIT_MODELS_KIT_BUFFERING_TRACKING_H_
#define NOWAIT_MODELS_KIT_BUFFERING_TRACKING_H_

#include "models/kit/buffering/event.h"

namespace nowait::model::buffering {

class Tracking {
 public:
  virtual ~Tracking() = default;
  // The reads that the running thread's next access depends on.
  virtual void Use(Places data, Places compared) = 0;
  // The same for the object that it chooses, and by which it orders later writes.
  virtual void Choose(Places address) = 0;
  // The value of the last access is kept: the read is not lost. Returns the read.
  virtual Places Keep() = 0;
  // The values of these reads become plain.
  virtual void Lose(Places reads) = 0;
  // A branch is decided by these reads.
  virtual void Branch(Places reads) = 0;
};

extern constinit Tracking* tracking;

}  // namespace nowait::model::buffering

#endif  // NOWAIT_MODELS_KIT_BUFFERING_TRACKING_H_

#include "models/kit/handle.h"

namespace nowait::model {

ObjectId Handle::Release() {
  if (mark_ != kAlive) Gone(Site());
  mark_ = kGone;
  return object_;
}

void Handle::Gone(const Site& site) {
  FailExecution(FailureKind::kUseAfterFree, "an object is used after its end", site);
}

}  // namespace nowait::model

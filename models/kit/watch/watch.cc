#include "models/kit/watch/watch.h"

namespace nowait::model {

constinit thread_local Watcher* watcher = nullptr;

}  // namespace nowait::model

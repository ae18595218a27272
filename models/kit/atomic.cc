#include "models/kit/atomic.h"

#include <string>

namespace nowait::model {

void RequireLoadOrder(std::memory_order order, const Site& site) {
  if (order == std::memory_order::release || order == std::memory_order::acq_rel) {
    FailExecution(FailureKind::kInvalidOrder, std::string("a load cannot be ") + Name(order), site);
  }
}

void RequireStoreOrder(std::memory_order order, const Site& site) {
  if (order == std::memory_order::acquire || order == std::memory_order::consume ||
      order == std::memory_order::acq_rel) {
    FailExecution(FailureKind::kInvalidOrder, std::string("a store cannot be ") + Name(order),
                  site);
  }
}

}  // namespace nowait::model

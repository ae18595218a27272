#include "models/kit/program/atomic.h"

#include <string>

namespace nowait::model {

void FailLoadOrder(std::memory_order order, const Site& site) {
  FailExecution(FailureKind::kInvalidOrder, std::string("a load cannot be ") + Name(order), site);
}

void FailStoreOrder(std::memory_order order, const Site& site) {
  FailExecution(FailureKind::kInvalidOrder, std::string("a store cannot be ") + Name(order), site);
}

}  // namespace nowait::model

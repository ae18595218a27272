#include <cstdio>
#include <cstdlib>
#include <string>

#include "models/kit/back_end.h"

namespace nowait::model {
namespace {

Machine* current = nullptr;

}  // namespace

Machine& CurrentMachine() {
  if (current == nullptr) {
    std::fputs("models/kit: ModelSync is used outside a scenario\n", stderr);
    std::abort();
  }
  return *current;
}

void SetCurrentMachine(Machine* machine) { current = machine; }

void FailExecution(FailureKind kind, const std::string& words, const Site& site) {
  CurrentMachine().Fail(kind, words, site);
  std::abort();
}

}  // namespace nowait::model

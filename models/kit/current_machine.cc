#include <cstdio>
#include <cstdlib>
#include <string>

#include "models/kit/back_end.h"

namespace nowait::model {
namespace {

Machine* current = nullptr;
Interposer* interposer = nullptr;

}  // namespace

Machine& CurrentMachine() {
  if (current == nullptr) {
    std::fputs("models/kit: ModelSync is used outside a scenario\n", stderr);
    std::abort();
  }
  return *current;
}

void SetCurrentMachine(Machine* machine) {
  current = machine;
  if (interposer == nullptr) return;
  interposer->Attach(machine);
  if (machine != nullptr) current = interposer;
}

Interposition::Interposition(Interposer& between) { interposer = &between; }
Interposition::~Interposition() { interposer = nullptr; }

void FailExecution(FailureKind kind, const std::string& words, const Site& site) {
  CurrentMachine().Fail(kind, words, site);
  std::abort();
}

}  // namespace nowait::model

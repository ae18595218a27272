#include <cstdio>
#include <cstdlib>
#include <string>

#include "models/kit/back_end.h"
#include "src/base/assert.h"

namespace nowait::model {
namespace {

Machine* current = nullptr;
Interposer* interposer = nullptr;

// What is modelled keeps its assertions (models/model.bzl); one that fails is a finding.
void FailOnAssertion(const FailedAssertion& failed) {
  FailExecution(FailureKind::kAssertion, failed.what, failed.site);
}

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
  assertion_handler = machine != nullptr ? FailOnAssertion : nullptr;
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

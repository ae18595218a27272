#include <cstdio>
#include <cstdlib>
#include <string>

#include "models/kit/process/code_stack.h"
#include "models/kit/program/machine.h"
#include "models/kit/program/plain.h"
#include "src/base/assert.h"

namespace nowait::model {

constinit Machine* current_machine = nullptr;
constinit Trace* call_trace = nullptr;
constinit WideValues* wide_values = nullptr;

namespace {

const Interposition* latest = nullptr;

// The modelled source keeps its assertions (models/model.bzl). A failing assertion is a finding.
void FailOnAssertion(const FailedAssertion& failed) {
  FailExecution(FailureKind::kAssertion, failed.what, failed.site);
}

}  // namespace

void FailOutsideScenario() {
  std::fputs("models/kit: ModelSync is used outside a scenario\n", stderr);
  std::abort();
}

void SetCurrentMachine(Machine* machine, Calls calls) {
  current_machine = machine;
  call_trace = calls == Calls::kKept ? &machine->trace() : nullptr;
  assertion_handler = machine != nullptr ? FailOnAssertion : nullptr;
  for (const Interposition* between = latest; between != nullptr; between = between->earlier()) {
    between->interposer().Attach(current_machine);
    if (machine != nullptr) current_machine = &between->interposer();
  }
}

Interposition::Interposition(Interposer& interposer) : interposer_(interposer), earlier_(latest) {
  latest = this;
}
Interposition::~Interposition() { latest = earlier_; }

void FailFullStack() {
  CodeStack::GiveReserve();
  FailExecution(FailureKind::kCrash, CodeStack::kFull, Site());
}

void FailExecution(FailureKind kind, const std::string& words, const Site& site) {
  CurrentMachine()->Fail(kind, words, site);
  std::abort();
}

}  // namespace nowait::model

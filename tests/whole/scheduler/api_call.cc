#include "tests/whole/scheduler/api_call.h"

#include <cstdio>
#include <cstdlib>
#include <string>

#include "tests/whole/scheduler/machine.h"

namespace nowait::whole {
namespace {

bool InRun() { return machine != nullptr && machine->on_fiber(); }

}  // namespace

ApiCall::ApiCall(const char* name, std::uint64_t id, Site site) : noted_(InRun()), site_(site) {
  if (noted_) machine->BeginCall(name, id, site);
}

ApiCall::~ApiCall() {
  if (noted_) machine->EndCall(site_);
}

void Require(bool holds, std::string_view promise, Site site) {
  if (holds) return;
  const std::string what =
      std::string(promise) + " (" + site.file() + ":" + std::to_string(site.line()) + ")";
  if (InRun()) machine->Fail(FailureKind::kAssertion, what);
  std::fprintf(stderr, "a promise is broken: %s\n", what.c_str());
  std::abort();
}

}  // namespace nowait::whole

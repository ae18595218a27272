// The tally that all horses and gates share: a script in C++, loaded as a shared object.
#include <cstdint>
#include <cstring>

#include "src/script/abi.h"

namespace {

enum Field { kCrossings, kSteps, kOpened, kFieldCount };

constexpr NowaitField kFields[kFieldCount] = {
    {"crossings", NOWAIT_NUMBER, {}},
    {"steps", NOWAIT_NUMBER, {}},
    {"opened", NOWAIT_NUMBER, {}},
};

int Event(const NowaitCall* call, const char* name, double value, std::uint64_t) {
  if (std::strcmp(name, "opened") != 0) return NOWAIT_FAIL(call, "an event that is not known");
  call->fields[kOpened].number += value;
  return 0;
}

constexpr NowaitScript kScript = {NOWAIT_SCRIPT_ABI, kFieldCount, kFields, nullptr, Event, nullptr};

}  // namespace

extern "C" const NowaitScript* nowait_script() { return &kScript; }

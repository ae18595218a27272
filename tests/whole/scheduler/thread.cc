#include "tests/whole/scheduler/thread.h"

#include <cxxabi.h>

#include <cerrno>
#include <cstring>

namespace nowait::whole {
namespace {

// The result of __cxa_get_globals, after the Itanium C++ ABI (exception handling, 2.2.2).
struct ExceptionGlobals {
  void* caught;
  unsigned int uncaught;
};

}  // namespace

OfTheSystem OfTheSystem::Take() {
  ExceptionGlobals globals;
  std::memcpy(&globals, abi::__cxa_get_globals(), sizeof globals);
  return {globals.caught, globals.uncaught, errno};
}

void OfTheSystem::Put() const {
  const ExceptionGlobals globals = {caught_exceptions, uncaught_exceptions};
  std::memcpy(abi::__cxa_get_globals(), &globals, sizeof globals.caught + sizeof globals.uncaught);
  errno = error_number;
}

}  // namespace nowait::whole

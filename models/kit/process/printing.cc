#include "models/kit/process/printing.h"

#include <cerrno>
#include <cstdio>
#include <string>
#include <system_error>

namespace nowait::model {
namespace {

// Does without fmt::print, which throws when nothing can be written.
int Complain(const std::error_code& why) {
  std::fputs(("the output cannot be written: " + why.message() + "\n").c_str(), stderr);
  return 2;
}

}  // namespace

int Printing(const std::function<int()>& run) {
  try {
    const int code = run();
    errno = EIO;  // in case only an earlier error is known
    if (std::fflush(stdout) != 0 || std::ferror(stdout) != 0) {
      return Complain({errno, std::generic_category()});
    }
    return code;
  } catch (const std::system_error& error) {
    return Complain(error.code());
  }
}

}  // namespace nowait::model

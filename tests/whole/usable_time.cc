#include "tests/whole/usable_time.h"

#include <fmt/format.h>

#include <algorithm>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <string>
#include <system_error>

namespace nowait::whole {
namespace {

std::chrono::nanoseconds ProcessorTime(pid_t process) {
  clockid_t clock;
  timespec time{};
  if (clock_getcpuclockid(process, &clock) != 0 || clock_gettime(clock, &time) != 0) return {};
  return std::chrono::seconds(time.tv_sec) + std::chrono::nanoseconds(time.tv_nsec);
}

// Running, ready, or stopped by a signal, which is not the program's doing either.
// The state is the first letter behind the name, and the name, in parentheses, may contain some. Of
// a thread that has ended meanwhile getline reads nothing, where an iterator would throw.
bool RunsOrIsReady(const std::filesystem::path& thread) {
  std::ifstream file(thread / "stat");
  std::string line;
  std::getline(file, line, '\0');
  const std::size_t name_end = line.rfind(')');
  if (name_end == std::string::npos || name_end + 2 >= line.size()) return false;
  const char state = line[name_end + 2];
  return state == 'R' || state == 'T';
}

bool AnyThreadReady(pid_t process) {
  std::error_code gone;
  for (std::filesystem::directory_iterator at(fmt::format("/proc/{}/task", process), gone), end;
       !gone && at != end; at.increment(gone)) {
    if (RunsOrIsReady(at->path())) return true;
  }
  return false;
}

}  // namespace

UsableTime::UsableTime(pid_t process)
    : process_(process), looked_(Clock::now()), ran_(ProcessorTime(process)) {}

std::chrono::nanoseconds UsableTime::SinceLastLook() {
  const Clock::time_point now = Clock::now();
  const std::chrono::nanoseconds ran = ProcessorTime(process_);
  const std::chrono::nanoseconds wall = now - looked_;
  const std::chrono::nanoseconds used = ran - ran_;
  looked_ = now;
  ran_ = ran;
  return AnyThreadReady(process_) ? std::min(used, wall) : wall;
}

}  // namespace nowait::whole

#include "tests/whole/faults/reads.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstdarg>
#include <cstddef>
#include <utility>

#include "tests/whole/faults/countdown.h"

namespace nowait::whole {
namespace {

// Written before `on`, read after it.
constinit const ReadFaultDef* def = nullptr;
constinit std::atomic<bool> on{false};
constinit Countdown failing_call;
constinit Countdown before_read;
constinit std::atomic<bool> interrupt_next{false};  // relaxed: a flag alone

// acquire: of the release in ReadFault's constructor, so that the definition is there.
bool IsOn() { return on.load(std::memory_order::acquire); }

// Whether this call of the system fails; errno is set then.
bool Fails() {
  if (!IsOn() || !failing_call.Strikes()) return false;
  errno = def->error;
  return true;
}

// The same for a read of so many bytes, which may become fewer.
bool ReadFails(std::size_t& size) {
  if (Fails()) return true;
  if (!IsOn()) return false;
  if (before_read.Strikes()) def->change();
  if (def->a_byte_each) size = std::min<std::size_t>(size, 1);
  if (!def->interrupted) return false;
  const bool interrupt = interrupt_next.load(std::memory_order::relaxed);
  interrupt_next.store(!interrupt, std::memory_order::relaxed);
  if (interrupt) errno = EINTR;
  return interrupt;
}

}  // namespace

ReadFault::ReadFault(ReadFaultDef wanted) : def_(std::move(wanted)) {
  def = &def_;
  failing_call.Set(def_.failing_call);
  before_read.Set(def_.before_read);
  interrupt_next.store(true, std::memory_order::relaxed);
  on.store(true, std::memory_order::release);  // partner: IsOn
}

ReadFault::~ReadFault() { on.store(false, std::memory_order::release); }  // partner: IsOn

bool ReadFault::has_struck() const { return failing_call.has_struck() || before_read.has_struck(); }

}  // namespace nowait::whole

using nowait::whole::Fails;
using nowait::whole::ReadFails;

extern "C" int open(const char* path, int flags, ...) {
  mode_t mode = 0;
  if ((flags & (O_CREAT | __O_TMPFILE)) != 0) {
    va_list rest;
    va_start(rest, flags);
    mode = va_arg(rest, mode_t);
    va_end(rest);
  }
  if (Fails()) return -1;
  return static_cast<int>(syscall(SYS_openat, AT_FDCWD, path, flags, mode));
}

extern "C" int fstat(int file, struct stat* status) noexcept {
  if (Fails()) return -1;
  return static_cast<int>(syscall(SYS_fstat, file, status));
}

extern "C" ssize_t read(int file, void* bytes, std::size_t size) {
  if (ReadFails(size)) return -1;
  return syscall(SYS_read, file, bytes, size);
}

extern "C" ssize_t pread(int file, void* bytes, std::size_t size, off_t offset) {
  if (ReadFails(size)) return -1;
  return syscall(SYS_pread64, file, bytes, size, offset);
}

#include "tests/whole/separate_process.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <new>

#include "tests/whole/usable_time.h"

#ifndef __has_feature
#define __has_feature(feature) 0
#endif
#if __has_feature(address_sanitizer)
#include <sanitizer/lsan_interface.h>
#endif

namespace nowait::whole {
namespace {

// Memory that parent and child share. Never given back: some bytes a process.
Progress& SharedProgress() {
  static Progress* const shared = [] {
    void* const page =
        mmap(nullptr, sizeof(Progress), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (page == MAP_FAILED) std::abort();
    return new (page) Progress(0);
  }();
  return *shared;
}

[[noreturn]] void BeChild(const std::function<void(Progress&)>& work, int write_end) {
  dup2(write_end, STDERR_FILENO);
  // The test's framework has handlers that would report its own test.
  for (const int fatal : {SIGSEGV, SIGABRT, SIGFPE, SIGILL, SIGTERM}) std::signal(fatal, SIG_DFL);
  try {
    work(SharedProgress());
  } catch (const std::exception& thrown) {
    fmt::print(stderr, "an exception leaves the program: {}\n", thrown.what());
    _exit(1);
  }
#if __has_feature(address_sanitizer)
  __lsan_do_leak_check();
#endif
  _exit(0);
}

void Append(std::string& text, const char* bytes, std::size_t count) {
  constexpr std::size_t kMost = 1u << 16;
  text.append(bytes, count);
  if (text.size() > kMost) text.replace(kMost / 2, text.size() - kMost, "\n...\n");
}

std::string HowItEnded(int status) {
  if (WIFSIGNALED(status)) return fmt::format("ended by signal {}", strsignal(WTERMSIG(status)));
  return fmt::format("ended with status {}", WEXITSTATUS(status));
}

}  // namespace

ProcessOutcome RunApart(const std::function<void(Progress&)>& work, std::chrono::seconds patience) {
  Progress& progress = SharedProgress();
  progress.store(0, std::memory_order::relaxed);
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) std::abort();
  std::fflush(nullptr);
  const pid_t child = fork();
  if (child < 0) std::abort();
  if (child == 0) BeChild(work, ends[1]);
  close(ends[1]);

  ProcessOutcome outcome;
  std::uint64_t seen = 0;
  UsableTime usable(child);
  std::chrono::nanoseconds without_news{0};
  for (;;) {
    pollfd readable{ends[0], POLLIN, 0};
    const int ready = poll(&readable, 1, 200);
    if (ready > 0) {
      char bytes[4096];
      const ssize_t count = read(ends[0], bytes, sizeof bytes);
      if (count == 0) break;  // the child has ended
      if (count > 0) Append(outcome.text, bytes, static_cast<std::size_t>(count));
    }
    const std::uint64_t now = progress.load(std::memory_order::relaxed);
    without_news += usable.SinceLastLook();
    if (now != seen) {
      seen = now;
      without_news = {};
    } else if (without_news > patience) {
      outcome.kind = ProcessOutcome::Kind::kHung;
      kill(child, SIGKILL);
      break;
    }
  }
  close(ends[0]);
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  outcome.progress = progress.load(std::memory_order::relaxed);
  if (outcome.kind == ProcessOutcome::Kind::kHung) {
    outcome.text += fmt::format("it hangs: no progress for {} s\n", patience.count());
  } else if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) {
    outcome.kind = ProcessOutcome::Kind::kFailed;
    outcome.text += HowItEnded(status) + "\n";
  }
  return outcome;
}

}  // namespace nowait::whole

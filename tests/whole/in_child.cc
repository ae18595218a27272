#include "tests/whole/in_child.h"

#include <poll.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cstdio>
#include <cstdlib>

namespace nowait::whole {
namespace {

// A page that parent and child share.
class Page {
 public:
  Page()
      : note_(
            static_cast<std::uint64_t*>(mmap(nullptr, sizeof(std::uint64_t), PROT_READ | PROT_WRITE,
                                             MAP_SHARED | MAP_ANONYMOUS, -1, 0))) {
    if (note_ == MAP_FAILED) std::abort();
  }
  ~Page() { munmap(note_, sizeof(std::uint64_t)); }
  Page(const Page&) = delete;
  Page& operator=(const Page&) = delete;
  std::uint64_t* note() const { return note_; }
  // relaxed: a number for people, and a sign of life.
  std::uint64_t Read() const { return std::atomic_ref(*note_).load(std::memory_order::relaxed); }

 private:
  std::uint64_t* const note_;
};

[[noreturn]] void Child(const std::function<std::string(ChildNotes&)>& body, const Page& page,
                        int pipe) {
  ChildNotes notes(page.note());
  const std::string failure = body(notes);
  std::size_t done = 0;
  while (done < failure.size()) {
    const ssize_t count = write(pipe, failure.data() + done, failure.size() - done);
    if (count <= 0) break;
    done += static_cast<std::size_t>(count);
  }
  close(pipe);
  std::fflush(nullptr);
  std::exit(0);  // the leak checker looks, then
}

// Reads until the child closes its end; false when it has noted nothing new for so long.
bool ReadAll(int pipe, const Page& page, std::chrono::seconds patience, std::string& text) {
  std::uint64_t last = page.Read();
  auto left = std::chrono::duration_cast<std::chrono::milliseconds>(patience);
  constexpr std::chrono::milliseconds kTurn{200};
  for (;;) {
    pollfd waits{pipe, POLLIN, 0};
    const int ready = poll(&waits, 1, static_cast<int>(kTurn.count()));
    if (ready > 0) {
      std::array<char, 4096> bytes;
      const ssize_t count = read(pipe, bytes.data(), bytes.size());
      if (count <= 0) return true;
      text.append(bytes.data(), static_cast<std::size_t>(count));
      continue;
    }
    const std::uint64_t now = page.Read();
    left = now == last ? left - kTurn
                       : std::chrono::duration_cast<std::chrono::milliseconds>(patience);
    last = now;
    if (left.count() <= 0) return false;
  }
}

std::string HowItEnded(int status) {
  if (WIFSIGNALED(status)) return "signal " + std::to_string(WTERMSIG(status));
  if (WEXITSTATUS(status) != 0) return "exit code " + std::to_string(WEXITSTATUS(status));
  return "";
}

}  // namespace

void ChildNotes::Note(std::uint64_t what) {
  std::atomic_ref(*note_).store(what, std::memory_order::relaxed);
}

ChildResult InChild(const std::function<std::string(ChildNotes&)>& body,
                    std::chrono::seconds patience) {
  const Page page;
  std::array<int, 2> ends{};
  if (pipe(ends.data()) != 0) std::abort();
  std::fflush(nullptr);
  const pid_t child = fork();
  if (child < 0) std::abort();
  if (child == 0) {
    close(ends[0]);
    Child(body, page, ends[1]);
  }
  close(ends[1]);
  ChildResult result;
  const bool ended = ReadAll(ends[0], page, patience, result.failure);
  if (!ended) kill(child, SIGKILL);
  close(ends[0]);
  int status = 0;
  waitpid(child, &status, 0);
  if (!ended) {
    result.failure = "it hung";
  } else if (result.failure.empty()) {
    result.failure = HowItEnded(status);
  }
  result.last_note = page.Read();
  return result;
}

}  // namespace nowait::whole

#include "models/kit/exhaustive/parallel/processes.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <iterator>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "models/kit/engine/run_search.h"
#include "models/kit/exhaustive/parallel/work_sharing.h"
#include "models/kit/exhaustive/parallel/worker_process.h"

namespace nowait::model {
namespace {

// How often the waiting process looks up: a brief delay for Ctrl-C and limits.
constexpr int kMillisecondsBetweenLooks = 20;

void WriteAll(int file, const std::string& bytes) {
  for (std::size_t written = 0; written < bytes.size();) {
    const ssize_t size = ::write(file, bytes.data() + written, bytes.size() - written);
    if (size < 0 && errno != EINTR) std::abort();
    if (size > 0) written += static_cast<std::size_t>(size);
  }
}

class Processes {
 public:
  Processes(Exploration& exploration, Meter& meter, SiteTable& sites, unsigned jobs)
      : exploration_(exploration),
        meter_(meter),
        sites_(sites),
        jobs_(jobs),
        list_(exploration.TakeLeft()),
        sharing_(list_.size(), jobs) {
    std::ranges::stable_sort(list_, std::ranges::greater(), &Exploration::Part::share);
  }

  RanInProcesses Run() {
    std::fflush(nullptr);  // a copy must not print buffered text again
    for (unsigned i = 0; i < jobs_ && !lost_; ++i) Start(i);
    while (std::ranges::any_of(processes_, &Process::IsOpen)) Look();
    if (lost_) return {.goes_on = false, .found = Found{*lost_, {}}};
    return Merge();
  }

 private:
  struct Process {
    pid_t id;
    int output;  // -1: the process has ended
    std::string bytes = {};

    bool IsOpen() const { return output >= 0; }
  };

  void Start(unsigned number) {
    int ends[2];
    const pid_t parent = ::getpid();
    const pid_t id = ::pipe2(ends, O_CLOEXEC) == 0 ? ::fork() : -1;
    if (id == 0) {
      ::close(ends[0]);
      Work(parent, number, ends[1]);
    }
    if (id < 0) return Lose(fmt::format("one of them cannot be started: {}", std::strerror(errno)));
    ::close(ends[1]);
    processes_.push_back({id, ends[0]});
  }

  [[noreturn]] void Work(pid_t parent, unsigned number, int output) {
    // Ctrl-C reaches all processes of a terminal. The first one handles it, and the others do not
    // outlive it.
    ::signal(SIGINT, SIG_IGN);
    ::signal(SIGTERM, SIG_IGN);
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (::getppid() != parent) std::_Exit(1);
    std::optional<std::uint64_t> most = meter_.Allowance();
    if (most) *most = std::max<std::uint64_t>(*most / jobs_, 1);
    WriteAll(output, Pack(WorkOn(exploration_, sharing_, number, list_, most)));
    std::fflush(nullptr);
    std::_Exit(0);
  }

  // Sleeps until a process reports something, but only briefly.
  void Look() {
    std::vector<pollfd> files;
    for (const Process& process : processes_) files.push_back({process.output, POLLIN, 0});
    if (::poll(files.data(), files.size(), kMillisecondsBetweenLooks) > 0) {
      for (std::size_t i = 0; i < files.size(); ++i) {
        if (files[i].revents != 0) Read(processes_[i]);
      }
    }
    const WorkSharing::Count published = sharing_.Published();
    if (Count(published.executions, published.done, false)) sharing_.Stop();
  }

  void Read(Process& process) {
    char bytes[1 << 14];
    const ssize_t size = ::read(process.output, bytes, sizeof bytes);
    if (size > 0) {
      process.bytes.append(bytes, static_cast<std::size_t>(size));
    } else if (size == 0 || errno != EINTR) {
      End(process);
    }
  }

  void End(Process& process) {
    ::close(process.output);
    process.output = -1;
    int status = 0;
    while (::waitpid(process.id, &status, 0) < 0 && errno == EINTR) {
    }
    if (WIFSIGNALED(status)) {
      const int signal = WTERMSIG(status);
      Lose(fmt::format("signal {} ({}) ended one of them", signal, ::strsignal(signal)));
    } else if (WEXITSTATUS(status) != 0) {
      Lose(fmt::format("one of them ended with code {}", WEXITSTATUS(status)));
    }
  }

  // The visits of the lost process are unknown, so the others are in vain.
  void Lose(const std::string& words) {
    if (lost_) return;
    lost_ = {FailureKind::kProcessLost, "several worked on this search, and " + words, Site()};
    for (const Process& process : processes_) {
      if (process.IsOpen()) ::kill(process.id, SIGKILL);
    }
  }

  // Records this number of executions, over all processes, with the meter. Returns whether to stop.
  bool Count(std::uint64_t executions, double done, bool none_left) {
    const std::uint64_t more = executions - counted_;
    counted_ = executions;
    return meter_.EndExecutions(more, none_left, [&] { return exploration_.Fraction(done); });
  }

  RanInProcesses Merge() {
    RanInProcesses ran;
    std::uint64_t executions = 0;
    double done = 0;
    std::vector<TreePath> left;
    for (std::size_t i = sharing_.listed_taken(); i < list_.size(); ++i) {
      left.push_back(list_[i].path);
    }
    for (const Process& process : processes_) {
      ProcessReport report = Unpack(process.bytes);
      executions += report.executions;
      done += report.done;
      for (const SiteRecord& record : report.sites) sites_.Add(record);
      if (const auto more = Omissions::Parse(report.omissions)) exploration_.omissions().Add(*more);
      std::ranges::move(report.left, std::back_inserter(left));
      if (report.found && (!ran.found || ComesBefore(report.found->path, ran.found->path))) {
        ran.found = std::move(report.found);
      }
    }
    const bool stops = Count(executions, done, left.empty());
    if (!ran.found) exploration_.Continue(std::move(left), exploration_.Fraction(done));
    ran.goes_on = !ran.found && !stops;
    return ran;
  }

  Exploration& exploration_;
  Meter& meter_;
  SiteTable& sites_;
  const unsigned jobs_;
  std::vector<Exploration::Part> list_;
  WorkSharing sharing_;
  std::vector<Process> processes_;
  std::uint64_t counted_ = 0;
  std::optional<Failure> lost_;
};

}  // namespace

RanInProcesses RunInProcesses(Exploration& exploration, Meter& meter, SiteTable& sites,
                              unsigned jobs) {
  return Processes(exploration, meter, sites, jobs).Run();
}

}  // namespace nowait::model

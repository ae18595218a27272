#include "models/kit/exhaustive/parallel/work_sharing.h"

#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <new>
#include <vector>

#include "src/base/assert.h"

namespace nowait::model {
namespace {

using Order = std::memory_order;

[[noreturn]] void Abort(const char* words) {
  std::perror(words);
  std::abort();
}

}  // namespace

WorkSharing::WorkSharing(std::size_t parts, unsigned processes)
    : listed_(parts), processes_(processes) {
  NOWAIT_ASSERT(processes <= kMaxJobs, "there is a place on the board for each");
  void* const memory =
      ::mmap(nullptr, sizeof(Board), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) Abort("models/kit: no memory for processes to share");
  board_ = ::new (memory) Board;
  // Each packet is received whole, exactly once, by one of the waiting processes.
  int ends[2];
  if (::socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0) {
    Abort("models/kit: no socket for processes to share");
  }
  giving_end_ = ends[0];
  waiting_end_ = ends[1];
}

WorkSharing::~WorkSharing() {
  ::close(giving_end_);
  ::close(waiting_end_);
  ::munmap(board_, sizeof(Board));
}

std::optional<std::size_t> WorkSharing::TakeListed() {
  const std::size_t next = board_->next_listed.fetch_add(1, Order::relaxed);
  return next < listed_ ? std::optional(next) : std::nullopt;
}

std::size_t WorkSharing::listed_taken() const {
  return std::min(listed_, board_->next_listed.load(Order::relaxed));
}

std::optional<TreePath> WorkSharing::Wait() {
  if (board_->hungry.fetch_add(1, Order::relaxed) + 1 == processes_) EndWaiting();
  constexpr std::size_t kLongest = 1 << 16;  // the socket accepts no packet of this size
  TreePath path(kLongest);
  ssize_t size;
  do {
    size = ::recv(waiting_end_, path.data(), kLongest * sizeof(path[0]), 0);
  } while (size < 0 && errno == EINTR);
  if (size < 0) Abort("models/kit: a process cannot get work");
  if (size == 0) return std::nullopt;
  path.resize(static_cast<std::size_t>(size) / sizeof(path[0]));
  return path;
}

bool WorkSharing::Claims() {
  unsigned hungry = board_->hungry.load(Order::relaxed);
  while (hungry != 0) {
    if (board_->hungry.compare_exchange_weak(hungry, hungry - 1, Order::relaxed, Order::relaxed)) {
      return true;
    }
  }
  return false;
}

bool WorkSharing::Give(const TreePath& path) {
  NOWAIT_ASSERT(!path.empty(), "the giver of a part has others, so it is not the root");
  ssize_t size;
  do {
    size = ::send(giving_end_, path.data(), path.size() * sizeof(path[0]), MSG_NOSIGNAL);
  } while (size < 0 && errno == EINTR);
  if (size < 0 && errno != EPIPE) Abort("models/kit: a process cannot give work away");
  return size > 0;
}

void WorkSharing::Stop() {
  board_->stops.store(1, Order::relaxed);
  EndWaiting();
}

// Packets already sent are still received. After them a waiting process gets nothing, and no
// process can send.
void WorkSharing::EndWaiting() { ::shutdown(giving_end_, SHUT_WR); }

void WorkSharing::Publish(unsigned process, const Count& count) {
  board_->counts[process].executions.store(count.executions, Order::relaxed);
  board_->counts[process].done.store(count.done, Order::relaxed);
}

WorkSharing::Count WorkSharing::Published() const {
  Count sum;
  for (unsigned i = 0; i < processes_; ++i) {
    sum.executions += board_->counts[i].executions.load(Order::relaxed);
    sum.done += board_->counts[i].done.load(Order::relaxed);
  }
  return sum;
}

}  // namespace nowait::model

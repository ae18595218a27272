// Devices that stand in for a network and a GPU, each on a thread of its own: real bytes over a
// pair of sockets, and a command buffer that is worked through and answered with its hash.
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <catch2/catch.hpp>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <numeric>
#include <string>
#include <thread>
#include <vector>

#include "src/base/result.h"
#include "src/jobs/device.h"
#include "src/jobs/job.h"
#include "src/jobs/task_id.h"
#include "src/jobs/task_pool.h"
#include "src/math/hash.h"
#include "tests/jobs/make_pool.h"

namespace nowait {
namespace {

template <class T>
T Get(Result<T> result) {
  INFO((result ? std::string() : ToString(result.error())));
  REQUIRE(result);
  return *std::move(result);
}

std::uint64_t HashOf(const std::vector<std::uint8_t>& bytes) {
  Hash hash;
  for (const std::uint8_t byte : bytes) hash.AddByte(byte);
  return hash.value();
}

// A connection whose other end is the test's.
struct Connection {
  Connection() { REQUIRE(socketpair(AF_UNIX, SOCK_STREAM, 0, ends.data()) == 0); }
  ~Connection() {
    for (const int end : ends) close(end);
  }
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  std::array<int, 2> ends{};
};

Result<void> SendAll(int to, const std::vector<std::uint8_t>& bytes) {
  for (std::size_t sent = 0; sent < bytes.size();) {
    const ssize_t more = send(to, bytes.data() + sent, bytes.size() - sent, MSG_NOSIGNAL);
    if (more < 0) return Fail(ErrorCode::kIo, "send", errno);
    sent += static_cast<std::size_t>(more);
  }
  return {};
}

// Receives so many bytes; stalls until the other end has sent them.
struct Receive {
  Receive(int from, std::size_t count) : socket(from), bytes(count) {}

  static Result<void> Serve(void* data) {
    auto& receive = *static_cast<Receive*>(data);
    receive.thread = std::this_thread::get_id();
    for (std::size_t got = 0; got < receive.bytes.size();) {
      const ssize_t more =
          recv(receive.socket, receive.bytes.data() + got, receive.bytes.size() - got, 0);
      if (more < 0) return Fail(ErrorCode::kIo, "receive", errno);
      if (more == 0) return Fail(ErrorCode::kIo, "receive", 0, "the other end has closed");
      got += static_cast<std::size_t>(more);
    }
    return {};
  }

  const int socket;
  std::vector<std::uint8_t> bytes;
  std::thread::id thread;
  DeviceRequest request{"receive", &Serve, this};
};

// A request to a GPU: to work through the commands that are there when it comes to them.
struct Submission {
  explicit Submission(std::vector<std::uint8_t>& buffer) : commands(&buffer) {}

  static Result<void> Serve(void* data) {
    auto& submission = *static_cast<Submission*>(data);
    submission.thread = std::this_thread::get_id();
    submission.hash = HashOf(*submission.commands);
    submission.commands->clear();  // consumed
    return {};
  }

  std::vector<std::uint8_t>* const commands;
  std::uint64_t hash = 0;
  std::thread::id thread;
  DeviceRequest request{"draw", &Serve, this};
};

std::vector<std::uint8_t> Bytes(std::size_t count, std::uint8_t first) {
  std::vector<std::uint8_t> bytes(count);
  std::iota(bytes.begin(), bytes.end(), first);
  return bytes;
}

#define EACH_POLICY TaskPool, OneQueueTaskPool

TEMPLATE_TEST_CASE("a network's answer is polled, and comes when the bytes have", "", EACH_POLICY) {
  const auto owned =
      MakePool<TestType>({.devices = {"network", "gpu"}, .workers = GENERATE(0u, 2u)});
  TestType& tasks = *owned;
  const auto here = Get(tasks.Register("main"));
  Connection connection;
  Receive receive(connection.ends[0], 100'000);
  const TaskId received = Get(tasks.AddRequest("network", receive.request));
  REQUIRE(tasks.Submit(received));
  const auto sent = Bytes(100'000, 7);
  const std::vector<std::uint8_t> most(sent.begin(), sent.end() - 1);
  REQUIRE(SendAll(connection.ends[1], most));
  REQUIRE_FALSE(tasks.IsComplete(received));  // one byte is missing
  // The other device is not held up by that one's stall.
  auto commands = Bytes(1'000, 1);
  const std::uint64_t expected = HashOf(commands);
  Submission draw(commands);
  REQUIRE(tasks.Wait(Get(tasks.AddRequest("gpu", draw.request))));
  REQUIRE(draw.hash == expected);
  REQUIRE(commands.empty());
  REQUIRE_FALSE(tasks.IsComplete(received));
  REQUIRE(SendAll(connection.ends[1], {sent.back()}));
  while (!tasks.IsComplete(received)) std::this_thread::yield();
  REQUIRE(receive.request.answer());
  REQUIRE(receive.bytes == sent);
  REQUIRE(receive.thread != draw.thread);
  REQUIRE(receive.thread != std::this_thread::get_id());
}

// The bytes are sent by a task that only the thread that waits for them can run.
TEMPLATE_TEST_CASE("a thread that waits for a network helps, and so makes it answer", "",
                   EACH_POLICY) {
  const auto owned = MakePool<TestType>({.devices = {"network"}, .workers = 0});
  TestType& tasks = *owned;
  const auto here = Get(tasks.Register("main"));
  Connection connection;
  Receive receive(connection.ends[0], 64);
  const auto sent = Bytes(64, 3);
  Result<void> sending;
  std::function<void()> send_all = [&] { sending = SendAll(connection.ends[1], sent); };
  const Job job{[](void* data) { (*static_cast<std::function<void()>*>(data))(); }, &send_all};
  REQUIRE(tasks.Submit(Get(tasks.Add({.work = job}))));
  REQUIRE(tasks.Wait(Get(tasks.AddRequest("network", receive.request))));
  REQUIRE(sending);
  REQUIRE(receive.request.answer());
  REQUIRE(receive.bytes == sent);
}

// Bytes from the network, commands made of them by a task, and those drawn: each starts when the
// one before is done, and nobody stalls for it.
TEMPLATE_TEST_CASE("a task depends on a network, and a GPU on that task", "", EACH_POLICY) {
  const auto owned =
      MakePool<TestType>({.devices = {"network", "gpu"}, .workers = GENERATE(0u, 2u)});
  TestType& tasks = *owned;
  const auto here = Get(tasks.Register("main"));
  Connection connection;
  Receive receive(connection.ends[0], 256);
  std::vector<std::uint8_t> commands;
  Submission draw(commands);
  std::function<void()> make = [&] {
    for (const std::uint8_t byte : receive.bytes) {
      commands.push_back(static_cast<std::uint8_t>(byte ^ 0x5a));
    }
  };
  const Job job{[](void* data) { (*static_cast<std::function<void()>*>(data))(); }, &make};
  const TaskId received = Get(tasks.AddRequest("network", receive.request));
  const TaskId made = Get(tasks.Add({.work = job, .dependency = received}));
  const TaskId drawn = Get(tasks.AddRequest("gpu", draw.request, {}, made));
  for (const TaskId task : {received, made, drawn}) REQUIRE(tasks.Submit(task));
  REQUIRE_FALSE(tasks.IsComplete(drawn));
  const auto sent = Bytes(256, 11);
  REQUIRE(SendAll(connection.ends[1], sent));
  REQUIRE(tasks.Wait(drawn));
  auto expected = sent;
  for (std::uint8_t& byte : expected) byte = static_cast<std::uint8_t>(byte ^ 0x5a);
  REQUIRE(draw.hash == HashOf(expected));
}

TEMPLATE_TEST_CASE("a connection that is closed is an answer", "", EACH_POLICY) {
  const auto owned = MakePool<TestType>({.devices = {"network"}, .workers = 0});
  TestType& tasks = *owned;
  const auto here = Get(tasks.Register("main"));
  Connection connection;
  Receive receive(connection.ends[0], 64);
  REQUIRE(shutdown(connection.ends[1], SHUT_RDWR) == 0);
  REQUIRE(tasks.Wait(Get(tasks.AddRequest("network", receive.request))));
  REQUIRE_FALSE(receive.request.answer());
  REQUIRE(receive.request.answer().error() ==
          Error{ErrorCode::kIo, "receive", 0, "the other end has closed"});
}

}  // namespace
}  // namespace nowait

// A server that finds no memory, or no file, loses the client that needed it, and serves the next.
#include <sys/resource.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <chrono>
#include <cstdint>
#include <ctime>
#include <memory>
#include <stdexcept>
#include <utility>

#include "src/apps/player/export.h"
#include "src/live/encoder.h"
#include "src/live/recording.h"
#include "src/live/server.h"
#include "tests/live/client.h"
#include "tests/whole/faults/allocations.h"

namespace nowait::whole {
namespace {

using std::chrono::milliseconds;

std::unique_ptr<LiveServer> Listen() {
  auto made = LiveServer::Listen({.port = 0, .token = "t0ken", .hello = {.scene = "test"}},
                                 [](const LiveCommand&) { return true; });
  REQUIRE(made);
  return std::move(*made);
}

LiveFrame FrameOf(std::uint64_t number) {
  LiveFrame frame;
  frame.number = number;
  frame.bodies.resize(50);
  for (std::uint32_t slot = 0; slot < 50; ++slot) {
    frame.bodies[slot].id = BodyId(1, slot, 1);
    frame.bodies[slot].shape = Shape::Sphere(1.0f);
  }
  return frame;
}

void Ask(Client& client) {
  client.Send(client.Request("GET", "/live?token=t0ken", Client::UpgradeHeaders()));
}

// The next client becomes a viewer and gets a message, when the one before has gone.
void RequireAnotherIsServed(LiveServer& server, Client& before) {
  before.Close();
  for (int i = 0; i < 2000 && server.HasViewers(); ++i) server.Serve(milliseconds(1));
  REQUIRE(!server.HasViewers());
  const std::uint64_t messages = server.counts().messages;
  Client client(server.address());
  Ask(client);
  for (std::uint64_t i = 10; i < 2000 && server.counts().messages == messages; ++i) {
    server.Serve(milliseconds(1));
    server.Send(FrameOf(i));
  }
  REQUIRE(server.counts().messages > messages);
}

TEST_CASE("a viewer for which there is no memory goes, and the next one is served") {
  const auto failed = EachAllocation([](std::uint64_t n) {
    INFO("allocation " << n);
    const auto server = Listen();
    Client client(server->address());
    Ask(client);
    bool struck = false;
    {
      const AllocationFault fault(n);
      server->Serve(milliseconds(15));
      struck = fault.has_struck();
    }
    RequireAnotherIsServed(*server, client);
    return struck;
  });
  CHECK(failed > 0);
}

TEST_CASE("a message for which there is no memory ends its viewer alone") {
  const auto failed = EachAllocation([](std::uint64_t n) {
    INFO("allocation " << n);
    const auto server = Listen();
    Client client(server->address());
    Ask(client);
    for (int i = 0; i < 2000 && server->counts().viewers == 0; ++i) server->Serve(milliseconds(1));
    const LiveFrame frame = FrameOf(1);
    bool struck = false;
    {
      const AllocationFault fault(n);
      server->Send(frame);
      struck = fault.has_struck();
    }
    RequireAnotherIsServed(*server, client);
    return struck;
  });
  CHECK(failed > 0);
}

TEST_CASE("a recording for whose page there is no memory is an error") {
  LiveEncoder encoder({.scene = "recorded with a name of some length"});
  Recorder recorder;
  REQUIRE(recorder.Add(1, *encoder.Encode(FrameOf(1))));
  for (auto* const function : {&DescribeRecording, &PageOfRecording}) {
    const auto failed = EachAllocation([&](std::uint64_t n) {
      const AllocationFault fault(n);
      const auto made = function(recorder.bytes());
      const bool is_error = !made && made.error().code == ErrorCode::kCapacity;
      if (is_error != fault.has_struck()) throw std::logic_error("another end");
      return is_error;
    });
    CHECK(failed > 0);
  }
}

std::clock_t ThreadTime() {
  timespec time{};
  ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return time.tv_sec * 1'000'000 + time.tv_nsec / 1000;
}

TEST_CASE("without a file for a connection the server waits, and takes it when there is one") {
  const auto server = Listen();
  Client client(server->address());
  Ask(client);
  const int next = ::dup(0);
  ::close(next);
  rlimit before{};
  REQUIRE(::getrlimit(RLIMIT_NOFILE, &before) == 0);
  const rlimit none{static_cast<rlim_t>(next), before.rlim_max};
  REQUIRE(::setrlimit(RLIMIT_NOFILE, &none) == 0);
  const std::clock_t begin = ThreadTime();
  server->Serve(milliseconds(200));
  const std::clock_t worked = ThreadTime() - begin;
  REQUIRE(::setrlimit(RLIMIT_NOFILE, &before) == 0);
  CHECK(worked < 50'000);  // microseconds
  CHECK(server->counts().viewers == 0);
  for (int i = 0; i < 2000 && server->counts().viewers == 0; ++i) server->Serve(milliseconds(1));
  CHECK(server->counts().viewers == 1);
}

}  // namespace
}  // namespace nowait::whole

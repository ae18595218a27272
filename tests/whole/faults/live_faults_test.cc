// A server that finds no memory, or no file, loses the client that needed it, and serves the next.
#include <sys/resource.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <chrono>
#include <cstdint>
#include <memory>
#include <new>
#include <stdexcept>
#include <string_view>
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

constexpr std::string_view kReset("CmRs\x8\0\0\0\1\0\0\0\0\0\0\0", 16);

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

void AwaitViewer(LiveServer& server) {
  for (int i = 0; i < 2000 && server.counts().viewers == 0; ++i) server.Serve(milliseconds(1));
  REQUIRE(server.counts().viewers == 1);
}

// Each allocation of `operation` fails in turn, after a client has asked, and after `before`.
template <class Before, class Operation>
void FailEachOf(const Before& before, const Operation& operation) {
  const auto failed = EachAllocation([&](std::uint64_t n) {
    INFO("allocation " << n);
    const auto server = Listen();
    Client client(server->address());
    Ask(client);
    before(*server, client);
    bool struck = false;
    {
      const AllocationFault fault(n);
      operation(*server);
      struck = fault.has_struck();
    }
    RequireAnotherIsServed(*server, client);
    return struck;
  });
  CHECK(failed > 0);
}

TEST_CASE("a viewer for which there is no memory goes, and the next one is served") {
  FailEachOf([](LiveServer&, Client&) {},
             [](LiveServer& server) { server.Serve(milliseconds(15)); });
}

TEST_CASE("a message for which there is no memory ends its viewer alone") {
  const LiveFrame frame = FrameOf(1);
  FailEachOf([](LiveServer& server, Client&) { AwaitViewer(server); },
             [&](LiveServer& server) { server.Send(frame); });
}

TEST_CASE("a command for which there is no memory ends its viewer alone") {
  FailEachOf(
      [](LiveServer& server, Client& client) {
        AwaitViewer(server);
        client.Send(Client::Frame(2, kReset));
      },
      [](LiveServer& server) { server.Serve(milliseconds(15)); });
}

TEST_CASE("a command whose receiver finds no memory ends its viewer alone") {
  auto made = LiveServer::Listen({.port = 0, .token = "t0ken", .hello = {.scene = "test"}},
                                 [](const LiveCommand&) -> bool { throw std::bad_alloc(); });
  REQUIRE(made);
  LiveServer& server = **made;
  Client client(server.address());
  Ask(client);
  AwaitViewer(server);
  client.Send(Client::Frame(2, kReset));
  RequireAnotherIsServed(server, client);
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
  bool tried_on_and_on = false;
  {
    const AllocationFault fault(200);  // each try takes one
    server->Serve(milliseconds(200));
    tried_on_and_on = fault.has_struck();
  }
  REQUIRE(::setrlimit(RLIMIT_NOFILE, &before) == 0);
  CHECK_FALSE(tried_on_and_on);
  CHECK(server->counts().viewers == 0);
  AwaitViewer(*server);
}

}  // namespace
}  // namespace nowait::whole

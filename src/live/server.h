// LiveServer: the page and the messages of a running program, on loopback.
//
// One TCP port on 127.0.0.1. GET / gives the viewer's page; /live is the WebSocket on which the
// page, or another program, gets the messages of docs/live-wire.md and sends commands.
//
// A request needs the token in its address and the server's own address as its Host,
// and an Origin, where a browser sends one, has to be the server's own. Bounded are the connections
// (kMostConnections), the time for a request and for silence, a request's header and a message. A
// client that breaks a rule loses its own connection; the others and the program do not see it.
//
// A viewer has one message on its way. While that is not sent, frames pass it by; the next message
// has the changes since then (src/live/encoder.h) and the count of the frames that it has missed.
//
// Thread safety: one thread, but for address().
// Blocking: Serve waits for the network for as long as its caller says.
// Test: tests/live/server_test.cc.
#ifndef NOWAIT_SRC_LIVE_SERVER_H_
#define NOWAIT_SRC_LIVE_SERVER_H_

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "src/base/result.h"
#include "src/live/command.h"
#include "src/live/encoder.h"
#include "src/live/frame.h"

namespace nowait {

struct LiveServerDef {
  std::uint16_t port = 0;  // 0: one that is free
  std::string token = {};  // of letters and digits
  LiveHello hello = {};
};

struct LiveCounts {
  std::uint64_t viewers = 0;       // that have been let in
  std::uint64_t refused = 0;       // requests and connections
  std::uint64_t bad_messages = 0;  // with which a viewer has lost its connection
  std::uint64_t commands = 0;      // that were taken
  std::uint64_t messages = 0;      // that were sent
  std::uint64_t passed_by = 0;     // frames that a viewer was too slow for
};

class LiveServer {
 public:
  static constexpr std::size_t kMostConnections = 32;
  static constexpr std::size_t kMostViewers = 8;
  static constexpr std::size_t kMostHeaderBytes = 8192;

  // on_command: called in Serve; false refuses the command. It does not see kShow, which is about
  // the viewer's own messages. kIo "port" with errno: it is in use, or
  // not the caller's to use. kCapacity "memory".
  static Result<std::unique_ptr<LiveServer>> Listen(
      LiveServerDef def, std::function<bool(const LiveCommand&)> on_command);
  ~LiveServer();

  LiveServer(const LiveServer&) = delete;
  LiveServer& operator=(const LiveServer&) = delete;

  // The page's, with the token.
  const std::string& address() const { return address_; }

  // Does what the network asks for, for so long.
  void Serve(std::chrono::milliseconds time);

  // Begins to send the frame to each viewer that has no message on its way.
  void Send(const LiveFrame& frame);

  bool HasViewers() const;
  // The parts that some viewer shows.
  LiveParts Wanted() const;
  LiveCounts counts() const;

 private:
  struct Parts;
  explicit LiveServer(std::unique_ptr<Parts> parts);

  std::unique_ptr<Parts> parts_;
  std::string address_;
};

// 32 random hexadecimal digits of the system's. kIo "random numbers".
Result<std::string> MakeToken();

}  // namespace nowait

#endif  // NOWAIT_SRC_LIVE_SERVER_H_

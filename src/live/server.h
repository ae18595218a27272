// LiveServer: the page and the messages of a running program, on loopback.
//
// The server uses one TCP port on 127.0.0.1. GET / returns the viewer's page; /live is the
// WebSocket on which the page, or another program, receives the messages of docs/live-wire.md and
// sends commands. Other paths are the program's documents (src/live/document.h). The viewer's page
// may show them in a frame; no other page may.
//
// A request needs the token in its address and the server's own address as its Host. The Origin, if
// a browser sends one, must be the server's own. There are limits on the number of connections
// (kMostConnections), on the time for a request and for silence, and on the size of a request's
// header and of a message. A client that breaks a rule loses its own connection; the other clients
// and the program do not notice. With as many connections as there may be, a new one ends the
// oldest of those whose request is not complete.
//
// Each viewer has one message in transit. Until it is sent, frames pass the viewer by; the next
// message has the changes since then (src/live/encoder.h) and the number of frames that were
// missed.
//
// Thread safety: one thread, except for address().
// Blocking: Serve waits for the network for as long as its caller says.
// Test: tests/live/server_test.cc.
#ifndef NOWAIT_SRC_LIVE_SERVER_H_
#define NOWAIT_SRC_LIVE_SERVER_H_

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "src/base/result.h"
#include "src/live/command.h"
#include "src/live/document.h"
#include "src/live/encoder.h"
#include "src/live/frame.h"
#include "src/live/sight.h"

namespace nowait {

struct LiveServerDef {
  std::uint16_t port = 0;  // 0: any free port
  std::string token = {};  // letters and digits
  LiveHello hello = {};
  LiveDocuments documents = {};  // may be empty; may throw std::bad_alloc
};

struct LiveCounts {
  std::uint64_t viewers = 0;       // let in so far
  std::uint64_t refused = 0;       // requests and connections
  std::uint64_t bad_messages = 0;  // for which a viewer lost its connection
  std::uint64_t commands = 0;      // accepted
  std::uint64_t messages = 0;      // sent
  std::uint64_t passed_by = 0;     // frames for which a viewer was too slow
  std::uint64_t bytes = 0;         // of the messages sent
};

class LiveServer {
 public:
  static constexpr std::size_t kMostConnections = 32;
  static constexpr std::size_t kMostViewers = 8;
  static constexpr std::size_t kMostHeaderBytes = 8192;

  // on_command: called in Serve; returns false to refuse the command. It does not see kShow and
  // kLook, which concern the viewer's own messages. When the viewer whose kPull was taken last
  // leaves, it gets a kLetGo; one that it refuses it gets again. kIo "port" with errno: the port is
  // in use, or the caller may not use it. kCapacity "memory".
  static Result<std::unique_ptr<LiveServer>> Listen(
      LiveServerDef def, std::function<bool(const LiveCommand&)> on_command);
  ~LiveServer();

  LiveServer(const LiveServer&) = delete;
  LiveServer& operator=(const LiveServer&) = delete;

  // The page's address, including the token.
  const std::string& address() const { return address_; }

  // Serves the network for this long.
  void Serve(std::chrono::milliseconds time);

  // Begins to send the frame to each viewer that has no message in transit: of the bodies those
  // that the viewer's camera sees (LiveFrame::sights), or all.
  void Send(const LiveFrame& frame);

  bool HasViewers() const;
  // The parts that at least one viewer shows.
  LiveParts Wanted() const;
  // The viewers that have a camera, by ascending number.
  std::vector<LiveCamera> Cameras() const;
  LiveCounts counts() const;

 private:
  struct Parts;
  explicit LiveServer(std::unique_ptr<Parts> parts);

  std::unique_ptr<Parts> parts_;
  std::string address_;
};

// 32 random hexadecimal digits from the system. kIo "random numbers".
Result<std::string> MakeToken();

}  // namespace nowait

#endif  // NOWAIT_SRC_LIVE_SERVER_H_

// SessionServer: a session on loopback, by HTTP, a request for each connection.
//
//   GET  /document?after=N   200 {"revision": M, "document": ..} if there is a revision above N,
//                            which there always is above 0; 204 if not
//   POST /edit               {"base": N, "author": "..", "document": ..}
//                            200 {"revision": M, "document": ..}  accepted; merged with all others'
//                            409 {"revision": M, "document": .., "conflicts": [places]}  refused
//                            410 the base is not kept any more
//                            400 {"error": line}  anything else
//
// Connections hold nothing: a client that loses one asks again, and a late one asks for what is
// there. A request has the token in `Authorization: Bearer TOKEN` and the server's address as its
// Host, and no Origin: a page of a browser's cannot send it. Bounded are the connections, the time
// for a request, its header and its body.
//
// Thread safety: one thread. Blocking: Serve waits for the network and the disk.
// Errors: kIo "port" with errno, kCapacity "memory". Test: tests/apps/session/clients_test.py.
#ifndef NOWAIT_SRC_APPS_SESSION_SERVER_H_
#define NOWAIT_SRC_APPS_SESSION_SERVER_H_

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "src/apps/session/session.h"
#include "src/base/result.h"

namespace nowait {

class SessionServer {
 public:
  static constexpr std::size_t kMostConnections = 64;
  static constexpr std::size_t kMostBodyBytes = std::size_t{1} << 24;

  struct Counts {
    std::uint64_t accepted = 0;   // edits
    std::uint64_t conflicts = 0;  // edits that were refused
    std::uint64_t refused = 0;    // other requests, and connections
  };

  // port: 0 for one that is free. session: outlives the server.
  static Result<std::unique_ptr<SessionServer>> Listen(Session& session, std::uint16_t port,
                                                       std::string token);
  ~SessionServer();
  SessionServer(const SessionServer&) = delete;
  SessionServer& operator=(const SessionServer&) = delete;

  std::uint16_t port() const;

  // Does what the network asks for, for so long.
  void Serve(std::chrono::milliseconds time);

  const Counts& counts() const;

 private:
  struct Parts;
  explicit SessionServer(std::unique_ptr<Parts> parts);

  std::unique_ptr<Parts> parts_;
};

}  // namespace nowait

#endif  // NOWAIT_SRC_APPS_SESSION_SERVER_H_

// A client that breaks a rule loses its own connection; a viewer beside it sees every frame.
#include "src/live/server.h"

#include <atomic>
#include <catch2/catch.hpp>
#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "src/live/reader.h"
#include "src/math/random.h"
#include "tests/live/client.h"

namespace nowait {
namespace {

using std::chrono::milliseconds;

// A server on a thread of its own, with a scene of bodies that move in each frame.
class Running {
 public:
  explicit Running(std::uint32_t bodies = 20, LiveDocuments documents = {}) {
    auto made = LiveServer::Listen({.port = 0,
                                    .token = "t0ken",
                                    .hello = {.scene = "test"},
                                    .documents = std::move(documents)},
                                   [this](const LiveCommand& command) {
                                     if (refuse_.load(std::memory_order::relaxed)) return false;
                                     last_ = command;
                                     obeyed_.fetch_add(1, std::memory_order::relaxed);
                                     return true;
                                   });
    REQUIRE(made);
    server_ = std::move(*made);
    thread_ = std::jthread([this, bodies] { Work(bodies); });
  }
  ~Running() { Stop(); }

  const std::string& address() const { return server_->address(); }

  std::uint64_t obeyed() const { return obeyed_.load(std::memory_order::relaxed); }
  void Refuse(bool on) { refuse_.store(on, std::memory_order::relaxed); }

  // Ends it, and returns its counts.
  LiveCounts Stop() {
    stop_.store(true, std::memory_order::relaxed);
    if (thread_.joinable()) thread_.join();
    return server_->counts();
  }
  // After Stop.
  const LiveCommand& last() const { return last_; }

 private:
  void Work(std::uint32_t bodies) {
    Random random(1);
    LiveFrame frame;
    frame.bodies.resize(bodies);
    for (std::uint32_t slot = 0; slot < bodies; ++slot) {
      frame.bodies[slot].id = BodyId(1, slot, 1);
      frame.bodies[slot].shape = Shape::Sphere(1.0f);
    }
    while (!stop_.load(std::memory_order::relaxed)) {
      server_->Serve(milliseconds(2));
      ++frame.number;
      for (BodySnapshot& body : frame.bodies) {
        body.position = random.InBox({-9, -9, -9}, {9, 9, 9});
        body.rotation = random.Rotation();
      }
      server_->Send(frame);
    }
  }

  std::unique_ptr<LiveServer> server_;
  LiveCommand last_;
  std::atomic<std::uint64_t> obeyed_{0};
  std::atomic<bool> refuse_{false};
  std::atomic<bool> stop_{false};
  std::jthread thread_;
};

// It reads messages, and its frames are in order.
class GoodViewer {
 public:
  explicit GoodViewer(const std::string& address) : client_(address) {
    REQUIRE(client_.connected());
    REQUIRE(client_.Upgrade("Origin: http://" + client_.host() + "\r\n") == "HTTP/1.1 101");
  }

  void Watch(int messages) {
    for (int i = 0; i < messages; ++i) {
      const auto message = client_.ReadMessage();
      REQUIRE(message);
      const auto stream = EventStream::Open(*message);
      REQUIRE(stream);
      REQUIRE(reader_.Read(*stream));
      REQUIRE(reader_.scene().frame->number > last_);
      last_ = reader_.scene().frame->number;
    }
  }
  const LiveScene& scene() const { return reader_.scene(); }
  void Send(std::string_view bytes) { client_.Send(bytes); }

 private:
  Client client_;
  LiveReader reader_;
  std::uint64_t last_ = 0;
};

std::string Pause() { return {"CmPa\4\0\0\0\1\0\0\0\0\0\0\0", 16}; }
// The middle of the body in slot zero to the origin.
std::string PullBody() {
  std::string bytes("CmPu\x20\0\0\0", 8);
  bytes.resize(40);
  return bytes;
}
std::string LetGo() { return {"CmLe\0\0\0\0", 8}; }

TEST_CASE("the page comes with its token, and its policy names the connection") {
  Running server;
  Client client(server.address());
  client.Send(client.Request("GET", "/?token=t0ken", ""));
  const std::string answer = client.ReadAll();
  CHECK(answer.starts_with("HTTP/1.1 200"));
  const std::string own = " http://" + client.host() + ";";
  CHECK(answer.find("connect-src ws://" + client.host() + own) != answer.npos);
  CHECK(answer.find("frame-src" + own) != answer.npos);
  CHECK(answer.find("X-Frame-Options: DENY") != answer.npos);
  CHECK(answer.find("</html>") != answer.npos);
  CHECK(answer.find("t0ken") == answer.npos);
}

TEST_CASE("requests that may not be are refused") {
  Running server;
  const std::string upgrade = Client::UpgradeHeaders();
  struct Case {
    std::string request, status;
  };
  const auto request = [&](const std::string& method, const std::string& target,
                           const std::string& headers) {
    return Client(server.address()).Request(method, target, headers);
  };
  const Case cases[] = {
      {request("GET", "/", ""), "403"},
      {request("GET", "/?token=t0kem", ""), "403"},
      {request("GET", "/?token=t0ken&token=t0ken", ""), "403"},
      {request("GET", "/live", upgrade), "403"},
      {request("GET", "/live?token=t0ken", upgrade + "Origin: http://evil.example\r\n"), "403"},
      {request("GET", "/live?token=t0ken", upgrade + "Origin: null\r\n"), "403"},
      {"GET /?token=t0ken HTTP/1.1\r\nHost: evil.example\r\n\r\n", "403"},
      {"GET /?token=t0ken HTTP/1.1\r\n\r\n", "403"},
      {request("GET", "/live?token=t0ken", ""), "400"},
      {request("GET", "/other?token=t0ken", ""), "404"},
      {request("DELETE", "/?token=t0ken", ""), "405"},
  };
  GoodViewer viewer(server.address());
  for (const Case& one : cases) {
    INFO(one.request);
    Client client(server.address());
    client.Send(one.request);
    CHECK(client.ReadAll().starts_with("HTTP/1.1 " + one.status));
    viewer.Watch(2);
  }
  CHECK(server.Stop().refused == std::size(cases));
}

TEST_CASE("documents of the program are behind the same token, and only the page may frame them") {
  std::vector<std::string> asked;  // on the server's thread; read after Stop
  Running server(20, [&asked](std::string_view path) -> std::optional<LiveDocument> {
    asked.emplace_back(path);
    if (path != "/proofs") return std::nullopt;
    return LiveDocument{"application/json", "{}"};
  });
  const auto answer_to = [&](const std::string& method, const std::string& target,
                             const std::string& headers = "") {
    Client client(server.address());
    client.Send(client.Request(method, target, headers));
    return client.ReadAll();
  };
  const std::string answer = answer_to("GET", "/proofs?token=t0ken");
  CHECK(answer.starts_with("HTTP/1.1 200"));
  CHECK(answer.find("Content-Type: application/json\r\n") != answer.npos);
  CHECK(answer.find("X-Frame-Options: SAMEORIGIN") != answer.npos);
  CHECK(answer.find("nosniff") != answer.npos);
  CHECK(answer.ends_with("\r\n\r\n{}"));
  CHECK(answer_to("GET", "/proofs/../../secret?token=t0ken").starts_with("HTTP/1.1 404"));
  // These do not reach the program.
  CHECK(answer_to("GET", "/proofs").starts_with("HTTP/1.1 403"));
  CHECK(answer_to("GET", "/proofs?token=t0kem").starts_with("HTTP/1.1 403"));
  CHECK(answer_to("GET", "/proofs?token=t0ken", "Origin: http://evil.example\r\n")
            .starts_with("HTTP/1.1 403"));
  CHECK(answer_to("POST", "/proofs?token=t0ken").starts_with("HTTP/1.1 405"));
  CHECK(answer_to("GET", "/?token=t0ken").find("X-Frame-Options: DENY") != std::string::npos);
  CHECK(server.Stop().refused == 5);
  CHECK(asked == std::vector<std::string>{"/proofs", "/proofs/../../secret"});
}

TEST_CASE("a client that vanishes during a document takes nothing along") {
  Running server(20, [](std::string_view) {
    return LiveDocument{"text/plain", std::string(std::size_t{32} << 20, 'x')};
  });
  GoodViewer viewer(server.address());
  for (int i = 0; i < 5; ++i) {
    Client client(server.address());
    client.Send(client.Request("GET", "/proofs?token=t0ken", ""));
    viewer.Watch(2);
    client.Close();  // with most of it unread
    viewer.Watch(2);
  }
  Client patient(server.address());
  patient.Send(patient.Request("GET", "/proofs?token=t0ken", ""));
  CHECK(patient.ReadAll().size() > std::size_t{32} << 20);
  viewer.Watch(2);
}

TEST_CASE("what is no request ends its connection without an answer") {
  Running server;
  GoodViewer viewer(server.address());
  std::string long_header = "GET /?token=t0ken HTTP/1.1\r\nX: ";
  long_header.append(20'000, 'x');
  std::vector<std::string> hostile(1, "\r\n\r\nhello\r\n\r\n");
  hostile.emplace_back(100, '\xff');
  hostile.back() += "\r\n\r\n";
  hostile.push_back(long_header);
  hostile.emplace_back("POST /?token=t0ken HTTP/1.1\r\nContent-Length: 999999999999\r\n\r\n");
  for (const std::string& bytes : hostile) {
    Client client(server.address());
    client.Send(bytes);
    CHECK(client.ReadAll() == "");
    viewer.Watch(2);
  }
}

TEST_CASE("clients that do not finish their requests keep no one out") {
  Running server;
  GoodViewer before(server.address());
  std::vector<std::unique_ptr<Client>> silent;
  for (std::size_t i = 0; i < 3 * LiveServer::kMostConnections; ++i) {
    silent.push_back(std::make_unique<Client>(server.address()));
    silent.back()->Send("GET /?tok");
  }
  Client visitor(server.address());
  visitor.Send(visitor.Request("GET", "/?token=t0ken", ""));
  CHECK(visitor.ReadAll().starts_with("HTTP/1.1 200"));
  GoodViewer after(server.address());
  after.Watch(3);
  before.Watch(3);
  // The oldest of them have made room for the others.
  CHECK(silent.front()->ReadAll() == "");
  const LiveCounts counts = server.Stop();
  CHECK(counts.viewers == 2);
  CHECK(counts.refused >= 2 * LiveServer::kMostConnections);
}

TEST_CASE("frames that break the protocol or say a wrong thing end their viewer alone") {
  Running server;
  GoodViewer viewer(server.address());
  std::vector<std::string> hostile = {
      Client::Frame(2, Pause(), /*masked=*/false),                // a client's are masked
      Client::Frame(1, Pause()),                                  // text
      Client::Frame(1, "\xff\xfe"),                               // no UTF-8
      Client::Frame(2, "CmXx" + Pause().substr(4)),               // an unknown command
      Client::Frame(2, Pause().substr(0, 15)),                    // not whole
      Client::Frame(2, std::string(kMostCommandBytes + 1, 'x')),  // too long
      Client::Frame(3, ""),                                       // an opcode that is not there
      std::string("\x82\xff\x7f\xff\xff\xff\xff\xff\xff\xff\0\0\0\0", 14),  // a length of 63 bits
      std::string("\xf2\x80\0\0\0\0", 6),                                   // reserved bits
      Client::Frame(9, std::string(126, 'p')),  // a ping that is too long
      Client::Frame(0, "x"),                    // goes on with nothing
  };
  for (const std::string& bytes : hostile) {
    Client client(server.address());
    REQUIRE(client.Upgrade() == "HTTP/1.1 101");
    client.Send(bytes);
    while (client.ReadMessage()) {
    }
    viewer.Watch(2);
  }
  Random random(5);
  for (int i = 0; i < 40; ++i) {
    Client client(server.address());
    REQUIRE(client.Upgrade() == "HTTP/1.1 101");
    std::string bytes = i % 2 == 0 ? Client::Frame(2, Pause() + Pause()) : "";
    while (bytes.size() < 60) bytes += static_cast<char>(random.Next());
    for (int k = 0; k < 3; ++k) bytes[random.Below(30)] = static_cast<char>(random.Next());
    client.Send(std::string_view(bytes).substr(0, random.Below(60)));
    client.Close();  // in the middle, often
    viewer.Watch(1);
  }
  const std::uint64_t before = server.obeyed();
  viewer.Send(Client::Frame(2, Pause()));
  while (server.obeyed() == before) viewer.Watch(1);
  const LiveCounts counts = server.Stop();
  CHECK(counts.viewers == 1 + hostile.size() + 40);
  CHECK(counts.bad_messages >= 5);
  CHECK(counts.commands >= 1);
  CHECK(server.last().kind == LiveCommand::Kind::kPause);
  CHECK(server.last().on);
}

TEST_CASE("a body is let go when the viewer that pulls it leaves, and not when another one does") {
  Running server;
  GoodViewer viewer(server.address());
  const auto first = std::make_unique<Client>(server.address());
  const auto second = std::make_unique<Client>(server.address());
  std::uint64_t obeyed = 0;
  for (Client* client : {first.get(), second.get()}) {
    REQUIRE(client->Upgrade() == "HTTP/1.1 101");
    client->Send(Client::Frame(2, PullBody()));
    ++obeyed;
    while (server.obeyed() < obeyed) viewer.Watch(1);
  }
  first->Close();  // the second one has the body
  viewer.Watch(30);
  CHECK(server.obeyed() == obeyed);
  second->Close();
  for (int i = 0; i < 1000 && server.obeyed() == obeyed; ++i) viewer.Watch(1);
  viewer.Watch(10);
  CHECK(server.obeyed() == obeyed + 1);
  server.Stop();
  CHECK(server.last().kind == LiveCommand::Kind::kLetGo);
}

TEST_CASE("a program that is too busy to hear that a body is let go hears it later") {
  Running server;
  GoodViewer viewer(server.address());
  viewer.Send(Client::Frame(2, PullBody()));
  while (server.obeyed() < 1) viewer.Watch(1);
  server.Refuse(true);
  viewer.Send(Client::Frame(2, LetGo()));
  viewer.Send(Client::Frame(2, Pause()));  // this one is not repeated
  viewer.Watch(30);
  CHECK(server.obeyed() == 1);
  server.Refuse(false);
  for (int i = 0; i < 1000 && server.obeyed() < 2; ++i) viewer.Watch(1);
  viewer.Watch(10);
  CHECK(server.obeyed() == 2);
  server.Stop();
  CHECK(server.last().kind == LiveCommand::Kind::kLetGo);
}

TEST_CASE("there are at most eight viewers, and a place that is left is free") {
  Running server;
  std::vector<std::unique_ptr<GoodViewer>> viewers;
  for (std::size_t i = 0; i < LiveServer::kMostViewers; ++i) {
    viewers.push_back(std::make_unique<GoodViewer>(server.address()));
  }
  CHECK(Client(server.address()).Upgrade() == "HTTP/1.1 503");
  viewers.pop_back();
  std::string status;
  for (int i = 0; i < 1000 && status != "HTTP/1.1 101"; ++i) {
    status = Client(server.address()).Upgrade();
  }
  CHECK(status == "HTTP/1.1 101");
  for (const auto& viewer : viewers) viewer->Watch(3);
}

TEST_CASE("a viewer that does not read misses frames, and the other one does not") {
  Running server(4000);
  Client stalled(server.address());
  REQUIRE(stalled.Upgrade() == "HTTP/1.1 101");
  GoodViewer viewer(server.address());
  // Its socket's buffers are full some time; then frames pass it by.
  viewer.Watch(150);
  const LiveCounts counts = server.Stop();
  CHECK(counts.passed_by > 0);
  CHECK(viewer.scene().bodies.size() == 4000);
}

TEST_CASE("a port that is in use is refused with its reason") {
  Running server;
  const std::string& address = server.address();
  const auto port = static_cast<std::uint16_t>(std::stoi(address.substr(address.rfind(':') + 1)));
  const auto second = LiveServer::Listen({.port = port, .token = "x"}, {});
  REQUIRE(!second);
  CHECK(second.error().code == ErrorCode::kIo);
  CHECK(std::string(second.error().subject) == "port");
}

}  // namespace
}  // namespace nowait

#include "src/live/server.h"

#include <sys/random.h>

#include <algorithm>
#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/beast/core.hpp>
#include <boost/beast/http.hpp>
#include <boost/beast/websocket.hpp>
#include <cerrno>
#include <cstring>
#include <exception>
#include <functional>
#include <list>
#include <optional>
#include <set>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "src/base/or_no_memory.h"
#include "src/live/page/live_page.h"

namespace nowait {
namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = beast::http;
namespace websocket = beast::websocket;
using asio::ip::tcp;
using boost::system::error_code;

constexpr std::chrono::seconds kRequestTime(10);
constexpr std::chrono::seconds kSilence(30);  // after this a viewer is pinged, and then dropped

using Request = http::request<http::empty_body>;

std::string_view AsView(beast::string_view text) { return {text.data(), text.size()}; }

class Viewer;
class Visitor;

// The common part of all connections. It outlives them all: it is a member before the io_context.
struct Room {
  LiveServerDef def;
  std::function<bool(const LiveCommand&)> on_command;
  std::string host;  // "127.0.0.1:8000"
  std::string page;
  LiveCounts counts;
  std::size_t connections = 0;
  std::uint64_t last_viewer = 0;  // its number
  std::set<std::shared_ptr<Viewer>> viewers;
  std::list<Visitor*> asking;    // whose requests are not complete, the oldest first
  const Viewer* hand = nullptr;  // the viewer that pulls a body
  bool lets_go = false;          // kLetGo is still to be given to the program

  // Nobody else would ever let go of a body whose viewer has left, or was not heard.
  bool Give(const Viewer& viewer, const LiveCommand& command) {
    const bool lets_go_now = command.kind == LiveCommand::Kind::kLetGo;
    const bool taken = on_command(command);
    if (taken && command.kind == LiveCommand::Kind::kPull) {
      hand = &viewer;
      lets_go = false;  // it holds no other body
    } else if (lets_go_now) {
      hand = nullptr;
      lets_go = !taken;
    }
    return taken || lets_go_now;
  }
  void Left(const Viewer& viewer) {
    if (hand != &viewer) return;
    hand = nullptr;
    lets_go = true;
  }
  void LetGo() {
    LiveCommand command;
    command.kind = LiveCommand::Kind::kLetGo;
    if (lets_go) lets_go = !on_command(command);
  }
};

// Counts one connection for as long as any operation on it is pending.
class Counted {
 public:
  explicit Counted(Room& room) : room_(room) { ++room_.connections; }
  ~Counted() { --room_.connections; }
  Counted(const Counted&) = delete;
  Counted& operator=(const Counted&) = delete;

 private:
  Room& room_;
};

class Viewer : public std::enable_shared_from_this<Viewer> {
 public:
  Viewer(beast::tcp_stream stream, Room& room)
      : counted_(room),
        room_(room),
        number_(++room.last_viewer),
        socket_(std::move(stream)),
        encoder_(room.def.hello) {}

  void Accept(const Request& request) {
    beast::get_lowest_layer(socket_).expires_never();  // from here on the WebSocket times out
    websocket::stream_base::timeout time{};
    time.handshake_timeout = kRequestTime;
    time.idle_timeout = kSilence;
    time.keep_alive_pings = true;
    socket_.set_option(time);
    socket_.read_message_max(kMostCommandBytes);
    socket_.binary(true);
    socket_.auto_fragment(false);  // one frame per message, which is in memory anyway
    room_.viewers.insert(shared_from_this());
    socket_.async_accept(request, Then([](Viewer& self, error_code error) {
                           if (error) return self.Leave();
                           self.open_ = true;
                           ++self.room_.counts.viewers;
                           self.Read();
                         }));
  }

  void Send(const LiveFrame& frame) {
    if (!open_) return;
    if (writing_) {
      ++room_.counts.passed_by;
      return;
    }
    const auto message = encoder_.Encode(frame, camera_ ? frame.SightOf(number_) : nullptr);
    if (!message) return Close(websocket::close_code::internal_error);
    const auto bytes = message->bytes();
    message_.assign(bytes.begin(), bytes.end());
    writing_ = true;
    socket_.async_write(asio::buffer(message_.data(), message_.size()),
                        Then([](Viewer& self, error_code error) {
                          self.writing_ = false;
                          if (error) return self.Leave();
                          ++self.room_.counts.messages;
                          self.room_.counts.bytes += self.message_.size();
                        }));
  }

  LiveParts shown() const { return encoder_.shown(); }
  std::uint64_t number() const { return number_; }
  const std::optional<ViewFrustum>& camera() const { return camera_; }

  // Ends the viewer's other operations with an error.
  void Leave() {
    open_ = false;
    room_.Left(*this);
    if (room_.viewers.erase(shared_from_this()) > 0) beast::get_lowest_layer(socket_).close();
  }

 private:
  // The completion of an operation. If memory for the operation runs out, it is destroyed without a
  // call; if memory runs out after it, no next operation begins. In either case the viewer has to
  // go, because nothing else would notice.
  template <class F>
  class Completion {
   public:
    Completion(std::shared_ptr<Viewer> viewer, F then)
        : viewer_(std::move(viewer)), then_(std::move(then)) {}
    Completion(Completion&&) noexcept = default;
    ~Completion() {
      if (viewer_) viewer_->Leave();
    }

    void operator()(error_code error, std::size_t = 0) {
      const std::shared_ptr<Viewer> viewer = std::move(viewer_);
      try {
        then_(*viewer, error);
      } catch (const std::exception&) {
        viewer->Leave();
        throw;
      }
    }

   private:
    std::shared_ptr<Viewer> viewer_;
    F then_;
  };
  template <class F>
  Completion<F> Then(F then) {
    return {shared_from_this(), std::move(then)};
  }

  void Read() {
    socket_.async_read(buffer_, Then([](Viewer& self, error_code error) {
                         const bool too_big = error == websocket::error::message_too_big;
                         if (too_big) ++self.room_.counts.bad_messages;
                         if (error) return self.Leave();
                         self.Obey();
                       }));
  }

  void Obey() {
    const auto bytes = buffer_.cdata();
    const std::span message(static_cast<const std::byte*>(bytes.data()), bytes.size());
    const auto commands = ParseCommands(message);
    if (!socket_.got_binary() || !commands) {
      ++room_.counts.bad_messages;
      return Close(websocket::close_code::policy_error);
    }
    for (const LiveCommand& command : *commands) {
      const bool shows = command.kind == LiveCommand::Kind::kShow;
      const bool looks = command.kind == LiveCommand::Kind::kLook;
      if (shows) encoder_.Show(command.parts);
      if (looks) camera_ = command.on ? std::optional(command.camera) : std::nullopt;
      if (shows || looks || room_.Give(*this, command)) ++room_.counts.commands;
    }
    buffer_.consume(buffer_.size());
    Read();
  }

  void Close(websocket::close_code code) {
    open_ = false;
    socket_.async_close(code, Then([](Viewer& self, error_code) { self.Leave(); }));
  }

  const Counted counted_;
  Room& room_;
  const std::uint64_t number_;
  websocket::stream<beast::tcp_stream> socket_;
  beast::flat_buffer buffer_;
  LiveEncoder encoder_;
  std::optional<ViewFrustum> camera_;
  std::vector<std::byte> message_;  // on its way while writing_
  bool open_ = false;
  bool writing_ = false;
};

// A request, and the answer to it, unless it becomes a viewer.
class Visitor : public std::enable_shared_from_this<Visitor> {
 public:
  Visitor(tcp::socket socket, Room& room)
      : counted_(room), room_(room), stream_(std::move(socket)) {
    parser_.header_limit(LiveServer::kMostHeaderBytes);
    parser_.body_limit(0);
  }

  ~Visitor() { StopAsking(); }

  void Start() {
    place_ = room_.asking.insert(room_.asking.end(), this);
    stream_.expires_after(kRequestTime);
    http::async_read(stream_, buffer_, parser_,
                     [self = shared_from_this()](error_code error, std::size_t) {
                       self->StopAsking();
                       if (!error) return self->Answer();
                       if (error != http::error::end_of_stream) ++self->room_.counts.refused;
                     });
  }

  // Ends the connection, whose request is not complete.
  void End() {
    StopAsking();
    stream_.close();
  }

 private:
  void StopAsking() {
    if (place_) room_.asking.erase(*place_);
    place_.reset();
  }

  void Answer() {
    const Request& request = parser_.get();
    const std::string_view target = AsView(request.target());
    const std::string_view path = target.substr(0, target.find('?'));
    const bool live = path == "/live";
    if (AsView(request[http::field::host]) != room_.host || !HasToken(target) ||
        !IsOwnOrigin(request)) {
      return Reply(http::status::forbidden, "Not with this address, or not from there.\n");
    }
    if (!live && path != "/" && !room_.def.documents) return NotFound();
    if (!live && request.method() != http::verb::get) {
      return Reply(http::status::method_not_allowed, "Only GET.\n");
    }
    if (path == "/") return Reply(http::status::ok, room_.page);
    if (!live) {
      auto document = room_.def.documents(path);
      return document ? ReplyWith(*std::move(document)) : NotFound();
    }
    if (!websocket::is_upgrade(request)) {
      return Reply(http::status::bad_request, "Only a WebSocket.\n");
    }
    if (room_.viewers.size() >= LiveServer::kMostViewers) {
      return Reply(http::status::service_unavailable,
                   "There are as many viewers as there may be.\n");
    }
    std::make_shared<Viewer>(std::move(stream_), room_)->Accept(request);
  }

  bool HasToken(std::string_view target) const {
    return target.substr(std::min(target.find('?'), target.size())) == "?token=" + room_.def.token;
  }

  // A program other than a browser sends no Origin; for it, the token is enough.
  bool IsOwnOrigin(const Request& request) const {
    const auto origin = request.find(http::field::origin);
    return origin == request.end() || AsView(origin->value()) == "http://" + room_.host;
  }

  void NotFound() { Reply(http::status::not_found, "There is no such page.\n"); }

  void Reply(http::status status, std::string body) {
    if (status != http::status::ok) ++room_.counts.refused;
    const bool is_page = status == http::status::ok;
    Send(status, is_page ? "text/html; charset=utf-8" : "text/plain; charset=utf-8", "DENY",
         std::move(body));
  }
  void ReplyWith(LiveDocument document) {
    Send(http::status::ok, document.type, "SAMEORIGIN", std::move(document.text));
  }

  void Send(http::status status, const std::string& type, const char* framed, std::string body) {
    response_.result(status);
    response_.version(11);
    response_.keep_alive(false);
    response_.set(http::field::content_type, type);
    response_.set(http::field::cache_control, "no-store");
    response_.set("Referrer-Policy", "no-referrer");
    response_.set("X-Content-Type-Options", "nosniff");
    response_.set("X-Frame-Options", framed);
    response_.body() = std::move(body);
    response_.prepare_payload();
    http::async_write(stream_, response_, [self = shared_from_this()](error_code, std::size_t) {
      error_code ignored;  // the client may be gone
      self->stream_.socket().shutdown(tcp::socket::shutdown_send, ignored);
    });
  }

  const Counted counted_;
  Room& room_;
  std::optional<std::list<Visitor*>::iterator> place_;  // in Room::asking
  beast::tcp_stream stream_;
  beast::flat_buffer buffer_{LiveServer::kMostHeaderBytes};
  http::request_parser<http::empty_body> parser_;
  http::response<http::string_body> response_;
};

}  // namespace

struct LiveServer::Parts {
  ~Parts() { room.viewers.clear(); }

  void Accept() {
    auto waits = std::make_shared<char>();
    acceptor.async_accept([this, waits](error_code error, tcp::socket socket) {
      // Out of files, say: the next Serve tries again. An immediate retry would never pause.
      if (error) return;
      Accept();  // first, because the rest may find no memory
      if (room.connections >= kMostConnections) {
        // One that takes its time makes room: a request from this machine is complete at once.
        if (room.asking.empty()) {
          ++room.counts.refused;
          return;
        }
        room.asking.front()->End();
      }
      socket.set_option(tcp::no_delay(true), error);
      std::make_shared<Visitor>(std::move(socket), room)->Start();
    });
    accepts = waits;
  }

  Room room;
  asio::io_context io{1};
  // Serve waits even if there is nothing to wait for.
  asio::executor_work_guard<asio::io_context::executor_type> work{io.get_executor()};
  tcp::acceptor acceptor{io};
  std::weak_ptr<char> accepts;  // owned by the handler; expired: it found no memory, or no file
};

Result<std::unique_ptr<LiveServer>> LiveServer::Listen(
    LiveServerDef def, std::function<bool(const LiveCommand&)> on_command) {
  return OrNoMemory([&]() -> Result<std::unique_ptr<LiveServer>> {
    auto parts = std::make_unique<Parts>();
    const tcp::endpoint here(asio::ip::address_v4::loopback(), def.port);
    error_code error;
    parts->acceptor.open(here.protocol(), error);
    if (!error) parts->acceptor.set_option(tcp::acceptor::reuse_address(true), error);
    if (!error) parts->acceptor.bind(here, error);
    if (!error) parts->acceptor.listen(tcp::socket::max_listen_connections, error);
    if (error) return Fail(ErrorCode::kIo, "port", error.value(), std::strerror(error.value()));
    Room& room = parts->room;
    room.host = "127.0.0.1:" + std::to_string(parts->acceptor.local_endpoint().port());
    room.page = LivePageOf({.title = def.hello.scene,
                            .connect = "ws://" + room.host + " http://" + room.host,
                            .frame = "http://" + room.host,
                            .text = "The scene runs; its figures need JavaScript, too."});
    room.def = std::move(def);
    room.on_command = std::move(on_command);
    parts->Accept();
    return std::unique_ptr<LiveServer>(new LiveServer(std::move(parts)));
  });
}

LiveServer::LiveServer(std::unique_ptr<Parts> parts)
    : parts_(std::move(parts)),
      address_("http://" + parts_->room.host + "/?token=" + parts_->room.def.token) {}
LiveServer::~LiveServer() = default;

void LiveServer::Serve(std::chrono::milliseconds time) {
  try {
    if (parts_->accepts.expired()) parts_->Accept();
    parts_->io.run_for(time);
    parts_->room.LetGo();
  } catch (const std::exception&) {
    // There was no memory for a client's request: that client lost its connection with its handler.
    ++parts_->room.counts.refused;
  }
}

void LiveServer::Send(const LiveFrame& frame) {
  const auto& viewers = parts_->room.viewers;
  for (auto next = viewers.begin(); next != viewers.end();) {
    const std::shared_ptr<Viewer> viewer = *next++;  // it may leave meanwhile
    try {
      viewer->Send(frame);
    } catch (const std::exception&) {
      viewer->Leave();  // there was no memory for its message
    }
  }
}

bool LiveServer::HasViewers() const { return !parts_->room.viewers.empty(); }

LiveParts LiveServer::Wanted() const {
  LiveParts wanted;
  for (const auto& viewer : parts_->room.viewers) wanted = wanted | viewer->shown();
  return wanted;
}

std::vector<LiveCamera> LiveServer::Cameras() const {
  std::vector<LiveCamera> cameras;
  for (const auto& viewer : parts_->room.viewers) {
    if (viewer->camera()) cameras.push_back({viewer->number(), *viewer->camera()});
  }
  std::ranges::sort(cameras, {}, &LiveCamera::viewer);
  return cameras;
}

LiveCounts LiveServer::counts() const { return parts_->room.counts; }

Result<std::string> MakeToken() {
  unsigned char bytes[16];
  if (::getrandom(bytes, sizeof bytes, 0) != sizeof bytes) {
    return Fail(ErrorCode::kIo, "random numbers", errno);
  }
  return OrNoMemory([&]() -> Result<std::string> {
    std::string token;
    for (const unsigned char byte : bytes) {
      token += "0123456789abcdef"[byte >> 4];
      token += "0123456789abcdef"[byte & 15];
    }
    return token;
  });
}

}  // namespace nowait

#include "src/apps/session/server.h"

#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/beast/core.hpp>
#include <boost/beast/http.hpp>
#include <charconv>
#include <cstring>
#include <exception>
#include <string_view>
#include <utility>

#include "src/base/or_no_memory.h"
#include "src/resource/document_text.h"

namespace nowait {
namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = beast::http;
using asio::ip::tcp;
using boost::system::error_code;

constexpr std::chrono::seconds kRequestTime(10);
constexpr std::uint32_t kMostHeaderBytes = 8192;
constexpr std::string_view kAfter = "/document?after=";
Layout OneLine() { return {.lines = false}; }

std::string_view AsView(beast::string_view text) { return {text.data(), text.size()}; }

Value NumberOf(std::uint64_t number) { return Value::FromNumber(std::to_string(number)); }

// A whole number as an address has it.
bool ParseWhole(std::string_view text, std::uint64_t& number) {
  const auto read = std::from_chars(text.data(), text.data() + text.size(), number);
  return read.ec == std::errc() && read.ptr == text.data() + text.size();
}

// The common part of all connections, which it outlives.
struct Room {
  Session& session;
  std::string token;
  std::string host;
  SessionServer::Counts counts;
  std::size_t connections = 0;
};

struct Reply {
  http::status status;
  std::string body;
};

Reply Refuse(http::status status, std::string_view line) {
  return {status,
          WriteDocument(Value::Object({{"error", Value::String(std::string(line))}}), OneLine())};
}

Reply Present(const Session& session, http::status status, const std::vector<std::string>& places) {
  Value::Members members = {{"revision", NumberOf(session.revision())},
                            {"document", session.document()}};
  if (!places.empty()) {
    Value::Items items;
    for (const std::string& place : places) items.push_back(Value::String(place));
    members.push_back({"conflicts", Value::Array(std::move(items))});
  }
  return {status, WriteDocument(Value::Object(std::move(members)), OneLine())};
}

Reply AnswerDocument(const Room& room, std::string_view after) {
  std::uint64_t known = 0;
  if (!ParseWhole(after, known)) return Refuse(http::status::bad_request, "after: no whole number");
  if (known >= room.session.revision()) return {http::status::no_content, {}};
  return Present(room.session, http::status::ok, {});
}

Reply AnswerEdit(Room& room, std::string_view body) {
  const auto edit = EditOf(body);
  if (!edit) return Refuse(http::status::bad_request, ToString(edit.error()));
  const auto answer = room.session.Submit(edit->base, edit->author, edit->document);
  if (!answer) {
    const bool gone = answer.error().code == ErrorCode::kNotFound;
    return Refuse(gone ? http::status::gone : http::status::bad_request, ToString(answer.error()));
  }
  ++(answer->conflicts.empty() ? room.counts.accepted : room.counts.conflicts);
  return Present(room.session,
                 answer->conflicts.empty() ? http::status::ok : http::status::conflict,
                 answer->conflicts);
}

// One connection: a request and its answer.
class Visitor : public std::enable_shared_from_this<Visitor> {
 public:
  Visitor(tcp::socket socket, Room& room) : room_(room), stream_(std::move(socket)) {
    ++room_.connections;
    parser_.header_limit(kMostHeaderBytes);
    parser_.body_limit(SessionServer::kMostBodyBytes);
  }
  ~Visitor() { --room_.connections; }

  void Start() {
    stream_.expires_after(kRequestTime);
    http::async_read_header(stream_, buffer_, parser_,
                            [self = shared_from_this()](error_code error, std::size_t) {
                              if (error == http::error::body_limit) return self->TooLong();
                              if (!error) self->ReadBody();
                            });
  }

 private:
  // A stranger's is read only as far as it is short: without the token nobody takes memory.
  void ReadBody() {
    if (!IsOwn()) {
      parser_.body_limit(kMostHeaderBytes);
      const auto length = parser_.content_length();
      if (length && *length > kMostHeaderBytes) return TooLong();
    }
    http::async_read(stream_, buffer_, parser_,
                     [self = shared_from_this()](error_code error, std::size_t) {
                       if (error == http::error::body_limit) return self->TooLong();
                       if (!error) self->Send(self->Answer());
                     });
  }

  bool IsOwn() const {
    const auto& request = parser_.get();
    return AsView(request[http::field::host]) == room_.host &&
           request.find(http::field::origin) == request.end() &&
           AsView(request[http::field::authorization]) == "Bearer " + room_.token;
  }

  Reply Answer() {
    if (!IsOwn()) {
      return Refuse(http::status::forbidden, "not with this token, or not from there");
    }
    const auto& request = parser_.get();
    const std::string_view target = AsView(request.target());
    if (request.method() == http::verb::get && target.starts_with(kAfter)) {
      return AnswerDocument(room_, target.substr(kAfter.size()));
    }
    if (request.method() == http::verb::post && target == "/edit") {
      return AnswerEdit(room_, request.body());
    }
    return Refuse(http::status::not_found, "there is no such request");
  }

  void TooLong() { Send(Refuse(http::status::payload_too_large, "too long")); }

  void Send(Reply reply) {
    const bool fine = reply.status == http::status::ok || reply.status == http::status::conflict ||
                      reply.status == http::status::no_content;
    if (!fine) ++room_.counts.refused;
    response_.result(reply.status);
    response_.version(11);
    response_.keep_alive(false);
    response_.set(http::field::content_type, "application/json");
    response_.set(http::field::cache_control, "no-store");
    response_.body() = std::move(reply.body);
    response_.prepare_payload();
    stream_.expires_after(kRequestTime);
    http::async_write(stream_, response_, [self = shared_from_this()](error_code, std::size_t) {
      error_code ignored;  // it may be gone
      self->stream_.socket().shutdown(tcp::socket::shutdown_send, ignored);
    });
  }

  Room& room_;
  beast::tcp_stream stream_;
  beast::flat_buffer buffer_;
  http::request_parser<http::string_body> parser_;
  http::response<http::string_body> response_;
};

}  // namespace

struct SessionServer::Parts {
  Parts(Session& session, std::string token) : room{session, std::move(token), {}, {}, 0} {}

  void Accept() {
    auto waits = std::make_shared<char>();
    acceptor.async_accept([this, waits](error_code error, tcp::socket socket) {
      // Out of files, say: the next Serve tries again.
      if (error) return;
      Accept();  // first: what follows may find no memory
      if (room.connections >= kMostConnections) {
        ++room.counts.refused;
        return;
      }
      std::make_shared<Visitor>(std::move(socket), room)->Start();
    });
    accepts = waits;
  }

  Room room;
  asio::io_context io{1};
  asio::executor_work_guard<asio::io_context::executor_type> work{io.get_executor()};
  tcp::acceptor acceptor{io};
  std::weak_ptr<char> accepts;  // of the handler; expired: it has found no memory, or no file
};

Result<std::unique_ptr<SessionServer>> SessionServer::Listen(Session& session, std::uint16_t port,
                                                             std::string token) {
  return OrNoMemory([&]() -> Result<std::unique_ptr<SessionServer>> {
    auto parts = std::make_unique<Parts>(session, std::move(token));
    const tcp::endpoint here(asio::ip::address_v4::loopback(), port);
    error_code error;
    parts->acceptor.open(here.protocol(), error);
    if (!error) parts->acceptor.set_option(tcp::acceptor::reuse_address(true), error);
    if (!error) parts->acceptor.bind(here, error);
    if (!error) parts->acceptor.listen(tcp::socket::max_listen_connections, error);
    if (error) return Fail(ErrorCode::kIo, "port", error.value(), std::strerror(error.value()));
    parts->room.host = "127.0.0.1:" + std::to_string(parts->acceptor.local_endpoint().port());
    parts->Accept();
    return std::unique_ptr<SessionServer>(new SessionServer(std::move(parts)));
  });
}

SessionServer::SessionServer(std::unique_ptr<Parts> parts) : parts_(std::move(parts)) {}
SessionServer::~SessionServer() = default;

std::uint16_t SessionServer::port() const { return parts_->acceptor.local_endpoint().port(); }

void SessionServer::Serve(std::chrono::milliseconds time) {
  try {
    if (parts_->accepts.expired()) parts_->Accept();
    parts_->io.run_for(time);
  } catch (const std::exception&) {
    // No memory for a request: its connection is gone with its handler.
    ++parts_->room.counts.refused;
  }
}

const SessionServer::Counts& SessionServer::counts() const { return parts_->room.counts; }

}  // namespace nowait

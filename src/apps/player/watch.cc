#include "src/apps/player/watch.h"

#include <algorithm>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/beast/core.hpp>
#include <boost/beast/websocket.hpp>
#include <charconv>
#include <chrono>
#include <cstring>
#include <optional>
#include <string_view>
#include <utility>

#include "src/base/or_no_memory.h"
#include "src/events/stream.h"
#include "src/live/event_writer.h"
#include "src/live/reader.h"

namespace nowait {
namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace websocket = beast::websocket;
using asio::ip::tcp;
using boost::system::error_code;

constexpr std::string_view kBegin = "http://127.0.0.1:";
constexpr std::string_view kToken = "/?token=";
constexpr std::size_t kMostMessageBytes = std::size_t{256} << 20;
constexpr std::chrono::milliseconds kLook(100);  // from one question whether to go on to the next
constexpr std::chrono::seconds kConnectTime(10);

struct Address {
  std::uint16_t port = 0;
  std::string token;
};

std::optional<Address> Parse(std::string_view text) {
  if (!text.starts_with(kBegin)) return {};
  text.remove_prefix(kBegin.size());
  Address address;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), address.port);
  if (error != std::errc() || address.port == 0) return {};
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  if (!text.starts_with(kToken)) return {};
  address.token = text.substr(kToken.size());
  const auto is_plain = [](char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
  };
  if (address.token.empty() || !std::ranges::all_of(address.token, is_plain)) return {};
  return address;
}

std::unexpected<Error> NoConnection(const error_code& error) {
  if (error == websocket::error::upgrade_declined) {
    return Fail(ErrorCode::kInvalidArgument, "address", 0, "the program refuses this viewer");
  }
  return Fail(ErrorCode::kIo, "connection", error.value(), std::strerror(error.value()));
}

class Connection {
 public:
  explicit Connection(const WatchDef& def) : def_(def), recorder_(def.most_bytes) {
    socket_.binary(true);
    socket_.read_message_max(kMostMessageBytes);
  }

  Result<void> Connect(const Address& address) {
    const std::string host = "127.0.0.1:" + std::to_string(address.port);
    auto& stream = beast::get_lowest_layer(socket_);
    std::optional<error_code> ended;
    stream.expires_after(kConnectTime);
    stream.async_connect(tcp::endpoint(asio::ip::address_v4::loopback(), address.port),
                         [&](error_code error) {
                           if (error) {
                             ended = error;
                             return;
                           }
                           socket_.async_handshake(host, "/live?token=" + address.token,
                                                   [&](error_code late) { ended = late; });
                         });
    while (!ended) io_.run_one();
    if (*ended) return NoConnection(*ended);
    stream.expires_never();
    if (def_.parts.bits == 0) return {};
    EventWriter writer;
    writer.Begin(FourCharacters("CmSh"));
    writer.Value(def_.parts.bits);
    writer.End();
    error_code error;
    const auto bytes = writer.bytes();
    socket_.write(asio::buffer(bytes.data(), bytes.size()), error);
    if (error) return NoConnection(error);
    return {};
  }

  Result<Watched> Record() {
    Read();
    while (!ended_ && def_.go_on()) io_.run_for(kLook);
    if (wrong_) return std::unexpected(*wrong_);
    if (watched_.messages == 0 && watched_.recorded) return NoConnection(error_);
    watched_.recording = recorder_.Take();
    return std::move(watched_);
  }

 private:
  void Read() {
    socket_.async_read(buffer_, [this](error_code error, std::size_t) {
      if (error) {
        error_ = error;
        ended_ = true;
        return;
      }
      ended_ = !Take();
      if (!ended_) Read();
    });
  }

  // Whether another message can follow.
  bool Take() {
    const auto taken = OrNoMemory([&]() -> Result<void> {
      message_.resize(buffer_.size());  // aligned, as a stream has to be
      asio::buffer_copy(asio::buffer(message_), buffer_.data());
      buffer_.consume(buffer_.size());
      const auto stream = EventStream::Open(message_);
      if (!stream) return std::unexpected(stream.error());
      if (auto read = reader_.Read(*stream); !read) return read;
      const std::uint64_t number = reader_.scene().frame ? reader_.scene().frame->number : 0;
      watched_.recorded = recorder_.Add(number, *stream);
      return {};
    });
    if (!taken) wrong_ = taken.error();
    if (!taken || !watched_.recorded) return false;
    ++watched_.messages;
    if (const auto& frame = reader_.scene().frame) watched_.missed = frame->dropped;
    return true;
  }

  const WatchDef& def_;
  asio::io_context io_{1};
  websocket::stream<beast::tcp_stream> socket_{io_};
  beast::flat_buffer buffer_;
  std::vector<std::byte> message_;
  LiveReader reader_;
  Recorder recorder_;
  Watched watched_;
  std::optional<Error> wrong_;
  error_code error_;
  bool ended_ = false;
};

}  // namespace

Result<Watched> WatchProgram(const std::string& address, const WatchDef& def) {
  const auto there = Parse(address);
  if (!there) {
    return Fail(ErrorCode::kInvalidArgument, "address", 0, "http://127.0.0.1:PORT/?token=TOKEN");
  }
  return OrNoMemory([&]() -> Result<Watched> {
    Connection connection(def);
    if (auto connected = connection.Connect(*there); !connected) {
      return std::unexpected(connected.error());
    }
    return connection.Record();
  });
}

}  // namespace nowait

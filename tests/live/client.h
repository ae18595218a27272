// Client: what a hostile program can do to a server, byte by byte, and what an ordinary one does.
#ifndef NOWAIT_TESTS_LIVE_CLIENT_H_
#define NOWAIT_TESTS_LIVE_CLIENT_H_

#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace nowait {

class Client {
 public:
  // address: http://127.0.0.1:PORT/?token=TOKEN
  explicit Client(const std::string& address) {
    const auto colon = address.find(':', 7);
    const auto slash = address.find('/', colon);
    port_ = static_cast<std::uint16_t>(std::stoi(address.substr(colon + 1, slash - colon - 1)));
    token_ = address.substr(address.find('=') + 1);
    socket_ = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_in to{};
    to.sin_family = AF_INET;
    to.sin_port = htons(port_);
    to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    connected_ = ::connect(socket_, reinterpret_cast<const sockaddr*>(&to), sizeof to) == 0;
  }
  ~Client() { Close(); }
  Client(const Client&) = delete;
  Client& operator=(const Client&) = delete;

  bool connected() const { return connected_; }
  std::string host() const { return "127.0.0.1:" + std::to_string(port_); }
  const std::string& token() const { return token_; }

  void Close() {
    if (socket_ >= 0) ::close(socket_);
    socket_ = -1;
  }

  void Send(std::string_view bytes) {
    while (!bytes.empty()) {
      const auto sent = ::send(socket_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
      if (sent <= 0) return;  // the server has closed: the test will see it when it reads
      bytes.remove_prefix(static_cast<std::size_t>(sent));
    }
  }

  // Until the server closes.
  std::string ReadAll() {
    while (ReadMore()) {
    }
    return std::exchange(read_, {});
  }

  std::string Request(const std::string& method, const std::string& target,
                      const std::string& headers) const {
    return method + " " + target + " HTTP/1.1\r\nHost: " + host() + "\r\n" + headers + "\r\n";
  }
  static std::string UpgradeHeaders() {
    return "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
           "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n";
  }

  // The status of the server's answer.
  std::string Upgrade(const std::string& more = "") {
    Send(Request("GET", "/live?token=" + token_, UpgradeHeaders() + more));
    while (read_.find("\r\n\r\n") == read_.npos && ReadMore()) {
    }
    const std::string status = read_.substr(0, 12);
    const auto end = read_.find("\r\n\r\n");
    read_.erase(0, end == read_.npos ? read_.size() : end + 4);
    return status;
  }

  // A frame as a client sends it, but for what the caller breaks.
  static std::string Frame(int opcode, std::string_view payload, bool masked = true) {
    std::string frame(1, static_cast<char>(0x80 | opcode));
    const int mask = masked ? 0x80 : 0;
    if (payload.size() < 126) {
      frame += static_cast<char>(mask | static_cast<int>(payload.size()));
    } else {
      frame += static_cast<char>(mask | 126);
      frame += static_cast<char>(payload.size() >> 8);
      frame += static_cast<char>(payload.size());
    }
    if (masked) frame.append(4, '\0');  // a mask of zeros changes nothing
    return frame.append(payload);
  }

  // The next message of the server; nothing when it has closed.
  std::optional<std::vector<std::byte>> ReadMessage() {
    for (;;) {
      if (const auto frame = TakeFrame()) {
        if (frame->first == 2) return frame->second;
        if (frame->first == 8) return {};
      } else if (!ReadMore()) {
        return {};
      }
    }
  }

  // False: the server has closed before its answer to a ping.
  bool ReadPong() {
    for (;;) {
      if (const auto frame = TakeFrame()) {
        if (frame->first == 10) return true;
        if (frame->first == 8) return false;
      } else if (!ReadMore()) {
        return false;
      }
    }
  }

 private:
  // False at the end, or when nothing comes for long.
  bool ReadMore() {
    pollfd wait{.fd = socket_, .events = POLLIN, .revents = 0};
    if (::poll(&wait, 1, 20'000) <= 0) return false;
    char bytes[65536];
    const auto got = ::recv(socket_, bytes, sizeof bytes, 0);
    if (got <= 0) return false;
    read_.append(bytes, static_cast<std::size_t>(got));
    return true;
  }

  std::optional<std::pair<int, std::vector<std::byte>>> TakeFrame() {
    const auto at = [&](std::size_t i) { return static_cast<unsigned char>(read_[i]); };
    if (read_.size() < 2) return {};
    std::size_t header = 2;
    std::uint64_t size = at(1) & 127;
    const std::size_t longer = size == 126 ? 2 : size == 127 ? 8 : 0;
    if (longer > 0) {
      if (read_.size() < header + longer) return {};
      size = 0;
      for (std::size_t i = 0; i < longer; ++i) size = size << 8 | at(header + i);
      header += longer;
    }
    if (read_.size() < header + size) return {};
    const auto* const begin = reinterpret_cast<const std::byte*>(read_.data()) + header;
    std::vector<std::byte> payload(begin, begin + size);
    const int opcode = at(0) & 15;
    read_.erase(0, header + size);
    return std::pair(opcode, std::move(payload));
  }

  std::uint16_t port_ = 0;
  std::string token_;
  int socket_ = -1;
  bool connected_ = false;
  std::string read_;
};

}  // namespace nowait

#endif  // NOWAIT_TESTS_LIVE_CLIENT_H_

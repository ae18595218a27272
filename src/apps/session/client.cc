#include "src/apps/session/client.h"

#include <unistd.h>

#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/beast/core.hpp>
#include <boost/beast/http.hpp>
#include <charconv>
#include <cstddef>
#include <cstring>
#include <utility>

#include "src/apps/session/server.h"
#include "src/base/or_no_memory.h"
#include "src/base/report.h"
#include "src/resource/document_text.h"
#include "src/resource/file.h"
#include "src/resource/merge.h"

namespace nowait {
namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = beast::http;
using asio::ip::tcp;
using boost::system::error_code;

constexpr std::chrono::seconds kRequestTime(10);
constexpr unsigned kAccepted = 200, kNothingNew = 204, kConflict = 409;

std::unexpected<Error> BadAnswer() { return Fail(ErrorCode::kCorrupt, "server"); }

Result<Value> ReadDocument(const std::string& path) {
  const auto bytes = ReadFile(path, static_cast<std::int64_t>(SessionServer::kMostBodyBytes));
  if (!bytes) return std::unexpected(bytes.error());
  return ParseDocument({reinterpret_cast<const char*>(bytes->data()), bytes->size()});
}

}  // namespace

Result<SessionClient::Reply> SessionClient::Ask(const std::string& target,
                                                const std::string& body) const {
  const std::string host = "127.0.0.1:" + std::to_string(def_.port);
  http::request<http::string_body> request(body.empty() ? http::verb::get : http::verb::post,
                                           target, 11);
  request.set(http::field::host, host);
  request.set(http::field::authorization, "Bearer " + def_.token);
  request.body() = body;
  request.prepare_payload();

  // Each step begins the next one; the first error ends them all.
  asio::io_context io(1);
  beast::tcp_stream stream(io);
  beast::flat_buffer buffer;
  http::response_parser<http::string_body> parser;
  parser.body_limit(2 * SessionServer::kMostBodyBytes);
  error_code failed;
  stream.expires_after(kRequestTime);
  stream.async_connect(tcp::endpoint(asio::ip::address_v4::loopback(), def_.port),
                       [&](error_code error) {
                         failed = error;
                         if (error) return;
                         http::async_write(stream, request, [&](error_code sent, std::size_t) {
                           failed = sent;
                           if (sent) return;
                           http::async_read(stream, buffer, parser,
                                            [&](error_code got, std::size_t) { failed = got; });
                         });
                       });
  io.run();
  if (failed) {
    const bool is_of_system = failed.category() == boost::system::system_category();
    return Fail(ErrorCode::kIo, "server", is_of_system ? failed.value() : 0,
                is_of_system ? std::strerror(failed.value()) : "the connection was lost");
  }
  return Reply{parser.get().result_int(), std::move(parser.get().body())};
}

Result<SessionClient::Outcome> SessionClient::Sync() {
  return OrNoMemory([&]() -> Result<Outcome> {
    if (!known_) return Take();  // a late one begins with what is there
    if (open_) return Send();
    const auto file = ReadDocument(def_.file);
    if (!file) return std::unexpected(file.error());
    read_ = *file;
    return Same(read_, *known_) ? Take() : Send();
  });
}

void SessionClient::Pause(std::chrono::milliseconds time) {
  asio::io_context io(1);
  const asio::executor_work_guard<asio::io_context::executor_type> work(io.get_executor());
  io.run_for(time);
}

Result<SessionClient::Outcome> SessionClient::Send() {
  const Value edit = Value::Object({{"base", Value::FromNumber(std::to_string(revision_))},
                                    {"author", Value::String(def_.author)},
                                    {"document", read_}});
  open_ = true;
  const auto reply = Ask("/edit", WriteDocument(edit, {.lines = false}));
  if (!reply) return std::unexpected(reply.error());
  const auto answer = ParseDocument(reply->body);
  if (!answer) return BadAnswer();
  if (reply->status == kAccepted) {
    auto adopted = Adopt(*answer, Outcome::kSent);
    open_ = !adopted;  // a file that cannot be read now gets the answer to the same change later
    return adopted;
  }
  open_ = false;
  if (reply->status != kConflict) return Refused(reply->status, *answer);
  const Value* places = answer->Find("conflicts");
  if (places == nullptr || places->items() == nullptr) return BadAnswer();
  conflicts_.clear();
  for (const Value& place : *places->items()) {
    if (place.string() != nullptr) conflicts_.push_back(*place.string());
  }
  return Give(*answer);
}

Result<SessionClient::Outcome> SessionClient::Take() {
  const auto reply = Ask("/document?after=" + std::to_string(revision_), {});
  if (!reply) return std::unexpected(reply.error());
  if (reply->status == kNothingNew) return Outcome::kNothing;
  const auto answer = ParseDocument(reply->body);
  if (!answer) return BadAnswer();
  if (reply->status != kAccepted) return Refused(reply->status, *answer);
  return Adopt(*answer, Outcome::kTaken);
}

std::unexpected<Error> SessionClient::Refused(unsigned status, const Value& answer) {
  const Value* line = answer.Find("error");
  refusal_ = line != nullptr && line->string() != nullptr ? *line->string() : "";
  return Fail(ErrorCode::kInvalidArgument, "request", status, refusal_.c_str());
}

// The file gets the shared document; what it had stays beside it.
Result<SessionClient::Outcome> SessionClient::Give(const Value& answer) {
  const auto file = ReadDocument(def_.file);
  if (!file) return std::unexpected(file.error());
  if (!Same(*file, read_)) return Outcome::kNothing;  // saved once more meanwhile: sent by the next
  if (auto kept = KeepRefused(read_); !kept) return std::unexpected(kept.error());
  return Adopt(answer, Outcome::kRefused);
}

// Under the first name that is free. A change that is refused again, because the file could not be
// written, has its name already.
Result<void> SessionClient::KeepRefused(const Value& document) {
  if (!refused_file_.empty()) {
    if (const auto kept = ReadDocument(refused_file_); kept && Same(*kept, document)) return {};
  }
  std::string name = def_.file + ".refused";
  for (int number = 2; access(name.c_str(), F_OK) == 0; ++number) {
    name = def_.file + ".refused." + std::to_string(number);
  }
  auto written = WriteFileWhole(name, WriteDocument(document, {}));
  if (written) refused_file_ = std::move(name);
  return written;
}

Result<SessionClient::Outcome> SessionClient::Adopt(const Value& answer, Outcome outcome) {
  const Value* revision = answer.Find("revision");
  const Value* document = answer.Find("document");
  if (revision == nullptr || revision->number() == nullptr || document == nullptr) {
    return BadAnswer();
  }
  const std::string& digits = revision->number()->text;
  std::uint64_t number = 0;
  const auto read = std::from_chars(digits.data(), digits.data() + digits.size(), number);
  if (read.ec != std::errc() || read.ptr != digits.data() + digits.size()) return BadAnswer();
  Value shown = *document;
  if (known_) {
    // An editor may have saved since the file was read: then its change goes on top.
    const auto file = ReadDocument(def_.file);
    if (!file) return std::unexpected(file.error());
    if (!Same(*file, read_)) {
      auto merged = Merge(&read_, *file, *document, {});
      if (!merged) return std::unexpected(merged.error());
      if (merged->conflicts.empty()) {
        shown = std::move(merged->document);
      } else {
        // The server would refuse it as well.
        if (auto kept = KeepRefused(*file); !kept) return std::unexpected(kept.error());
        conflicts_ = std::move(merged->conflicts);
        outcome = Outcome::kRefused;
      }
    }
    if (Same(shown, *file)) {
      known_ = *document;
      revision_ = number;
      return outcome;
    }
  }
  auto written = WriteFileWhole(def_.file, WriteDocument(shown, {}));
  if (!written) return std::unexpected(written.error());
  known_ = *document;
  revision_ = number;
  return outcome;
}

}  // namespace nowait

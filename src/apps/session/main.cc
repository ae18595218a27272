// session: several people change one JSON document at the same time. See --help.
//
// Exit status: 0 ended in good order, 1 could not go on, 2 bad arguments.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <chrono>
#include <csignal>
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "src/apps/command_line/interruption.h"
#include "src/apps/command_line/number.h"
#include "src/apps/command_line/parse.h"
#include "src/apps/command_line/print.h"
#include "src/apps/session/client.h"
#include "src/apps/session/server.h"
#include "src/apps/session/session.h"
#include "src/base/cpu.h"
#include "src/live/server.h"
#include "src/resource/document_text.h"
#include "src/resource/file.h"
#include "src/sync/policy.h"

namespace nowait {
namespace {

// The token comes from the environment: arguments are seen by every user of the machine.
constexpr const char* kTokenVariable = "NOWAIT_SESSION_TOKEN";
constexpr std::chrono::milliseconds kTurn(50);

int Complain(std::string_view line, int status = 1) {
  PrintError("session", line);
  return status;
}

struct Words {
  std::string log, file, author;
  std::uint16_t port = 0;
  std::uint32_t seconds = 0;
  std::uint64_t revision = 0;
};

// After `seconds`, if there is such an end, or at Ctrl-C.
class End {
 public:
  explicit End(std::uint32_t seconds) : seconds_(seconds), begin_(EngineSync::clock::now()) {}
  bool HasCome() const {
    const auto passed = EngineSync::clock::now() - begin_;
    return IsInterrupted() || (seconds_ != 0 && passed >= std::chrono::seconds(seconds_));
  }

 private:
  const std::uint32_t seconds_;
  const EngineSync::clock::time_point begin_;
};

Result<Value> ReadDocument(const std::string& path) {
  const auto bytes = ReadFile(path, static_cast<std::int64_t>(SessionServer::kMostBodyBytes));
  if (!bytes) return std::unexpected(bytes.error());
  return ParseDocument({reinterpret_cast<const char*>(bytes->data()), bytes->size()});
}

int Serve(const Words& words) {
  std::optional<Value> initial;
  if (!words.file.empty()) {
    auto read = ReadDocument(words.file);
    if (!read) return Complain(words.file + ": " + ToString(read.error()));
    initial = std::move(*read);
  }
  auto session = Session::Open(words.log, initial ? &*initial : nullptr);
  if (!session) return Complain(words.log + ": " + ToString(session.error()));
  std::string token;
  if (const char* given = std::getenv(kTokenVariable)) token = given;
  if (token.empty()) {
    const auto made = MakeToken();
    if (!made) return Complain(ToString(made.error()));
    token = *made;
  }
  const auto server = SessionServer::Listen(*session, words.port, token);
  if (!server) return Complain(ToString(server.error()));
  PrintOut(fmt::format("revision {}; to join: {}={} ./nowait session join {} FILE --author NAME\n",
                       session->revision(), kTokenVariable, token, (*server)->port()));
  for (const End end(words.seconds); !end.HasCome();) (*server)->Serve(kTurn);
  const auto& counts = (*server)->counts();
  PrintOut(
      fmt::format("revision {}; {} edits accepted, {} refused for a conflict, {} bad requests\n",
                  session->revision(), counts.accepted, counts.conflicts, counts.refused));
  return 0;
}

int Join(const Words& words) {
  const char* token = std::getenv(kTokenVariable);
  if (token == nullptr) return Complain(fmt::format("{} is not set", kTokenVariable), 2);
  SessionClient client({words.port, token, words.author, words.file});
  std::string last;  // a complaint is made once
  for (const End end(words.seconds); !end.HasCome(); SessionClient::Pause(kTurn)) {
    const auto outcome = client.Sync();
    if (!outcome) {
      // The server may be back soon, and the file whole again.
      if (const std::string line = ToString(outcome.error()); line != last) {
        Complain(line);
        last = line;
      }
      continue;
    }
    last.clear();
    if (*outcome == SessionClient::Outcome::kNothing) continue;
    if (*outcome == SessionClient::Outcome::kRefused) {
      for (const std::string& place : client.conflicts()) {
        Complain(fmt::format("conflict at {}; yours is in {}", place, client.refused_file()));
      }
    }
    PrintOut(fmt::format("revision {}\n", client.revision()));
  }
  return 0;
}

// The author of each revision; or the document of one.
int History(const Words& words) {
  const auto texts = EditLog::Look(words.log);
  if (!texts) return Complain(words.log + ": " + ToString(texts.error()));
  if (words.revision > texts->size()) return Complain("there is no such revision");
  std::string shown;
  for (std::size_t i = 0; i < texts->size(); ++i) {
    const auto revision = RevisionOf((*texts)[i]);
    if (!revision) return Complain(words.log + ": " + ToString(revision.error()));
    if (words.revision == 0) {
      const std::string& author = revision->author;
      shown += fmt::format("{} {}\n", i + 1, author.empty() ? "(begin)" : author);
    } else if (words.revision == i + 1) {
      shown = WriteDocument(revision->document, {});
    }
  }
  return PrintOut(shown) ? 0 : Complain("standard output: cannot be written");
}

int Main(int argc, char** argv) {
  Words words;
  CLI::App app(
      "Several people change one JSON document at the same time: a server on loopback merges each "
      "change and keeps it in a log, and each person has a file that any editor may change.",
      "session");
  app.require_subcommand(1);
  auto* serve = app.add_subcommand("serve", "begin a session, or go on with the one of a log");
  serve->add_option("LOG", words.log, "where every accepted edit is, synced to the disk")
      ->required();
  serve->add_option("--file", words.file, "the document that a new session begins with");
  AddNumber<std::uint16_t>(*serve, "--port", words.port, 0, 65'535, "0: one that is free");
  auto* join = app.add_subcommand("join", "keep a file and the session's document the same");
  AddNumber<std::uint16_t>(*join, "PORT", words.port, 1, 65'535, "of the server");
  join->get_option("PORT")->required();
  join->add_option("FILE", words.file, "is written over with the session's document")->required();
  join->add_option("--author", words.author, "your name")->required();
  for (CLI::App* running : {serve, join}) {
    AddNumber(*running, "--seconds", words.seconds, 0u, 1'000'000u, "then it ends; 0: at Ctrl-C");
  }
  auto* history = app.add_subcommand("history", "the author of each revision");
  history->add_option("LOG", words.log, "of a session, which may be running")->required();
  AddNumber<std::uint64_t>(*history, "--revision", words.revision, 0, 1'000'000'000,
                           "print the document of this one");
  if (const auto status = Parse(app, argc, argv)) return *status;
  if (history->parsed()) return History(words);
  CatchInterrupts();
  std::signal(SIGXFSZ, SIG_IGN);  // a limit of a file's size is an error of its write
  return serve->parsed() ? Serve(words) : Join(words);
}

}  // namespace
}  // namespace nowait

int main(int argc, char** argv) {
  if (!nowait::CpuIsSufficient()) return nowait::Complain(nowait::kCpuMessage);
  return nowait::Main(argc, argv);
}

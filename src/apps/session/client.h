// SessionClient: one person's file in a session. The file may be changed by any editor.
//
//   Sync sends the file's changes, takes those of the others, and writes the merged file.
//
// A change that is in conflict with another one is refused as a whole. The file then gets the
// shared document, and the refused one is kept beside it, as FILE.refused, FILE.refused.2 and so
// on: no edit is lost without a word. A lost connection changes nothing: the next Sync sends the
// same change again, and what has been saved since goes on top of it. A change from a revision
// that the server does not keep any more (Session::kMostKept) is an error, and the file stays as it
// is.
// Limits: joining writes the file over. An editor that saves in the instant between a look at the
// file and its rename is not seen. A file that is a symbolic link becomes a file. A server at the
// same port with the same token has the same log: revisions have no other name than their numbers.
//
// Thread safety: one thread. Blocking: Sync waits for the server, at most 10 seconds a request.
// Test: tests/apps/session/clients_test.py.
#ifndef NOWAIT_SRC_APPS_SESSION_CLIENT_H_
#define NOWAIT_SRC_APPS_SESSION_CLIENT_H_

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "src/base/result.h"
#include "src/resource/document.h"

namespace nowait {

struct SessionClientDef {
  std::uint16_t port = 0;
  std::string token;
  std::string author;
  std::string file;
};

class SessionClient {
 public:
  enum class Outcome {
    kNothing,  // no side had news
    kSent,     // a change of the file was accepted
    kTaken,    // the file has others' changes
    kRefused,  // conflicts(); the file has the shared document
  };

  explicit SessionClient(SessionClientDef def) : def_(std::move(def)) {}

  // kIo "server" with errno: the connection was lost, or refused; kCorrupt "server": an answer that
  // is not one; kInvalidArgument "request": the server does not take it, in its words; those of
  // ReadFile, ParseDocument, Merge and WriteFileWhole. Nothing has been lost then, and the next
  // Sync tries again.
  Result<Outcome> Sync();

  // Waits for so long.
  static void Pause(std::chrono::milliseconds time);

  // Of the last change that was refused: JSON pointers.
  const std::vector<std::string>& conflicts() const { return conflicts_; }
  // The file that has it.
  const std::string& refused_file() const { return refused_file_; }
  // The revision that the file is at.
  std::uint64_t revision() const { return revision_; }

 private:
  struct Reply {
    unsigned status;
    std::string body;
  };
  Result<Reply> Ask(const std::string& target, const std::string& body) const;
  Result<Outcome> Send();
  Result<Outcome> Take();
  Result<Outcome> Give(const Value& answer);
  Result<void> KeepRefused(const Value& document);
  // The file gets the document of an answer, and what was saved since it was read. Returns the
  // outcome, or kRefused where both are in conflict.
  Result<Outcome> Adopt(const Value& answer, Outcome outcome);
  std::unexpected<Error> Refused(unsigned status, const Value& answer);

  const SessionClientDef def_;
  std::uint64_t revision_ = 0;  // 0: not joined yet
  std::optional<Value> known_;  // the document of that revision
  Value read_;                  // the file's, when it was read last
  bool open_ = false;           // read_ was sent, and it is not known what has become of it
  std::vector<std::string> conflicts_;
  std::string refused_file_;
  std::string refusal_;  // the server's words, which an error shows
};

}  // namespace nowait

#endif  // NOWAIT_SRC_APPS_SESSION_CLIENT_H_

// Session: a document that several people change at the same time, and its revisions.
//
//   auto session = Session::Open("level.log", &initial);
//   if (!session) return std::unexpected(session.error());
//   auto answer = session->Submit(base, "anna", document);    the document as of `base`, changed
//   if (answer && answer->conflicts.empty()) ...              accepted, merged, and on the disk
//
// A change is submitted as the whole document, with the number of the revision that it was made
// from. It is merged with what the others have changed since then (src/resource/merge.h). A change
// with a conflict is refused as a whole: the shared document never holds a conflict, and its author
// gets the places. A change that is submitted again, because the answer was lost, has made one of
// its author's revisions since its base: it makes no other one, also where the others have changed
// the same fields since. (To undo what they did, an author submits from a newer base.)
//
// Promise: an edit that was accepted is in the log, synced to the disk, before Submit returns. A
// session that is opened with the log has all revisions again.
//
// Thread safety: one thread. Blocking: the disk.
// Errors: those of EditLog; kCorrupt "log" for a record that is no revision; kInvalidArgument
// "document" (it holds a conflict); kCapacity "levels of JSON" (kMostLevels), "document bytes"
// (also of what the merge makes) or "memory". Of Submit also: kNotFound "base" (no such revision,
// or one that is not kept now), kInvalidArgument "author" (1 .. 64 printable characters, no space).
// Source: [bitsquid2010], "Content Repositories and Databases": commit and update at each change.
// Test: tests/apps/session/session_test.cc, tests/apps/session/clients_test.py.
#ifndef NOWAIT_SRC_APPS_SESSION_SESSION_H_
#define NOWAIT_SRC_APPS_SESSION_SESSION_H_

#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "src/apps/session/edit_log.h"
#include "src/base/result.h"
#include "src/resource/document.h"
#include "src/resource/document_text.h"

namespace nowait {

class Session {
 public:
  // Revisions that a change may be made from: the last ones, as long as their records have so many
  // bytes together. The present one is always kept.
  static constexpr std::size_t kMostKept = 1024;
  static constexpr std::size_t kMostKeptBytes = std::size_t{1} << 26;
  // Of a record, so that a request and an answer have room for the document (server.h).
  static constexpr std::size_t kMostRecordBytes = (std::size_t{1} << 24) - 1024;
  // Of a document: a record has one more.
  static constexpr int kMostLevels = nowait::kMostLevels - 1;

  struct Revision {
    std::string author;  // empty: the document that the session began with
    Value document;
  };
  struct Answer {
    std::uint64_t revision = 0;          // the present one
    std::vector<std::string> conflicts;  // JSON pointers; empty: accepted
  };

  // initial: for a log without a record; it may be null for one with records, and kNotFound
  // "document" otherwise.
  static Result<Session> Open(const std::string& log, const Value* initial);

  Result<Answer> Submit(std::uint64_t base, std::string_view author, const Value& document);

  // From 1.
  std::uint64_t revision() const { return first_ + kept_.size() - 1; }
  const Value& document() const { return kept_.back().revision.document; }
  // Null if it is not kept, or not there.
  const Revision* Find(std::uint64_t revision) const;

 private:
  explicit Session(EditLog log) : log_(std::move(log)) {}
  struct Kept {
    Revision revision;
    std::size_t bytes = 0;  // of its record
  };

  void Keep(Kept kept);
  void Forget();
  Result<void> Accept(Revision revision);
  Result<bool> HasBeenAccepted(std::uint64_t base, std::string_view author,
                               const Value& document) const;

  EditLog log_;
  std::uint64_t first_ = 1;  // the number of the first that is kept
  std::deque<Kept> kept_;
  std::size_t kept_bytes_ = 0;  // their sum
};

// The record of a revision, and back. kCorrupt "log": the text is not one.
std::string RecordOf(const Session::Revision& revision);
Result<Session::Revision> RevisionOf(std::string_view record);

// The body of a request, {"base": N, "author": "..", "document": ..}; others are passed over.
// Errors: those of ParseDocument; kInvalidArgument with the name of the member.
struct Edit {
  std::uint64_t base;
  std::string author;
  Value document;
};
Result<Edit> EditOf(std::string_view body);

}  // namespace nowait

#endif  // NOWAIT_SRC_APPS_SESSION_SESSION_H_

#include "src/apps/session/session.h"

#include <algorithm>
#include <utility>

#include "src/base/or_no_memory.h"
#include "src/resource/document_text.h"
#include "src/resource/merge.h"

namespace nowait {
namespace {

constexpr std::size_t kLongestAuthor = 64;
Layout OneLine() { return {.lines = false, .newline = false}; }

bool IsName(std::string_view author) {
  return !author.empty() && author.size() <= kLongestAuthor &&
         std::ranges::all_of(author, [](char c) { return c > ' ' && c <= '~'; });
}

}  // namespace

std::string RecordOf(const Session::Revision& revision) {
  return WriteDocument(
      Value::Object({{"author", Value::String(revision.author)}, {"document", revision.document}}),
      OneLine());
}

Result<Session::Revision> RevisionOf(std::string_view record) {
  const auto parsed = ParseDocument(record);
  if (!parsed) return Fail(ErrorCode::kCorrupt, "log", 0, "a record is not JSON");
  const Value* author = parsed->Find("author");
  const Value* document = parsed->Find("document");
  if (author == nullptr || author->string() == nullptr || document == nullptr) {
    return Fail(ErrorCode::kCorrupt, "log", 0, "a record is no revision");
  }
  return Session::Revision{*author->string(), *document};
}

Result<Session> Session::Open(const std::string& log, const Value* initial) {
  return OrNoMemory([&]() -> Result<Session> {
    auto opened = EditLog::Open(log);
    if (!opened) return std::unexpected(opened.error());
    Session session(std::move(opened->log));
    for (const std::string& text : opened->texts) {
      auto revision = RevisionOf(text);
      if (!revision) return std::unexpected(revision.error());
      session.Keep(std::move(*revision));
    }
    if (!session.kept_.empty()) return session;
    if (initial == nullptr) return Fail(ErrorCode::kNotFound, "document");
    if (auto kept = session.Accept({{}, *initial}); !kept) return std::unexpected(kept.error());
    return session;
  });
}

Result<Session::Answer> Session::Submit(std::uint64_t base, std::string_view author,
                                        const Value& document) {
  return OrNoMemory([&]() -> Result<Answer> {
    if (!IsName(author)) return Fail(ErrorCode::kInvalidArgument, "author");
    const Revision* from = Find(base);
    if (from == nullptr) {
      return Fail(ErrorCode::kNotFound, "base", static_cast<std::int64_t>(base));
    }
    auto merged = Merge(&from->document, this->document(), document, {});
    if (!merged) {
      // The shared document has no conflict: it is the submitted one.
      if (merged.error().code != ErrorCode::kInvalidArgument)
        return std::unexpected(merged.error());
      return Fail(ErrorCode::kInvalidArgument, "document", 0, "it holds a conflict");
    }
    if (!merged->conflicts.empty()) return Answer{revision(), std::move(merged->conflicts)};
    if (!Same(merged->document, this->document())) {
      auto accepted = Accept({std::string(author), std::move(merged->document)});
      if (!accepted) return std::unexpected(accepted.error());
    }
    return Answer{revision(), {}};
  });
}

const Session::Revision* Session::Find(std::uint64_t revision) const {
  if (revision < first_ || revision > this->revision()) return nullptr;
  return &kept_[revision - first_];
}

Result<void> Session::Accept(Revision revision) {
  // Before the log: behind it nothing may fail any more.
  kept_.emplace_back();
  if (auto logged = log_.Append(RecordOf(revision)); !logged) {
    kept_.pop_back();
    return logged;
  }
  kept_.back() = std::move(revision);
  if (kept_.size() > kMostKept) {
    kept_.pop_front();
    ++first_;
  }
  return {};
}

void Session::Keep(Revision revision) {
  kept_.push_back(std::move(revision));
  if (kept_.size() <= kMostKept) return;
  kept_.pop_front();
  ++first_;
}

}  // namespace nowait

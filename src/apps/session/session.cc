#include "src/apps/session/session.h"

#include <algorithm>
#include <charconv>
#include <system_error>
#include <utility>

#include "src/base/or_no_memory.h"
#include "src/resource/merge.h"

namespace nowait {
namespace {

constexpr std::size_t kLongestAuthor = 64;
Layout OneLine() { return {.lines = false, .newline = false}; }

bool IsName(std::string_view author) {
  return !author.empty() && author.size() <= kLongestAuthor &&
         std::ranges::all_of(author, [](char c) { return c > ' ' && c <= '~'; });
}

// Containers in each other.
int LevelsOf(const Value& value) {
  int inside = 0;
  if (const Value::Items* items = value.items()) {
    for (const Value& item : *items) inside = std::max(inside, LevelsOf(item));
  } else if (const Value::Members* members = value.members()) {
    for (const auto& [key, member] : *members) inside = std::max(inside, LevelsOf(member));
  }
  return inside + (value.is_container() ? 1 : 0);
}

Result<void> CheckLevels(const Value& document) {
  if (LevelsOf(document) <= Session::kMostLevels) return {};
  return Fail(ErrorCode::kCapacity, "levels of JSON", Session::kMostLevels);
}

std::unexpected<Error> HoldsConflict() {
  return Fail(ErrorCode::kInvalidArgument, "document", 0, "it holds a conflict");
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

Result<Edit> EditOf(std::string_view body) {
  return OrNoMemory([&]() -> Result<Edit> {
    const auto parsed = ParseDocument(body);
    if (!parsed) return std::unexpected(parsed.error());
    const Value* base = parsed->Find("base");
    const Value* author = parsed->Find("author");
    const Value* document = parsed->Find("document");
    Edit edit;
    const std::string digits =
        base == nullptr || base->number() == nullptr ? "" : base->number()->text;
    const auto read = std::from_chars(digits.data(), digits.data() + digits.size(), edit.base);
    if (read.ec != std::errc() || read.ptr != digits.data() + digits.size()) {
      return Fail(ErrorCode::kInvalidArgument, "base", 0, "no whole number");
    }
    if (author == nullptr || author->string() == nullptr) {
      return Fail(ErrorCode::kInvalidArgument, "author", 0, "no name");
    }
    if (document == nullptr) return Fail(ErrorCode::kInvalidArgument, "document", 0, "not there");
    edit.author = *author->string();
    edit.document = *document;
    return edit;
  });
}

Result<Session> Session::Open(const std::string& log, const Value* initial) {
  return OrNoMemory([&]() -> Result<Session> {
    auto opened = EditLog::Open(log);
    if (!opened) return std::unexpected(opened.error());
    Session session(std::move(opened->log));
    for (const std::string& text : opened->texts) {
      auto revision = RevisionOf(text);
      if (!revision) return std::unexpected(revision.error());
      session.Keep({std::move(*revision), text.size()});
    }
    if (!session.kept_.empty()) return session;
    if (initial == nullptr) return Fail(ErrorCode::kNotFound, "document");
    if (auto fits = CheckLevels(*initial); !fits) return std::unexpected(fits.error());
    if (!Merge(nullptr, *initial, *initial, {})) return HoldsConflict();
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
    if (auto fits = CheckLevels(document); !fits) return std::unexpected(fits.error());
    const auto repeated = HasBeenAccepted(base, author, document);
    if (!repeated) return std::unexpected(repeated.error());
    if (*repeated) return Answer{revision(), {}};
    auto merged = Merge(&from->document, this->document(), document, {});
    if (!merged) {
      // The shared document has no conflict: it is the submitted one.
      if (merged.error().code != ErrorCode::kInvalidArgument)
        return std::unexpected(merged.error());
      return HoldsConflict();
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
  return &kept_[revision - first_].revision;
}

// Whether one of the author's revisions is what the change makes of the revision before it.
Result<bool> Session::HasBeenAccepted(std::uint64_t base, std::string_view author,
                                      const Value& document) const {
  for (std::uint64_t made = base + 1; made <= revision(); ++made) {
    const Revision& revision = *Find(made);
    if (revision.author != author) continue;
    const auto merged = Merge(&Find(base)->document, Find(made - 1)->document, document, {});
    if (!merged) {
      if (merged.error().code == ErrorCode::kInvalidArgument) return HoldsConflict();
      return std::unexpected(merged.error());
    }
    if (merged->conflicts.empty() && Same(merged->document, revision.document)) return true;
  }
  return false;
}

Result<void> Session::Accept(Revision revision) {
  const std::string record = RecordOf(revision);
  if (record.size() > kMostRecordBytes) {
    return Fail(ErrorCode::kCapacity, "document bytes", kMostRecordBytes);
  }
  // Before the log: behind it nothing may fail any more.
  kept_.emplace_back();
  auto logged = log_.Append(record);
  if (!logged) {
    kept_.pop_back();
    return logged;
  }
  kept_.back() = {std::move(revision), record.size()};
  kept_bytes_ += record.size();
  Forget();
  return {};
}

void Session::Keep(Kept kept) {
  kept_bytes_ += kept.bytes;
  kept_.push_back(std::move(kept));
  Forget();
}

// Those that are too many, or too long together.
void Session::Forget() {
  while (kept_.size() > kMostKept || (kept_.size() > 1 && kept_bytes_ > kMostKeptBytes)) {
    kept_bytes_ -= kept_.front().bytes;
    kept_.pop_front();
    ++first_;
  }
}

}  // namespace nowait

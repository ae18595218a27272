#include "src/profile/critical_path.h"

#include <algorithm>
#include <string_view>
#include <utility>

namespace nowait {
namespace {

using Piece = CriticalPath::Piece;

bool IsWait(std::string_view name) {
  constexpr std::string_view kWait = "wait";
  if (!name.starts_with(kWait)) return false;
  const std::string_view rest = name.substr(kWait.size());
  const char next = rest.empty() ? ' ' : rest[0];
  return !((next >= 'a' && next <= 'z') || (next >= 'A' && next <= 'Z') ||
           (next >= '0' && next <= '9') || next == '_');
}

// The pieces of the lanes' spans. Of one lane they are disjoint, even where its spans neither nest
// nor are disjoint: no time is in two of them.
class Pieces {
 public:
  Pieces(std::uint64_t begin, std::uint64_t end) : begin_(begin), end_(end) {}

  void AddLane(const Lane& lane, std::size_t index) {
    lane_ = index;
    at_ = begin_;
    std::vector<Ordered> spans;  // as they were written: a span after those inside
    for (std::size_t i = 0; i < lane.spans.size(); ++i) {
      const Span& span = lane.spans[i];
      const bool lasts = span.begin < span.end;
      if (lasts && span.end > begin_ && span.begin < end_) spans.push_back({span, i});
    }
    std::ranges::sort(spans, [](const Ordered& a, const Ordered& b) {
      if (a.span.begin != b.span.begin) return a.span.begin < b.span.begin;
      return a.span.end != b.span.end ? a.span.end > b.span.end : a.written > b.written;
    });
    for (const Ordered& next : spans) {
      CloseUntil(next.span.begin);
      WorkUntil(next.span.begin);
      open_.push_back(next.span);
    }
    CloseUntil(~std::uint64_t{0});
  }

  std::vector<Piece> TakeByEnd() {
    std::ranges::stable_sort(pieces_, [](const Piece& a, const Piece& b) {
      return a.span.end != b.span.end ? a.span.end < b.span.end : a.span.begin < b.span.begin;
    });
    return std::move(pieces_);
  }

 private:
  struct Ordered {
    Span span;
    std::size_t written;
  };

  void CloseUntil(std::uint64_t time) {
    while (!open_.empty() && open_.back().end <= time) {
      WorkUntil(open_.back().end);
      open_.pop_back();
    }
  }
  // The time up to here is the innermost span's.
  void WorkUntil(std::uint64_t time) {
    const std::uint64_t to = std::min(time, end_);
    if (to <= at_) return;
    if (!open_.empty() && !IsWait(open_.back().name)) {
      pieces_.push_back({lane_, {open_.back().name, at_, to}});
    }
    at_ = to;
  }

  const std::uint64_t begin_, end_;
  std::size_t lane_ = 0;
  std::uint64_t at_ = 0;  // up to here the lane's time is in pieces, or in none
  std::vector<Span> open_;
  std::vector<Piece> pieces_;
};

}  // namespace

CriticalPath FindCriticalPath(const Profile& profile, std::uint64_t begin, std::uint64_t end) {
  Pieces all(begin, end);
  std::size_t index = 0;
  for (const Lane& lane : profile.lanes()) all.AddLane(lane, index++);
  const std::vector<Piece> by_end = all.TakeByEnd();

  CriticalPath path;
  for (std::size_t at = by_end.size(); at > 0;) {
    const Piece& piece = by_end[at - 1];
    path.pieces.push_back(piece);
    path.work += piece.span.end - piece.span.begin;
    // Behind the last one that ended before this one began.
    const auto behind = std::ranges::upper_bound(by_end, piece.span.begin, {},
                                                 [](const Piece& one) { return one.span.end; });
    std::size_t before = std::min(static_cast<std::size_t>(behind - by_end.begin()), at - 1);
    for (std::size_t i = before; i > 0 && by_end[i - 1].span.end == piece.span.begin; --i) {
      if (by_end[i - 1].lane == piece.lane) before = i;
    }
    if (before > 0) path.between += piece.span.begin - by_end[before - 1].span.end;
    at = before;
  }
  std::ranges::reverse(path.pieces);
  return path;
}

}  // namespace nowait

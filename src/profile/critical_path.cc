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

// The pieces of a lane's spans, which nest or are disjoint.
class Pieces {
 public:
  Pieces(std::uint64_t begin, std::uint64_t end) : begin_(begin), end_(end) {}

  void AddLane(const Lane& lane, std::size_t index) {
    lane_ = index;
    std::vector<Open> spans;  // in the order in which they were written: a span after those inside
    for (std::size_t i = 0; i < lane.spans.size(); ++i) {
      const Span& span = lane.spans[i];
      if (span.end > begin_ && span.begin < end_) spans.push_back({span, span.begin, i});
    }
    std::ranges::sort(spans, [](const Open& a, const Open& b) {
      if (a.span.begin != b.span.begin) return a.span.begin < b.span.begin;
      return a.span.end != b.span.end ? a.span.end > b.span.end : a.written > b.written;
    });
    for (const Open& next : spans) {
      CloseUntil(next.span.begin);
      if (!open_.empty()) WorkUntil(open_.back(), next.span.begin);
      open_.push_back(next);
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
  struct Open {
    Span span;
    std::uint64_t at;  // up to here its work is in pieces, or inside of others
    std::size_t written;
  };

  void CloseUntil(std::uint64_t time) {
    while (!open_.empty() && open_.back().span.end <= time) {
      const Open done = open_.back();
      WorkUntil(open_.back(), done.span.end);
      open_.pop_back();
      if (!open_.empty()) open_.back().at = done.span.end;
    }
  }
  void WorkUntil(Open& open, std::uint64_t time) {
    const std::uint64_t from = std::max(open.at, begin_), to = std::min(time, end_);
    if (from < to && !IsWait(open.span.name)) {
      pieces_.push_back({lane_, {open.span.name, from, to}});
    }
    open.at = time;
  }

  const std::uint64_t begin_, end_;
  std::size_t lane_ = 0;
  std::vector<Open> open_;
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

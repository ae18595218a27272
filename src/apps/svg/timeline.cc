#include "src/apps/svg/timeline.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <map>
#include <string_view>
#include <utility>
#include <vector>

#include "src/apps/svg/svg.h"
#include "src/profile/critical_path.h"

namespace nowait {
namespace {

constexpr double kLeft = 130.0;
constexpr double kBarsWidth = 850.0;
constexpr double kWidth = kLeft + kBarsWidth + 24.0;
constexpr double kTop = 84.0;
constexpr double kRow = 19.0;      // height of a row of bars
constexpr double kLaneGap = 12.0;  // between lanes
constexpr double kLegendRow = 20.0;
constexpr double kLegendColumn = 195.0;

// Light enough for dark text on them, on either background.
constexpr std::array<const char*, 16> kColours = {
    "#8ecae6", "#ffb703", "#a8d672", "#f4a3b5", "#c3a6ff", "#7bd4c0", "#ff9f80", "#b5c7d9",
    "#e0d060", "#d9a0dc", "#9fb4ff", "#d8b48a", "#5fb3a1", "#f07f9f", "#c9e36b", "#c0c0c0"};

// The task pool's names for its spans.
constexpr std::string_view kWait = "wait";
constexpr std::string_view kTask = "task";
constexpr std::string_view kJobs = "jobs";  // of a list

constexpr std::string_view kStyle = R"(
.bar { stroke: #1b1d20; stroke-opacity: 0.55; stroke-width: 0.5; }
.thin { stroke: none; }
.wait { fill: url(#hatch); stroke: #8b929b; stroke-width: 0.7; }
.helped { fill: #8b929b; fill-opacity: 0.2; }
.name { font-size: 11px; fill: #16181b; }
.path { stroke: #d62828; stroke-width: 3; }
)";

struct Bar {
  std::string_view name;
  std::uint64_t begin;
  std::uint64_t end;
  std::uint32_t depth;
  std::size_t written;  // a span is written after the spans that it holds
};

// The lane's spans within the frame, each one row below the span that it lies in.
std::vector<Bar> BarsOf(const Lane& lane, std::uint64_t begin, std::uint64_t end) {
  std::vector<Bar> bars;
  for (const Span& span : lane.spans) {
    const bool is_mark = span.begin == span.end;
    if (!is_mark && span.end > begin && span.begin < end) {
      bars.push_back({span.name, span.begin, span.end, 0, bars.size()});
    }
  }
  // Outer spans first; they end later than the spans inside.
  std::sort(bars.begin(), bars.end(), [](const Bar& a, const Bar& b) {
    if (a.begin != b.begin) return a.begin < b.begin;
    return a.end != b.end ? a.end > b.end : a.written > b.written;
  });
  // The next span is nested in this one if it begins before this one ends.
  std::vector<Bar> named;
  for (std::size_t i = 0; i < bars.size(); ++i) {
    const bool holds = i + 1 < bars.size() && bars[i + 1].begin < bars[i].end;
    const bool is_plain = bars[i].name == kTask || bars[i].name == kJobs;
    if (!is_plain || !holds) named.push_back(bars[i]);
  }
  std::vector<std::uint64_t> open;
  for (Bar& bar : named) {
    while (!open.empty() && open.back() <= bar.begin) open.pop_back();
    bar.depth = static_cast<std::uint32_t>(open.size());
    open.push_back(bar.end);
    bar.begin = std::max(bar.begin, begin);
    bar.end = std::min(bar.end, end);
  }
  return named;
}

// 1, 2 or 5 times a power of ten, so that about eight of them fill the axis.
double TickOf(double length) {
  const double rough = length / 8.0;
  const double power = std::pow(10.0, std::floor(std::log10(rough)));
  for (const double factor : {1.0, 2.0, 5.0}) {
    if (power * factor >= rough) return power * factor;
  }
  return power * 10.0;
}

struct LaneBars {
  std::string name;
  std::vector<Bar> bars;
  std::uint32_t rows = 1;
  double top = 0.0;
};

class TimelineDrawing {
 public:
  TimelineDrawing(const Profile& profile, std::uint64_t begin, std::uint64_t end,
                  TimelineColours& colours)
      : begin_(begin),
        end_(end),
        path_(FindCriticalPath(MakeWorkGraph(profile, begin, end))),
        colours_(colours) {
    double y = kTop;
    for (const Lane& lane : profile.lanes()) {
      LaneBars& bars = lanes_.emplace_back();
      bars.name = lane.name;
      bars.bars = BarsOf(lane, begin, end);
      for (const Bar& bar : bars.bars) bars.rows = std::max(bars.rows, bar.depth + 1);
      bars.top = y;
      y += bars.rows * kRow + kLaneGap;
      CountTimes(bars);
    }
    bottom_ = y;
    AssignColours();
  }

  std::string Draw(const std::string& subtitle) const {
    const std::size_t columns = static_cast<std::size_t>((kWidth - 48.0) / kLegendColumn);
    const std::size_t legend_rows = legend_.size() / columns + 1;  // with the path
    Svg svg(kWidth, bottom_ + 26.0 + kLegendRow * static_cast<double>(legend_rows),
            "Timeline of the threads in one frame", kStyle);
    svg.Open("defs", "");
    svg.Open("pattern",
             "id='hatch' width='6' height='6' patternUnits='userSpaceOnUse' "
             "patternTransform='rotate(45)'");
    svg.Element("rect", "width='6' height='6' fill='#eef0f2'");
    svg.Element("rect", "width='2' height='6' fill='#c4c9cf'");
    svg.Close("pattern");
    svg.Close("defs");
    svg.Text(24, 32, "What the threads did in one frame", "ink title");
    svg.Text(24, 52, subtitle, "soft");
    DrawAxis(svg);
    for (const LaneBars& lane : lanes_) DrawLane(svg, lane);
    DrawPath(svg);
    const auto place = [&](std::size_t i) {
      return std::pair(24.0 + kLegendColumn * static_cast<double>(i % columns),
                       bottom_ + 14.0 + kLegendRow * static_cast<double>(i / columns));
    };
    for (std::size_t i = 0; i < legend_.size(); ++i) {
      const auto [x, y] = place(i);
      svg.Element("rect", "class='{}' x='{}' y='{}' width='12' height='12' rx='2' fill='{}'",
                  legend_[i] == kWait ? "wait" : "bar", x, y - 10, colours_.at(legend_[i]));
      svg.Text(x + 18, y, legend_[i]);
    }
    const auto [x, y] = place(legend_.size());
    svg.Element("path", "class='path' d='M{:.2f} {:.2f}h12'", x, y - 4);
    svg.Text(x + 18, y, "critical path");
    return svg.Finish();
  }

 private:
  void CountTimes(const LaneBars& lane) {
    for (const Bar& bar : lane.bars) times_[std::string(bar.name)] += bar.end - bar.begin;
  }

  // The legend has the names that took longest first; they also get the first colours that are
  // left.
  void AssignColours() {
    for (const auto& [name, time] : times_) legend_.push_back(name);
    std::sort(legend_.begin(), legend_.end(), [this](const auto& a, const auto& b) {
      return times_.at(a) != times_.at(b) ? times_.at(a) > times_.at(b) : a < b;
    });
    for (const std::string& name : legend_) {
      colours_.try_emplace(name, kColours[colours_.size() % kColours.size()]);
    }
  }

  double XOf(std::uint64_t time) const {
    return kLeft +
           kBarsWidth * static_cast<double>(time - begin_) / static_cast<double>(end_ - begin_);
  }

  void DrawAxis(Svg& svg) const {
    const double length = static_cast<double>(end_ - begin_) * 1e-6;  // milliseconds
    const double tick = TickOf(length);
    for (int i = 0; i * tick <= length; ++i) {
      const double x = kLeft + kBarsWidth * i * tick / length;
      svg.Element("path", "class='faint' d='M{:.2f} {}V{}'", x, kTop - 8, bottom_ - kLaneGap);
      svg.Text(x, kTop - 13, fmt::format("{:g}{}", i * tick, i == 0 ? " ms" : ""), "soft",
               "middle");
    }
  }

  // As deep as the spans of the thread's work in this wait.
  void DrawHelped(Svg& svg, const LaneBars& lane, const Bar& wait) const {
    std::uint32_t deepest = wait.depth;
    for (const Bar& bar : lane.bars) {
      if (bar.begin >= wait.begin && bar.end <= wait.end) deepest = std::max(deepest, bar.depth);
    }
    svg.Element("rect", "class='helped' x='{:.2f}' y='{:.2f}' width='{:.2f}' height='{}'",
                XOf(wait.begin), lane.top + kRow * wait.depth, XOf(wait.end) - XOf(wait.begin),
                kRow * (deepest - wait.depth + 1) - 2);
  }

  void DrawLane(Svg& svg, const LaneBars& lane) const {
    svg.Text(kLeft - 12, lane.top + 14, lane.name, "ink", "end");
    svg.Element("path", "class='faint' d='M24 {0}H{1}'", lane.top - 0.5 * kLaneGap,
                kLeft + kBarsWidth);
    for (const Bar& bar : lane.bars) {
      if (bar.name == kWait) DrawHelped(svg, lane, bar);
    }
    for (const Bar& bar : lane.bars) {
      const double x = XOf(bar.begin);
      const double width = XOf(bar.end) - x;
      const double y = lane.top + kRow * bar.depth;
      // The stroke would hide a bar of a few pixels.
      svg.Element("rect", "class='{}' x='{:.2f}' y='{:.2f}' width='{:.2f}' height='{}' fill='{}'",
                  bar.name == kWait ? "wait"
                  : width < 4.0     ? "thin"
                                    : "bar",
                  x, y, std::max(width, 0.4), kRow - 2, colours_.at(std::string(bar.name)));
      // The font is about 6.4 wide; a name that does not fit is in the legend.
      if (width > 6.6 * static_cast<double>(bar.name.size()) + 6.0) {
        svg.Text(x + 4, y + 13, bar.name, "name");
      }
    }
  }

  // Pieces that touch are one line.
  void DrawPath(Svg& svg) const {
    for (std::size_t i = 0; i < path_.pieces.size();) {
      const auto& [lane, span] = path_.pieces[i];
      std::uint64_t end = span.end;
      for (++i; i < path_.pieces.size(); ++i) {
        const auto& next = path_.pieces[i];
        if (next.lane != lane || next.span.begin != end) break;
        end = next.span.end;
      }
      const double y = lanes_[lane].top + lanes_[lane].rows * kRow + 1.0;
      svg.Element("path", "class='path' d='M{:.2f} {:.2f}H{:.2f}'", XOf(span.begin), y, XOf(end));
    }
  }

  const std::uint64_t begin_;
  const std::uint64_t end_;
  const CriticalPath path_;
  double bottom_ = 0.0;
  std::vector<LaneBars> lanes_;
  std::map<std::string, std::uint64_t> times_;
  std::vector<std::string> legend_;
  TimelineColours& colours_;
};

}  // namespace

std::string DrawTimeline(const Profile& profile, std::uint64_t begin, std::uint64_t end,
                         const std::string& subtitle) {
  TimelineColours colours;
  return DrawTimeline(profile, begin, end, subtitle, colours);
}

std::string DrawTimeline(const Profile& profile, std::uint64_t begin, std::uint64_t end,
                         const std::string& subtitle, TimelineColours& colours) {
  return TimelineDrawing(profile, begin, end, colours).Draw(subtitle);
}

}  // namespace nowait

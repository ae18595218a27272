#include "src/apps/openworld/scaling.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <functional>
#include <queue>
#include <string_view>
#include <utility>

#include "src/apps/svg/svg.h"

namespace nowait {
namespace {

constexpr std::array<std::string_view, 2> kFrame = {"game", "physics"};
// The spans of pieces: of the physics, of machines and of folk.
constexpr std::array<std::string_view, 7> kPieces = {
    "rebuild tree", "narrow phase", "solve islands", "solve large island",
    "stop bullets", "look around",  "walk"};
// Nanoseconds between two pieces of one loop, at most: the thread takes the next one.
constexpr std::uint64_t kBetween = 2000;
constexpr std::uint32_t kKnee = 16;  // threads, in [rouwe2022]

template <std::size_t N>
bool IsOneOf(const std::array<std::string_view, N>& names, const char* name) {
  return std::ranges::find(names, std::string_view(name)) != names.end();
}

double Ms(std::uint64_t nanoseconds) { return static_cast<double>(nanoseconds) / 1e6; }

double Median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>((values.size() - 1) / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

// The stages of one span of a frame; pieces: those in it, by their begin.
void AddStages(const Span& whole, std::span<const Span> pieces, std::vector<Stage>& stages) {
  std::uint64_t at = whole.begin;
  bool forked = false;
  for (const Span& piece : pieces) {
    if (!forked || piece.begin - at > kBetween) stages.push_back({piece.begin - at, {}});
    stages.back().pieces.push_back(piece.end - piece.begin);
    forked = true;
    at = piece.end;
  }
  stages.push_back({whole.end - at, {}});
}

}  // namespace

std::vector<std::vector<Stage>> StagesOf(const Lane& lane, std::span<const RideFrame> frames) {
  std::vector<Span> wholes, pieces;
  for (const Span& span : lane.spans) {
    if (IsOneOf(kFrame, span.name)) wholes.push_back(span);
    if (IsOneOf(kPieces, span.name)) pieces.push_back(span);
  }
  std::ranges::sort(wholes, {}, &Span::begin);
  std::ranges::sort(pieces, {}, &Span::begin);
  std::vector<std::vector<Stage>> stages;
  for (const RideFrame& frame : frames) {
    stages.emplace_back();
    const auto in = [](const std::vector<Span>& spans, std::uint64_t begin, std::uint64_t end) {
      const auto first = std::ranges::lower_bound(spans, begin, {}, &Span::begin);
      return std::span(first, std::ranges::lower_bound(spans, end, {}, &Span::begin));
    };
    for (const Span& whole : in(wholes, frame.begin, frame.begin + frame.whole)) {
      AddStages(whole, in(pieces, whole.begin, whole.end), stages.back());
    }
  }
  return stages;
}

std::uint64_t TimeOn(std::uint32_t threads, std::span<const Stage> stages) {
  std::uint64_t time = 0;
  for (const Stage& stage : stages) {
    time += stage.serial;
    // When each thread is free, the earliest one first.
    std::priority_queue<std::uint64_t, std::vector<std::uint64_t>, std::greater<>> free(
        std::greater<>(), std::vector<std::uint64_t>(threads, time));
    for (const std::uint64_t piece : stage.pieces) {
      const std::uint64_t end = free.top() + piece;
      free.pop();
      free.push(end);
      time = std::max(time, end);
    }
  }
  return time;
}

std::vector<ScalingPoint> Scaling(const Lane& lane, std::span<const RideResult> rides) {
  const auto frames = StagesOf(lane, rides[0].frames);
  std::vector<ScalingPoint> points;
  for (const std::uint32_t threads : {1u, 2u, 4u, 8u, 16u, 32u}) {
    std::vector<double> computed;
    for (const auto& stages : frames) computed.push_back(Ms(TimeOn(threads, stages)));
    points.push_back({threads, Median(std::move(computed)), 0.0});
    const auto ride = std::ranges::find(rides, threads, &RideResult::threads);
    if (ride == rides.end()) continue;
    std::vector<double> measured;
    for (const RideFrame& frame : ride->frames) measured.push_back(Ms(frame.game + frame.physics));
    points.back().measured = Median(std::move(measured));
  }
  return points;
}

std::string ScalingTable(std::span<const ScalingPoint> points) {
  std::string text = fmt::format("  {:<10}{:>20}{:>20}{:>14}\n", "threads", "median frame, ms",
                                 "computed, ms", "speed-up");
  for (const ScalingPoint& point : points) {
    const std::string measured = point.measured > 0.0 ? fmt::format("{:.2f}", point.measured) : "";
    text += fmt::format("  {:<10}{:>20}{:>20.2f}{:>14.2f}\n", point.threads, measured,
                        point.computed, points[0].computed / point.computed);
  }
  return text + "  computed from the task graph that one thread recorded (scaling.h)\n";
}

std::string DrawScaling(std::span<const ScalingPoint> points) {
  constexpr double kWidth = 640, kHeight = 420, kLeft = 70, kTop = 70, kRight = 610, kBottom = 360;
  constexpr double kFirst = 116;  // where one thread is: its label stands left of its point
  const double most = std::max(points[0].computed, points[0].measured);
  const auto x = [&](double threads) {
    return kFirst + (kRight - kFirst) * std::log2(threads) / std::log2(points.back().threads);
  };
  const auto y = [&](double ms) { return kBottom - (kBottom - kTop) * ms / most; };
  Svg svg(kWidth, kHeight, "Frame time against threads",
          ".computed { fill: none; stroke: #3a7bd5; stroke-width: 2; stroke-dasharray: 5 4; } "
          ".measured { fill: #d62828; } .knee { stroke: #8b929b; stroke-dasharray: 2 3; }");
  svg.Text(24, 32, "A frame of the ride on more threads", "ink title");
  svg.Text(24, 52, "dots: measured here; dashes: computed from the recorded task graph", "soft");
  svg.Element("path", "class='line' fill='none' d='M{} {}V{}H{}'", kLeft, kTop, kBottom, kRight);
  std::string line;
  for (const ScalingPoint& point : points) {
    line += fmt::format("{}{:.1f} {:.1f}", line.empty() ? "M" : "L", x(point.threads),
                        y(point.computed));
    svg.Text(x(point.threads), kBottom + 20, fmt::format("{}", point.threads), "soft", "middle");
    // The line falls: it is above what is left of a point and below it.
    svg.Text(x(point.threads) - 8, y(point.computed) + 16, fmt::format("{:.1f}", point.computed),
             "soft", "end");
    if (point.measured > 0.0) {
      svg.Element("circle", "class='measured' cx='{:.1f}' cy='{:.1f}' r='4'", x(point.threads),
                  y(point.measured));
      svg.Text(x(point.threads) + 8, y(point.measured) + 2, fmt::format("{:.1f}", point.measured),
               "ink");
    }
  }
  svg.Element("path", "class='computed' d='{}'", line);
  svg.Element("path", "class='knee' d='M{:.1f} {}V{}'", x(kKnee), kTop, kBottom);
  svg.Text(x(kKnee) - 6, kTop + 12, "the talk's knee", "soft", "end");
  svg.Text(kLeft - 8, kTop + 4, fmt::format("{:.0f} ms", most), "soft", "end");
  svg.Text((kLeft + kRight) / 2, kBottom + 42, "threads", "soft", "middle");
  return svg.Finish();
}

}  // namespace nowait

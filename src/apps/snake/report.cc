#include "src/apps/snake/report.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <vector>

#include "src/apps/svg/svg.h"

namespace nowait {
namespace {

constexpr std::size_t kSecond = 30;  // frames

using Figure = double (*)(const FightFrame&);
double Ms(const FightFrame& frame) { return static_cast<double>(frame.cost) / 1e6; }
double Millimetres(const FightFrame& frame) { return 1e3 * static_cast<double>(frame.gap); }
double Kilonewtons(const FightFrame& frame) { return static_cast<double>(frame.force) / 1e3; }
double Jitter(const FightFrame& frame) { return 1e3 * static_cast<double>(frame.jitter); }

constexpr double kRests = 1.0;  // mm/s, of the jitter of a snake at rest

// Frames first .. end - 1; at least one.
struct Part {
  std::size_t first, end;
};
Part All(const FightResult& fight) { return {0, fight.frames.size()}; }
Part From(std::size_t first, const FightResult& fight) {
  return {std::min(first, fight.frames.size() - 1), fight.frames.size()};
}
Part LastSecond(const FightResult& fight) {
  return From(std::max(fight.frames.size(), kSecond) - kSecond, fight);
}
// After the first second, until the dead snake rests.
Part Busy(const FightResult& fight, const FightDef& def) {
  Part part = From(kSecond, fight);
  std::size_t rests = std::max<std::size_t>(def.dies_at + 1, part.first + 1);
  while (rests < part.end && Jitter(fight.frames[rests]) >= kRests) ++rests;
  part.end = std::min(part.end, rests);
  return part;
}

std::vector<double> Sorted(const FightResult& fight, Figure figure, Part part) {
  std::vector<double> values;
  for (std::size_t i = part.first; i < part.end; ++i) values.push_back(figure(fight.frames[i]));
  std::sort(values.begin(), values.end());
  return values;
}

double Median(const FightResult& fight, Figure figure, Part part) {
  const std::vector<double> values = Sorted(fight, figure, part);
  return values[values.size() / 2];
}
double Most(const FightResult& fight, Figure figure, Part part) {
  return Sorted(fight, figure, part).back();
}

std::string Line(const char* name, const Fights& fights,
                 double (*value)(const FightResult&, const FightDef&)) {
  return fmt::format("  {:<44}{:>10.2f}{:>10.2f}\n", name, value(fights.one, fights.def),
                     value(fights.two, fights.def));
}

// "not" where it moves in the last frame, or was not looked at after its death.
std::string Rests(const FightResult& fight, const FightDef& def) {
  const std::size_t end = Busy(fight, def).end;
  if (end == fight.frames.size()) return "not";
  return fmt::format("{:.2f}", static_cast<double>(end - def.dies_at) / kSecond);
}

struct Panel {
  const char* title;
  Figure figure;
};
constexpr Panel kPanels[] = {{"physics of a frame, ms", &Ms},
                             {"the widest joint, mm", &Millimetres},
                             {"change of the links' velocity in a frame, mm/s", &Jitter}};

constexpr double kWidth = 720, kPanelHeight = 150, kPanelGap = 46, kLeft = 60, kTop = 70;

void DrawLine(Svg& svg, const FightResult& fight, Figure figure, double top, double most,
              const char* css_class) {
  std::string points;
  const double step = (kWidth - kLeft - 20) / static_cast<double>(fight.frames.size());
  for (std::size_t i = 0; i < fight.frames.size(); ++i) {
    const double part = std::min(1.0, figure(fight.frames[i]) / most);
    points += fmt::format("{:.1f},{:.1f} ", kLeft + step * static_cast<double>(i),
                          top + kPanelHeight * (1.0 - part));
  }
  svg.Element("polyline", "points='{}' class='{}'", points, css_class);
}

void DrawPanel(Svg& svg, const Fights& fights, const Panel& panel, double top) {
  // The first second has the coil's own settling; a peak there leaves the picture.
  const double most = std::max({Most(fights.one, panel.figure, From(kSecond, fights.one)),
                                Most(fights.two, panel.figure, From(kSecond, fights.two)), 1e-6});
  svg.Text(kLeft, top - 8, panel.title);
  svg.Element("path", "d='M{0} {1}V{2}H{3}' class='line' fill='none'", kLeft, top,
              top + kPanelHeight, kWidth - 20);
  svg.Text(kLeft - 6, top + 10, fmt::format("{:.3g}", most), "soft", "end");
  svg.Text(kLeft - 6, top + kPanelHeight, "0", "soft", "end");
  DrawLine(svg, fights.one, panel.figure, top, most, "one");
  DrawLine(svg, fights.two, panel.figure, top, most, "two");
}

}  // namespace

std::string FightTable(const Fights& fights) {
  const FightResult& two = fights.two;
  const std::string cut =
      fights.def.cut == 0 ? "" : fmt::format(" that is cut behind link {}", fights.def.cut);
  std::string text = fmt::format(
      "a snake of {} links{}, {} figures, {} bits of rubble: {} bodies, {} joints; {} frames of "
      "1/30 s\n",
      fights.def.links, cut, fights.def.figures, fights.def.rubble, two.bodies, two.joints,
      two.frames.size());
  text += fmt::format("  {:<44}{:>10}{:>10}\n", "steps in a frame", 1, 2);
  text +=
      Line("physics, half of the busy frames, ms", fights,
           [](const auto& fight, const auto& def) { return Median(fight, &Ms, Busy(fight, def)); });
  text += Line("... at most, ms", fights, [](const auto& fight, const auto& def) {
    return Most(fight, &Ms, Busy(fight, def));
  });
  text += Line("widest joint, half of the frames, mm", fights, [](const auto& fight, const auto&) {
    return Median(fight, &Millimetres, All(fight));
  });
  text += Line("... after the death, at most, mm", fights, [](const auto& fight, const auto& def) {
    return Most(fight, &Millimetres, From(def.dies_at, fight));
  });
  text += Line("... in the last second, at most, mm", fights, [](const auto& fight, const auto&) {
    return Most(fight, &Millimetres, LastSecond(fight));
  });
  text += Line("force in a joint, half of the busy frames, kN", fights,
               [](const auto& fight, const auto& def) {
                 return Median(fight, &Kilonewtons, Busy(fight, def));
               });
  text += Line("... at most, kN", fights, [](const auto& fight, const auto& def) {
    return Most(fight, &Kilonewtons, Busy(fight, def));
  });
  text += Line(
      "jitter, half of the busy frames, mm/s", fights,
      [](const auto& fight, const auto& def) { return Median(fight, &Jitter, Busy(fight, def)); });
  text += Line("... in the last second, at most, mm/s", fights, [](const auto& fight, const auto&) {
    return Most(fight, &Jitter, LastSecond(fight));
  });
  text += fmt::format("  {:<44}{:>10}{:>10}\n", "the dead snake rests after, s",
                      Rests(fights.one, fights.def), Rests(fights.two, fights.def));
  text += Line("height of the head when it died, m", fights,
               [](const auto& fight, const auto&) { return static_cast<double>(fight.reared); });
  text += Line("... and at the end, m", fights,
               [](const auto& fight, const auto&) { return static_cast<double>(fight.fallen); });
  text += fmt::format("  state {:016x} and {:016x}\n", fights.one.hash, fights.two.hash);
  return text;
}

std::string FightChart(const Fights& fights) {
  const double height = kTop + 3 * (kPanelHeight + kPanelGap);
  Svg svg(kWidth, height, "A snake that dies: one step a frame beside two",
          "polyline{fill:none;stroke-width:1.4}.one{stroke:#c2571a}.two{stroke:#2a6fb0}"
          "rect.one{fill:#c2571a}rect.two{fill:#2a6fb0}");
  svg.Element("rect", "width='{}' height='{}' class='card'", kWidth, height);
  svg.Text(kLeft, 26,
           fmt::format("A snake of {} links dies among {} figures and {} bits of rubble",
                       fights.def.links, fights.def.figures, fights.def.rubble));
  svg.Element("rect", "x='{}' y='38' width='14' height='4' class='one'", kLeft);
  svg.Text(kLeft + 20, 44, "one step of 1/30 s", "soft");
  svg.Element("rect", "x='{}' y='38' width='14' height='4' class='two'", kLeft + 160);
  svg.Text(kLeft + 180, 44, "two steps of 1/60 s", "soft");
  double top = kTop;
  for (const Panel& panel : kPanels) {
    DrawPanel(svg, fights, panel, top);
    top += kPanelHeight + kPanelGap;
  }
  const double dies = kLeft + (kWidth - kLeft - 20) * static_cast<double>(fights.def.dies_at) /
                                  static_cast<double>(fights.two.frames.size());
  svg.Element("path", "d='M{0:.1f} {1}V{2}' class='line' stroke-dasharray='3 3'", dies, kTop,
              top - kPanelGap);
  svg.Text(dies + 4, kTop + 10, "it dies", "soft");
  return svg.Finish();
}

}  // namespace nowait

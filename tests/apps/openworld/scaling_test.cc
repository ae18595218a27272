#include "src/apps/openworld/scaling.h"

#include <array>
#include <catch2/catch.hpp>
#include <cstdint>
#include <iterator>
#include <regex>
#include <sstream>
#include <string>
#include <vector>

namespace nowait {
namespace {

constexpr std::uint64_t kUs = 1000;

// A game of 100 us with two pieces, and a physics of 200 us with two loops.
Lane Recorded(std::uint64_t begin = 0) {
  Lane lane;
  const auto add = [&](const char* name, std::uint64_t from, std::uint64_t to) {
    lane.spans.reserve(32);
    lane.AddSpan({name, begin + from * kUs, begin + to * kUs});
  };
  add("look around", 10, 30);
  add("look around", 30, 60);
  add("perceive", 5, 65);
  add("game", 0, 100);
  add("survey", 100, 140);  // beside the frame
  add("rebuild tree", 160, 200);
  add("narrow phase", 201, 231);
  add("narrow phase", 232, 242);
  add("solve islands", 300, 320);
  add("solve islands", 321, 341);
  add("physics", 150, 350);
  return lane;
}

RideFrame FrameAt(std::uint64_t begin) {
  RideFrame frame;
  frame.begin = begin;
  frame.game = 100 * kUs;
  frame.physics = 200 * kUs;
  frame.whole = 350 * kUs;
  return frame;
}

TEST_CASE("a frame's pieces lie between the work of one thread; those beside it do not count") {
  const std::vector<RideFrame> frames = {FrameAt(0)};
  const auto stages = StagesOf(Recorded(), frames);
  REQUIRE(stages.size() == 1);
  const std::vector<Stage> expected = {{10 * kUs, {20 * kUs, 30 * kUs}},
                                       {40 * kUs, {}},
                                       {10 * kUs, {40 * kUs, 30 * kUs, 10 * kUs}},
                                       {58 * kUs, {20 * kUs, 20 * kUs}},
                                       {9 * kUs, {}}};
  CHECK(stages[0] == expected);
  CHECK(TimeOn(1, stages[0]) == 297 * kUs);  // but for 3 us between pieces
  CHECK(TimeOn(2, stages[0]) == 127 * kUs + (30 + 40 + 20) * kUs);
  CHECK(TimeOn(32, stages[0]) == TimeOn(3, stages[0]));
}

TEST_CASE("no number of threads is faster than the longest piece, nor slower than one thread") {
  const std::vector<Stage> stages = {{5, {7, 1, 1, 1, 9, 2}}, {3, {4}}};
  CHECK(TimeOn(1, stages) == 5 + 21 + 3 + 4);
  std::uint64_t before = TimeOn(1, stages);
  for (std::uint32_t threads = 2; threads < 20; ++threads) {
    const std::uint64_t time = TimeOn(threads, stages);
    CHECK(time <= before);
    CHECK(time >= 5 + 9 + 3 + 4);
    before = time;
  }
  CHECK(before == 5 + 9 + 3 + 4);
  CHECK(TimeOn(4, {}) == 0);
}

TEST_CASE("each frame has its own stages, and a ride that was made is beside the computed one") {
  Lane lane = Recorded();
  const Lane later = Recorded(1000 * kUs);
  lane.spans.insert(lane.spans.end(), later.spans.begin(), later.spans.end());
  std::vector<RideResult> rides(2);
  rides[0].threads = 1;
  rides[1].threads = 2;
  for (RideResult& ride : rides) ride.frames = {FrameAt(0), FrameAt(1000 * kUs)};
  rides[1].frames[0].physics = rides[1].frames[1].physics = 120 * kUs;
  CHECK(StagesOf(lane, rides[0].frames)[0] == StagesOf(lane, rides[0].frames)[1]);
  const auto points = Scaling(lane, rides);
  REQUIRE(points.size() == 6);
  CHECK(points[0].measured == Approx(0.3));
  CHECK(points[0].computed == Approx(0.297));
  CHECK(points[1].measured == Approx(0.22));
  CHECK(points[1].computed == Approx(0.217));
  CHECK(points[2].measured == 0.0);
  CHECK(points[5].threads == 32);
  const std::string table = ScalingTable(points);
  CHECK(table.find("computed from the task graph") != std::string::npos);
  const std::string picture = DrawScaling(points);
  CHECK(picture.find("the talk's knee") == std::string::npos);  // escaped
  CHECK(picture.find("the talk&#39;s knee") != std::string::npos);
}

struct Box {
  double left, right, top, bottom;
};

// Where the times are that stand at points of the picture, in its font of 12 pixels.
std::vector<Box> LabelsIn(const std::string& picture) {
  static const std::regex kText(
      "<text x='([\\d.]+)' y='([\\d.]+)' class='\\w+' text-anchor='(\\w+)' >(\\d+\\.\\d)</text>");
  std::vector<Box> boxes;
  for (std::sregex_iterator at(picture.begin(), picture.end(), kText), end; at != end; ++at) {
    const double x = std::stod((*at)[1]), y = std::stod((*at)[2]);
    const double width = 7.6 * static_cast<double>((*at)[4].length());
    const double left = (*at)[3] == "end" ? x - width : x;
    boxes.push_back({left, left + width, y - 9, y + 1});
  }
  return boxes;
}

// Places on the line of computed times, less than a pixel apart.
std::vector<std::array<double, 2>> LineIn(const std::string& picture) {
  std::smatch line;
  REQUIRE(std::regex_search(picture, line, std::regex("class='computed' d='([^']*)'")));
  std::istringstream words(std::regex_replace(line[1].str(), std::regex("[ML]"), " "));
  const std::vector<double> numbers(std::istream_iterator<double>(words), {});
  constexpr int kParts = 1000;
  std::vector<std::array<double, 2>> places;
  for (std::size_t i = 0; i + 3 < numbers.size(); i += 2) {
    for (int part = 0; part <= kParts; ++part) {
      const double t = static_cast<double>(part) / kParts;
      places.push_back({numbers[i] + t * (numbers[i + 2] - numbers[i]),
                        numbers[i + 1] + t * (numbers[i + 3] - numbers[i + 1])});
    }
  }
  return places;
}

TEST_CASE("no time in the picture touches the line, however steep it is") {
  const std::vector<std::vector<ScalingPoint>> all = {
      {{1, 33.26, 34.46}, {2, 18.1, 20.1}, {4, 10.66}, {8, 6.94}, {16, 5.55}, {32, 5.03}},
      {{1, 100, 101}, {2, 50, 52}, {4, 25}, {8, 12.5}, {16, 6.2}, {32, 3.1}},
      {{1, 10, 12}, {2, 10, 11}, {4, 10}, {8, 10}, {16, 10}, {32, 10}},
      {{1, 90, 92}, {2, 10, 20}, {4, 9}, {8, 9}, {16, 1}, {32, 1}}};
  for (const auto& points : all) {
    const std::string picture = DrawScaling(points);
    const auto labels = LabelsIn(picture);
    CHECK(labels.size() == 8);
    for (const Box& label : labels) {
      CAPTURE(picture, label.left, label.bottom);
      CHECK(label.left > 0);
      CHECK(label.right < 640);
      for (const auto [x, y] : LineIn(picture)) {
        const bool in = x > label.left && x < label.right && y > label.top && y < label.bottom;
        if (in) FAIL("the line is in a label at " << x << ", " << y);
      }
    }
  }
}

}  // namespace
}  // namespace nowait

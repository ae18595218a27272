// Plays a clip and counts the cache lines that each frame touches of its points.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <tuple>
#include <vector>

#include "lectures/judge.h"
#include "src/math/random.h"

namespace nowait {
namespace {

constexpr std::uint32_t kTracks = 90;
constexpr std::uint32_t kFrames = 2'000;
constexpr std::size_t kPointBytes = 8;
constexpr std::size_t kLineBytes = 64;
constexpr double kMost = 1.5;

// Bones that move little have few points; others have one in every few frames.
std::vector<std::vector<Point>> MakeTracks(std::uint64_t seed) {
  Random random(seed);
  std::vector<std::vector<Point>> tracks(kTracks);
  for (std::uint32_t t = 0; t < kTracks; ++t) {
    const std::uint32_t widest = 2 + random.Below(12);
    std::uint32_t frame = 0;
    for (std::uint32_t number = 0; frame < kFrames; ++number) {
      tracks[t].push_back({t, number, frame});
      frame += 1 + random.Below(widest);
    }
  }
  return tracks;
}

int Main() {
  constexpr std::uint64_t kSeed = 5;
  const auto tracks = MakeTracks(kSeed);
  const std::vector<Point> layout = LayOut(tracks);

  std::map<std::pair<std::uint32_t, std::uint32_t>, std::size_t> places;
  bool twice = false;
  for (std::size_t i = 0; i < layout.size(); ++i) {
    const bool is_there = layout[i].track < kTracks &&
                          layout[i].number < tracks[layout[i].track].size() &&
                          layout[i] == tracks[layout[i].track][layout[i].number];
    if (!is_there || !places.insert({{layout[i].track, layout[i].number}, i}).second) twice = true;
  }
  std::size_t wanted = 0, missing = 0, lines = 0;
  for (std::uint32_t frame = 0; frame < kFrames; ++frame) {
    std::set<std::size_t> touched;
    for (const auto& track : tracks) {
      for (std::size_t k = 3; k < track.size(); ++k) {
        // Read when time passes the point two before it.
        if (track[k - 2].frame != frame) continue;
        ++wanted;
        const auto place = places.find({track[k].track, track[k].number});
        if (place == places.end()) {
          ++missing;
        } else {
          touched.insert(place->second * kPointBytes / kLineBytes);
        }
      }
    }
    lines += touched.size();
  }
  const double ratio =
      static_cast<double>(lines * kLineBytes) / static_cast<double>(wanted * kPointBytes);
  fmt::print("seed {}: {} lines for {} points, {:.2f} times their bytes\n", kSeed, lines, wanted,
             ratio);
  Judge judge;
  judge.Ask(!twice && missing == 0, "each point is there, and once");
  judge.Ask(layout.size() <= places.size(), "and no others");
  judge.Ask(ratio <= kMost, "frames touch at most 1.5 times the bytes that they use");
  return judge.End();
}

}  // namespace
}  // namespace nowait

int main() { return nowait::Main(); }

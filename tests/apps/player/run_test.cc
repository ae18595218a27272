// The commands of viewers do not hold the program up, and a planted problem is there to be found.
#include "src/apps/player/run.h"

#include <algorithm>
#include <atomic>
#include <catch2/catch.hpp>
#include <map>
#include <stop_token>
#include <string>
#include <thread>
#include <vector>

#include "src/live/reader.h"
#include "src/live/recording.h"
#include "tests/live/client.h"

namespace nowait {
namespace {

TEST_CASE("a viewer that resets the scene without a pause does not stop the frames") {
  const auto scene = PlayerScene::Load("pile", "");
  REQUIRE(scene);
  PlayerOptions options;
  options.threads = 1;
  options.seconds = 0;
  std::string resets;
  for (int i = 0; i < 60; ++i) resets += std::string("CmRs\x8\0\0\0\1\0\0\0\0\0\0\0", 16);
  std::atomic<bool> is_sending{false};
  std::atomic<bool> is_refused{false};
  std::jthread viewer;
  int frames_since = 0;
  const auto record = Play(
      options, *scene, nullptr,
      [&](const std::string& address) {
        viewer = std::jthread([&, address](const std::stop_token& stop) {
          Client client(address);
          is_refused = client.Upgrade() != "HTTP/1.1 101";
          while (!stop.stop_requested() && !is_refused) {
            client.Send(Client::Frame(2, resets));
            is_sending = true;
          }
        });
      },
      [&] {
        if (is_sending) ++frames_since;
        return frames_since < 20 && !is_refused;
      });
  viewer.request_stop();
  viewer.join();
  REQUIRE(record);
  CHECK(frames_since == 20);
  CHECK(record->counts.commands > 0);
}

// The spans of a recorded run, frame by frame.
struct Frames {
  std::vector<std::vector<LiveReadSpan>> spans;
  std::map<std::uint32_t, std::string> names;
  std::uint64_t state_hash = 0;
  std::uint64_t planted_sum = 0;

  std::vector<LiveReadSpan> Of(std::size_t frame, const std::string& name) const {
    std::vector<LiveReadSpan> found;
    for (const LiveReadSpan& span : spans[frame]) {
      if (names.at(span.name) == name) found.push_back(span);
    }
    return found;
  }
};

Frames RunWith(Planted planted, std::uint32_t threads = 3) {
  const auto scene = PlayerScene::Load("pile", "");
  REQUIRE(scene);
  PlayerOptions options;
  options.threads = threads;
  options.bodies = 5;
  options.seconds = 1;
  options.headless = true;
  options.record = "not written here";
  options.planted = planted;
  const auto record = Play(
      options, *scene, nullptr, [](const std::string&) {}, [] { return true; });
  REQUIRE(record);
  REQUIRE(record->recorded);
  Frames frames;
  frames.state_hash = record->state_hash;
  frames.planted_sum = record->planted_sum;
  LiveReader reader;
  REQUIRE(ReadRecording(record->recording, reader, [&](const EventStream&) {
            frames.spans.push_back(reader.scene().spans);
          }) == 30u);
  frames.names = reader.scene().names;
  return frames;
}

bool Overlap(const LiveReadSpan& a, const LiveReadSpan& b) {
  return a.lane != b.lane && a.begin < b.end && b.begin < a.end;
}

TEST_CASE("planted problems are in the recording, and the world does not know of them") {
  const std::uint64_t hash = RunWith(Planted::kNone).state_hash;

  const Frames serial = RunWith(Planted::kSerial);
  CHECK(serial.state_hash == hash);
  for (std::size_t i = 0; i < serial.spans.size(); ++i) {
    const auto sums = serial.Of(i, "sum scores");
    REQUIRE(sums.size() == 1);
    CHECK(!serial.Of(i, "move actors").empty());
    for (const LiveReadSpan& span : serial.spans[i]) CHECK(!Overlap(span, sums[0]));
  }

  const Frames convoy = RunWith(Planted::kConvoy);
  CHECK(convoy.state_hash == hash);
  for (std::size_t i = 0; i < convoy.spans.size(); ++i) {
    const auto held = convoy.Of(i, "sound table");
    REQUIRE(held.size() == 40);
    CHECK(convoy.Of(i, "wait for sound table").size() == 40);
    for (const LiveReadSpan& a : held) {
      for (const LiveReadSpan& b : held) CHECK(!Overlap(a, b));
    }
  }

  CHECK(convoy.planted_sum == RunWith(Planted::kConvoy, 2).planted_sum);

  const Frames starved = RunWith(Planted::kStarved);
  CHECK(starved.state_hash == hash);
  std::size_t last = 0;  // in how many frames it begins after all others have begun
  for (std::size_t i = 0; i < starved.spans.size(); ++i) {
    const auto paths = starved.Of(i, "find paths");
    REQUIRE(paths.size() == 1);
    const auto particles = starved.Of(i, "particles");
    REQUIRE(particles.size() == 30);
    last += std::ranges::all_of(
        particles, [&](const LiveReadSpan& span) { return span.begin < paths[0].begin; });
  }
  CHECK(last > starved.spans.size() / 2);
}

}  // namespace
}  // namespace nowait

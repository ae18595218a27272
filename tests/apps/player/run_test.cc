// The commands of viewers do not hold the program up.
#include "src/apps/player/run.h"

#include <atomic>
#include <catch2/catch.hpp>
#include <stop_token>
#include <string>
#include <thread>

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
      options, *scene,
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

}  // namespace
}  // namespace nowait

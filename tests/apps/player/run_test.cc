// The commands of viewers do not hold the program up.
#include "src/apps/player/run.h"

#include <atomic>
#include <catch2/catch.hpp>
#include <chrono>
#include <cstdint>
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
  std::atomic<bool> ended{false};
  std::atomic<bool> gave_up{false};
  std::atomic<std::uint32_t> sent{0};
  std::jthread viewer;
  std::uint32_t frames_since = 0;
  const auto record = Play(
      options, *scene,
      [&](const std::string& address) {
        viewer = std::jthread([&, address] {
          Client client(address);
          if (client.Upgrade() != "HTTP/1.1 101") return;
          const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(10);
          while (!ended) {
            client.Send(Client::Frame(2, resets));
            ++sent;
            std::this_thread::sleep_for(std::chrono::milliseconds(5));
            if (std::chrono::steady_clock::now() > end) gave_up = true;
            if (gave_up) return;
          }
        });
      },
      [&] {
        if (sent > 0) ++frames_since;
        return frames_since < 20 && !gave_up;
      });
  ended = true;
  viewer.join();
  REQUIRE(record);
  CHECK(!gave_up);
  CHECK(record->counts.commands > 0);
}

}  // namespace
}  // namespace nowait

#include "src/sync/frame_pipe.h"

#include <catch2/catch.hpp>
#include <cstdint>
#include <thread>
#include <vector>

namespace nowait {
namespace {

TEST_CASE("frames come out in the order in which they went in, with any number of buffers") {
  const std::uint32_t buffers = GENERATE(1u, 2u, 3u, 5u);
  constexpr int kFrames = 300;
  FramePipe<std::vector<int>> pipe(buffers);
  std::vector<int> taken;
  {
    std::jthread consumer([&] {
      while (const std::vector<int>* frame = pipe.Take()) {
        taken.insert(taken.end(), frame->begin(), frame->end());
        pipe.Release();
      }
    });
    for (int i = 0; i < kFrames; ++i) {
      std::vector<int>& frame = pipe.Fill();
      frame.assign(2, i);
      pipe.Publish();
    }
    pipe.End();
  }
  REQUIRE(taken.size() == 2 * kFrames);
  for (int i = 0; i < 2 * kFrames; ++i) REQUIRE(taken[static_cast<std::size_t>(i)] == i / 2);
}

TEST_CASE("a frame is filled while the one before it is used") {
  FramePipe<int> pipe(2);
  pipe.Fill() = 1;
  pipe.Publish();
  const int* used = pipe.Take();
  pipe.Fill() = 2;
  pipe.Publish();
  REQUIRE(*used == 1);
  pipe.Release();
  REQUIRE(*pipe.Take() == 2);
  pipe.Release();
  pipe.End();
  REQUIRE(pipe.Take() == nullptr);
}

}  // namespace
}  // namespace nowait

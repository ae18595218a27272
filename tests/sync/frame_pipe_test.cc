#include "src/sync/frame_pipe.h"

#include <catch2/catch.hpp>
#include <cstdint>
#include <set>
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

// A pipe without room for the end loses it: then the last Take never returns.
TEST_CASE("all buffers and the end fit into the pipe before the consumer takes any") {
  for (const std::uint32_t buffers : {1u, 2u, 3u, 4u, 8u}) {
    CAPTURE(buffers);
    FramePipe<std::uint32_t> pipe(buffers);
    std::set<const std::uint32_t*> filled;
    for (std::uint32_t i = 0; i < buffers; ++i) {
      std::uint32_t& frame = pipe.Fill();
      filled.insert(&frame);
      frame = i;
      pipe.Publish();
    }
    CHECK(filled.size() == buffers);  // each is another one
    pipe.End();
    for (std::uint32_t i = 0; i < buffers; ++i) {
      const std::uint32_t* const frame = pipe.Take();
      REQUIRE(frame != nullptr);
      CHECK(*frame == i);
      pipe.Release();
    }
    CHECK(pipe.Take() == nullptr);
  }
}

TEST_CASE("a buffer comes back to the producer when it is released, and not before") {
  FramePipe<int> pipe(2);
  int* const first = &pipe.Fill();
  pipe.Publish();
  REQUIRE(pipe.Take() == first);
  int* const second = &pipe.Fill();
  CHECK(second != first);
  pipe.Publish();
  pipe.Release();
  CHECK(&pipe.Fill() == first);
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

TEST_CASE("a producer that must not wait gets a buffer when one has come back, and null before") {
  FramePipe<int> pipe(2);
  int* const first = pipe.TryFill();
  REQUIRE(first != nullptr);
  pipe.Publish();
  int* const second = pipe.TryFill();
  REQUIRE(second != nullptr);
  CHECK(second != first);
  pipe.Publish();
  CHECK(pipe.TryFill() == nullptr);
  REQUIRE(pipe.Take() == first);
  CHECK(pipe.TryFill() == nullptr);  // taken, and not released yet
  pipe.Release();
  CHECK(pipe.TryFill() == first);
  // The one that is filled is still its own: what it found missing took nothing.
  CHECK(pipe.TryFill() == nullptr);
  *first = 3;
  pipe.Publish();
  REQUIRE(pipe.Take() == second);
  pipe.Release();
  CHECK(*pipe.Take() == 3);
}

TEST_CASE(
    "a consumer with other work gets each frame once and in order, then the end, or nothing") {
  FramePipe<int> pipe(2);
  int left_alone = 0;
  int* frame = &left_alone;
  CHECK_FALSE(pipe.TryTake(&frame));
  CHECK(frame == &left_alone);
  for (const int value : {1, 2}) {
    pipe.Fill() = value;
    pipe.Publish();
  }
  pipe.End();
  for (const int value : {1, 2}) {
    REQUIRE(pipe.TryTake(&frame));
    REQUIRE(frame != nullptr);
    CHECK(*frame == value);
    pipe.Release();
  }
  REQUIRE(pipe.TryTake(&frame));
  CHECK(frame == nullptr);
}

}  // namespace
}  // namespace nowait

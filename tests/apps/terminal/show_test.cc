// Shows without a terminal: one state and one picture for any number of threads.
#include "src/apps/terminal/show.h"

#include <catch2/catch.hpp>

namespace nowait {
namespace {

constexpr int kNoFile = -1;

ShowRecord Show(TerminalOptions options) {
  options.frames = 12;
  options.columns = 60;
  options.rows = 15;
  const auto scene = PlayerScene::Load(options.scene, options.terrain);
  REQUIRE(scene);
  const auto record = RunShow(options, *scene, kNoFile, kNoFile);
  REQUIRE(record);
  return *record;
}

TEST_CASE("the state and the picture do not depend on the threads") {
  TerminalOptions options;
  options.scene = "pile";
  options.bodies = 60;
  options.threads = 1;
  const ShowRecord one = Show(options);
  CHECK(one.frames == 12);
  CHECK(one.painted == 12);
  CHECK(one.passed_by == 0);
  CHECK(one.given_up == 0);
  CHECK(one.last_picture.find_first_of("coaO@") != std::string::npos);
  for (const std::uint32_t threads : {2u, 4u, 8u}) {
    for (const bool painter : {false, true}) {
      CAPTURE(threads, painter);
      options.threads = threads;
      options.painter = painter;
      const ShowRecord record = Show(options);
      CHECK(record.state_hash == one.state_hash);
      CHECK(record.last_picture == one.last_picture);
      CHECK(record.painted == 12);
    }
  }
}

TEST_CASE("bodies are counted along rays") {
  TerminalOptions options;
  options.scene = "pyramid";
  options.threads = 2;
  options.through = true;
  const ShowRecord record = Show(options);
  CHECK(record.last_picture.find_first_of("3456789+") != std::string::npos);
  CHECK(record.last_picture.find_first_of("zZ.#@") == std::string::npos);
}

TEST_CASE("a scene of other bodies than the world's own is shown as well") {
  TerminalOptions options;
  options.scene = "course";
  options.bodies = 3;
  options.threads = 2;
  CHECK(Show(options).frames == 12);
}

}  // namespace
}  // namespace nowait

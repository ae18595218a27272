// A program that breaks a promise leaves a film, and the film shows what the program did.
#include <algorithm>
#include <catch2/catch.hpp>
#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "src/live/reader.h"
#include "src/live/recording.h"
#include "tests/whole/program_film.h"
#include "tests/whole/world/generate.h"
#include "tests/whole/world/judge.h"
#include "tests/whole/world/report.h"
#include "tests/whole/world/run.h"

namespace nowait::world_programs {
namespace {

using whole::ProgramFilm;

// In the second round two bodies come to touch, in the third one of them goes.
WorldProgram ThreeRounds() {
  WorldProgram program;
  program.seed = 3;
  program.worlds.resize(1);
  program.rounds.resize(3);
  for (Round& round : program.rounds) {
    round.game.resize(1);
    round.meanwhile.resize(1);
  }
  const Call create{.kind = Kind::kCreate};
  program.rounds[1].game[0] = {create, create};
  program.rounds[2].game[0] = {{.kind = Kind::kDestroy}};
  return program;
}

// As if no two bodies were to touch.
Failure JudgeTouching(const WorldProgram& program, whole::Camera* camera) {
  if (camera != nullptr) camera->BeginRun("alone");
  const History history = Run(program, program.workers, camera);
  const auto touch = std::ranges::find_if(
      history.frames, [](const Frame& frame) { return !frame.contacts.empty(); });
  if (touch == history.frames.end()) return {};
  const Broken broken("bodies touch: these", touch->end);
  if (camera != nullptr) camera->Mark(PictureOf(broken, history, program.worlds.size()).value());
  return broken;
}

// The bodies of each picture, by slot.
std::vector<std::map<std::uint32_t, LiveBody>> PicturesOf(const ProgramFilm& film, std::size_t run,
                                                          std::size_t world) {
  std::vector<std::map<std::uint32_t, LiveBody>> pictures;
  LiveReader reader;
  const auto read = ReadRecording(film.Recording(run, world), reader, [&](const EventStream&) {
    pictures.push_back(reader.scene().bodies);
  });
  REQUIRE(read);
  return pictures;
}

void CheckPicture(const std::map<std::uint32_t, LiveBody>& picture,
                  const std::vector<BodySnapshot>& bodies) {
  REQUIRE(picture.size() == bodies.size());
  for (const BodySnapshot& body : bodies) {
    const LiveBody& shown = picture.at(static_cast<std::uint32_t>(body.id.slot()));
    const bool is_plane = body.shape.kind == ShapeKind::kPlane;  // is drawn where its surface is
    CHECK((is_plane || shown.place == ToLivePlace(body.position, body.rotation)));
    CHECK(shown.asleep == body.asleep);
  }
}

TEST_CASE("a program that fails leaves a film of the smaller one, at the failure") {
  const char* const folder = std::getenv("TEST_TMPDIR");
  setenv("TEST_UNDECLARED_OUTPUTS_DIR", folder == nullptr ? "/tmp" : folder, 1);
  const WorldProgram program = ThreeRounds();
  const whole::ProcessOutcome outcome = whole::RunApart(
      [&](whole::Progress&) { JudgeHere(program, &JudgeTouching); }, std::chrono::seconds(60));
  REQUIRE_FALSE(outcome.fine());
  std::ostringstream films;
  const std::string report = Report(program, outcome, &JudgeTouching, films);
  // One round, and the update at the end: the third picture is of the world that was emptied.
  const std::string smaller = report.substr(report.find("made smaller"));
  CHECK(smaller.find("round") == smaller.rfind("round"));
  const std::string line = films.str();
  INFO(line);
  CHECK(line.starts_with("film of world 1, alone: "));
  CHECK(line.ends_with("/film-1-1.html#frame=1\n"));
  CHECK(std::ranges::count(line, '\n') == 1);
  const std::string page =
      std::string(std::getenv("TEST_UNDECLARED_OUTPUTS_DIR")) + "/film-1-1.html";
  std::stringstream text;
  text << std::ifstream(page).rdbuf();
  CHECK(text.str().find("<title>program of seed 3, world 1, alone") != std::string::npos);
}

TEST_CASE("a film shows each world before and after each update") {
  for (const std::uint64_t seed : {1, 2, 3, 4, 5, 6}) {
    const WorldProgram program = Generate(seed);
    ProgramFilm film("program");
    film.BeginRun("once");
    const History history = Run(program, program.workers, &film);
    const std::size_t worlds = program.worlds.size();
    for (std::size_t world = 0; world < worlds; ++world) {
      const auto pictures = PicturesOf(film, 0, world);
      REQUIRE(pictures.size() == 2 * history.frames.size() / worlds);
      for (std::size_t round = 0; round < history.frames.size() / worlds; ++round) {
        const Frame& frame = history.frames[round * worlds + world];
        CheckPicture(pictures[whole::BeforeUpdate(round)], frame.before);
        CheckPicture(pictures[whole::AfterUpdate(round)], frame.after);
        CHECK(PictureOf({"", frame.end}, history, worlds) == whole::AfterUpdate(round));
      }
      CHECK(film.Shown(0, world) == pictures.size() - 1);
    }
    CHECK(film.Recording(0, worlds % ProgramFilm::kWorlds).empty() == (worlds == 1));
    CHECK(film.Recording(1, 0).empty());
  }
}

TEST_CASE("a call of the game shows in the picture before the update") {
  const WorldProgram program = ThreeRounds();
  const History history = Run(program, 0);
  std::vector<std::size_t> pictures;
  for (const Record& record : history.records) {
    if (record.by != "game 0") continue;
    pictures.push_back(PictureOf({"", record.end}, history, 1).value());
  }
  CHECK(pictures == std::vector<std::size_t>{2, 2, 4});
  CHECK_FALSE(PictureOf("at no known moment", history, 1));
}

TEST_CASE("of two outcomes the first difference is shown") {
  WorldProgram program = ThreeRounds();
  const History history = Run(program, 0);
  CHECK_FALSE(PictureOfDifference(history, Run(program, 2)));
  History other = history;
  other.frames[1].sleep.push_back({});
  CHECK(PictureOfDifference(history, other) == whole::AfterUpdate(1));
  CHECK(PictureOfDifference(history, {}) == whole::BeforeUpdate(0));
  program.rounds[2].game[0].clear();
  CHECK(PictureOfDifference(history, Run(program, 0)) == whole::BeforeUpdate(2));
  // Of two worlds, whose frames take turns.
  program.worlds.resize(2);
  const History two = Run(program, 0);
  other = two;
  other.frames[5].hash_after ^= 1;
  CHECK(PictureOfDifference(two, other) == whole::AfterUpdate(2));
}

TEST_CASE("of several runs the first and the last are kept, with what was marked") {
  ProgramFilm film("program");
  WorldProgram program = ThreeRounds();
  for (const std::uint32_t workers : {0u, 1u, 2u}) {
    film.BeginRun(std::to_string(workers) + " workers");
    Run(program, workers, &film);
  }
  film.Mark(5);
  for (const std::size_t run : {0, 1}) {
    LiveReader reader;
    REQUIRE(ReadRecording(film.Recording(run, 0), reader, [](const EventStream&) {}) == 8u);
    CHECK(reader.scene().name ==
          (run == 0 ? "program, world 1, 0 workers" : "program, world 1, 2 workers"));
    CHECK(film.Shown(run, 0) == 5);
  }
  film.Clear();
  CHECK(film.Recording(0, 0).empty());
  std::ostringstream none;
  film.Write(none);
  CHECK(none.str() == "no film: the failure came before the first picture\n");
}

TEST_CASE("a process that crashes leaves its pictures") {
  ProgramFilm film("program");
  const whole::ProcessOutcome outcome = whole::RunApart(
      [&](whole::Progress&) {
        film.BeginRun("once");
        Run(ThreeRounds(), 2, &film);
        std::abort();
      },
      std::chrono::seconds(60));
  CHECK_FALSE(outcome.fine());
  const auto pictures = PicturesOf(film, 0, 0);
  REQUIRE(pictures.size() == 8);
  CHECK(pictures[whole::BeforeUpdate(1)].size() == 2);
  CHECK(pictures[whole::BeforeUpdate(2)].size() == 1);
}

}  // namespace
}  // namespace nowait::world_programs

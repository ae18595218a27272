// ProgramFilm: the worlds of a random program that failed, as pages that open at the failure.
//
//   ProgramFilm film("program of seed 7");
//   RunApart([&](Progress&) { Require(!Judge(program, &film), ...); }, patience);
//   film.Write(std::cout);
//
// Only a program that has failed runs before it, once more: the programs that pass cost nothing.
// The first and the last run of a judgement are kept, since a comparison of outcomes is between two
// runs; most judgements end in the first one. The pictures are in memory that a child process
// shares: where it breaks a promise, crashes or hangs, its parent has those until then.
//
// Not for programs under the scheduler: each picture is further steps, and the schedule that failed
// would be another one.
//
// Thread safety: one thread in each process.
#ifndef NOWAIT_TESTS_WHOLE_PROGRAM_FILM_H_
#define NOWAIT_TESTS_WHOLE_PROGRAM_FILM_H_

#include <cstddef>
#include <cstdint>
#include <iosfwd>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "src/live/feed.h"
#include "tests/whole/camera.h"
#include "tests/world/reel.h"

namespace nowait::whole {

class ProgramFilm final : public Camera {
 public:
  static constexpr std::size_t kRuns = 2;    // the first and the last one
  static constexpr std::size_t kWorlds = 2;  // of a program
  // Of a world in a run. A film ends before the picture for which there is no room, or in which a
  // body's place is not finite.
  static constexpr std::size_t kMostBytes = std::size_t{4} << 20;

  // program: for the titles of the pages. Ends the process where there is no memory.
  explicit ProgramFilm(std::string program);
  ~ProgramFilm() override;
  ProgramFilm(const ProgramFilm&) = delete;
  ProgramFilm& operator=(const ProgramFilm&) = delete;

  // Forgets all pictures: the program is judged from its beginning.
  void Clear();

  void BeginRun(const std::string& how) override;
  void Take(std::size_t world, const World& shown) override;
  void Mark(std::size_t picture) override;

  // A recording (src/live/recording.h); empty if the program has no such run or world.
  std::span<const std::byte> Recording(std::size_t run, std::size_t world) const;
  // The number of the picture in the recording at which the page opens. Needs a picture.
  std::uint64_t Shown(std::size_t run, std::size_t world) const;

  // Writes the page of each world in each run. Prints a line for each, or that there is no picture.
  void Write(std::ostream& to) const;

 private:
  struct Strip;
  struct Strips;
  struct Shot {  // a world of the current run
    std::unique_ptr<LiveFeed> feed;
    std::unique_ptr<Reel> reel;
    bool is_over = false;
  };

  void Copy(const Reel& reel, Strip& to);

  const std::string program_;
  Strips* const strips_;
  std::vector<Shot> shots_;
};

}  // namespace nowait::whole

#endif  // NOWAIT_TESTS_WHOLE_PROGRAM_FILM_H_

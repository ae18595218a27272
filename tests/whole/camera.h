// Camera: is shown the worlds of a random program while the program runs.
//
//   const Failure failure = Judge(program);                // without a camera, as nearly always
//   if (failure) Judge(program, &film);                    // once more, for a person to look at
//
// A run shows two pictures of each world in each round: the world as the game's calls have left it,
// and the world after the update. So the picture of a call or of an update that went wrong is known
// by its number, the same one in each world and in each run of the program.
//
// Thread safety: the thread that updates the worlds.
#ifndef NOWAIT_TESTS_WHOLE_CAMERA_H_
#define NOWAIT_TESTS_WHOLE_CAMERA_H_

#include <cstddef>
#include <string>

#include "src/world/world.h"

namespace nowait::whole {

inline constexpr std::size_t BeforeUpdate(std::size_t round) { return 2 * round; }
inline constexpr std::size_t AfterUpdate(std::size_t round) { return 2 * round + 1; }

class Camera {
 public:
  virtual ~Camera() = default;

  // A program is run several times where the outcomes are compared. how: on how many threads, say.
  virtual void BeginRun(const std::string& how) = 0;
  // The next picture of a world, by the world's place in the program. No thread changes its bodies.
  virtual void Take(std::size_t world, const World& shown) = 0;
  // The picture that shows the broken promise; without a call, the last one does.
  virtual void Mark(std::size_t picture) = 0;
};

}  // namespace nowait::whole

#endif  // NOWAIT_TESTS_WHOLE_CAMERA_H_

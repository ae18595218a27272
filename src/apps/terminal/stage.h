// Stage: the tasks of a show: its frames, its pictures, and what a person asks for.
//
//   frame ── tick ─┬─ pace    a request to the clock
//                  └─ step    while the scene stands, after a key
//                      └───> picture ── rows, of low priority
//                               └─────> show, by the terminal's thread
//
// In front of a terminal a picture belongs to no frame, and may outlast some. Without one it
// belongs to the frame whose step began it.
//
// Thread safety: Run by the main thread, once. Everything else happens in tasks of the pool: a step
// follows the one before, and keys are obeyed beside them.
#ifndef NOWAIT_SRC_APPS_TERMINAL_STAGE_H_
#define NOWAIT_SRC_APPS_TERMINAL_STAGE_H_

#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "src/apps/openworld/pacer.h"
#include "src/apps/player/game.h"
#include "src/apps/terminal/camera.h"
#include "src/apps/terminal/keys.h"
#include "src/apps/terminal/options.h"
#include "src/apps/terminal/painter.h"
#include "src/apps/terminal/picture.h"
#include "src/apps/terminal/screen.h"
#include "src/apps/terminal/show.h"
#include "src/base/result.h"
#include "src/jobs/frame_loop.h"
#include "src/jobs/task_id.h"
#include "src/jobs/task_pool.h"
#include "src/live/command.h"
#include "src/sync/policy.h"

namespace nowait {

class Stage {
 public:
  // All outlive the stage. screen: null without a terminal. shows: the affinity of the thread that
  // writes to it. paints: that of the tasks that paint.
  Stage(const TerminalOptions& options, PlayerGame& game, TaskPool& pool, Screen* screen,
        std::uint8_t shows, std::uint8_t paints);
  Stage(const Stage&) = delete;
  Stage& operator=(const Stage&) = delete;

  // Until the last frame, the quit or the first error; then no task of it is left but those of the
  // keyboard.
  Result<ShowRecord> Run();
  // False: nothing more is wanted.
  bool Obey(std::span<const Key> keys);

 private:
  void Make(const Frame& frame);
  void Step();
  void ObeyInStep();
  // below: what the picture belongs to, or no task.
  void BeginPicture(TaskId below);
  void ShowPicture();
  std::string Line() const;

  void Act(Key key);
  void Stand(bool for_a_step);
  void LookFrom(float around, float up, float approach);
  // The next three under the mutex.
  bool IsPainting() const;
  void LookAnew();
  void LookAfterwards();  // once more, when the picture that is being painted has been shown
  void Throw();
  void PutOffThrow();
  void TryThrow();

  // A task before a step, done by a key.
  void AwaitKey();
  void GoOn();
  void Quit();
  void End();

  const TerminalOptions& options_;
  PlayerGame& game_;
  TaskPool& pool_;
  Screen* const screen_;
  const std::uint8_t shows_;
  Painter painter_;
  Pacer pacer_;
  FrameLoop<WorkStealing<>> loop_;
  ShowRecord record_;        // of the steps, but for what the mutex guards
  Result<void> error_;       // the first one of a step
  std::uint64_t frame_ = 0;  // written when it begins, before its tasks
  TaskId tick_;

  mutable EngineSync::mutex mutex_;  // guards all below
  Camera camera_;
  Painter::Look look_;
  bool stands_ = false;
  std::uint32_t steps_asked_ = 0;  // while it stands
  TaskId gate_;                    // of the frame that has begun, if it needs a key
  bool waits_ = false;             // the gate, for a key
  bool quits_ = false;
  bool ended_ = false;
  bool wakes_ = false;                 // the body in the middle, in the next step
  std::optional<LiveCommand> throws_;  // likewise
  TaskId picture_;                     // that was begun last, and its show
  TaskId shown_;
  PictureSize size_;               // of the picture that was begun last
  bool looks_afterwards_ = false;  // a task will begin a picture
  bool gave_up_ = false;           // a picture, since one was shown
  std::uint64_t refused_ = 0;      // balls, because too many were put off
  std::uint64_t painted_ = 0;
  std::uint64_t given_up_ = 0;
  std::uint64_t passed_by_ = 0;
  std::uint32_t passed_by_in_a_row_ = 0;
  std::uint32_t awake_ = 0;
  std::uint64_t step_time_ = 0;  // nanoseconds, of the last one
};

}  // namespace nowait

#endif  // NOWAIT_SRC_APPS_TERMINAL_STAGE_H_

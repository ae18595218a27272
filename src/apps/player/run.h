// Play: a scene, frame by frame, for its viewers and its recording.
//
// A frame is a game update, in which the viewers' commands are obeyed, and a physics update of two
// steps. With a server the frames are paced by the clock, 30 a second, and a frame that no buffer
// is free for is not shown. Without one they follow each other at once, and each is recorded.
//
// Determinism: without commands the state after a number of frames depends on the scene alone.
// Thread safety: one thread.
#ifndef NOWAIT_SRC_APPS_PLAYER_RUN_H_
#define NOWAIT_SRC_APPS_PLAYER_RUN_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "src/apps/player/options.h"
#include "src/apps/player/saved_play.h"
#include "src/apps/player/scenes.h"
#include "src/base/result.h"
#include "src/bodies/body_snapshot.h"
#include "src/broadphase/tree_snapshot.h"
#include "src/live/server.h"
#include "src/world/contact_snapshot.h"
#include "src/world/link_snapshot.h"

namespace nowait {

struct PlayRecord {
  std::uint64_t frames = 0;      // that were computed
  std::uint64_t state_hash = 0;  // at the end
  std::uint64_t mean_frame = 0;  // nanoseconds of work, of the frames that were computed
  std::uint64_t mean_offer = 0;  // of them for the viewers and the recording
  std::uint64_t planted_sum = 0;
  std::vector<BodySnapshot> last;
  LiveCounts counts;
  std::vector<std::byte> recording;  // for --record and --export
  std::uint64_t dropped = 0;         // frames that are not in it
  Result<void> recorded;             // the reason why it ended before the run
  std::uint64_t after_end = 0;       // frames that came then
  std::vector<std::byte> trace;      // for --trace
  std::vector<std::byte> saved;      // for --save
  TreeSnapshot tree;                 // at the end, whole
  LinkSnapshot links;                // likewise
  std::vector<ContactSnapshot> contacts;
};

// from: the saved run that this one continues, of this scene and these options; null: it begins.
// on_start: called with the page's address, where there is one. go_on: called before each frame. An
// error ends the run and names its cause.
Result<PlayRecord> Play(const PlayerOptions& options, const PlayerScene& scene,
                        const SavedPlay* from,
                        const std::function<void(const std::string&)>& on_start,
                        const std::function<bool()>& go_on);

}  // namespace nowait

#endif  // NOWAIT_SRC_APPS_PLAYER_RUN_H_

// A frame of riders: the scripts, the phase of each, and the order of everything.
#ifndef NOWAIT_LECTURES_A_BANNER_IN_TIME_FRAME_H_
#define NOWAIT_LECTURES_A_BANNER_IN_TIME_FRAME_H_

#include <cstdint>
#include <span>

#include "src/base/result.h"
#include "src/jobs/task_pool.h"
#include "src/script/physics_event.h"
#include "src/script/system.h"

namespace nowait {

struct FrameScript {
  const char* name;
  std::uint32_t phase;
  const char* source;
};

// A horse runs, and an arrow that meets it makes it stumble: it is slower from then on.
inline constexpr FrameScript kHorse = {"horse.lua", 0, R"lua(
fields = {
  place = 0,
  stride = 4,
}

function update(self) self.place = self.place + self.stride end

function on_contact(self, contact)
  if contact.kind == "began" then self.stride = self.stride / 2 end
end
)lua"};

// A rider is where its horse is, and as fast.
inline constexpr FrameScript kRider = {"rider.lua", 1, R"lua(
fields = {
  place = 0,
  stride = 0,
  horse = no_object,
}

function update(self)
  local horse = read(self.horse)
  self.place, self.stride = horse.place, horse.stride
end
)lua"};

// A banner is where its rider is, and shows how fast it is.
inline constexpr FrameScript kBanner = {"banner.lua", 1, R"lua(
fields = {
  place = 0,
  shown = 0,
  rider = no_object,
}

function update(self)
  local rider = read(self.rider)
  self.place, self.shown = rider.place, rider.stride
end
)lua"};

// contacts: those that the physics update of this frame found; it runs when the horses are where
// they are going to be.
inline Result<void> RunFrame(ScriptSystem& system, TaskPool& pool, std::uint64_t tick,
                             std::span<const PhysicsEvent> contacts) {
  auto done = system.BeginTick(pool, tick, 0.1);
  if (done) done = system.RunPhase(pool, 0);
  if (done) done = system.RunPhase(pool, 1);
  if (done) done = system.RunPhysics(pool, contacts);
  if (done) done = system.EndTick();
  return done;
}

}  // namespace nowait

#endif  // NOWAIT_LECTURES_A_BANNER_IN_TIME_FRAME_H_

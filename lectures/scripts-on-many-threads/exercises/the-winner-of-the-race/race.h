// The scripts of a horse race, and the phase of each.
#ifndef NOWAIT_LECTURES_THE_WINNER_OF_THE_RACE_RACE_H_
#define NOWAIT_LECTURES_THE_WINNER_OF_THE_RACE_RACE_H_

#include <cstdint>

namespace nowait {

struct RaceScript {
  const char* name;
  std::uint32_t phase;  // 0, 1 or 2
  const char* source;
};

// A horse runs `stride` a tick, as far as the line at 20. The board keeps the first horse's number.
inline constexpr RaceScript kHorse = {"horse.lua", 0, R"lua(
fields = {
  number = 0,   -- 1, 2, ...
  stride = 0,
  place = 0,
  board = no_object,
}

local line = 20
local ticks = 0

function update(self)
  ticks = ticks + 1
  if self.place >= line then return end
  self.place = self.place + self.stride
  if self.place < line then return end
  local board = write(self.board)
  if board.winner == 0 then
    board.winner = self.number
    board.time = ticks
  end
end
)lua"};

// A rider is where its horse is.
inline constexpr RaceScript kRider = {"rider.lua", 0, R"lua(
fields = {
  place = 0,
  horse = no_object,
}

function update(self)
  local horse = read(self.horse)
  if horse then self.place = horse.place end
end
)lua"};

// Its fields are the result of the race. It does nothing by itself.
inline constexpr RaceScript kBoard = {"board.lua", 0, R"lua(
fields = {
  winner = 0,   -- the number of a horse; 0: no horse has arrived
  time = 0,     -- of the winner's arrival: 1 in the first tick
}

function update(self) end
)lua"};

}  // namespace nowait

#endif  // NOWAIT_LECTURES_THE_WINNER_OF_THE_RACE_RACE_H_

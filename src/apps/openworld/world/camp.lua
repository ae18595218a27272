-- A camp that is on its guard. When a visitor comes in, the gates in its wall close behind it, and
-- reinforcements come one by one. When it has been gone for some seconds, the gates open again.
fields = {
  machines = 4,
  open = true,
  inside = false,
  next = 0,      -- the tick of the next reinforcement, or of the gates' opening
}

local most = 8            -- machines
local between = 45        -- ticks
local calm_after = 150    -- ticks

function event(self, name)
  self.inside = name == "enter"
  if self.inside then
    self.open = false
    self.next = tick() + between
  else
    self.next = tick() + calm_after
  end
end

function update(self)
  if tick() < self.next then return end
  if not self.inside then
    self.open = true
  elseif self.machines < most then
    self.machines = self.machines + 1
    self.next = tick() + between
  end
end

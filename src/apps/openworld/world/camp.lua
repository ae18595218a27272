-- A camp that is on its guard. When a visitor comes in, the gates in its wall close behind it, as far
-- as nothing lies in a gateway. While the watchman above the middle sees the visitor, reinforcements
-- come one by one. When it has been gone for some seconds, the gates open again.
fields = {
  machines = 4,
  open = true,
  inside = false,
  middle = vec3(0, 0, 0),
  visitor = vec3(0, 0, 0),
  next = 0,      -- the tick of the next reinforcement, or of the gates' opening
}

local most = 8            -- machines
local between = 45        -- ticks
local calm_after = 150    -- ticks
local watchman = vec3(0, 6, 0)    -- from the middle
local gateways = {vec3(-8, 1.2, -10), vec3(0, 1.2, -10), vec3(8, 1.2, -10)}
local half = vec3(0.9, 1.4, 0.4)

function event(self, name)
  self.inside = name == "enter"
  self.next = tick() + (self.inside and between or calm_after)
end

local function are_free(middle)
  for _, gateway in ipairs(gateways) do
    if count_in(middle + gateway, half) > 0 then return false end
  end
  return true
end

function update(self)
  if self.inside and self.open then self.open = not are_free(self.middle) end
  if tick() < self.next then return end
  if not self.inside then
    self.open = true
  elseif self.machines < most and not ray(self.middle + watchman, self.visitor) then
    self.machines = self.machines + 1
    self.next = tick() + between
  end
end

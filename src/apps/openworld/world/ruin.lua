-- A ruin whose gates stand between its columns, one row in the north and one in the south. They are
-- open while a visitor is in the court (volume 1) or before a gate (2 and 3), and while a body that
-- moves is about to reach one.
fields = {
  machines = 5,
  open = false,
  middle = vec3(0, 0, 0),
  near = 0,      -- volumes that the visitor is in
}

local gates = {vec3(-8, 2, -16), vec3(8, 2, 16)}
local reach = 4           -- metres from a gate's middle

function event(self, name)
  if name == "enter" then
    self.near = self.near + 1
  else
    self.near = self.near - 1
  end
end

function update(self)
  self.open = self.near > 0
  for _, gate in ipairs(gates) do
    if nearest(self.middle + gate, reach) then self.open = true end
  end
end

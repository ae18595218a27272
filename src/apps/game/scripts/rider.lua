-- A rider sits on its horse: its phase comes after the horses', and it sees where its horse is now.
fields = {
  place = vec3(0, 0, 0),
  horse = no_object,
  next = no_object,   -- another rider, for archers
  hits = 0,
}

local saddle = vec3(0, 1.6, 0)

function update(self)
  local horse = read(self.horse)
  if horse then self.place = horse.place + saddle end
end

function event(self, name, value)
  if name == "hit" then self.hits = self.hits + value end
end

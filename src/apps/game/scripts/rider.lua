-- A rider sits on its horse: its phase comes after the horses', and it sees where its horse is now.
-- The body of the horse is the rider's as well: arrows that meet it hit the rider.
fields = {
  place = vec3(0, 0, 0),
  horse = no_object,
  next = no_object,   -- another rider, for archers
  hits = 0,
  hardest = 0,        -- metres a second
}

local saddle = vec3(0, 1.6, 0)
local sharp = 5

function update(self)
  local horse = read(self.horse)
  if horse then self.place = horse.place + saddle end
end

function on_contact(self, contact)
  if contact.kind ~= "began" or contact.speed <= sharp then return end
  self.hits = self.hits + 1
  self.hardest = math.max(self.hardest, contact.speed)
end

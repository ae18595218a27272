-- An arrow has a body while it flies or lies about: the game makes and removes that. Its contacts say
-- how the shot ends. It hits a rider, or it lies for a second where it fell.
fields = {
  place = vec3(0, 0, 0),     -- where it starts
  velocity = vec3(0, 0, 0),  -- at the start
  flying = false,
  lies = 0,                  -- updates in contact with the ground or a wall
  archer = no_object,
}

local sharp = 5    -- metres a second; a slower arrow hurts nobody
local picked = 30  -- updates

local function ends(self, how, value)
  self.flying = false
  self.lies = 0
  send(self.archer, how, value)
end

function on_contact(self, contact)
  if not self.flying then return end
  if contact.kind == "began" and contact.other and contact.speed > sharp then
    ends(self, "hit", contact.speed)
  elseif contact.kind == "persists" then
    self.lies = self.lies + 1
    if self.lies >= picked then ends(self, "missed") end
  end
end

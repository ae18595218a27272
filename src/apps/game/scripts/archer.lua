-- An archer looks at one rider after the other. Where the ray to the rider meets no wall, it shoots
-- its arrow at the place that the horse will have reached. It spares a horse that is alone in its
-- square, and comes after the task that counts the horses of each square in this frame. It has one
-- arrow, and gets that back.
fields = {
  place = vec3(0, 0, 0),
  target = no_object,
  arrow = no_object,
  shots = 0,
  hits = 0,
  missed = 0,
  hidden = 0,   -- riders behind a wall
  spared = 0,   -- riders whose horse is alone in its square
}

local reach = 60
local speed = 40      -- metres a second
local gravity = 9.81

local function shoot(self, horse)
  local time = length(horse.place - self.place) / speed
  local way = horse.place + horse.velocity * time - self.place
  local arrow = write(self.arrow)
  arrow.place = self.place
  arrow.velocity = way / time + vec3(0, gravity * time / 2, 0)
  arrow.flying = true
  self.shots = self.shots + 1
end

function update(self)
  local target = read(self.target)
  if not target then return end
  if length(target.place - self.place) < reach then
    local horse = read(target.horse)
    if ray(self.place, target.place) then
      self.hidden = self.hidden + 1
    elseif horse and not read(self.arrow).flying then
      if ask("crowd", horse.place) < 2 then
        self.spared = self.spared + 1
      else
        shoot(self, horse)
      end
    end
  end
  self.target = target.next
end

function event(self, name, value)
  if name == "hit" then self.hits = self.hits + 1 end
  if name == "missed" then self.missed = self.missed + 1 end
end

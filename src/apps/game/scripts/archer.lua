-- An archer looks at one rider after the other. It shoots where the ray to the rider meets no wall.
fields = {
  place = vec3(0, 0, 0),
  target = no_object,
  shots = 0,
  hidden = 0,   -- riders behind a wall
}

local reach = 60

function update(self)
  local target = read(self.target)
  if not target then return end
  local way = target.place - self.place
  if length(way) < reach then
    if ray(self.place, target.place) then
      self.hidden = self.hidden + 1
    else
      self.shots = self.shots + 1
      send(self.target, "hit", 1)
    end
  end
  self.target = target.next
end

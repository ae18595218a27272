-- A horse runs about the field and turns back at its edge. It also counts: its crossings of the
-- middle line, and every fourth tick a step. All horses count in one tally, which many want at once.
fields = {
  place = vec3(0, 0, 0),
  velocity = vec3(0, 0, 0),
  number = 0,
  tally = no_object,
}

local edge = 95

local function turned(v, place, before)
  local x, z = v.x, v.z
  if place.x < -edge or place.x > edge then x = -x end
  if place.z < -edge or place.z > edge then z = -z end
  if x == v.x and z == v.z then return v, place end
  return vec3(x, 0, z), before
end

function update(self)
  local before = self.place
  local velocity = self.velocity
  if math.random(1, 60) == 1 then velocity = vec3(velocity.z, 0, -velocity.x) end
  local place
  velocity, place = turned(velocity, before + velocity * dt(), before)
  self.velocity = velocity
  self.place = place
  local crossed = (before.x < 0) ~= (place.x < 0)
  local steps = (tick() + self.number) % 4 == 0
  if crossed or steps then
    local tally = write(self.tally)
    if crossed then tally.crossings = tally.crossings + 1 end
    if steps then tally.steps = tally.steps + 1 end
  end
end

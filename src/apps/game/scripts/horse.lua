-- A horse runs about the field and turns back at its edge, or follows the one in front of it: it comes
-- after that one's update, and sees where it is now. It also counts: its crossings of the middle line,
-- and every fourth tick a step. All horses count in one tally, which many want at once.
fields = {
  place = vec3(0, 0, 0),
  velocity = vec3(0, 0, 0),
  number = 0,
  front = no_object,   -- the horse that it follows
  tally = no_object,
}

local edge = 95
local rope = 4   -- metres to the horse in front, at most

local function turned(v, place, before)
  local x, z = v.x, v.z
  if place.x < -edge or place.x > edge then x = -x end
  if place.z < -edge or place.z > edge then z = -z end
  if x == v.x and z == v.z then return v, place end
  return vec3(x, 0, z), before
end

local function run(self, before)
  local velocity = self.velocity
  if math.random(1, 60) == 1 then velocity = vec3(velocity.z, 0, -velocity.x) end
  self.velocity, self.place = turned(velocity, before + velocity * dt(), before)
end

local function follow(self, before, front)
  local back = before - front.place
  local distance = length(back)
  if distance > rope then self.place = front.place + back * (rope / distance) end
  self.velocity = (self.place - before) / dt()
end

function update(self)
  local front = self.front and after(self.front)
  local before = self.place
  if front then follow(self, before, front) else run(self, before) end
  local place = self.place
  local crossed = (before.x < 0) ~= (place.x < 0)
  local steps = (tick() + self.number) % 4 == 0
  if crossed or steps then
    local tally = write(self.tally)
    if crossed then tally.crossings = tally.crossings + 1 end
    if steps then tally.steps = tally.steps + 1 end
  end
end

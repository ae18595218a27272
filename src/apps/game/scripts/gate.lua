-- A gate is open while a horse stands in its sensor, and reports when that changes.
fields = {
  place = vec3(0, 0, 0),
  half = vec3(3, 3, 3),
  open = false,
  tally = no_object,
}

function update(self)
  local open = count_in(self.place, self.half) > 0
  if open ~= self.open then
    self.open = open
    if open then send(self.tally, "opened", 1) end
  end
end

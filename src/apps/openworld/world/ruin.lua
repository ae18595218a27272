-- A ruin whose gates stand between its columns, one row in the north and one in the south. They are
-- open while a visitor is in the court (volume 1) or before a gate (2 and 3).
fields = {
  machines = 5,
  open = false,
  near = 0,      -- volumes that the visitor is in
}

function event(self, name)
  if name == "enter" then
    self.near = self.near + 1
  else
    self.near = self.near - 1
  end
  self.open = self.near > 0
end

#!/usr/bin/env python3
"""The rule of callers.py, for this checkout and for made-up headers."""

import pathlib
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import callers

ROOT = pathlib.Path(__file__).resolve().parents[2]

HEADER = """
class Other { public: void Elsewhere(); };
// class World { public: void InAComment(); };
template <class T>
class World {
 public:
  explicit World(int size, Def def = {}) : size_(Size(size)), def_(def) {}
  ~World();
  World(const World&) = delete;
  static std::expected<World, int> Create(const Def& def = {.size = Most(3)});
  // Not a function: Comment().
  template <class F>
  void Each(const F& call) const {
    call(Inner(1));
  }
  [[nodiscard]] std::vector<std::pair<int, int>> Pairs(int a = Half(2)) const;
  bool operator==(const World&) const;
  using Name = int (*)(int);
  struct Nested {
    void OfNested();
  };
  int size() const { return size_; }

 private:
  void Hidden();
  int size_;
};
"""


class Callers(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name)
        self.write("src/world/world.h", HEADER)

    def write(self, path, text):
        (self.root / path).parent.mkdir(parents=True, exist_ok=True)
        (self.root / path).write_text(text)

    def complaints(self, exceptions):
        return list(callers.check_callers(self.root, {"src/world/world.h": ("World",)}, exceptions))

    def test_this_checkout(self):
        self.assertEqual(list(callers.check_callers(ROOT)), [])

    def test_the_public_functions_of_a_class(self):
        self.assertEqual(callers.declared(HEADER, "World"), ["Create", "Each", "Pairs", "size"])
        self.assertEqual(callers.declared(HEADER, "Other"), ["Elsewhere"])
        self.assertEqual(callers.declared(HEADER, "Absent"), [])

    def test_a_function_without_a_caller(self):
        self.write("src/apps/demo/main.cc", "auto w = World::Create(); w->Each(f); // w.Pairs()\n w.size ();")
        self.assertEqual(self.complaints({}), ["src/world/world.h: no program of src/apps calls World::Pairs"])
        self.assertEqual(self.complaints({("World", "Pairs"): "the reason"}), [])

    def test_an_exception_that_does_not_hold(self):
        self.write("src/apps/demo/main.h", "World::Create(); w.Each<int>(f); w.size();")
        self.write("src/live/feed.cc", "// w.Pairs()")
        through = {("World", "Pairs"): "src/live/feed.cc"}
        self.assertEqual(
            self.complaints(through), ["tests/layout/callers.py: src/live/feed.cc does not call World::Pairs"]
        )
        self.write("src/live/feed.cc", "w.Pairs()")
        self.assertEqual(self.complaints(through), [])
        self.assertEqual(
            self.complaints(through | {("World", "size"): "the reason"}),
            ["tests/layout/callers.py: the exception for World::size is not needed"],
        )

    def test_a_class_that_is_gone(self):
        self.write("src/apps/demo/main.cc", "")
        self.write("src/world/world.h", "class Renamed {};")
        self.assertEqual(self.complaints({}), ["src/world/world.h: no public function of World was found"])


if __name__ == "__main__":
    unittest.main()

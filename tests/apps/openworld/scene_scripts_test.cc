// Scripts of scenes: what they hear, what they wish, and that a bad one harms nobody.
#include "src/apps/openworld/scene_scripts.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "src/resource/file.h"
#include "src/script/queries.h"
#include "tests/world/scene.h"

namespace nowait {
namespace {

constexpr float kFrame = 1.0f / 30;  // seconds
const std::vector<SceneBox> kVolumes = {{{0, 0, 0}, {10, 5, 10}}, {{8, 0, 0}, {4, 5, 4}}};
constexpr Vec3 kMiddle{1, 2, 3};
constexpr Vec3 kOutside{50, 0, 0}, kInFirst{-5, 0, 0}, kInBoth{8, 1, 1};

const std::string kGuard = R"(
  fields = {machines = 1, open = false}
  function event(self, name, volume)
    if name == "enter" then self.machines = self.machines + volume end
    if name == "leave" then self.open = volume == 2 end
  end)";

// A world that stands still, as a test wants it.
class FakeQueries final : public ScriptQueries {
 public:
  std::optional<float> CastRay(std::uint32_t, Vec3 from, Vec3) override {
    watched_from = from;
    return wall;
  }
  std::uint32_t CountIn(std::uint32_t, const Bounds<3>&) override { return bodies; }
  std::optional<float> Nearest(std::uint32_t, Vec3, float reach) override {
    return near && *near <= reach ? near : std::nullopt;
  }

  std::optional<float> wall, near;
  std::uint32_t bodies = 0;
  Vec3 watched_from;
};

class Stage {
 public:
  explicit Stage(std::uint32_t workers = 0, std::uint32_t most = 64) : pool(workers) {
    auto made = SceneScripts::Create(pool, {.scenes = most, .seed = 1});
    REQUIRE(made);
    scripts = std::move(*made);
  }
  bool Activate(std::uint32_t scene, const std::string& text, const char* name = "guard.lua") {
    const auto loaded = scripts->Activate({scene}, {name, text}, kVolumes, kMiddle);
    REQUIRE(loaded);
    return *loaded;
  }
  void Frame(Vec3 player, ScriptQueries* queries = nullptr) {
    REQUIRE(scripts->Advance(pool, tick++, kFrame, player, queries));
  }
  SceneWish Wish(std::size_t i = 0) const {
    REQUIRE(i < scripts->wishes().size());
    return scripts->wishes()[i];
  }

  PoolHere pool;
  std::unique_ptr<SceneScripts> scripts;
  std::uint64_t tick = 0;
};
using Lines = std::vector<std::string>;

TEST_CASE("a script hears of the volumes that the player enters and leaves, once each") {
  Stage stage;
  REQUIRE(stage.Activate(3, kGuard));
  for (int i = 0; i < 3; ++i) stage.Frame(kOutside);
  CHECK(stage.Wish().scene == SceneNumber{3});
  CHECK(stage.Wish().machines == 1);
  CHECK_FALSE(stage.Wish().open);
  for (int i = 0; i < 3; ++i) stage.Frame(kInFirst);
  CHECK(stage.Wish().machines == 2);
  for (int i = 0; i < 3; ++i) stage.Frame(kInBoth);
  CHECK(stage.Wish().machines == 4);
  stage.Frame(kInFirst);
  CHECK(stage.Wish().open);
  stage.Frame(kOutside);
  CHECK_FALSE(stage.Wish().open);
  CHECK(stage.scripts->counts().entered == 2);
  CHECK(stage.scripts->counts().left == 2);
  CHECK(stage.scripts->TakeLines() == Lines{});
}

TEST_CASE("nothing of a script outlives its scene's activity") {
  Stage stage;
  REQUIRE(stage.Activate(3, kGuard));
  stage.Frame(kInBoth);
  CHECK(stage.Wish().machines == 4);
  stage.scripts->Deactivate({3});
  stage.scripts->Deactivate({3});  // not active: nothing happens
  CHECK(stage.scripts->active() == 0);
  stage.Frame(kOutside);
  CHECK(stage.scripts->wishes().empty());
  REQUIRE(stage.Activate(3, kGuard));
  stage.Frame(kOutside);
  CHECK(stage.Wish().machines == 1);
  stage.Frame(kInBoth);  // it hears of them again
  CHECK(stage.Wish().machines == 4);
  CHECK(stage.scripts->counts().loaded == 2);
  CHECK(stage.scripts->counts().unloaded == 1);
}

TEST_CASE("each scene has its own text, also under a name that another one has") {
  Stage stage;
  REQUIRE(stage.Activate(1, kGuard));
  REQUIRE(stage.Activate(2, "fields = {machines = 30} function update() end"));
  REQUIRE(stage.Activate(5, "fields = {open = true} function update() end"));
  stage.Frame(kInFirst);
  CHECK(stage.Wish(0).machines == 2);
  CHECK(stage.Wish(1).machines == 30);
  CHECK(stage.Wish(2).machines == 0);
  CHECK(stage.Wish(2).open);
  stage.scripts->Deactivate({2});
  stage.Frame(kInFirst);
  CHECK(stage.Wish(1).scene == SceneNumber{5});
}

TEST_CASE("a script that cannot be loaded is said once, and its scene is without one") {
  Stage stage;
  const std::vector<std::pair<std::string, std::string>> bad = {
      {"function event(\nend end", "scene-0/guard.lua:2: "},
      {"local x = nothing.y function event() end", "scene-1/guard.lua:1: "},
      {"fields = {machines = true} function event() end",
       "scene-2/guard.lua: the field 'machines' is no number"},
      {"fields = {open = 1} function event() end",
       "scene-3/guard.lua: the field 'open' is no boolean"},
      {"while true do end", "scene-4/guard.lua"},
      {"", "scene-5/guard.lua: "},
  };
  for (std::uint32_t i = 0; i < bad.size(); ++i) {
    for (int again = 0; again < 2; ++again) {
      CAPTURE(i, again);
      CHECK_FALSE(stage.Activate(i, bad[i].first));
      const Lines lines = stage.scripts->TakeLines();
      REQUIRE(lines.size() == (again == 0 ? 1 : 0));
      if (lines.empty()) continue;
      CHECK(lines[0].starts_with(bad[i].second));
      CHECK(lines[0].ends_with("; the scene is without its script"));
      CHECK(lines[0].find('\n') == std::string::npos);
    }
  }
  CHECK_FALSE(stage.Activate(9, kGuard, "guard.exe"));
  CHECK(stage.scripts->active() == 0);
  CHECK(stage.scripts->counts().failed == 2 * bad.size() + 1);
  stage.Frame(kInFirst);
  REQUIRE(stage.Activate(0, kGuard));
  stage.Frame(kInFirst);
  CHECK(stage.Wish().machines == 2);
}

TEST_CASE("a script with an error stops, which is said once, and the others go on") {
  Stage stage;
  REQUIRE(stage.Activate(1, kGuard));
  REQUIRE(stage.Activate(2, R"(fields = {open = true}
    function event(self, name) error("no " .. name) end)"));
  stage.Frame(kOutside);
  CHECK(stage.Wish(1).open);
  stage.Frame(kInFirst);
  CHECK(stage.scripts->wishes().size() == 1);
  CHECK(stage.scripts->TakeLines() ==
        Lines{"scene-2/guard.lua:2: no enter; the scene is without its script"});
  stage.Frame(kOutside);
  CHECK(stage.Wish().machines == 2);
  CHECK(stage.scripts->counts().faults == 1);
  stage.scripts->Deactivate({2});

  REQUIRE(stage.Activate(2, "function update() while true do end end"));
  stage.Frame(kOutside);
  CHECK(stage.scripts->counts().faults == 2);
  CHECK(stage.scripts->TakeLines() == Lines{});  // of scene 2 it has been said
  CHECK(stage.scripts->active() == 1);
}

TEST_CASE("a script that takes more than its share of memory leaves the others theirs") {
  const std::string large = R"(
    fields = {machines = 0}
    local kept = {}
    for i = 1, 25 do kept[i] = string.rep("x", 1000) .. i .. "SCENE" end
    function update(self)
      local made = {}
      for i = 1, 400 do made[i] = {kept[1]} end
      self.machines = #kept
    end)";
  for (const std::uint32_t workers : {0u, 2u}) {
    Stage stage(workers);
    CHECK_FALSE(stage.Activate(99, R"(
      local kept = {}
      for i = 1, 900 do kept[i] = string.rep("x", 1000) .. i end
      function update() return kept end)"));
    CHECK(stage.scripts->TakeLines() ==
          Lines{"scene-99/guard.lua:3: too much memory; the scene is without its script"});
    for (std::uint32_t i = 0; i < 64; ++i) {
      std::string own = large;
      REQUIRE(stage.Activate(i, own.replace(own.find("SCENE"), 5, std::to_string(i))));
    }
    for (int i = 0; i < 3; ++i) stage.Frame(kOutside);
    CHECK(stage.scripts->TakeLines() == Lines{});
    REQUIRE(stage.scripts->wishes().size() == 64);
    for (const SceneWish& wish : stage.scripts->wishes()) CHECK(wish.machines == 25);
  }
}

TEST_CASE("a script of half the greatest length has room, in each scene") {
  std::string long_script = "fields = {machines = 0} function update(self) local n = 1\n";
  while (long_script.size() < SceneScript::kMostText / 2)
    long_script += " n = n * 2 - self.machines\n";
  Stage stage;
  for (std::uint32_t i = 0; i < 64; ++i) REQUIRE(stage.Activate(i, long_script + " end"));
  stage.Frame(kOutside);
  CHECK(stage.scripts->wishes().size() == 64);
}

TEST_CASE("a script that sends events stops, before they get more and more") {
  Stage stage;
  REQUIRE(stage.Activate(1, R"(
    function event() for i = 1, 4 do send(id(), "more") end end)"));
  stage.Frame(kOutside);
  CHECK(stage.scripts->TakeLines() == Lines{});
  stage.Frame(kInFirst);
  CHECK(stage.scripts->TakeLines() ==
        Lines{"scene-1/guard.lua:2: capacity of delayed effects reached (0); the scene is without "
              "its script"});
}

TEST_CASE("a wish for machines is a whole number within bounds, whatever the script writes") {
  Stage stage;
  const std::vector<std::pair<const char*, std::uint32_t>> cases = {
      {"-3", 0},  {"0.9", 0}, {"2.7", 2},        {"0/0", 0},
      {"64", 64}, {"65", 64}, {"math.huge", 64}, {"-math.huge", 0}};
  std::uint32_t scene = 0;
  for (const auto& [number, wish] : cases) {
    CAPTURE(number);
    REQUIRE(stage.Activate(scene++, std::string("fields = {machines = 1} function update(self) "
                                                "self.machines = ") +
                                        number + " end"));
    stage.Frame(kOutside);
    CHECK(stage.Wish(scene - 1).machines == wish);
  }
}

TEST_CASE("so many scenes with scripts are active at most") {
  Stage stage(0, 2);
  REQUIRE(stage.Activate(1, kGuard));
  REQUIRE(stage.Activate(2, kGuard));
  CHECK_FALSE(stage.Activate(3, kGuard));
  CHECK(stage.scripts->TakeLines() ==
        Lines{"scene-3/guard.lua: capacity of objects reached (2); the scene is without its "
              "script"});
  stage.scripts->Deactivate({1});
  CHECK(stage.Activate(3, kGuard));
}

TEST_CASE("wishes are the same for any number of threads") {
  const std::string random = R"(
    fields = {machines = 0}
    function update(self) self.machines = self.machines + math.random(0, 1) end)";
  std::vector<std::vector<std::uint32_t>> wishes;
  for (const std::uint32_t workers : {0u, 1u, 3u}) {
    Stage stage(workers);
    for (std::uint32_t i = 0; i < 40; ++i) REQUIRE(stage.Activate(i, random));
    stage.scripts->Deactivate({7});
    REQUIRE(stage.Activate(7, random));
    for (int i = 0; i < 20; ++i) stage.Frame(kOutside);
    wishes.emplace_back();
    for (const SceneWish& wish : stage.scripts->wishes()) wishes.back().push_back(wish.machines);
  }
  CHECK(wishes[0].size() == 40);
  CHECK(wishes == std::vector(3, wishes[0]));
}

TEST_CASE("a script knows the scene's middle and the visitor's place, if it wants to") {
  Stage stage;
  REQUIRE(stage.Activate(1, R"(
    fields = {machines = 0, middle = vec3(0, 0, 0), visitor = vec3(0, 0, 0)}
    function update(self) self.machines = 10 * self.middle.z + self.visitor.x end)"));
  stage.Frame({4, 0, 0});
  CHECK(stage.Wish().machines == 34);
  stage.Frame({5, 0, 0});
  CHECK(stage.Wish().machines == 35);
  for (const char* const wrong : {"middle", "visitor"}) {
    REQUIRE_FALSE(stage.Activate(
        wrong[0], std::string("fields = {") + wrong + " = 1} function update() end"));
    CHECK(stage.scripts->TakeLines()[0].find(std::string("the field '") + wrong + "' is no vec3") !=
          std::string::npos);
  }
}

TEST_CASE("scripts ask the world, the same for any number of threads") {
  const auto world = MakeWorld();
  Add(*world, Floor());
  for (int i = 0; i < 30; ++i) {
    Add(*world, SphereAt(0.5f, {static_cast<float>(2 * i) - 30, 0.5f, 0}));
  }
  const std::string looks = R"(
    fields = {machines = 0, open = false, visitor = vec3(0, 0, 0)}
    function update(self)
      local place = self.visitor + vec3(math.random(-30, 30), 1, 0)
      self.machines = count_in(place, vec3(5, 5, 5))
      local hit, near = ray(place + vec3(0, 20, 0), place), nearest(place, 1.25)
      if near then self.machines = self.machines + 10 * near end
      self.open = hit ~= nil
    end)";
  std::vector<std::vector<std::uint32_t>> seen;
  for (const std::uint32_t workers : {0u, 1u, 3u}) {
    Stage stage(workers);
    for (std::uint32_t i = 0; i < 20; ++i) REQUIRE(stage.Activate(i, looks));
    seen.emplace_back();
    for (int i = 0; i < 10; ++i) {
      WorldQueries queries(*world, stage.scripts->workers(), {}, {.statics = false});
      stage.Frame({0, 0, 0}, &queries);
      REQUIRE(stage.scripts->wishes().size() == 20);
      for (const SceneWish& wish : stage.scripts->wishes()) {
        seen.back().push_back(2 * wish.machines + (wish.open ? 1 : 0));
      }
    }
    CHECK(stage.scripts->TakeLines() == Lines{});
  }
  CHECK(*std::ranges::max_element(seen[0]) > *std::ranges::min_element(seen[0]));
  CHECK(seen == std::vector(3, seen[0]));
}

TEST_CASE("a query about no place is answered, or is the script's error") {
  const auto world = MakeWorld();
  Add(*world, Floor());
  Stage stage;
  const std::vector<std::pair<const char*, const char*>> cases = {
      {"ray(vec3(0/0, 0, 0), vec3(0, 0, 0))", ""},
      {"ray(vec3(0, 1, 0), vec3(0, -math.huge, 0))", ""},
      {"nearest(vec3(0/0, 0, 0), 1e9)", ""},
      {"nearest(vec3(0, 0, 0), 0/0)", ""},
      {"nearest(vec3(0, 0, 0), -1)", ""},
      {"nearest(vec3(1e38, 1e38, 1e38), math.huge)", ""},
      {"count_in(vec3(0/0, 0, 0), vec3(1, 1, 1))", "invalid box"},
      {"count_in(vec3(0, 0, 0), vec3(-1, -1, -1))", "invalid box"},
      {"nearest(3, 4)", "vec3 expected, got number"},
  };
  std::uint32_t scene = 0;
  for (const auto& [query, error] : cases) {
    CAPTURE(query);
    REQUIRE(stage.Activate(scene++, std::string("function update() return ") + query + " end"));
    WorldQueries queries(*world, stage.scripts->workers(), {}, {});
    stage.Frame(kOutside, &queries);
    const Lines lines = stage.scripts->TakeLines();
    REQUIRE(lines.size() == (*error == '\0' ? 0 : 1));
    if (!lines.empty()) CHECK(lines[0].find(error) != std::string::npos);
  }
}

// The camp of the open world: gates close behind a visitor, and machines come one by one.
TEST_CASE("the scripts of the open world do as they say") {
  const auto text = [](const char* file) {
    const auto bytes = ReadFile(std::string("src/apps/openworld/world/") + file);
    REQUIRE(bytes);
    return std::string(reinterpret_cast<const char*>(bytes->data()), bytes->size());
  };
  Stage stage;
  FakeQueries world;
  const auto frames = [&](int count, Vec3 player) {
    for (int i = 0; i < count; ++i) stage.Frame(player, &world);
  };
  REQUIRE(stage.Activate(0, text("camp.lua"), "camp.lua"));
  REQUIRE(stage.Activate(1, text("ruin.lua"), "ruin.lua"));
  frames(1, kOutside);
  CHECK(stage.Wish(0).open);
  CHECK_FALSE(stage.Wish(1).open);
  const std::uint32_t guards = stage.Wish(0).machines;
  world.bodies = 1;  // in a gateway
  world.wall = 0.5f;
  frames(100, kInFirst);
  CHECK(stage.Wish(0).open);
  CHECK(stage.Wish(0).machines == guards);  // the watchman does not see the visitor
  CHECK(world.watched_from == kMiddle + Vec3{0, 6, 0});
  world.bodies = 0;
  frames(1, kInFirst);
  CHECK_FALSE(stage.Wish(0).open);
  CHECK(stage.Wish(1).open);
  world.wall = {};
  frames(1, kInFirst);
  CHECK(stage.Wish(0).machines == guards + 1);
  frames(300, kInFirst);
  CHECK(stage.Wish(0).machines == 2 * guards);
  frames(1, kOutside);
  CHECK_FALSE(stage.Wish(0).open);
  CHECK_FALSE(stage.Wish(1).open);
  world.near = 3.9f;  // a body that moves
  frames(1, kOutside);
  CHECK(stage.Wish(1).open);
  world.near = 4.1f;
  frames(160, kOutside);
  CHECK(stage.Wish(0).open);
  CHECK_FALSE(stage.Wish(1).open);
  CHECK(stage.scripts->TakeLines() == Lines{});
}

}  // namespace
}  // namespace nowait

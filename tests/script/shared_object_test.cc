#include "src/script/shared_object.h"

#include <catch2/catch.hpp>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "src/resource/file.h"
#include "tests/script/fake_call.h"

namespace nowait {
namespace {

std::string FileOf(const std::string& name) {
  const auto bytes = ReadFile("tests/script/" + name);
  REQUIRE(bytes);
  return {reinterpret_cast<const char*>(bytes->data()), bytes->size()};
}

struct Shared : Bench {
  Shared() : Bench(SharedObjectLanguage()) {}
  std::unique_ptr<Script> LoadFile(const std::string& name) { return Load(FileOf(name), name); }
};

TEST_CASE("a shared object reads, writes, asks and sends") {
  Shared shared;
  const auto script = shared.LoadFile("counter.so");
  REQUIRE(script);
  CHECK(script->has_update());
  CHECK(script->has_event());
  const ObjectHandle a = shared.objects.Add(script->layout());
  const ObjectHandle b = shared.objects.Add(script->layout());
  CHECK(shared.objects.Get(a, "count").number == 5);
  CHECK(FromScript(shared.objects.Get(a, "place").vec3) == Vec3{1, 2, 3});
  CHECK(shared.objects.Get(a, "on").boolean == 1);
  CHECK(shared.Update(*script, a) == "");
  CHECK(shared.objects.Get(a, "count").number == 6);

  shared.objects.records[a.slot].values[3].handle = BitsOf(b);
  shared.objects.bodies = 4;
  shared.objects.wall = 0.5f;
  CHECK(shared.Update(*script, a, 8) == "");
  CHECK(shared.objects.Get(b, "count").number == 5 + 8 * 0.25);
  const Vec3 place = FromScript(shared.objects.Get(a, "place").vec3);
  CHECK((place.x >= 1 && place.x < 2));
  CHECK((place.y == 0.5f && place.z == 4));
  REQUIRE(shared.objects.sent.size() == 1);
  CHECK(shared.objects.sent[0].to == b);
  CHECK(shared.objects.sent[0].value == 7);
  FakeCall call(shared.objects, b);
  REQUIRE(script->Event(call, shared.objects.sent[0]));
  CHECK(shared.objects.Get(b, "count").number == 14);
  CHECK(HandleOf(shared.objects.Get(b, "other").handle) == a);
  shared.objects.wall = {};
  CHECK(shared.Update(*script, a, 8) == "");
  CHECK(shared.objects.Get(a, "place").vec3.y == 2);
  shared.objects.near = 3;
  shared.objects.records[a.slot].values[0].number = 549;
  CHECK(shared.Update(*script, a) == "");
  CHECK(FromScript(shared.objects.Get(a, "place").vec3) == Vec3{3, -1, 0});
}

TEST_CASE("a shared object hears what the physics did") {
  Shared shared;
  const auto script = shared.LoadFile("counter.so");
  REQUIRE(script);
  CHECK((script->has(kOnContact) && script->has(kOnJoint) && script->has(kOnSleep)));
  const ObjectHandle object = shared.objects.Add(script->layout());
  FakeCall call(shared.objects, object);
  REQUIRE(script->Physics(call, {.kind = PhysicsEvent::Kind::kContactBegan,
                                 .to = object,
                                 .other = {8, 2},
                                 .place = {7, 0, 0},
                                 .normal = {0, 1, 0},
                                 .speed = 20,
                                 .slide = 3}));
  CHECK(shared.objects.Get(object, "count").number == 25);
  CHECK(HandleOf(shared.objects.Get(object, "other").handle) == ObjectHandle{8, 2});
  CHECK(FromScript(shared.objects.Get(object, "place").vec3) == Vec3{7, 1, 3});
  REQUIRE(script->Physics(call, {.kind = PhysicsEvent::Kind::kFellAsleep, .to = object}));
  CHECK(shared.objects.Get(object, "count").number == 6025);
  CHECK(HandleOf(shared.objects.Get(object, "other").handle) == ObjectHandle{});
}

TEST_CASE("errors of a shared object have a text") {
  Shared shared;
  const auto script = shared.LoadFile("counter.so");
  REQUIRE(script);
  const ObjectHandle self = shared.objects.Add(script->layout());
  auto& values = shared.objects.records[self.slot].values;
  values[0].number = 99;
  CHECK(shared.Update(*script, self) ==
        "counter.so: tests/script/scripts/counter.cc:34: a hundred");
  values[0].number = 199;
  CHECK(shared.Update(*script, self) == "counter.so: an error without a text");
  values[0].number = 299;
  CHECK(shared.Update(*script, self) == "counter.so: an exception");
  shared.objects.queries = false;
  for (const double count : {399, 499, 549}) {
    values[0].number = count;
    CHECK(shared.Update(*script, self) == "counter.so: query is not allowed in this phase");
  }
  values[0].number = 0;
  values[3].handle = BitsOf({7, 1});
  CHECK(shared.Update(*script, self) == "counter.so: stale object handle (7)");
  const ObjectHandle other = shared.objects.Add(*FieldLayout::Create({{"place"}}));
  values[3].handle = BitsOf(other);
  CHECK(shared.Update(*script, self) == "counter.so: the object has no field 'place' of that kind");
}

TEST_CASE("files that are no script are refused") {
  Shared shared;
  CHECK(shared.LoadFile("no_entry.so") == nullptr);
  CHECK(shared.error == "no_entry.so: no function 'nowait_script'");
  CHECK(shared.LoadFile("wrong_abi.so") == nullptr);
  CHECK(shared.error == "wrong_abi.so: made for another version of the interface");
  CHECK(shared.LoadFile("no_fields.so") == nullptr);
  CHECK(shared.error == "no_fields.so: no fields");
  CHECK(shared.LoadFile("many_fields.so") == nullptr);
  CHECK(shared.error == "many_fields.so: more than 12 fields");
  CHECK(shared.LoadFile("no_name.so") == nullptr);
  CHECK(shared.error == "no_name.so: a field without a name");
  for (const std::string_view source : {"", "text",
                                        "\x7f"
                                        "ELF and no more"}) {
    CHECK(shared.Load(source, "bad.so") == nullptr);
    CHECK(shared.error.starts_with("bad.so: "));
    CHECK(shared.error.find("/proc") == std::string::npos);
  }
  const std::string whole = FileOf("counter.so");
  for (std::size_t bytes = 0; bytes < whole.size(); bytes += 1 + bytes / 50) {
    CAPTURE(bytes);
    CHECK(shared.Load(std::string_view(whole).substr(0, bytes), "bad.so") == nullptr);
    CHECK(shared.error == "bad.so: no shared object, or a part of one");
  }
}

TEST_CASE("each machine and each load has a copy of its own") {
  Shared one, two;
  std::vector<std::unique_ptr<Script>> scripts;  // all at once
  for (Shared* shared : {&one, &two}) {
    for (int load = 0; load < 2; ++load) {
      scripts.push_back(shared->LoadFile("stateful.so"));
      REQUIRE(scripts.back());
      const ObjectHandle self = shared->objects.Add(scripts.back()->layout());
      CHECK(shared->Update(*scripts.back(), self) == "");
      CHECK(shared->objects.Get(self, "count").number == 7);
    }
  }
  // A file that differs is not taken for one that is loaded.
  CHECK(one.Load("no shared object", "stateful.so") == nullptr);
}

}  // namespace
}  // namespace nowait

#include "src/dynamics/contact_store.h"

#include <catch2/catch.hpp>
#include <initializer_list>
#include <vector>

namespace nowait {
namespace {

// Four dynamic bodies in slots 0 .. 3, and what the narrow phase would have found.
struct Fixture {
  BodyStorage bodies{4};
  AwakeSet<> awake{4};
  std::vector<Changes> changes{4};
  std::vector<ContactEvent> events;
  std::vector<FoundContact> found;

  Fixture() {
    for (std::uint32_t slot = 0; slot < 4; ++slot) {
      awake.Add(slot);
      Body body;
      body.id = *bodies.Reserve();
      bodies.Install(body, BodyState::kAwake);
    }
  }

  FoundContact Touch(std::uint32_t a, std::uint32_t b,
                     std::initializer_list<std::uint32_t> features) {
    FoundContact contact;
    contact.a = bodies[a].id;
    contact.b = bodies[b].id;
    contact.material = MaterialOf(bodies[a], bodies[b]);
    for (const std::uint32_t feature : features) contact.manifold.Add({{}, {0, 1, 0}, 0, feature});
    return contact;
  }

  Result<void> Merge(ContactStore& store, std::vector<FoundContact> contacts) {
    found = std::move(contacts);
    std::vector<const FoundContact*> pointers;
    for (const FoundContact& contact : found) pointers.push_back(&contact);
    events.clear();
    Result<void> merged = store.Merge(pointers, bodies, awake, changes, events);
    if (merged) changes.assign(4, {});
    return merged;
  }

  void Remove(BodyId id) {
    bodies.Remove(id);
    changes[id.slot()].Add(Change::kDisturbed);
  }
};

TEST_CASE_METHOD(Fixture, "impulses follow the features of a contact that goes on") {
  ContactStore store(4, 4);
  REQUIRE(Merge(store, {Touch(0, 1, {7, 8})}));
  REQUIRE(events.size() == 1);
  store[store.entries()[0].index].impulses[0].normal = 1.0f;
  store[store.entries()[0].index].impulses[1].normal = 2.0f;
  REQUIRE(Merge(store, {Touch(0, 1, {9, 8, 7})}));
  CHECK(events.empty());
  const Contact& contact = store[store.entries()[0].index];
  CHECK(contact.impulses[0].normal == 0.0f);
  CHECK(contact.impulses[1].normal == 2.0f);
  CHECK(contact.impulses[2].normal == 1.0f);
}

TEST_CASE_METHOD(Fixture, "contacts that are not found again end, unless both bodies sleep") {
  ContactStore store(4, 4);
  REQUIRE(Merge(store, {Touch(0, 1, {1}), Touch(2, 3, {1})}));
  awake.Clear();
  for (const std::uint32_t slot : {0u, 1u}) awake.Add(slot);
  REQUIRE(Merge(store, {}));
  REQUIRE(events.size() == 1);
  CHECK(events[0] == ContactEvent{ContactEvent::Kind::kEnded, bodies[0].id, bodies[1].id});
  REQUIRE(store.entries().size() == 1);
  Remove(bodies[3].id);  // the one that waits loses its partner
  REQUIRE(Merge(store, {}));
  CHECK(events.size() == 1);
  CHECK(store.entries().empty());
}

TEST_CASE_METHOD(Fixture,
                 "a contact ends with its body, and another one in its slot begins a contact") {
  ContactStore store(4, 4);
  REQUIRE(Merge(store, {Touch(0, 1, {7})}));
  store[store.entries()[0].index].impulses[0].normal = 1.0f;
  const BodyId first = bodies[0].id, gone = bodies[1].id;
  Remove(gone);
  Body next;
  next.id = *bodies.Reserve();
  REQUIRE(next.id.slot() == gone.slot());
  bodies.Install(next, BodyState::kAwake);
  REQUIRE(Merge(store, {Touch(0, 1, {7})}));
  using Kind = ContactEvent::Kind;
  CHECK(events ==
        std::vector<ContactEvent>{{Kind::kEnded, first, gone}, {Kind::kBegan, first, next.id}});
  REQUIRE(store.entries().size() == 1);
  const Contact& contact = store[store.entries()[0].index];
  CHECK(contact.b == next.id);
  CHECK(contact.impulses[0].normal == 0.0f);
}

TEST_CASE_METHOD(Fixture, "a full store says so, changes nothing, and reuses what ended") {
  ContactStore store(2, 4);
  REQUIRE(Merge(store, {Touch(0, 1, {1}), Touch(0, 2, {1})}));
  const auto failed = Merge(store, {Touch(0, 1, {1}), Touch(0, 2, {1}), Touch(0, 3, {1})});
  REQUIRE_FALSE(failed);
  CHECK(ToString(failed.error()) == "capacity of contacts reached (2)");
  CHECK(events.empty());
  CHECK(store.entries().size() == 2);
  REQUIRE(Merge(store, {Touch(1, 2, {1}), Touch(2, 3, {1})}));
  CHECK(events.size() == 4);
  CHECK(store.entries()[0].key < store.entries()[1].key);
}

TEST_CASE_METHOD(Fixture, "a contact that goes on keeps all impulses of a feature, and its own") {
  ContactStore store(4, 4);
  REQUIRE(Merge(store, {Touch(1, 2, {7, 8})}));
  Contact& before = store[store.entries()[0].index];
  before.impulses[1] = {2.0f, {3, 4, 5}};
  before.rolling_impulse = {6, 7, 8};
  FoundContact again = Touch(1, 2, {8});
  again.manifold.points()[0].separation = -0.25f;
  again.material = {0.75f, 0.5f, 0.25f, {1, 2, 3}};
  REQUIRE(Merge(store, {again}));
  const Contact& after = store[store.entries()[0].index];
  REQUIRE(after.manifold.count() == 1);
  CHECK(after.manifold.points()[0].separation == -0.25f);
  CHECK(after.impulses[0].normal == 2.0f);
  CHECK(after.impulses[0].friction == Vec3{3, 4, 5});
  CHECK(after.rolling_impulse == Vec3{6, 7, 8});
  CHECK(after.friction == 0.75f);  // the material is that of the step
  CHECK(after.surface_velocity == Vec3{1, 2, 3});
  // The impulse of a point that was away is gone, also when the point comes back.
  REQUIRE(Merge(store, {Touch(1, 2, {7, 8})}));
  CHECK(store[store.entries()[0].index].impulses[0].normal == 0.0f);
  CHECK(store[store.entries()[0].index].impulses[1].normal == 2.0f);
}

TEST_CASE_METHOD(Fixture, "a contact that begins anew has no impulses of the one before it") {
  ContactStore store(1, 4);
  REQUIRE(Merge(store, {Touch(0, 1, {7})}));
  Contact& before = store[store.entries()[0].index];
  before.impulses[0] = {1.0f, {1, 1, 1}};
  before.rolling_impulse = {1, 1, 1};
  REQUIRE(Merge(store, {}));
  REQUIRE(Merge(store, {Touch(0, 1, {7})}));
  const Contact& after = store[store.entries()[0].index];
  CHECK(after.impulses[0].normal == 0.0f);
  CHECK(after.impulses[0].friction == Vec3{});
  CHECK(after.rolling_impulse == Vec3{});
}

TEST_CASE_METHOD(Fixture, "an index names its contact while others begin and end around it") {
  ContactStore store(6, 4);
  REQUIRE(Merge(store, {Touch(0, 2, {1}), Touch(1, 2, {1})}));
  const std::uint32_t kept = store.entries()[1].index;
  store[kept].impulses[0].normal = 9.0f;
  REQUIRE(Merge(store, {Touch(0, 1, {1}), Touch(0, 3, {1}), Touch(1, 2, {1}), Touch(2, 3, {1})}));
  REQUIRE(store.entries().size() == 4);
  CHECK(store.entries()[2].index == kept);
  CHECK(store[kept].impulses[0].normal == 9.0f);
  for (std::size_t i = 0; i + 1 < 4; ++i) {
    CHECK(store.entries()[i].key < store.entries()[i + 1].key);
    CHECK(PairKey(store[store.entries()[i].index].a, store[store.entries()[i].index].b) ==
          store.entries()[i].key);
  }
}

TEST_CASE_METHOD(Fixture, "ended and begun contacts are reported together, by ascending pair") {
  ContactStore store(6, 4);
  REQUIRE(Merge(store, {Touch(0, 2, {1}), Touch(1, 3, {1})}));
  REQUIRE(Merge(store, {Touch(0, 1, {1}), Touch(1, 2, {1}), Touch(2, 3, {1})}));
  using Kind = ContactEvent::Kind;
  const auto event = [&](Kind kind, std::uint32_t a, std::uint32_t b) {
    return ContactEvent{kind, bodies[a].id, bodies[b].id};
  };
  CHECK(events == std::vector{event(Kind::kBegan, 0, 1), event(Kind::kEnded, 0, 2),
                              event(Kind::kBegan, 1, 2), event(Kind::kEnded, 1, 3),
                              event(Kind::kBegan, 2, 3)});
}

TEST_CASE_METHOD(Fixture, "events are added behind those of the steps before, which stay first") {
  ContactStore store(4, 4);
  REQUIRE(Merge(store, {Touch(1, 2, {1})}));
  const std::vector<ContactEvent> first = events;
  const FoundContact next = Touch(0, 1, {1});
  const FoundContact* const found[] = {&next};
  REQUIRE(store.Merge(found, bodies, awake, changes, events));
  REQUIRE(events.size() == 3);
  CHECK(events[0] == first[0]);
  CHECK(events[1] == ContactEvent{ContactEvent::Kind::kBegan, bodies[0].id, bodies[1].id});
  CHECK(events[2] == ContactEvent{ContactEvent::Kind::kEnded, bodies[1].id, bodies[2].id});
}

TEST_CASE_METHOD(Fixture, "contacts of bodies that both sleep stay, and count against the room") {
  ContactStore store(2, 4);
  REQUIRE(Merge(store, {Touch(0, 1, {1})}));
  awake.Clear();
  awake.Add(2);
  awake.Add(3);
  CHECK_FALSE(Merge(store, {Touch(0, 2, {1}), Touch(2, 3, {1})}));
  CHECK(store.entries().size() == 1);
  REQUIRE(Merge(store, {Touch(2, 3, {1})}));
  CHECK(store.entries().size() == 2);
  CHECK(events.size() == 1);
}

TEST_CASE_METHOD(Fixture, "a contact ends if one of its two bodies is awake and it is not found") {
  const std::uint32_t the_awake_one = GENERATE(0u, 1u);
  ContactStore store(2, 4);
  REQUIRE(Merge(store, {Touch(0, 1, {1})}));
  awake.Clear();
  awake.Add(the_awake_one);
  REQUIRE(Merge(store, {}));
  CHECK(store.entries().empty());
  CHECK(events.size() == 1);
}

TEST_CASE_METHOD(Fixture, "a waiting contact ends when either of its bodies is gone") {
  const std::uint32_t gone = GENERATE(0u, 1u);
  ContactStore store(2, 4);
  REQUIRE(Merge(store, {Touch(0, 1, {1})}));
  const BodyId a = bodies[0].id, b = bodies[1].id;
  awake.Clear();
  Remove(bodies[gone].id);
  REQUIRE(Merge(store, {}));
  CHECK(store.entries().empty());
  CHECK(events == std::vector{ContactEvent{ContactEvent::Kind::kEnded, a, b}});
}

TEST_CASE_METHOD(Fixture, "a rolling resistance has a lever on a sphere alone") {
  bodies[0].shape = Shape::Box({3, 3, 3});
  bodies[0].rolling_resistance = 0.5f;
  bodies[1].shape = Shape::Sphere(2.0f);
  bodies[1].rolling_resistance = 0.25f;
  ContactStore store(4, 4);
  REQUIRE(Merge(store, {Touch(0, 1, {1}), Touch(0, 2, {1})}));
  CHECK(store[store.entries()[0].index].rolling_length == 0.5f);
  CHECK(store[store.entries()[1].index].rolling_length == 0.0f);
}

TEST_CASE_METHOD(Fixture,
                 "a recycled contact keeps its points and impulses, and takes the material") {
  ContactStore store(4, 4);
  REQUIRE(Merge(store, {Touch(0, 1, {7, 8}), Touch(1, 2, {3})}));
  Contact& contact = store[store.entries()[0].index];
  contact.impulses[1].normal = 2.0f;
  FoundContact again;
  again.a = bodies[0].id;
  again.b = bodies[1].id;
  again.material.friction = 0.25f;
  again.recycled = &contact;
  REQUIRE(Merge(store, {again}));
  CHECK(events.size() == 1);  // the other one ended
  CHECK(contact.manifold.count() == 2);
  CHECK(contact.manifold.points()[1].feature == 8);
  CHECK(contact.impulses[1].normal == 2.0f);
  CHECK(contact.friction == 0.25f);
}

// Of `count` bodies, all of which touch the first one, as the ground, and every third the next one.
TEST_CASE("each contact is found by its bodies, and by no others") {
  for (const std::uint32_t count : {2u, 3u, 17u, 64u, 200u}) {
    BodyStorage bodies(count);
    AwakeSet<> awake(count);
    for (std::uint32_t slot = 0; slot < count; ++slot) {
      Body body;
      body.id = *bodies.Reserve();
      bodies.Install(body, BodyState::kAwake);
      awake.Add(slot);
    }
    const auto touch = [](std::uint32_t a, std::uint32_t b) {
      return a == 0 || (a % 3 == 0 && b == a + 1);
    };
    std::vector<FoundContact> found;
    for (std::uint32_t a = 0; a < count; ++a) {
      for (std::uint32_t b = a + 1; b < count; ++b) {
        if (!touch(a, b)) continue;
        FoundContact& contact = found.emplace_back();
        contact.a = bodies[a].id;
        contact.b = bodies[b].id;
        contact.manifold.Add({});
      }
    }
    ContactStore store(2 * count, count);
    const auto check = [&](auto is_there) {
      for (std::uint32_t a = 0; a < count; ++a) {
        for (std::uint32_t b = a + 1; b < count; ++b) {
          const Contact* const contact = store.Find(bodies[a].id, bodies[b].id);
          CHECK((contact != nullptr) == is_there(a, b));
          if (contact == nullptr) continue;
          CHECK(contact->a == bodies[a].id);
          CHECK(contact->b == bodies[b].id);
        }
      }
    };
    check([](std::uint32_t, std::uint32_t) { return false; });
    std::vector<const FoundContact*> pointers;
    for (const FoundContact& one : found) pointers.push_back(&one);
    std::vector<ContactEvent> events;
    REQUIRE(store.Merge(pointers, bodies, awake, std::vector<Changes>(count), events));
    check(touch);
    // Without those of the ground: what first_ says of its slot is of no use then.
    std::erase_if(pointers, [&](const FoundContact* one) { return one->a == bodies[0].id; });
    REQUIRE(store.Merge(pointers, bodies, awake, std::vector<Changes>(count), events));
    check([&](std::uint32_t a, std::uint32_t b) { return a != 0 && touch(a, b); });
    std::vector<Contact> kept;
    for (const ContactStore::Entry& entry : store.entries()) kept.push_back(store[entry.index]);
    ContactStore restored(2 * count, count);
    restored.Restore(kept);
    for (const Contact& one : kept) CHECK(restored.Find(one.a, one.b) != nullptr);
    CHECK(restored.Find(bodies[0].id, bodies[1].id) == nullptr);
  }
}

TEST_CASE_METHOD(Fixture, "a contact of the body that had the slot before is not found") {
  ContactStore store(4, 4);
  REQUIRE(Merge(store, {Touch(1, 2, {1})}));
  const BodyId old = bodies[2].id;
  bodies.Remove(old);
  Body other;
  other.id = *bodies.Reserve();
  REQUIRE(other.id.slot() == 2);
  CHECK(store.Find(bodies[1].id, old) != nullptr);
  CHECK(store.Find(bodies[1].id, other.id) == nullptr);
}

}  // namespace
}  // namespace nowait

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
    FoundContact contact{bodies[a].id, bodies[b].id, {}};
    for (const std::uint32_t feature : features) contact.manifold.Add({{}, {0, 1, 0}, 0, feature});
    return contact;
  }

  Result<void> Merge(ContactStore& store, std::vector<FoundContact> contacts) {
    found = std::move(contacts);
    std::vector<const FoundContact*> pointers;
    for (const FoundContact& contact : found) pointers.push_back(&contact);
    events.clear();
    return store.Merge(pointers, bodies, awake, events);
  }
};

TEST_CASE_METHOD(Fixture, "impulses follow the features of a contact that goes on") {
  ContactStore store(4);
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
  ContactStore store(4);
  REQUIRE(Merge(store, {Touch(0, 1, {1}), Touch(2, 3, {1})}));
  awake.Clear();
  for (const std::uint32_t slot : {0u, 1u}) awake.Add(slot);
  REQUIRE(Merge(store, {}));
  REQUIRE(events.size() == 1);
  CHECK(events[0] == ContactEvent{ContactEvent::Kind::kEnded, bodies[0].id, bodies[1].id});
  REQUIRE(store.entries().size() == 1);
  bodies.Remove(bodies[3].id);  // the one that waits loses its partner
  REQUIRE(Merge(store, {}));
  CHECK(events.size() == 1);
  CHECK(store.entries().empty());
}

TEST_CASE_METHOD(Fixture,
                 "a contact ends with its body, and another one in its slot begins a contact") {
  ContactStore store(4);
  REQUIRE(Merge(store, {Touch(0, 1, {7})}));
  store[store.entries()[0].index].impulses[0].normal = 1.0f;
  const BodyId first = bodies[0].id, gone = bodies[1].id;
  bodies.Remove(gone);
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
  ContactStore store(2);
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

}  // namespace
}  // namespace nowait

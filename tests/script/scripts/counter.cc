// A script as a shared object, for tests: it does everything that the interface has. Compiled
// several times, each with another mistake.
#include <cmath>
#include <cstdint>
#include <cstring>

#include "src/script/abi.h"

namespace {

enum Field { kCount, kPlace, kOn, kOther, kFieldCount };

[[maybe_unused]] constexpr NowaitField kFields[kFieldCount] = {
#ifdef HAS_NO_NAME
    {nullptr, NOWAIT_NUMBER, {.number = 5}},
#else
    {"count", NOWAIT_NUMBER, {.number = 5}},
#endif
    {"place", NOWAIT_VEC3, {.vec3 = {1, 2, 3}}},
    {"on", NOWAIT_BOOLEAN, {.boolean = 1}},
    {"other", NOWAIT_HANDLE, {.handle = NOWAIT_NO_OBJECT}},
};

#ifdef HAS_STATE
int calls = 0;
#endif

int Update(const NowaitCall* call) {
  NowaitValue* const fields = call->fields;
  fields[kCount].number += 1;
#ifdef HAS_STATE
  fields[kCount].number += ++calls;
#endif
  if (fields[kCount].number == 100) return NOWAIT_FAIL(call, "a hundred");
  if (fields[kCount].number == 200) return 1;
  if (fields[kCount].number == 300) throw 300;
  if (fields[kCount].number == 400) {
    fields[kPlace].vec3.y = call->cast_ray(call, {0, 0, 0}, {1, 0, 0});
    return 0;
  }
  if (fields[kCount].number == 500) {
    fields[kPlace].vec3.z = static_cast<float>(call->count_in(call, {0, 0, 0}, {1, 1, 1}));
    return 0;
  }
  if (fields[kCount].number == 550) {
    fields[kPlace].vec3 = {call->nearest(call, {0, 0, 0}, 5), call->nearest(call, {0, 0, 0}, 1), 0};
    return 0;
  }
  if (fields[kCount].number > 799 && fields[kCount].number < 900) {
    // With 800 it returns an error, and otherwise hides that there was no answer.
    const double answer = call->ask(call, "map", {4, 0, 0});
    fields[kPlace].vec3.x = static_cast<float>(answer);
    return std::isnan(answer) && fields[kCount].number == 800 ? 1 : 0;
  }
  const uint64_t other = fields[kOther].handle;
  if (other == NOWAIT_NO_OBJECT) return 0;
  if (fields[kCount].number > 599 && fields[kCount].number < 700) {
    // With 600 it is run later, even if it hides that. With 601 it returns an error.
    const NowaitValue* const count = call->read_after(call, other, "count", NOWAIT_NUMBER);
    if (count != nullptr) fields[kPlace].vec3.x = static_cast<float>(count->number);
    return count == nullptr && fields[kCount].number == 601 ? 1 : 0;
  }
  const NowaitValue* const place = call->read(call, other, "place", NOWAIT_VEC3);
  if (place == nullptr) return 1;
  NowaitValue* const count = call->write(call, other, "count", NOWAIT_NUMBER);
  if (count == nullptr) return 1;
  fields[kPlace].vec3.x = place->vec3.x + static_cast<float>(call->random(call));
  fields[kPlace].vec3.y = call->cast_ray(call, {0, 0, 0}, {1, 0, 0});
  fields[kPlace].vec3.z = static_cast<float>(call->count_in(call, {0, 0, 0}, {1, 1, 1}));
  count->number += static_cast<double>(call->tick) * call->dt;
  return call->send(call, other, "seen", fields[kCount].number);
}

int Event(const NowaitCall* call, const char* name, double value, uint64_t from) {
  if (std::strcmp(name, "seen") == 0) {
    call->fields[kCount].number += value;
    call->fields[kOther].handle = from;
  }
  return 0;
}

int Physics(const NowaitCall* call, const NowaitPhysicsEvent* event) {
  call->fields[kCount].number += 1000 * event->kind;
  call->fields[kOther].handle = event->other;
  if (event->kind != NOWAIT_CONTACT_BEGAN) return 0;
  call->fields[kCount].number += static_cast<double>(event->speed);
  call->fields[kPlace].vec3 = {event->place.x, event->normal.y, event->slide};
  return 0;
}

constexpr NowaitScript kScript = {
#ifdef HAS_WRONG_ABI
    NOWAIT_SCRIPT_ABI + 1,
#else
    NOWAIT_SCRIPT_ABI,
#endif
#ifdef HAS_NO_FIELDS
    kFieldCount,
    nullptr,
    Update,
    Event,
    Physics
#elif defined(HAS_MANY_FIELDS)
    0xffffffffu,
    kFields,
    Update,
    Event,
    Physics
#else
    kFieldCount, kFields, Update, Event, Physics
#endif
};

}  // namespace

#ifdef HAS_NO_ENTRY
extern "C" const NowaitScript* another_name() { return &kScript; }
#else
extern "C" const NowaitScript* nowait_script() { return &kScript; }
#endif

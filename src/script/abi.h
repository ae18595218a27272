// The interface of a script in a shared object, in C, so that any compiler can produce one.
//
//   static const NowaitField kFields[] = {{"count", NOWAIT_NUMBER, {.number = 0}}};
//   static int Update(const NowaitCall* call) { call->fields[0].number += 1; return 0; }
//   static const NowaitScript kScript = {NOWAIT_SCRIPT_ABI, 1, kFields, Update, 0, 0};
//   extern "C" const NowaitScript* nowait_script() { return &kScript; }
//
// The engine looks up `nowait_script`. An object keeps its state in its fields and nowhere else,
// because an update may be run again, on another thread, in another copy of the shared object. A
// function returns 0. It returns another value if a pointer from `read` or `write` was null or if
// it has failed; then none of its effects happen. Functions of NowaitCall must be called by the
// update's thread, before it returns. A shared object is trusted code: it has neither limits nor a
// sandbox.
// Test: tests/script/shared_object_test.cc. Lecture: scripts on many threads.
#ifndef NOWAIT_SRC_SCRIPT_ABI_H_
#define NOWAIT_SRC_SCRIPT_ABI_H_

#include <stdint.h>

#define NOWAIT_SCRIPT_ABI 4u
#define NOWAIT_NO_OBJECT UINT64_C(0xffffffff)

enum { NOWAIT_NUMBER, NOWAIT_BOOLEAN, NOWAIT_HANDLE, NOWAIT_VEC3 };

typedef struct NowaitVec3 {
  float x, y, z;
} NowaitVec3;

// 16 bytes; the bytes that a kind does not use are zero.
typedef union NowaitValue {
  uint64_t bits[2];  // first, so that `{}` makes everything zero
  double number;
  uint64_t boolean;  // 0 or 1
  uint64_t handle;   // generation in the upper half, slot in the lower
  NowaitVec3 vec3;
} NowaitValue;

typedef struct NowaitField {
  const char* name;  // a letter or _, followed by letters, digits and _
  uint32_t kind;
  NowaitValue initial;
} NowaitField;

typedef struct NowaitCall NowaitCall;
struct NowaitCall {
  void* engine;
  uint64_t tick;
  double dt;            // seconds
  uint64_t self;        // the object
  NowaitValue* fields;  // its fields, in the order of NowaitScript
  // A field of another object, to read or to change; null if the object is gone or lacks the field.
  const NowaitValue* (*read)(const NowaitCall*, uint64_t object, const char* field, uint32_t kind);
  NowaitValue* (*write)(const NowaitCall*, uint64_t object, const char* field, uint32_t kind);
  // As `read`, of the object after its update of this phase. Null also if that is not done; then
  // the calling function is run later in the phase, whatever it returns. It fails if the object's
  // phase comes later, or if it is no update.
  const NowaitValue* (*read_after)(const NowaitCall*, uint64_t object, const char* field,
                                   uint32_t kind);
  // Sends an event for the object's next tick, after the commit. Not 0: no room, or too long a
  // name.
  int (*send)(const NowaitCall*, uint64_t object, const char* name, double value);
  // Where the ray meets a body, as a fraction of its length; 2 if it meets no body. In a phase
  // without queries, this and the next two functions make the calling function fail, whatever it
  // returns.
  float (*cast_ray)(const NowaitCall*, NowaitVec3 from, NowaitVec3 to);
  // The number of bodies whose boxes overlap the box.
  uint32_t (*count_in)(const NowaitCall*, NowaitVec3 centre, NowaitVec3 half);
  // Metres from the point to the nearest box of a body; -1 if it is farther than `reach`.
  float (*nearest)(const NowaitCall*, NowaitVec3 point, float reach);
  // The answer to a question of this phase. NaN if it is not prepared; then the calling function is
  // run later in the phase, whatever it returns. Without such a question in this phase it fails.
  double (*ask)(const NowaitCall*, const char* question, NowaitVec3 place);
  double (*random)(const NowaitCall*);  // in [0, 1), the same for the same object and tick
  // Reports an error, and returns 1.
  int (*fail)(const NowaitCall*, const char* file, int line, const char* text);
};

#define NOWAIT_FAIL(call, text) ((call)->fail((call), __FILE__, __LINE__, (text)))

enum {
  NOWAIT_CONTACT_BEGAN,
  NOWAIT_CONTACT_PERSISTS,
  NOWAIT_CONTACT_ENDED,
  NOWAIT_JOINT_BROKE,
  NOWAIT_JOINT_GONE,
  NOWAIT_WOKE,
  NOWAIT_FELL_ASLEEP
};

// News of the physics about the object's body. All but the first two are of a contact that began.
typedef struct NowaitPhysicsEvent {
  uint32_t kind;      // kinds that a script does not know, it ignores
  uint64_t other;     // the object of the other body, or NOWAIT_NO_OBJECT
  NowaitVec3 place;   // metres
  NowaitVec3 normal;  // unit length, away from the other body
  float speed;        // of approach along the normal, metres a second
  float slide;        // across the normal, metres a second
} NowaitPhysicsEvent;

typedef struct NowaitScript {
  uint32_t abi;  // NOWAIT_SCRIPT_ABI
  uint32_t field_count;
  const NowaitField* fields;
  int (*update)(const NowaitCall*);  // this and the others may be null, but not all
  int (*event)(const NowaitCall*, const char* name, double value, uint64_t from);
  int (*physics)(const NowaitCall*, const NowaitPhysicsEvent*);
} NowaitScript;

#endif  // NOWAIT_SRC_SCRIPT_ABI_H_

// The interface between these headers and the checker. Users of the library never call it.
//
// Everything that a checked program does goes through one of these functions, none of which is
// inline. The headers need no other part of the checker, and one compiled library serves every
// program.
#ifndef NOWAIT_CHECK_MACHINE_H_
#define NOWAIT_CHECK_MACHINE_H_

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <source_location>

namespace nowait::check::machine {

// The source location of an operation, which is the last, defaulted argument of each function.
using Site = std::source_location;

// The object representation of a T of at most eight bytes.
using Word = std::uint64_t;
enum class Type : std::uint8_t { kUnsigned, kSigned, kFloat, kDouble, kBool, kPointer, kOther };

// The name of an object, and a mark that it exists, which its end removes.
struct Object {
  alignas(std::uint32_t) unsigned char bytes[8];
};

enum class Kind : std::uint8_t { kAtomic, kPlain, kMutex, kCondition };
void Begin(Object& object, Kind kind, Word value, Type type, const Site& site);
void End(Object& object, Kind kind);

enum class Change : std::uint8_t { kExchange, kAdd, kSubtract, kAnd, kOr, kXor };
using Combine = Word (*)(Word old, Word operand);
enum class Strength : bool { kWeak, kStrong };
enum class Woken : bool { kOne, kAll };

Word Load(const Object& atomic, std::memory_order order, const Site& site);
void Store(Object& atomic, Word value, std::memory_order order, const Site& site);
Word Modify(Object& atomic, Change change, Combine combine, Word operand, std::memory_order order,
            const Site& site);
bool CompareExchange(Object& atomic, Word& expected, Word desired, Strength strength,
                     std::memory_order success, std::memory_order failure, const Site& site);
void Wait(const Object& atomic, Word old, std::memory_order order, const Site& site);
void Notify(Object& atomic, Woken woken, const Site& site);
void Fence(std::memory_order order, const Site& site);

void ReadPlain(const Object& plain, Word value, Type type, const Site& site);
void WritePlain(Object& plain, Word value, Type type, const Site& site);

void Lock(Object& mutex, const Site& site);
bool TryLock(Object& mutex, const Site& site);
void Unlock(Object& mutex, const Site& site);
void WaitCondition(Object& condition, Object& mutex, const Site& site);
void NotifyCondition(Object& condition, Woken woken, const Site& site);

void Yield(const Site& site);
unsigned Choose(unsigned count, const Site& site);
void Require(bool condition, const char* promise, const Site& site);
// The number of the running thread, from 1 up; 0 in the body.
unsigned ThreadNumber(const Site& site);

// Starts a thread of the execution. Returns its number, from 1 up.
unsigned StartThread(std::function<void()> function, const Site& site);
void JoinThread(unsigned thread, const Site& site);

// Memory of the execution, watched like `new`.
void* Allocate(std::size_t size, std::size_t alignment);
void Free(void* block);

}  // namespace nowait::check::machine

#endif  // NOWAIT_CHECK_MACHINE_H_

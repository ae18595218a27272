// The header for a model's file: the policy ModelSync, Check, and the scenarios and searches.
//
// A model instantiates the structure that the engine runs, with ModelSync as its policy. The
// checker therefore executes the very source of the engine. models/README.md explains how to write
// a model.
#ifndef NOWAIT_MODELS_KIT_SCENARIO_MODEL_H_
#define NOWAIT_MODELS_KIT_SCENARIO_MODEL_H_

#include <cstddef>
#include <cstdint>
#include <new>
#include <utility>

#include "models/kit/program/atomic.h"
#include "models/kit/program/call.h"
#include "models/kit/program/machine.h"
#include "models/kit/program/mutex.h"
#include "models/kit/program/plain.h"
#include "models/kit/scenario/scenario.h"
#include "models/kit/scenario/search.h"

namespace nowait::model {

// Fails the execution if `condition` does not hold. `invariant` states the condition in words, by
// which reports and mutants name the failure.
inline void Check(bool condition, const char* invariant, Site site = Site::current()) {
  if (!condition) FailExecution(FailureKind::kInvariant, invariant, site);
}

// A block of a scenario's memory. RequireBlock is called before the objects in the block are
// destroyed, and fails the execution if the block is not allocated.
void* AllocateBlock(std::size_t size, std::size_t alignment, const Site& site);
void RequireBlock(const void* block, const Site& site);
void FreeBlock(void* block, const Site& site);

// The number of the running thread; 0 outside the threads. Fails the execution if the threads are
// interchangeable: no thread may know its number then.
std::uint32_t AskForThread(const Site& site);

struct ModelSync {
  using Site = model::Site;

  template <class T>
  using atomic = Atomic<T>;
  template <class T>
  using plain = Plain<T>;
  using mutex = Mutex;
  using shared_mutex = SharedMutex;
  using condition_variable = ConditionVariable;

  static void Yield(Site site = Site::current()) { CurrentMachine()->Yield(site); }
  static constexpr std::uint32_t kSpins = 0;
  static void Pause() {}
  template <class Lock>
  static void NoteAcquired(const Lock&, Site = Site::current()) {}
  template <class Lock>
  static void NoteReleased(const Lock&) {}

  static std::uint32_t ThreadSlot(Site site = Site::current()) { return AskForThread(site); }

  template <class T, class... Args>
  static T* New(Args&&... args) {
    void* block = AllocateBlock(sizeof(T), alignof(T), Site::current());
    return ::new (block) T(std::forward<Args>(args)...);
  }
  template <class T>
  static void Delete(T* object) {
    if (object == nullptr) return;
    RequireBlock(object, Site::current());
    object->~T();
    FreeBlock(object, Site::current());
  }

  // The number of elements is stored in front of them, in a prefix that preserves their alignment.
  template <class T>
  static T* NewArray(std::size_t count) {
    constexpr std::size_t kPrefix = ArrayPrefix<T>();
    char* block = static_cast<char*>(
        AllocateBlock(kPrefix + count * sizeof(T), ArrayAlignment<T>(), Site::current()));
    ::new (block) std::size_t(count);
    T* array = reinterpret_cast<T*>(block + kPrefix);
    for (std::size_t i = 0; i < count; ++i) ::new (array + i) T();
    return array;
  }
  template <class T>
  static void DeleteArray(T* array) {
    if (array == nullptr) return;
    char* block = reinterpret_cast<char*>(array) - ArrayPrefix<T>();
    RequireBlock(block, Site::current());
    for (std::size_t i = *reinterpret_cast<std::size_t*>(block); i > 0; --i) array[i - 1].~T();
    FreeBlock(block, Site::current());
  }

 private:
  template <class T>
  static constexpr std::size_t ArrayAlignment() {
    return alignof(T) > alignof(std::size_t) ? alignof(T) : alignof(std::size_t);
  }
  template <class T>
  static constexpr std::size_t ArrayPrefix() {
    return ArrayAlignment<T>() > sizeof(std::size_t) ? ArrayAlignment<T>() : sizeof(std::size_t);
  }
};

}  // namespace nowait::model

namespace nowait {
using model::ModelSync;
}  // namespace nowait

#endif  // NOWAIT_MODELS_KIT_SCENARIO_MODEL_H_

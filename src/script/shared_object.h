// SharedObjectLanguage: scripts that are shared objects with the interface of abi.h.
//
//   g++ -std=c++20 -O2 -fPIC -shared -o door.so door.cc
//
// Each machine loads its own copy, from memory. The file may therefore be replaced while the
// program runs, and a new version is another shared object. A static variable of a script
// consequently exists once per thread. Its value would depend on the objects that the thread has
// updated, so a script must have no static variable that changes. The option `twice` of
// ScriptSystem finds those that matter.
//
// A shared object is not in a sandbox, has no limits, and can end the program. Scripts that come
// from outside should be written in Lua.
//
// Errors: texts of Load: not a shared object, another version of the interface, wrong fields.
// Source: [bitsquid2010], "Picking a scripting language", the choice of C++.
// Test: tests/script/shared_object_test.cc. Lecture: scripts on many threads.
#ifndef NOWAIT_SRC_SCRIPT_SHARED_OBJECT_H_
#define NOWAIT_SRC_SCRIPT_SHARED_OBJECT_H_

#include <memory>
#include <string_view>

#include "src/base/result.h"
#include "src/script/language.h"

namespace nowait {

class SharedObjectLanguage final : public ScriptLanguage {
 public:
  std::string_view extension() const override { return ".so"; }
  Result<std::unique_ptr<ScriptMachine>> CreateMachine() const override;
};

}  // namespace nowait

#endif  // NOWAIT_SRC_SCRIPT_SHARED_OBJECT_H_

// SharedObjectLanguage: scripts that are shared objects with the interface of abi.h.
//
//   g++ -std=c++20 -O2 -fPIC -shared -o door.so door.cc
//
// Each machine loads a copy of its own, from memory: the file may be replaced while the program
// runs, and a new version is another shared object. A static variable of a script is therefore one
// for each thread. Its value depends on which objects that thread has updated, so that a script has
// no static variable that changes. The option `twice` of ScriptSystem finds those that matter.
//
// A shared object is not in a sandbox, has no limits, and can end the program. Scripts that come
// from outside are written in Lua.
//
// Errors: of Load, texts: no shared object, another version of the interface, wrong fields.
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

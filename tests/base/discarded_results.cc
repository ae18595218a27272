// Results that are dropped, each in a line marked "refused", and some that are not. The compiler
// reads it, and discarded_results_test.py compares: it refuses the marked lines, for that reason,
// and no other line.
#include <memory>

#include "src/base/result.h"

namespace nowait {

Result<int> Number();
Result<void> Nothing();
Result<std::unique_ptr<int>> Owner();
template <class T>
Result<T> Made();
struct Object {
  Result<void> Change();
  virtual Result<int> Ask() const;
  static Result<Object*> Create();
};

Result<void> Refused(Object& object, Result<void> (*called)(), int times) {
  Number();                                  // refused
  Nothing();                                 // refused
  Owner();                                   // refused
  Made<float>();                             // refused
  Made<void>();                              // refused
  object.Change();                           // refused
  object.Ask();                              // refused
  Object::Create();                          // refused
  called();                                  // refused
  Number(), ++times;                         // refused
  if (times > 0) Nothing();                  // refused
  for (int i = 0; i < times; ++i) Number();  // refused
  [] { return Nothing(); }();                // refused
  return Nothing();
}

Result<void> Accepted(Object& object) {
  static_cast<void>(Number());
  if (!Number()) return {};
  if (auto changed = object.Change(); !changed) return changed;
  const auto kept = Owner();
  return kept ? Nothing() : std::unexpected(kept.error());
}

}  // namespace nowait

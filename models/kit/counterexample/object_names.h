// ObjectNames: the names of an execution's objects.
#ifndef NOWAIT_MODELS_KIT_COUNTEREXAMPLE_OBJECT_NAMES_H_
#define NOWAIT_MODELS_KIT_COUNTEREXAMPLE_OBJECT_NAMES_H_

#include <cstdint>
#include <map>
#include <string>
#include <utility>

#include "models/kit/counterexample/kinds.h"
#include "models/kit/counterexample/source_text.h"
#include "models/kit/program/trace.h"

namespace nowait::model::counterexample {

// An object of a trace. Each kind of object has its own numbers.
using ObjectKey = std::pair<ObjectKind, std::uint32_t>;

const char* Name(ObjectKind kind);

// The names by which the source uses the objects: "fetched_". Elements of arrays have indices
// (member_names.h): "links_[2]", "leaf[1].place". Objects that still share a name are numbered:
// "slot->next #2".
//   trace: the steps that are shown
//   whole: the same execution from its beginning, with the construction of its objects
std::map<ObjectKey, std::string> NamesOf(const Trace& trace, const Trace& whole, SourceText& text);

}  // namespace nowait::model::counterexample

#endif  // NOWAIT_MODELS_KIT_COUNTEREXAMPLE_OBJECT_NAMES_H_

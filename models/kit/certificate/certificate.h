// WriteCertificate: the executions that a search has examined, for another program to judge.
//
// The text lists every execution graph of a scenario. verify.py, which shares no code with the
// checker, judges it: each graph is an execution, no two are the same, and there is no other one
// (README.md has the format and the argument). Threads that are interchangeable are not
// interchanged here: the text has all executions, not one of each kind.
//
// Not every scenario can be certified. The text has the operations on atomics and mutexes that
// set-up has made, fences, choices and yields. A scenario that fails is refused, and one whose
// threads allocate, make atomics, sleep in a condition variable or notify one.
//
// Thread safety: a program may run one exploration at a time.
#ifndef NOWAIT_MODELS_KIT_CERTIFICATE_CERTIFICATE_H_
#define NOWAIT_MODELS_KIT_CERTIFICATE_CERTIFICATE_H_

#include <cstddef>
#include <cstdint>
#include <expected>
#include <string>

#include "models/kit/scenario/scenario.h"

namespace nowait::model {

struct Certificate {
  std::string text;
  std::uint64_t executions = 0;
};

// structure: the name of the model. most: the bytes that the text may have. The error says in one
// line why there is no certificate. Takes as long as the search in one process.
std::expected<Certificate, std::string> WriteCertificate(const std::string& structure,
                                                         const ScenarioEntry& scenario,
                                                         std::size_t most);

}  // namespace nowait::model

#endif  // NOWAIT_MODELS_KIT_CERTIFICATE_CERTIFICATE_H_

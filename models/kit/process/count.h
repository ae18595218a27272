// Numbers formatted for readers.
#ifndef NOWAIT_MODELS_KIT_PROCESS_COUNT_H_
#define NOWAIT_MODELS_KIT_PROCESS_COUNT_H_

#include <cstdint>
#include <string>

namespace nowait::model {

// Formats 1234567 as "1,234,567".
std::string FormatCount(std::uint64_t number);

}  // namespace nowait::model

#endif  // NOWAIT_MODELS_KIT_PROCESS_COUNT_H_

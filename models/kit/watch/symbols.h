// The names of functions and variables of this program, from its own symbol table.
#ifndef NOWAIT_MODELS_KIT_WATCH_SYMBOLS_H_
#define NOWAIT_MODELS_KIT_WATCH_SYMBOLS_H_

#include <string>

namespace nowait::model {

// The name, in C++ notation, of the function or variable of this program at this address:
// "counter", "counter + 4"; for a function always without an offset. Empty if the address does not
// belong to the program or if the program was stripped.
std::string SymbolAt(const void* address);

}  // namespace nowait::model

#endif  // NOWAIT_MODELS_KIT_WATCH_SYMBOLS_H_

// The names of functions and variables of this program, from its own symbol table.
#ifndef NOWAIT_MODELS_KIT_WATCH_SYMBOLS_H_
#define NOWAIT_MODELS_KIT_WATCH_SYMBOLS_H_

#include <string>

namespace nowait::model {

// The name of the function or variable of this program at this address, as C++ writes it:
// "counter", "counter + 4"; of a function always without an offset. Empty when the address is not
// the program's, or when the program was stripped.
std::string SymbolAt(const void* address);

}  // namespace nowait::model

#endif  // NOWAIT_MODELS_KIT_WATCH_SYMBOLS_H_

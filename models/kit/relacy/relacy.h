// The headers of Relacy (Debian's relacy-dev), made fit to live with other code.
//
// Two things are done here and nowhere else. Relacy defines macros with the names of keywords and
// library functions; they are all undefined again. Relacy also keeps the last three stores of an
// atomic, as a constant of its base header says. The headers that use the constant see a longer
// history here, so that a search can let a load read further back.
#ifndef NOWAIT_MODELS_KIT_RELACY_RELACY_H_
#define NOWAIT_MODELS_KIT_RELACY_RELACY_H_

// Relacy's cheap checks for non-determinism; a model that fails one stops with a message.
#define RL_DO_ASSERT 1

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <functional>
#include <iostream>
#include <map>
#include <memory>
#include <new>
#include <queue>
#include <relacy/base.hpp>
#include <set>
#include <sstream>
#include <stack>
#include <stdexcept>
#include <string>
#include <vector>

namespace rl {
inline constexpr std::size_t kLongHistory = 8;
}  // namespace rl
#define atomic_history_size kLongHistory
#include <relacy/relacy.hpp>
#undef atomic_history_size

#undef $
#undef VAR
#undef assert
#undef calloc
#undef delete
#undef errno
#undef free
#undef malloc
#undef memory_order_acq_rel
#undef memory_order_acquire
#undef memory_order_consume
#undef memory_order_relaxed
#undef memory_order_release
#undef memory_order_seq_cst
#undef new
#undef realloc

#endif  // NOWAIT_MODELS_KIT_RELACY_RELACY_H_

// moodycamel::ReaderWriterQueue over the checker's atomics, as Debian's libreaderwriterqueue-dev
// has it: checked::moodycamel::ReaderWriterQueue<T>.
#ifndef NOWAIT_MODELS_FOREIGN_READERWRITERQUEUE_H_
#define NOWAIT_MODELS_FOREIGN_READERWRITERQUEUE_H_

#include <nowait_check/as_std.h>

// Their header writes ::moodycamel once.
namespace checked::moodycamel {}
namespace moodycamel = checked::moodycamel;

namespace checked {
namespace std = nowait::check::as_std;
#include <readerwriterqueue/readerwriterqueue.h>
}  // namespace checked

#endif  // NOWAIT_MODELS_FOREIGN_READERWRITERQUEUE_H_

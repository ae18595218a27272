// moodycamel::ReaderWriterQueue over the checker's atomics, from the headers in Debian's
// libreaderwriterqueue-dev: checked::moodycamel::ReaderWriterQueue<T>.
#ifndef NOWAIT_MODELS_FOREIGN_READERWRITERQUEUE_H_
#define NOWAIT_MODELS_FOREIGN_READERWRITERQUEUE_H_

#include <nowait_check/as_std.h>

// The library's header writes ::moodycamel once.
namespace checked::moodycamel {}
namespace moodycamel = checked::moodycamel;

namespace checked {
namespace std = nowait::check::as_std;
#include <readerwriterqueue/readerwriterqueue.h>
}  // namespace checked

#endif  // NOWAIT_MODELS_FOREIGN_READERWRITERQUEUE_H_

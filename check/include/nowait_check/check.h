// nowait_check: examines every execution of your lock-free structure, in an ordinary unit test.
// docs/check-your-structure.md is the introduction.
#ifndef NOWAIT_CHECK_CHECK_H_
#define NOWAIT_CHECK_CHECK_H_

#include "nowait_check/atomic.h"
#include "nowait_check/explore.h"
#include "nowait_check/operations.h"
#include "nowait_check/thread.h"
#include "nowait_check/var.h"

// The short name, unless the program has a `check` of its own.
#ifndef NOWAIT_CHECK_NO_SHORT_NAME
namespace check = nowait::check;
#endif

#endif  // NOWAIT_CHECK_CHECK_H_

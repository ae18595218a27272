// The steps of src/sync/event_count.h for Spin models that sleep and wake; event_count.pml is their
// own model. Each step is one atomic operation of the source.
//
// The including file defines THREADS, a bound on _pid, and EPOCHS, the number of notifications
// after which the epoch begins again (2^31 in the source). A notification that a model's schedules cannot
// repeat EPOCHS times behind the back of one sleeper makes the two alike.

typedef EventCount {
  byte state;            // state_: epoch * 2 + sleepers
  bool asleep[THREADS];  // blocked in state_.wait; only notify_all ends that
}

#define SLEEPERS 1

inline PrepareWait(events, key) {
#ifdef BUG_UNANNOUNCED
  key = events.state;
#else
  d_step {
    key = events.state | SLEEPERS;  // fetch_or
    events.state = key;
  }
#endif
}

// state_.wait: comparing and falling asleep are one step, as the futex below it has them; a woken
// thread compares again.
inline Wait(events, key) {
  do
  :: atomic { events.state != key -> break }
  :: atomic { events.state == key -> events.asleep[_pid] = true; }
     !events.asleep[_pid];
  od
}

// notify_all
inline WakeAll(events, thread) {
#ifdef BUG_WAKE_ONE
  atomic {
    thread = 0;
    do
    :: thread < THREADS && !events.asleep[thread] -> thread++;
    :: else -> break
    od;
    if
    :: thread < THREADS -> events.asleep[thread] = false;
    :: else
    fi;
    thread = 0;
  }
#else
  d_step {
    thread = 0;
    do
    :: thread < THREADS -> events.asleep[thread] = false; thread++;
    :: else -> break
    od;
    thread = 0;
  }
#endif
}

#ifdef BUG_SAME_EPOCH
#define NextEpoch(seen) (seen & ~SLEEPERS)
#else
#define NextEpoch(seen) (((seen | SLEEPERS) + 1) % (2 * EPOCHS))
#endif

inline NotifyAll(events, seen, thread) {
#ifdef RETRIES
  seen = events.state;
  do  // compare_exchange: succeeds, or fails and loads
  :: atomic { events.state == seen -> events.state = NextEpoch(seen); break }
  :: atomic { events.state != seen -> seen = events.state; }
  od;
#else
  d_step { seen = events.state; events.state = NextEpoch(seen); }
#endif
  if
  :: seen & SLEEPERS -> WakeAll(events, thread)
  :: else
  fi;
  seen = 0;
}

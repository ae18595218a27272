// Model of src/sync/event_count.h: sleepers, wakers, and no thread left asleep.
//
// Each waker makes a condition of its own true and notifies. Sleeper 0 waits for condition 0,
// sleeper 1 for both: a sleeper may be woken for the other's condition. All use one event count.
//
//   step of the model          in src/sync/event_count.h
//   PrepareWait                PrepareWait: the fetch_or
//   Wait                       Wait: state_.wait
//   NotifyAll                  NotifyAll: load, compare-exchange, notify_all if a thread may sleep
//   Sleeper                    Await: look, announce, look again, sleep
//   Waker                      the header's rule for a waker: condition first, then NotifyAll
//
// Left out: memory orders (operations are sequentially consistent here; models/sync/event_count.cc
// has the orders), and a compare-exchange that fails spuriously.
//
// Bounds: two sleepers and two wakers. A sleeper alone is never woken for another one, and no other
// thread can set its bit again after a notification took it away. With a second waker a
// notification can be the other's. Four notifications at most, of eight epochs.
//
// run: assertions                          holds
// run: end_states                          holds
// run: woken                               holds
// run: wakers_end                          holds
// run: never_asleep                        violated
// run: never_saved_by_the_second_look      violated
// run: never_saved_by_the_key              violated
// run: never_woken_in_vain                 violated
// run: woken       BUG_UNANNOUNCED         violated
// run: woken       BUG_NO_SECOND_LOOK      violated
// run: woken       BUG_NOTIFY_FIRST        violated
// run: woken       BUG_SAME_EPOCH          violated
// run: woken       BUG_WAKE_ONE            violated
// run: end_states  BUG_NO_SECOND_LOOK      violated
// run: woken       EPOCHS=2                violated
#define PARTIES 2
#define THREADS 4
#define RETRIES
#ifndef EPOCHS
#define EPOCHS 8
#endif
#include "event_count_steps.pml"

EventCount events;
bool made[PARTIES];      // the conditions
bool through[PARTIES];   // sleeper i has returned from Await
bool notified[PARTIES];  // waker i has returned from NotifyAll

#define Condition(i) (made[0] && (i == 0 || made[1]))

// Events on the way, for the properties that begin with never_.
bool second_look_saw, key_was_old, woke_in_vain;

active [PARTIES] proctype Sleeper() {
  byte key;
  do
  :: Condition(_pid) -> break
  :: else ->
     PrepareWait(events, key);
#ifndef BUG_NO_SECOND_LOOK
     if
     :: atomic { Condition(_pid) -> second_look_saw = true; break }
     :: else
     fi;
#endif
     if
     :: atomic { events.state != key -> key_was_old = true; }
     :: else
     fi;
     Wait(events, key);
     if
     :: atomic { !Condition(_pid) -> woke_in_vain = true; }
     :: else
     fi;
     key = 0;
  od;
  assert(Condition(_pid));
  through[_pid] = true;
}

active [PARTIES] proctype Waker() {
  byte seen, thread;
#ifdef BUG_NOTIFY_FIRST
  NotifyAll(events, seen, thread);
  made[_pid - PARTIES] = true;
#else
  made[_pid - PARTIES] = true;
  NotifyAll(events, seen, thread);
#endif
  notified[_pid - PARTIES] = true;
}

// A sleeper whose condition is true and stays true does not sleep for ever.
ltl woken {
  [] ((made[0] -> <> through[0]) && (made[0] && made[1] -> <> through[1]))
}

// NotifyAll does not wait.
ltl wakers_end { <> (notified[0] && notified[1]) }

// Each of the ways through Await is taken in some schedule; otherwise the properties above say
// nothing about it.
ltl never_asleep { [] !(events.asleep[0] && events.asleep[1]) }
ltl never_saved_by_the_second_look { [] !second_look_saw }
ltl never_saved_by_the_key { [] !key_was_old }
ltl never_woken_in_vain { [] !woke_in_vain }

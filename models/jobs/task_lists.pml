// Model of src/jobs/list_work.h: lists are posted, threads go round, sleep and are woken, the last
// thread to leave a list completes its task, and the workers end.
//
// Each owner begins ROUNDS lists, one after the other, and returns from each when its task is
// complete; meanwhile it helps. Or it is delayed from the moment that it has posted the list until
// another thread has run its jobs: then only a worker can, and a worker that slept must have been
// woken. News may call a thread away from its round after each job; it leaves the list with jobs
// in it. When all owners have returned the workers end.
//
//   step of the model          in src
//   PrepareWait, Wait,         sync/event_count.h; see models/sync/event_count.pml
//     NotifyAll
//   Fetch, RunFetched          jobs/job_list.h, Fetch and Run: take the fetch lock, fetch and
//                              release; run and count
//   Post, Enter, Leave,        jobs/job_list_registry.h, by the same names
//     LeaveDone
//   RunJobLists                jobs/job_list_runner.h
//   RunAlone, Complete         jobs/list_work.h
//   HelpUntil                  jobs/task_scheduler.h
//   Owner                      ListWork::Begin, HelpUntil; then it destroys the list
//   Closer                     closes the pool when every list has been waited for
//
// Left out: memory orders (operations are sequentially consistent here;
// models/jobs/task_lists.cc has the orders); a compare-exchange that fails and is tried again, as a
// loop that ends with a success or a refusal is one step; the work of a job; sync points; the look
// before the announcement, which is the same look. The data under the fetch lock are read and
// written in one step with its release, since no other thread may use them; a stop of the holder
// before that step is kept. Yielding is nothing: weak fairness gives every thread its turn. News
// are a choice: they may come after each job, from any thread.
//
// Bounds: two workers, for one may be woken where two are needed, and one may be inside a list
// while the other sleeps. Two lists of one job, one after the other in one slot; or, with two
// owners, at the same time in two slots without a worker; or, with a worker and without news, in
// one slot: a list that finds no slot is run by its owner alone. With JOBS=2 a thread may be
// stopped between the jobs of a list. Every thread ends, and therefore no epoch is used again.
//
// run: assertions                                               holds
// run: end_states                                               holds
// run: lists_are_finished                                       holds
// run: sleepers_wake                                            holds
// run: workers_end                                              holds
// run: never_asleep                                             violated
// run: never_asleep_over_work                                   violated
// run: never_closed                                             violated
// run: never_finished_by_others  WITNESS                        violated
// run: never_completed_by_others WITNESS                        violated
// run: never_stalled             WITNESS                        violated
// run: assertions                JOBS=2 ROUNDS=1                holds
// run: end_states                JOBS=2 ROUNDS=1                holds
// run: lists_are_finished        JOBS=2 ROUNDS=1                holds
// run: owners_return             JOBS=2 ROUNDS=1                holds
// run: assertions                OWNERS=2 WORKERS=0             holds
// run: end_states                OWNERS=2 WORKERS=0             holds
// run: lists_are_finished        OWNERS=2 WORKERS=0             holds
// run: owners_return             OWNERS=2 WORKERS=0             holds
// run: assertions                OWNERS=2 WORKERS=1 SLOTS=1 NO_NEWS  holds
// run: owners_return             OWNERS=2 WORKERS=1 SLOTS=1 NO_NEWS  holds
// run: lists_are_finished        BUG_LOOK_THEN_ANNOUNCE         violated
// run: sleepers_wake             BUG_LOOK_THEN_ANNOUNCE         violated
// run: sleepers_wake             BUG_NOTIFY_BEFORE_POST         violated
// run: workers_end               BUG_WAKE_ONE                   violated
// run: workers_end               BUG_CLOSE_SILENTLY             violated
// run: workers_end               BUG_CLOSING_SEEN_EARLY         violated
// run: owners_return             JOBS=2 ROUNDS=1 BUG_COMPLETE_SILENTLY  violated
// run: owners_return             JOBS=2 ROUNDS=1 BUG_NOTIFY_BEFORE_COMPLETE  violated
// run: end_states                BUG_NEVER_CLOSED               violated
// run: assertions                BUG_POSTER_COMPLETES           violated
#ifndef WORKERS
#define WORKERS 2
#endif
#ifndef OWNERS
#define OWNERS 1
#endif
#ifndef ROUNDS
#define ROUNDS (3 - OWNERS)
#endif
#ifndef SLOTS
#define SLOTS OWNERS
#endif
#ifndef JOBS
#define JOBS 1
#endif

#define THREADS (WORKERS + OWNERS + 1)
#define EPOCHS 32
#include "../sync/event_count_steps.pml"

typedef List {
  bool submitted;   // from Submit until its owner has returned; then it is destroyed
  bool complete;    // its task
  bool fetch_lock;
  byte next_job;
  byte unfinished;
}

// A slot's state has its visitors in the low bits, as in job_list_registry.h.
#define OPEN 8
typedef Slot {
  byte state;
  byte list;
}

mtype = { kProgress, kStalled, kDone };

EventCount events;
List lists[OWNERS];  // owner i's
Slot registry[SLOTS];
bool closing;
byte returned;  // the number of lists that have been waited for
byte ended;     // the number of workers that have ended

#define Hangs(i) (registry[i].state & OPEN)
#define HasWork(i) (Hangs(i) && lists[registry[i].list].next_job < JOBS)

// Events on the way, for the properties that begin with never_.
#ifdef WITNESS
bool finished_by_others, completed_by_others, stalled;
#define Witness(what) what = true
#else
#define Witness(what) skip
#endif

inline Fetch(l, result) {
  assert(lists[l].submitted);
  if
  :: atomic { lists[l].fetch_lock -> result = kStalled; Witness(stalled); }
  :: atomic { !lists[l].fetch_lock -> lists[l].fetch_lock = true; }
     d_step {
       if
       :: lists[l].next_job < JOBS -> lists[l].next_job++; result = kProgress;
       :: else -> result = kDone;
       fi;
       lists[l].fetch_lock = false;
     }
  fi
}

inline RunFetched(l) {
  d_step {
    assert(lists[l].submitted && lists[l].unfinished > 0);
    lists[l].unfinished--;
  }
}

inline Complete(l) {
#ifdef BUG_NOTIFY_BEFORE_COMPLETE
  NotifyAll(events, seen, thread);
#endif
  d_step {
    assert(lists[l].submitted && !lists[l].complete && lists[l].unfinished == 0);
    lists[l].complete = true;
  }
#ifndef BUG_COMPLETE_SILENTLY
#ifndef BUG_NOTIFY_BEFORE_COMPLETE
  NotifyAll(events, seen, thread)
#endif
#endif
}

// Posts list l in `slot`, which is SLOTS afterwards when all are taken.
inline Post(l, slot) {
  slot = 0;
  do
  :: slot == SLOTS -> break
  :: else ->
     if
     :: atomic { registry[slot].state == 0 -> registry[slot].state = 1; }
        registry[slot].list = l;
        registry[slot].state = OPEN | 1;
        break
     :: atomic { registry[slot].state != 0 -> slot++; }
     fi
  od
}

// l is the number of the list, if one was entered.
inline Enter(slot, entered, l) {
  if
  :: atomic { Hangs(slot) -> registry[slot].state++; entered = true; }
     l = registry[slot].list;
  :: atomic { !Hangs(slot) -> entered = false; }
  fi
}

// left: the list of the slot.
inline Leave(slot, left, last) {
  d_step {
    left = registry[slot].list;
    registry[slot].state--;
    last = (registry[slot].state == 0);
  }
}
inline LeaveDone(slot, left, last) {
  d_step {
    left = registry[slot].list;
#ifdef BUG_NEVER_CLOSED
    registry[slot].state--;
#else
    registry[slot].state = (registry[slot].state & ~OPEN) - 1;
#endif
    last = (registry[slot].state == 0);
  }
}

inline CompleteIfLast(left) {
  if
  :: last ->
     last = false;
     if
     :: _pid < WORKERS || left != _pid - WORKERS -> Witness(completed_by_others)
     :: else
     fi;
     Complete(left)
  :: else
  fi;
  left = 0
}

#define Bit(slot) (1 << (slot))
// With two slots at most there is one other.
#define OTHER (1 - slot)

// `inside` and `done` are sets of slots; a poster is inside its own already. ran: whether there was
// a job; then another look may find more.
inline RunJobLists() {
  do
  :: slot == SLOTS ->
     if
     :: stalled_here -> d_step { stalled_here = false; slot = 0; }
     :: else -> slot = 0; done = 0; break
     fi
  :: slot < SLOTS && (done & Bit(slot)) -> slot++
  :: slot < SLOTS && !(done & Bit(slot)) ->
     if
     :: inside & Bit(slot) -> d_step { entered = true; l = registry[slot].list; }
     :: else -> Enter(slot, entered, l)
     fi;
     if
     :: !entered
     :: else ->
        inside = inside | Bit(slot);
        do
        :: Fetch(l, result);
           if
           :: result == kProgress ->
              if
              :: inside & ~Bit(slot) ->
                 inside = Bit(slot);
                 Leave(OTHER, left, last);
                 CompleteIfLast(left)
              :: else
              fi;
              RunFetched(l);
              ran = true;
#ifndef NO_NEWS
              if
              :: true
              :: true -> break
              fi
#endif
           :: else -> break
           fi
        od;
        if
        :: result == kProgress ->
           Leave(slot, left, last);
           CompleteIfLast(left);
           d_step { inside = 0; done = 0; stalled_here = false; slot = 0; entered = false; l = 0;
                    result = 0; }
           break
        :: result == kDone ->
           LeaveDone(slot, left, last);
           CompleteIfLast(left);
           d_step { inside = inside & ~Bit(slot); done = done | Bit(slot); }
        :: result == kStalled -> stalled_here = true
        fi
     fi;
     d_step { entered = false; l = 0; result = 0; slot++; }
  od
}

// Returns when `condition` holds, and helps until then.
inline HelpUntil(condition) {
  do
  :: condition -> break
  :: else ->
#ifdef BUG_LOOK_THEN_ANNOUNCE
     ran = false;
     RunJobLists();
     PrepareWait(events, key);
     if
     :: condition -> break
     :: else
     fi;
#else
     PrepareWait(events, key);
#ifndef BUG_CLOSING_SEEN_EARLY
     if
     :: condition -> break
     :: else
     fi;
#endif
     ran = false;
     RunJobLists();
#endif
     if
     :: ran
     :: else -> Wait(events, key)
     fi;
     key = 0
  od;
  key = 0;
  ran = false
}

#define LOCALS \
  byte key, seen, thread, slot, l, left, inside, done; \
  mtype result; \
  bool entered, last, stalled_here, ran

#if WORKERS > 0
active [WORKERS] proctype Worker() {
  LOCALS;
  HelpUntil(closing);
  ended++;
}
#endif

active [OWNERS] proctype Owner() {
  LOCALS;
  byte round;
#define me (_pid - WORKERS)
  do
  :: round == ROUNDS -> break
  :: else ->
     d_step {  // a new list with its jobs, and Submit
       lists[me].submitted = true;
       lists[me].complete = false;
       lists[me].next_job = 0;
       lists[me].unfinished = JOBS;
     }
#ifdef BUG_NOTIFY_BEFORE_POST
     NotifyAll(events, seen, thread);
     Post(me, slot);
#else
     Post(me, slot);
     NotifyAll(events, seen, thread);
#endif
     if
     :: slot == SLOTS ->  // RunAlone
        slot = 0;
        do
        :: Fetch(me, result);
           if
           :: result == kProgress -> RunFetched(me)
           :: else -> break
           fi
        od;
        result = 0;
        Complete(me)
     :: else ->
        inside = Bit(slot);
#if WORKERS > 0
        if
        :: true
        :: true ->  // delayed until others have run its jobs
           lists[me].unfinished == 0;
           Witness(finished_by_others)
        fi;
#endif
#ifdef BUG_POSTER_COMPLETES
        if
        :: lists[me].unfinished == 0 ->
           LeaveDone(slot, left, last);
           d_step { last = true; inside = 0; slot = 0; }
           CompleteIfLast(left)
        :: else -> RunJobLists()
        fi
#else
        RunJobLists()
#endif
     fi;
     HelpUntil(lists[me].complete);
     d_step {  // the list may go
       lists[me].submitted = false;
       returned++;
       round++;
     }
  od
}

active proctype Closer() {
  byte seen, thread;
  returned == OWNERS * ROUNDS;
  closing = true;
#ifndef BUG_CLOSE_SILENTLY
  NotifyAll(events, seen, thread);
#endif
}

// Every job of a submitted list is run: eventually its count of unfinished jobs is 0.
ltl lists_are_finished {
  [] ((lists[0].submitted -> <> (lists[0].unfinished == 0)) &&
      (lists[OWNERS - 1].submitted -> <> (lists[OWNERS - 1].unfinished == 0)))
}

// The owner is not left asleep: its list's task is completed, and it returns.
ltl owners_return {
  [] ((lists[0].submitted -> <> !lists[0].submitted) &&
      (lists[OWNERS - 1].submitted -> <> !lists[OWNERS - 1].submitted))
}

// No worker sleeps on while a list with jobs to fetch is posted on the registry.
ltl sleepers_wake {
  [] ((events.asleep[0] && HasWork(0) -> <> !(events.asleep[0] && HasWork(0))) &&
      (events.asleep[1] && HasWork(0) -> <> !(events.asleep[1] && HasWork(0))))
}

// When the pool is closed all workers end.
ltl workers_end { [] (closing -> <> (ended == WORKERS)) }

// The cases of the properties above do happen.
ltl never_asleep { [] !(events.asleep[0] && events.asleep[1]) }
ltl never_asleep_over_work { [] !(events.asleep[0] && HasWork(0)) }
ltl never_closed { [] !closing }
#ifdef WITNESS
ltl never_finished_by_others { [] !finished_by_others }
ltl never_completed_by_others { [] !completed_by_others }
ltl never_stalled { [] !stalled }
#endif

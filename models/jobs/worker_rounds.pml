// Model of src/jobs/worker_rounds.h: lists are posted, workers go round, sleep and are woken, lists
// are taken down, and the pool closes.
//
// Each submitter runs ROUNDS lists, one after the other. It helps, or it is held up from the moment
// that it has posted until somebody else has finished its list: then only a worker can, and a
// worker that slept must have been woken. When all have returned the pool closes and its workers
// end.
//
//   step of the model          in src
//   PrepareWait, Wait,         sync/event_count.h; see models/sync/event_count.pml
//     NotifyAll
//   Fetch, RunFetched          jobs/job_list.h, Fetch and Run: take the fetch lock, fetch and
//                              release; run and count
//   Post, Enter, Leave         jobs/list_board.h, by the same names
//   GoRound                    jobs/board_round.h
//   RunAll                     jobs/worker_rounds.h
//   Worker                     WorkerRounds::Work
//   Submitter                  WorkerRounds::Run: Submit, Post, NotifyAll, RunAll, Close of the
//                              slot, Await, Vacate; then its caller destroys the list
//   Owner                      WorkerRounds::Close, which may begin when every Run has returned
//
// Left out: memory orders (operations are sequentially consistent here;
// models/jobs/worker_rounds.cc has the orders); a compare-exchange that fails and is tried again,
// as a loop that ends with a success or a refusal is one step; what a job does. What the fetch lock
// guards is read and written in one step with its release, since nobody else may; that its holder
// is stopped before is kept. Yielding is nothing: weak fairness gives every thread its turn.
//
// Bounds: two workers, for one may be woken where two are needed, and one may be inside a list
// while the other sleeps. Two lists of one job, one after the other in one slot; or, with one
// worker and two submitters, at the same time in two slots, or in one, so that a list that finds no
// slot is run by its submitter alone. With JOBS=2 somebody may be stopped between the jobs of a
// list. Everything ends, so that no epoch comes again. Two lists and two workers at the same time
// are more than a search of this size exhausts; that the workers' rounds end then is shown by
// models/jobs/job_list.pml with two workers alone (workers_end).
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
// run: never_left_last           WITNESS                        violated
// run: never_stalled             WITNESS                        violated
// run: assertions                JOBS=2 ROUNDS=1                holds
// run: end_states                JOBS=2 ROUNDS=1                holds
// run: lists_are_finished        JOBS=2 ROUNDS=1                holds
// run: runs_return               JOBS=2 ROUNDS=1                holds
// run: assertions                SUBMITTERS=2 WORKERS=1         holds
// run: end_states                SUBMITTERS=2 WORKERS=1         holds
// run: lists_are_finished        SUBMITTERS=2 WORKERS=1         holds
// run: runs_return               SUBMITTERS=2 WORKERS=1         holds
// run: assertions                SUBMITTERS=2 WORKERS=1 SLOTS=1 holds
// run: runs_return               SUBMITTERS=2 WORKERS=1 SLOTS=1 holds
// run: lists_are_finished        BUG_LOOK_THEN_ANNOUNCE         violated
// run: sleepers_wake             BUG_LOOK_THEN_ANNOUNCE         violated
// run: sleepers_wake             BUG_NOTIFY_BEFORE_POST         violated
// run: workers_end               BUG_WAKE_ONE                   violated
// run: workers_end               BUG_CLOSE_SILENTLY             violated
// run: workers_end               BUG_CLOSING_SEEN_EARLY         violated
// run: runs_return               JOBS=2 ROUNDS=1 BUG_LEAVE_SILENTLY    violated
// run: runs_return               JOBS=2 ROUNDS=1 BUG_AWAIT_LOOKS_ONCE  violated
// run: end_states                BUG_AWAIT_LOOKS_ONCE           violated
// run: assertions                BUG_NEVER_CLOSED               violated
#ifndef WORKERS
#define WORKERS 2
#endif
#ifndef SUBMITTERS
#define SUBMITTERS 1
#endif
#ifndef ROUNDS
#define ROUNDS (3 - SUBMITTERS)
#endif
#ifndef SLOTS
#define SLOTS SUBMITTERS
#endif
#ifndef JOBS
#define JOBS 1
#endif

#define THREADS (WORKERS + SUBMITTERS + 1)
#define EPOCHS 16
#include "../sync/event_count_steps.pml"

typedef List {
  bool submitted;   // from Submit until Run returns; then it is destroyed
  bool fetch_lock;
  byte next_job;
  byte unfinished;
}

// A slot's state has its visitors in the low bits, as in list_board.h.
#define CLAIMED 16
#define OPEN 8
typedef Slot {
  byte state;
  byte list;
}

mtype = { kProgress, kStalled, kDone };

EventCount posted, left;
List lists[SUBMITTERS];  // submitter i's
Slot board[SLOTS];
bool closing;
byte returned;  // how many Runs have
byte ended;     // how many workers have

#define Hangs(i) (board[i].state & OPEN)
#define HasWork(i) (Hangs(i) && lists[board[i].list].next_job < JOBS)

// What happened on the way, for the properties that begin with never_.
#ifdef WITNESS
bool finished_by_others, left_last, stalled;
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

// Hangs list l in `slot`, which is SLOTS afterwards when all are taken.
inline Post(l, slot) {
  slot = 0;
  do
  :: slot == SLOTS -> break
  :: else ->
     if
     :: atomic { board[slot].state == 0 -> board[slot].state = CLAIMED; }
        board[slot].list = l;
        board[slot].state = CLAIMED | OPEN;
        break
     :: atomic { board[slot].state != 0 -> slot++; }
     fi
  od
}

// l is the number of the list, if one was entered.
inline Enter(slot, entered, l) {
  if
  :: atomic { Hangs(slot) -> board[slot].state++; entered = true; }
     l = board[slot].list;
  :: atomic { !Hangs(slot) -> entered = false; }
  fi
}

inline Leave(slot, last) {
  d_step {
    last = (board[slot].state == (CLAIMED | 1));
    board[slot].state--;
  }
}

inline LeaveAndNotify(slot) {
  Leave(slot, last);
#ifndef BUG_LEAVE_SILENTLY
  if
  :: last -> last = false; Witness(left_last); NotifyAll(left, seen, thread)
  :: else
  fi
#endif
}

#define Bit(slot) (1 << (slot))
// With two slots at most there is one other.
#define OTHER (1 - slot)

// `inside` and `done` are sets of slots.
inline GoRound() {
  do
  :: slot == SLOTS ->
     if
     :: stalled_here -> d_step { stalled_here = false; slot = 0; }
     :: else -> slot = 0; done = 0; break
     fi
  :: slot < SLOTS && (done & Bit(slot)) -> slot++
  :: slot < SLOTS && !(done & Bit(slot)) ->
     if
     :: inside & Bit(slot) -> d_step { entered = true; l = board[slot].list; }
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
                 LeaveAndNotify(OTHER)
              :: else
              fi;
              RunFetched(l)
           :: else -> break
           fi
        od;
        if
        :: result == kDone ->
           LeaveAndNotify(slot);
           d_step { inside = inside & ~Bit(slot); done = done | Bit(slot); }
        :: else -> stalled_here = true
        fi
     fi;
     d_step { entered = false; l = 0; result = 0; slot++; }
  od
}

active [WORKERS] proctype Worker() {
  byte key, seen, thread, slot, l, inside, done;
  mtype result;
  bool entered, last, stalled_here;
  do
  :: true ->
#ifdef BUG_CLOSING_SEEN_EARLY
     if
     :: closing -> break
     :: else
     fi;
#endif
#ifdef BUG_LOOK_THEN_ANNOUNCE
     GoRound();
     PrepareWait(posted, key);
#else
     PrepareWait(posted, key);
     GoRound();
#endif
#ifndef BUG_CLOSING_SEEN_EARLY
     if
     :: closing -> break
     :: else
     fi;
#endif
     Wait(posted, key);
     key = 0;
  od;
  ended++;
}

inline RunAll(l) {
  do
  :: Fetch(l, result);
     if
     :: result == kProgress -> RunFetched(l)
     :: result == kStalled
     :: result == kDone -> break
     fi
  od;
  result = 0;
}

#ifdef BUG_NEVER_CLOSED
#define IsVacant(slot) ((board[slot].state & ~OPEN) == CLAIMED)
#else
#define IsVacant(slot) (board[slot].state == CLAIMED)
#endif

active [SUBMITTERS] proctype Submitter() {
  byte key, seen, thread, slot, round;
  mtype result;
#define me (_pid - WORKERS)
  do
  :: round == ROUNDS -> break
  :: else ->
     d_step {  // a new list with its jobs, and Submit
       lists[me].submitted = true;
       lists[me].next_job = 0;
       lists[me].unfinished = JOBS;
     }
#ifdef BUG_NOTIFY_BEFORE_POST
     NotifyAll(posted, seen, thread);
     Post(me, slot);
#else
     Post(me, slot);
     if
     :: slot < SLOTS -> NotifyAll(posted, seen, thread)
     :: else
     fi;
#endif
     if
     :: true
     :: slot < SLOTS ->  // held up until others have finished it
        lists[me].unfinished == 0;
        Witness(finished_by_others)
     fi;
     RunAll(me);
     if
     :: slot < SLOTS ->
#ifndef BUG_NEVER_CLOSED
        board[slot].state = board[slot].state & ~OPEN;  // Close of the slot
#endif
        do
        :: IsVacant(slot) -> break
        :: else ->
           PrepareWait(left, key);
#ifndef BUG_AWAIT_LOOKS_ONCE
           if
           :: IsVacant(slot) -> break
           :: else
           fi;
#endif
           Wait(left, key);
        od;
        assert(lists[me].unfinished == 0);
        board[slot].state = 0;  // Vacate
     :: else
     fi;
     d_step {  // Run has returned, and the list may go
       lists[me].submitted = false;
       key = 0;
       slot = 0;
       returned++;
       round++;
     }
  od
}

active proctype Owner() {
  byte seen, thread;
  returned == SUBMITTERS * ROUNDS;
  closing = true;
#ifndef BUG_CLOSE_SILENTLY
  NotifyAll(posted, seen, thread);
#endif
}

// Every job of a list that was submitted is run: eventually none is unfinished.
ltl lists_are_finished {
  [] ((lists[0].submitted -> <> (lists[0].unfinished == 0)) &&
      (lists[SUBMITTERS - 1].submitted -> <> (lists[SUBMITTERS - 1].unfinished == 0)))
}

// The submitter is not left asleep: Run returns.
ltl runs_return {
  [] ((lists[0].submitted -> <> !lists[0].submitted) &&
      (lists[SUBMITTERS - 1].submitted -> <> !lists[SUBMITTERS - 1].submitted))
}

// No worker sleeps on while a list with jobs to fetch hangs on the board.
ltl sleepers_wake {
  [] ((posted.asleep[0] && HasWork(0) -> <> !(posted.asleep[0] && HasWork(0))) &&
      (posted.asleep[1] && HasWork(0) -> <> !(posted.asleep[1] && HasWork(0))))
}

// After Close every Work returns.
ltl workers_end { [] (closing -> <> (ended == WORKERS)) }

// What the properties above speak of does happen.
ltl never_asleep { [] !(posted.asleep[0] && posted.asleep[1]) }
ltl never_asleep_over_work { [] !(posted.asleep[0] && HasWork(0)) }
ltl never_closed { [] !closing }
#ifdef WITNESS
ltl never_finished_by_others { [] !finished_by_others }
ltl never_left_last { [] !left_last }
ltl never_stalled { [] !stalled }
#endif

// Model of the fetch lock of src/jobs/job_list.h: a try-lock, and workers that hide a stall.
//
// Two workers go round two lists, as a worker of the pool does, until they have seen kDone of both:
// they run the jobs that they fetch from each list; behind a stall they look at the other list.
//
//   step of the model          in src/jobs/job_list.h
//   TryLock                    Fetch: the compare-exchange on fetch_lock_
//   RunOne                     Fetch and Run; one step for the guarded data and the lock's release,
//                              one for the job and the count of unfinished ones
//   Worker                     jobs/job_list_runner.h, RunJobLists, without the registry
//
// Left out: memory orders (operations are sequentially consistent here; models/jobs/job_list.cc has
// the orders), and where lists come from (models/jobs/task_lists.pml).
//
// Bounds: two workers, of which one may stop for ever, anywhere (WORKER_STOPS); two lists, one to
// stall on and one to hide the stall with; two jobs in each: a list can stall with a job left.
//
// run: assertions                                       holds
// run: end_states                                       holds
// run: finished                                         holds
// run: workers_end        LISTS=1                       holds
// run: workers_end                                      holds
// run: workers_end        BUG_ASK_AGAIN                 violated
// run: run_one_returns    WORKER_STOPS                  holds
// run: stalls_are_hidden  WORKER_STOPS                  holds
// run: finished           WORKER_STOPS                  violated
// run: never_stopped_fetching  WORKER_STOPS             violated
// run: never_stalled                                    violated
// run: finished           BUG_COUNTING_LOCK             violated
// run: workers_end        LISTS=1 BUG_LOCK_KEPT         violated
// run: run_one_returns    BUG_WAIT_FOR_LOCK WORKER_STOPS  violated
// run: stalls_are_hidden  BUG_WAIT_FOR_LOCK WORKER_STOPS  violated
// run: stalls_are_hidden  BUG_STAY_ON_STALL WORKER_STOPS  violated
// run: assertions         BUG_LOOK_THEN_LOCK            violated
// run: assertions         BUG_CHECK_AFTER_RUN           violated
#define WORKERS 2
#ifndef LISTS
#define LISTS 2
#endif
#define JOBS 2

typedef List {
  byte fetch_lock;
  byte next_job;
  byte unfinished;
  byte runs[JOBS + WORKERS];  // of each job; beyond JOBS there is no job
}

mtype = { kProgress, kStalled, kDone };

List lists[LISTS];
bool calling[WORKERS];    // inside RunOne
byte fetching[WORKERS];   // the list whose lock a worker holds, or LISTS
mtype result[WORKERS];
byte ended;               // the number of workers that have ended
bool worker_stopped;

// `got`: whether worker `me` holds the lock of list l now.
inline TryLock(l, got) {
#if defined(BUG_COUNTING_LOCK)
  d_step { got = (lists[l].fetch_lock == 0); lists[l].fetch_lock++; }
  if
  :: !got -> lists[l].fetch_lock--;
  :: else
  fi
#elif defined(BUG_LOOK_THEN_LOCK)
  got = (lists[l].fetch_lock == 0);
  if
  :: got -> lists[l].fetch_lock = 1;
  :: else
  fi
#elif defined(BUG_WAIT_FOR_LOCK)
  d_step { lists[l].fetch_lock == 0 -> lists[l].fetch_lock = 1; got = true; }
#else
  d_step { got = (lists[l].fetch_lock == 0); lists[l].fetch_lock = 1; }
#endif
}

#ifdef BUG_COUNTING_LOCK
#define Unlock(l) lists[l].fetch_lock--
#else
#define Unlock(l) lists[l].fetch_lock = 0
#endif

inline RunOne(l) {
  calling[me] = true;
  TryLock(l, got);
  if
  :: !got -> result[me] = kStalled;
  :: else ->
     atomic { index = lists[l].next_job; fetching[me] = l; }
     d_step {
#ifdef BUG_CHECK_AFTER_RUN
       lists[l].next_job = index + 1;
       Unlock(l);
       result[me] = kProgress;
#else
       if
       :: index < JOBS -> lists[l].next_job = index + 1; result[me] = kProgress; Unlock(l);
       :: else ->
          result[me] = kDone;
#ifndef BUG_LOCK_KEPT
          Unlock(l);
#endif
       fi;
#endif
       fetching[me] = LISTS;
     }
     if
     :: result[me] == kProgress ->
        d_step {
          assert(index < JOBS && lists[l].runs[index] == 0);
          lists[l].runs[index]++;
          lists[l].unfinished--;
        }
     :: else
     fi;
     index = 0;
  fi;
  got = false;
  calling[me] = false;
}

#define ALL_LISTS ((1 << LISTS) - 1)

// `done` is a set of lists.
inline RunAll() {
  do
  :: done == ALL_LISTS -> break
  :: else ->
     if
     :: done & (1 << l) -> l = (l + 1) % LISTS
     :: else ->
        RunOne(l);
        if
        :: result[me] == kProgress
        :: result[me] == kStalled ->
#ifdef BUG_ASK_AGAIN
           done = 0;
#endif
#ifndef BUG_STAY_ON_STALL
           l = (l + 1) % LISTS;
#endif
        :: result[me] == kDone ->
           d_step { done = done | (1 << l); l = (l + 1) % LISTS; }
        fi;
        result[me] = 0
     fi
  od;
}

proctype Worker(byte me) {
  byte l, done, index;
  bool got;
#ifdef WORKER_STOPS
  { RunAll(); ended++ } unless { me == 0 && worker_stopped }
#else
  RunAll();
  ended++;
#endif
}

proctype Stop() {
  skip;
#ifdef WORKER_STOPS
  worker_stopped = true;
#endif
}

init {
  atomic {
    lists[0].unfinished = JOBS;
    lists[LISTS - 1].unfinished = JOBS;
    fetching[0] = LISTS;
    fetching[1] = LISTS;
    run Worker(0);
    run Worker(1);
    run Stop();
  }
}

// Two workers that only ever try the lock finish both lists: no stall and retry for ever.
ltl finished {
  [] (lists[0].unfinished > 0 -> <> (lists[0].unfinished == 0 && lists[LISTS - 1].unfinished == 0))
}

// The workers end: a worker that gets kDone from a list does not ask it again. A list is locked
// once for each job and once for each worker. If they asked again after a stall elsewhere
// (BUG_ASK_AGAIN), they need not end: each may come to a list just while the other gets kDone from
// it. All jobs are done then, and the workers still go round while a scheduler keeps them in step.
ltl workers_end { <> (ended == WORKERS) }

// RunOne never waits, wherever another worker has stopped.
ltl run_one_returns { [] (calling[1] -> <> !calling[1]) }

// A list whose holder has stopped costs the other worker only that list.
#define StoppedFetching(l) (worker_stopped && fetching[0] == l)
ltl stalls_are_hidden { [] (StoppedFetching(0) -> <> (lists[LISTS - 1].unfinished == 0)) }

// The cases of the properties above do happen.
ltl never_stopped_fetching { [] !StoppedFetching(0) }
ltl never_stalled { [] !(result[1] == kStalled) }

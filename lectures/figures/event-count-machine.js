// The steps of src/sync/event_count.h: one atomic operation, one step. A waker makes `ready` true
// and notifies; sleepers wait for it by Await. Something can be left out or done otherwise, as
// `change` says.
//
// `ready` is a relaxed atomic: a thread may read that it is still false until an acquire forbids it
// (`knows`). state_ is read at its newest. A notification's release goes on through the
// read-modify-writes of state_ (`carries`: a thread that acquires state_ knows that ready is true).

export const kChanges = {
  none: "nothing: as in src",
  unannounced: "PrepareWait only loads, and does not announce",
  no_second_look: "no second look after PrepareWait",
  same_epoch: "NotifyAll clears the bit, the epoch stays",
  notify_first: "the waker notifies first, then makes ready true",
  wake_one: "notify_one instead of notify_all",
  prepare_relaxed: "PrepareWait is relaxed",
  notify_relaxed: "NotifyAll is relaxed",
  wait_relaxed: "Wait is relaxed",
};

const kSleepers = 1;

export const EpochOf = (state) => state.word >> 1;
export const SomebodyMaySleep = (state) => (state.word & kSleepers) !== 0;

// Thread 0 is the waker, the others sleep. `at` is what a thread does next.
export function Start(sleepers, change) {
  const first = change === "notify_first" ? "load" : "make";
  return {
    word: 0, ready: false, carries: false, failure: null,
    threads: [{at: first, seen: null},
      ...Array.from({length: sleepers},
        () => ({at: "look", key: null, knows: false, slept: false}))],
  };
}

// The steps that are possible: {t, at} and, of a look at ready, {sees}.
export function Moves(state) {
  if (state.failure) return [];
  return state.threads.flatMap((thread, t) => {
    const {at} = thread;
    if (at === "end" || at === "asleep") return [];
    if (at !== "look" && at !== "again") return [{t, at}];
    if (!state.ready) return [{t, at, sees: false}];
    if (thread.knows) return [{t, at, sees: true}];
    return [{t, at, sees: true}, {t, at, sees: false}];
  });
}

function Acquire(state, thread) {
  if (state.carries) thread.knows = true;
}

// ready was seen: Await returns. In the model, a thread that has slept reads the waker's data.
function Return(state, thread) {
  thread.at = "end";
  if (thread.slept && !thread.knows) state.failure = "race";
}

function Notify(state, thread, change) {
  thread.at = "notify";
  const odd = (state.word & kSleepers) !== 0;
  state.word = change === "same_epoch" ? state.word & ~kSleepers : (state.word | kSleepers) + 1;
  // A read-modify-write keeps what is released already; a release adds what its thread did.
  if (change !== "notify_relaxed" && state.ready) state.carries = true;
  if (!odd) Notified(thread, change);
}

function Notified(thread, change) {
  thread.at = change === "notify_first" ? "make" : "end";
}

const kSteps = {
  make(state, thread, move, change) {
    state.ready = true;
    thread.at = change === "notify_first" ? "end" : "load";
    return "ready is true";
  },
  load(state, thread) {
    thread.seen = state.word;
    thread.at = "exchange";
    return `read ${Word(state.word)}`;
  },
  exchange(state, thread, move, change) {
    if (state.word !== thread.seen) {
      thread.seen = state.word;
      return `failed, read ${Word(state.word)}`;
    }
    Notify(state, thread, change);
    const next = thread.at === "notify" ? "a thread may sleep" : "no thread to wake";
    return `wrote ${Word(state.word)}; ${next}`;
  },
  notify(state, thread, move, change) {
    const asleep = state.threads.filter((other) => other.at === "asleep");
    const woken = change === "wake_one" ? asleep.slice(0, 1) : asleep;
    for (const other of woken) other.at = "wait";
    Notified(thread, change);
    return woken.length === 0 ? "no thread was asleep" : `woke ${woken.length}`;
  },
  look(state, thread, move) {
    if (move.sees) Return(state, thread);
    else thread.at = "prepare";
    return Seen(state, move);
  },
  prepare(state, thread, move, change) {
    if (change === "unannounced") {
      thread.key = state.word;
    } else {
      state.word |= kSleepers;
      thread.key = state.word;
    }
    if (change !== "prepare_relaxed") Acquire(state, thread);
    thread.at = change === "no_second_look" ? "wait" : "again";
    return `key: ${Word(thread.key)}`;
  },
  again(state, thread, move) {
    if (move.sees) Return(state, thread);
    else thread.at = "wait";
    return Seen(state, move);
  },
  wait(state, thread, move, change) {
    if (state.word === thread.key) {
      thread.at = "asleep";
      return "the key is still there: asleep";
    }
    thread.slept = true;
    if (change !== "wait_relaxed") Acquire(state, thread);
    thread.at = "look";
    return `${Word(state.word)}: not the key, goes on`;
  },
};

const Word = (word) =>
  `epoch ${word >> 1}, ${(word & kSleepers) !== 0 ? "sleepers" : "no sleepers"}`;
const Seen = (state, move) => (move.sees ? "true" : state.ready ? "false, an old value" : "false");

export function Step(before, move, change) {
  const state = structuredClone(before);
  const told = kSteps[move.at](state, state.threads[move.t], move, change);
  if (!state.failure && Moves(state).length === 0 &&
      state.threads.some((thread) => thread.at === "asleep")) {
    state.failure = "deadlock";
  }
  return {state, told};
}

// Every state that can be reached: how many there are, and the shortest way to a failure.
export function Search(sleepers, change) {
  const start = Start(sleepers, change);
  const known = new Set([JSON.stringify(start)]);
  let layer = [{state: start, moves: []}];
  while (layer.length > 0) {
    const next = [];
    for (const {state, moves} of layer) {
      if (state.failure) return {states: known.size, failure: state.failure, moves};
      for (const move of Moves(state)) {
        const after = Step(state, move, change).state;
        const key = JSON.stringify(after);
        if (known.has(key)) continue;
        known.add(key);
        next.push({state: after, moves: [...moves, move]});
      }
    }
    layer = next;
  }
  return {states: known.size, failure: null, moves: null};
}

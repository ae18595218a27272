// Threads that share one reader-writer lock, first come, first served: which thread waits for which,
// and how long. A reader that comes while a writer waits queues behind it, or writers would starve.
//
// A thread is a list of parts {kind: "work" | "read" | "write", ms}; "read" and "write" hold the
// lock for that long. With `locked` false no thread takes it. Times are in milliseconds.

// Each thread's spans {kind, from, to}, "wait" among the kinds, in the order of time.
export function Run(threads, locked) {
  const runs = threads.map((parts) => ({parts, next: 0, at: 0, spans: []}));
  const lock = {readers: 0, writer: false, queue: []};
  const ends = [];  // {at, t, kind}: parts that are under way
  const begin = (t, now) => {
    const run = runs[t];
    const part = run.parts[run.next];
    if (run.at < now) run.spans.push({kind: "wait", from: run.at, to: now});
    run.spans.push({kind: part.kind, from: now, to: now + part.ms});
    run.next += 1;
    run.at = now + part.ms;
    ends.push({at: run.at, t, kind: part.kind});
  };
  const grant = (now) => {
    while (lock.queue.length > 0 && !lock.writer) {
      const {t, kind} = lock.queue[0];
      if (kind === "write" && lock.readers > 0) return;
      lock.queue.shift();
      if (kind === "write") lock.writer = true;
      else lock.readers += 1;
      begin(t, now);
    }
  };
  const ask = (t, now) => {
    const part = runs[t].parts[runs[t].next];
    if (!part) return;
    runs[t].at = now;
    if (!locked || part.kind === "work") {
      begin(t, now);
      return;
    }
    lock.queue.push({t, kind: part.kind});
    grant(now);
  };
  threads.forEach((_, t) => ask(t, 0));
  while (ends.length > 0) {
    ends.sort((a, b) => a.at - b.at || a.t - b.t);
    const {at, t, kind} = ends.shift();
    if (locked && kind === "write") lock.writer = false;
    if (locked && kind === "read") lock.readers -= 1;
    if (kind !== "work") grant(at);
    ask(t, at);
  }
  return runs.map((run) => run.spans);
}

export function Waited(spans) {
  return spans.filter((span) => span.kind === "wait")
    .reduce((sum, span) => sum + span.to - span.from, 0);
}

export function Ends(spans) {
  return spans.length === 0 ? 0 : spans.at(-1).to;
}

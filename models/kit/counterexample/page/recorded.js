// The recorded executions as a game: the steps that could come next, after those that have been
// chosen.
//
// A recorded execution says what each thread does and reads, and not in which order unrelated steps
// come. It still fits a reader's schedule when each thread has done a beginning of its steps there,
// and read from the same stores. A step may come next when the store that it reads from has come.

export class Recorded {
  constructor(recorded) {
    this.operations = recorded.operations;
    this.executions = recorded.executions.map((execution) => this.Index(execution));
    this.threads = new Set(this.operations.map((it) => it.thread).filter((it) => it >= 0)).size;
  }

  // Of each thread its steps; the store that a step reads from is named by thread and place, as
  // "1:0".
  Index(execution) {
    const threads = new Map();
    const names = [];
    const last_on = new Map();  // of each object that is no memory: its last step
    for (const [index, from] of execution.order) {
      const operation = this.operations[index];
      if (!threads.has(operation.thread)) threads.set(operation.thread, []);
      const steps = threads.get(operation.thread);
      const name = `${operation.thread}:${steps.length}`;
      const blocking = kOrdered.has(operation.kind) ? operation.object : null;
      steps.push({name, index, from: from < 0 ? null : names[from],
                  after: blocking === null ? null : last_on.get(blocking) ?? null});
      if (blocking !== null) last_on.set(blocking, name);
      names.push(name);
    }
    return {threads, verdict: execution.verdict, words: execution.words};
  }

  // The executions that fit the chosen steps: done is a list of {name, index, from}.
  Fitting(done) {
    return this.executions.filter((execution) => {
      const counts = new Map();
      return done.every((step) => {
        const thread = this.operations[step.index].thread;
        const at = counts.get(thread) ?? 0;
        counts.set(thread, at + 1);
        const theirs = (execution.threads.get(thread) ?? [])[at];
        return theirs && theirs.index === step.index && theirs.from === step.from;
      });
    });
  }

  // The possible next steps: of each thread, the steps that differ in what they do or read from.
  Next(done) {
    const names = new Set(done.map((step) => step.name));
    const next = new Map();
    for (const execution of this.Fitting(done)) {
      for (const [thread, steps] of execution.threads) {
        const at = done.filter((step) => this.operations[step.index].thread === thread).length;
        const step = steps[at];
        if (!step || !this.Ready(step, names, thread, execution)) continue;
        if (!next.has(thread)) next.set(thread, new Map());
        const key = `${step.index} ${step.from}`;
        const known = next.get(thread).get(key) ?? {...step, fails: 0, others: 0};
        ++known[execution.verdict === "fails" ? "fails" : "others"];
        next.get(thread).set(key, known);
      }
    }
    return new Map([...next].sort((a, b) => Order(a[0]) - Order(b[0]))
      .map(([thread, steps]) => [thread, [...steps.values()]]));
  }

  Ready(step, names, thread, execution) {
    if (step.from !== null && !names.has(step.from)) return false;
    if (step.after !== null && !names.has(step.after)) return false;
    const finished = (other) => (execution.threads.get(other) ?? [])
      .every((it) => names.has(it.name));
    if (thread >= 0) return finished(-1);
    if (thread === -1) return true;
    return [...execution.threads.keys()].every((other) => other === -2 || finished(other));
  }
}

const kOrdered = new Set(["lock", "try_lock", "unlock", "wait", "sleep", "notify", "wake-up"]);

// Set-up first, then the threads, then the steps after them.
function Order(thread) { return thread === -2 ? Infinity : thread; }

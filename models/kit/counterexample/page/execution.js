// One execution, indexed: each object's writes in their order, and happens-before.
//
// Happens-before is program order and synchronises-with, closed: each event knows, of every thread,
// how many of its events happen before it (a vector clock), so that the question costs one look.

export const kSetUp = -1;
export const kAfter = -2;

export class Execution {
  constructor(json) {
    this.json = json;
    this.events = json.events;
    this.failure = json.failure;
    this.left_out = json.left_out ?? "";
    this.calls = new Map(json.calls.map((call) => [call.id, call]));
    this.objects = new Map(json.objects.map((object) => [object.id, object]));
    // `threads` only of an execution that is still being made: its lanes are there before its
    // steps.
    this.threads = [...new Set([...json.threads ?? [], ...json.events.map((event) => event.thread)])]
      .filter((thread) => thread >= 0).sort((a, b) => a - b);
    this.orders = new Map(json.modification_orders.map((order) => [order.object, order.stores]));
    this.candidates = new Map(json.candidates.map((it) => [it.event, it.stores]));
    this.synchronises = json.synchronises_with;
    this.blamed = new Set(json.failure ? json.failure.events : []);
    this.names = UniqueNames(json.objects);
    this.OrderPlainWrites();
    this.IndexStores();
    this.IndexHappensBefore();
  }

  get length() { return this.events.length; }
  Event(number) { return this.events[number - 1]; }
  NameOf(object) { return this.names.get(object) ?? "?"; }
  CallOf(event) { return event.call === null ? null : this.calls.get(event.call); }
  IsAtomic(event) {
    return event.object !== null && this.objects.get(event.object).kind === "atomic";
  }

  // The record has modification orders of atomics only. Writes of plain data follow each other in
  // the order of the steps.
  OrderPlainWrites() {
    for (const event of this.events) {
      if (!event.written || event.object === null) continue;
      const {kind, id} = this.objects.get(event.object);
      if (kind !== "plain") continue;
      if (!this.orders.has(id)) this.orders.set(id, []);
      if (!this.orders.get(id).includes(event.number)) this.orders.get(id).push(event.number);
    }
  }

  IndexStores() {
    this.place = new Map();  // of a store, in its object's modification order
    for (const stores of this.orders.values()) stores.forEach((store, i) => this.place.set(store, i));
    this.first_values = new Map();  // the first value of an object
    for (const object of this.objects.values()) {
      if (object.first) this.first_values.set(object.id, object.first);
    }
    for (const event of this.events) {
      if (event.read && event.read.from === null && event.object !== null) {
        this.first_values.set(event.object, event.read.value);
      }
    }
  }

  IndexHappensBefore() {
    const column = new Map([kSetUp, ...this.threads, kAfter].map((thread, i) => [thread, i]));
    const incoming = new Map();
    for (const edge of this.synchronises) {
      if (!incoming.has(edge.to)) incoming.set(edge.to, []);
      incoming.get(edge.to).push(edge.from);
    }
    this.incoming = incoming;
    this.column = column;
    this.clocks = [];
    const last = new Map();  // the clock of a thread's last event
    for (const event of this.events) {
      const clock = new Int32Array(column.size);
      const join = (other) => other && other.forEach((n, i) => { if (n > clock[i]) clock[i] = n; });
      join(last.get(event.thread) ?? last.get(kSetUp));
      if (event.thread === kAfter) last.forEach(join);
      for (const from of incoming.get(event.number) ?? []) join(this.clocks[from - 1]);
      ++clock[column.get(event.thread)];
      this.clocks.push(clock);
      last.set(event.thread, clock);
    }
  }

  HappensBefore(a, b) {
    if (a === b) return false;
    const at = this.column.get(this.Event(a).thread);
    return this.clocks[b - 1][at] >= this.clocks[a - 1][at];
  }

  // The stores of an object that have taken effect up to a step, oldest first; null is the value
  // that it had before any store.
  StoresUpTo(object, step) {
    const stores = (this.orders.get(object) ?? []).filter((store) => store <= step);
    return this.first_values.has(object) ? [null, ...stores] : stores;
  }
  ValueOf(object, store) {
    if (store === null) return this.first_values.get(object);
    return this.Event(store).written ? this.Event(store).written.value : "?";
  }
  ThreadOf(store) { return store === null ? kSetUp : this.Event(store).thread; }

  // The newest store before a step, in modification order.
  NewestBefore(object, step) { return this.StoresUpTo(object, step - 1).at(-1) ?? null; }

  // Whether an event reads a store although a newer one has taken effect.
  IsStale(event) {
    if (!event.read || event.object === null) return false;
    const newest = this.NewestBefore(event.object, event.number);
    return newest !== null && newest !== event.read.from;
  }

  // Objects that threads touch, in the order in which they are listed.
  Touched() {
    const touched = new Set(this.events.filter((it) => it.thread >= 0).map((it) => it.object));
    return [...this.objects.keys()].filter((object) => touched.has(object) &&
      (this.orders.has(object) || this.first_values.has(object)));
  }

  // The candidates of an atomic read: the stores up to now, each with the memory model's verdict.
  // Null where the record has nothing on it.
  ChoicesOf(event) {
    const candidates = this.candidates.get(event.number);
    if (!candidates || !event.read) return null;
    const so_far = new Set(this.StoresUpTo(event.object, event.number - 1));
    return candidates.filter((it) => so_far.has(it.store));
  }

  // The steps a reader should look at, each with the reason in a word or two.
  KeySteps() {
    const steps = [];
    for (const event of this.events) {
      const blamed = this.blamed.has(event.number);
      if (event.thread >= 0 && this.IsAtomic(event) && this.IsStale(event)) {
        steps.push({step: event.number, why: "reads an old value"});
      } else if (event.thread >= 0 && this.OverwrittenBy(event) !== null) {
        steps.push({step: event.number, why: "overwritten from the start"});
      } else if (event.thread >= 0 && this.UnseenVictim(event) !== null) {
        steps.push({step: event.number, why: "overwrites unseen"});
      } else if (blamed) {
        steps.push({step: event.number, why: "to blame"});
      }
    }
    const wrong = this.WrongCall();
    if (wrong) steps.push({step: wrong.last, why: "ends the call that answers wrongly"});
    return steps.sort((a, b) => a.step - b.step);
  }

  // The call that the failure's first detail quotes: "Query([20, 21]) = nothing, by thread 1; ...".
  WrongCall() {
    const words = this.failure?.details[0]?.trim() ?? "";
    return [...this.calls.values()].find((call) => call.last > 0 && call.notes.some((note) =>
      note.length > 0 && (words === note || words.startsWith(`${note}, by thread ${call.thread};`))));
  }

  // Where the failure can be seen: at the events to blame, at the end of the call that answers
  // wrongly, otherwise at the end of all.
  BrokenAt() {
    if (this.blamed.size > 0) return Math.max(...this.blamed);
    return this.WrongCall()?.last ?? this.length;
  }

  // The store that took effect before this one and stands behind it in modification order, or null.
  OverwrittenBy(event) {
    if (!event.written || !this.place.has(event.number)) return null;
    const newest = this.NewestBefore(event.object, event.number);
    return newest !== null && this.place.get(newest) > this.place.get(event.number) ? newest : null;
  }

  // Where a reader begins: at the events to blame, otherwise at the last step that stands out,
  // otherwise where the failure can be seen.
  OpeningStep() {
    const broken = this.BrokenAt();
    if (this.blamed.size > 0) return broken;
    return this.KeySteps().findLast(({step}) => step !== broken)?.step ?? broken;
  }

  // The store that a plain store replaces without its thread having seen it, or null.
  UnseenVictim(event) {
    if (!event.written || event.read || !this.IsAtomic(event)) return null;
    const victim = this.NewestBefore(event.object, event.number);
    if (victim === null || !this.place.has(event.number)) return null;
    if (this.place.get(victim) > this.place.get(event.number)) return null;
    const writer = this.Event(victim).thread;
    if (writer === event.thread || writer < 0 || event.thread < 0) return null;
    if (this.HappensBefore(victim, event.number)) return null;
    return this.HasRead(event.thread, victim, event.number) ? null : victim;
  }

  HasRead(thread, store, before) {
    return this.events.some((it) => it.number < before && it.thread === thread && it.read &&
                                    it.read.from === store);
  }
}

// Several objects may have one name (the elements of an array); they are numbered in their order.
function UniqueNames(objects) {
  const count = new Map();
  for (const object of objects) count.set(object.name, (count.get(object.name) ?? 0) + 1);
  const next = new Map();
  return new Map(objects.map((object) => {
    const name = object.name || `${object.kind} ${object.id}`;
    if (!(count.get(object.name) > 1) || !object.name) return [object.id, name];
    const number = next.get(name) ?? 0;
    next.set(name, number + 1);
    return [object.id, `${name} #${number}`];
  }));
}

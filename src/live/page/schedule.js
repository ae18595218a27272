// How long a frame's work takes on so many threads, with these or other priorities: a list schedule, as
// src/profile/schedule.h, whose comment says what it leaves out.

// As they were set, from the longest chain that begins with a step, or one for all.
export const kPriorityChoices = ["set", "path", "one"];

// graph: of MakeWorkGraph; it keeps what follows from it alone. priorities: of kPriorityChoices. Returns nanoseconds.
export function Simulate(graph, threads, priorities) { return new Simulation(graph, threads, priorities).Run(); }

// The longest chain of steps that come after each other.
export function LongestChain(graph) {
  return ChainsOf(graph).reduce((longest, chain) => Math.max(longest, chain), 0);
}

// By node: the work after it, when so much of its own is done.
function EffectsOf(graph) {
  return graph.effects ??= MakeEffects(graph);
}
function MakeEffects({nodes}) {
  const effects = nodes.map(() => []);
  nodes.forEach((node, number) => {
    for (const cause of node.causes) effects[cause.node].push({node: number, work: cause.work});
  });
  return effects;
}

// By node: the longest chain that begins with it.
function ChainsOf(graph) {
  return graph.chains ??= MakeChains(graph, EffectsOf(graph));
}
function MakeChains({nodes}, effects) {
  const missing = nodes.map((node) => node.causes.length);
  const order = [...nodes.keys()].filter((number) => missing[number] === 0);  // each one behind its causes
  for (let i = 0; i < order.length; ++i) {
    for (const {node} of effects[order[i]]) {
      if (--missing[node] === 0) order.push(node);
    }
  }
  const chains = nodes.map((node) => node.work);
  for (const number of order.reverse()) {
    for (const {node, work} of effects[number]) chains[number] = Math.max(chains[number], work + chains[node]);
  }
  return chains;
}

// The least one first.
class Heap {
  constructor(isBefore) { Object.assign(this, {isBefore, list: []}); }
  get size() { return this.list.length; }
  get first() { return this.list[0]; }
  Push(entry) {
    const {list, isBefore} = this;
    let at = list.length;
    for (list.push(entry); at > 0; at = (at - 1) >> 1) {
      const above = (at - 1) >> 1;
      if (!isBefore(entry, list[above])) break;
      list[at] = list[above];
      list[above] = entry;
    }
  }
  Pop() {
    const {list, isBefore} = this;
    const first = list[0];
    const last = list.pop();
    if (list.length === 0) return first;
    list[0] = last;
    for (let at = 0; ;) {
      let least = 2 * at + 1;
      if (least >= list.length) return first;
      if (least + 1 < list.length && isBefore(list[least + 1], list[least])) ++least;
      if (!isBefore(list[least], last)) return first;
      list[at] = list[least];
      list[least] = last;
      at = least;
    }
  }
}

// The most urgent one; of several, the one that was ready first, made first, or is first.
const IsMoreUrgent = (a, b) => (a.rank - b.rank || a.ready - b.ready || a.made - b.made || a.number - b.number) < 0;

class Simulation {
  constructor(graph, threads, priorities) {
    this.nodes = graph.nodes;
    this.effects = EffectsOf(graph);
    const chains = priorities === "path" ? ChainsOf(graph) : [];
    const ranks = {set: (number) => this.nodes[number].priority, path: (number) => -chains[number], one: () => 0};
    this.rankOf = ranks[priorities];
    this.missing = this.nodes.map((node) => node.causes.length);
    const bound = [...new Set(this.nodes.filter((node) => node.isStep && node.bound).map((node) => node.lane))];
    this.threadOfLane = new Map(bound.sort((a, b) => a - b).map((lane, i) => [lane, i % threads]));
    this.ready = new Heap(IsMoreUrgent);  // for any thread
    this.boundReady = Array.from({length: threads}, () => new Heap(IsMoreUrgent));
    this.idle = new Array(threads).fill(true);
    this.threads = [];  // by node
    this.events = new Heap((a, b) => a.time < b.time);  // a thread that is free again, or a node of which a cause is there
    this.now = this.length = 0;
  }

  Run() {
    this.nodes.forEach((node, number) => { if (node.causes.length === 0) this.Ready(number); });
    this.Assign();
    while (this.events.size > 0) {
      this.now = this.events.first.time;
      while (this.events.size > 0 && this.events.first.time === this.now) {
        const {thread, node} = this.events.Pop();
        if (thread !== undefined) this.idle[thread] = true;
        else this.Caused(node);
      }
      this.Assign();
    }
    return this.length;
  }

  Caused(number) {
    if (--this.missing[number] === 0) this.Ready(number);
  }

  // A join takes no time: the nodes that come after it may be ready at once, too.
  Ready(number) {
    const ready = [number];
    while (ready.length > 0) {
      const of = ready.pop();
      if (this.nodes[of].isStep) {
        this.AddReady(of);
        continue;
      }
      for (const {node} of this.effects[of]) {
        if (--this.missing[node] === 0) ready.push(node);
      }
    }
  }

  AddReady(number) {
    const node = this.nodes[number];
    const waiting = {rank: this.rankOf(number), ready: this.now, made: node.made, number};
    if (node.follows !== null) this.boundReady[this.threads[node.follows]].Push(waiting);
    else if (node.bound) this.boundReady[this.threadOfLane.get(node.lane)].Push(waiting);
    else this.ready.Push(waiting);
  }

  Assign() {
    for (let thread = 0; thread < this.idle.length; ++thread) {
      const from = this.boundReady[thread].size > 0 ? this.boundReady[thread] : this.ready;
      if (!this.idle[thread] || from.size === 0) continue;
      const {number} = from.Pop();
      const end = this.now + this.nodes[number].work;
      this.threads[number] = thread;
      this.length = Math.max(this.length, end);
      this.idle[thread] = false;
      this.events.Push({time: end, thread});
      for (const {node, work} of this.effects[number]) this.events.Push({time: this.now + work, node});
    }
  }
}

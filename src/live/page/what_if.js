// What the frame would have taken with other priorities, or with other threads: a sentence, and a choice of threads.

import {ChangeText} from "./change.js";
import {h} from "./dom.js";
import {kPriorityChoices, LongestChain, Simulate} from "./schedule.js";

const kCrews = [1, 2, 3, 4, 6, 8, 12, 16];

const InMs = (nanoseconds) => `${(nanoseconds / 1e6).toFixed(2)} ms`;

export class WhatIf {
  // draw: called where another number of threads is chosen.
  constructor(draw) {
    this.threads = h("select", {class: "simulated-threads", id: "simulated-threads", onchange: draw},
        h("option", {value: ""}, "as many threads as it has"), kCrews.map((n) => h("option", {value: `${n}`}, n === 1 ? "1 thread" : `${n} threads`)));
    this.words = h("span", {class: "simulated"});
    this.element = h("p", {class: "hint what-if"}, h("label", {for: "simulated-threads"}, "Simulated on "), this.threads, this.words);
  }

  // graph: of MakeWorkGraph; it keeps what has been simulated. lanes: how many threads the program has. priorities: of
  // kPriorityChoices.
  Prepare(graph, lanes, priorities) {
    const threads = Number(this.threads.value) || Math.max(1, lanes);
    graph.simulated ??= new Map();
    if (!graph.simulated.has(threads)) graph.simulated.set(threads, {threads});
    const times = graph.simulated.get(threads);
    times[priorities] ??= Simulate(graph, threads, priorities);
    return times;
  }
  TimesOf(graph, lanes) {
    const [times] = kPriorityChoices.map((priorities) => this.Prepare(graph, lanes, priorities));
    times.chain ??= LongestChain(graph);
    return times;
  }

  Show(graph, lanes) { ChangeText(this.words, graph ? `: ${this.Times(graph, lanes)}` : ""); }

  Sentence(graph, lanes) {
    const {threads} = this.TimesOf(graph, lanes);
    return `Simulated on ${threads} ${threads === 1 ? "thread" : "threads"}: ${this.Times(graph, lanes)}`;
  }

  Times(graph, lanes) {
    const {set, path, one, chain} = this.TimesOf(graph, lanes);
    const steps = graph.nodes.filter((node) => node.isStep);
    const known = steps.filter((step) => !step.byTimes).length;
    return `${InMs(set)} with the priorities as they were set, ${InMs(path)} with priorities from the critical path, ${InMs(one)} with one ` +
      `priority for all; the longest chain takes ${InMs(chain)} on any number of threads. Records say what ${known} of ${steps.length} ` +
      "steps came after; of the others the times do.";
  }
}

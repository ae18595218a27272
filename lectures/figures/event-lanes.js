// Two threads fetch three jobs, and each job posts two events. When all jobs are done the events become one
// stream: in src by the keys of sections (src/events/lanes.h), otherwise by arrival, or thread by thread.

import {Cells, MountMachine} from "./machine.js";

const kThreads = ["worker 1", "worker 2"];
const kJobs = ["a", "b", "c"];
const kExpected = kJobs.flatMap((job) => [`${job}1`, `${job}2`]);

function Start({merge}) {
  return {
    merge,
    next: 0,      // the job that is fetched next
    arrived: [],  // {event, job, thread}
    threads: kThreads.map(() => ({at: "fetch", job: null})),
  };
}

const kOpen = {src: "section = lanes.Open(job);", arrival: "", thread: "lane = lanes[thread];"};

function Lines({merge}) {
  const post = {src: "section.Post(event);", arrival: "lock; events.push_back(event);", thread: "lane.push_back(event);"}[merge];
  return [
    {at: "fetch", code: `job = next++; ${kOpen[merge]}`},
    {at: "first", code: `event 1: ${post}`},
    {at: "second", code: `event 2: ${post}`},
  ];
}

const At = (state, t) => (state.threads[t].at === "end" ? null : state.threads[t].at);

function Post(state, t, number, next) {
  const me = state.threads[t];
  const event = `${kJobs[me.job]}${number}`;
  state.arrived.push({event, job: me.job, thread: t});
  me.at = next;
  return `posted ${event}`;
}

function Step(state, t) {
  const me = state.threads[t];
  if (me.at === "first") return Post(state, t, 1, "second");
  if (me.at === "second") return Post(state, t, 2, "fetch");
  if (state.next === kJobs.length) {
    me.at = "end";
    return "no job is left";
  }
  me.job = state.next++;
  me.at = "first";
  return `fetched job ${kJobs[me.job]}`;
}

function Merged({merge, arrived}) {
  const key = {src: "job", thread: "thread"}[merge];
  const order = key ? arrived.toSorted((one, other) => one[key] - other[key]) : arrived;
  return order.map(({event}) => event);
}

const HasEnded = (state) => state.threads.every((me) => me.at === "end");

function Picture(state) {
  const stream = HasEnded(state) ? Merged(state) : [];
  return Cells(kExpected.map((_, i) => {
    const text = stream[i] ?? "";
    const kind = text === "" ? "" : text === kExpected[i] ? "good" : "bad";
    return {text, note: state.arrived[i] ? `came: ${state.arrived[i].event}` : "", kind};
  }));
}

function Facts(state) {
  if (!HasEnded(state)) return [{ok: null, text: `the stream is ${kExpected.join(" ")}`}];
  const stream = Merged(state).join(" ");
  const ok = stream === kExpected.join(" ");
  return [{ok, text: ok ? `the stream is ${stream}` : `another order of the threads, another stream: ${stream}`}];
}

function Report(state) {
  return {merge: state.merge, arrived: state.arrived.map(({event}) => event), stream: HasEnded(state) ? Merged(state) : null};
}

export const machine = {
  asked: "Is the stream the same whatever the threads do?",
  threads: kThreads,
  options: [{
    name: "merge",
    label: "the stream is made",
    choices: [
      {value: "src", text: "by the keys of sections, as in src"},
      {value: "arrival", text: "in the order of arrival"},
      {value: "thread", text: "thread by thread"},
    ],
  }],
  Start, At, Lines, Step, Picture, Facts, Report,
};

export function mount(element, options) {
  MountMachine(element, machine, options);
}

// The epochs of src/sync/reader_epochs.h, with the trees that src/broadphase/tree_storage.h reclaims: a
// writer that swaps in new trees, and two readers. Each operation on an atomic is one step. Three of its
// choices are versions that free a tree too early; the last of them only with a weaker memory than the
// figure's, in which every step sees the newest value.

import {h} from "../../models/kit/counterexample/page/dom.js";
import {Cells, MountMachine} from "./machine.js";

const kUpdates = 3;
const kQueries = [1, 2];  // of each reader
const kNames = ["writer", "reader 1", "reader 2"];

function Start({version}) {
  return {
    version,
    epoch: 0,
    banks: [0, 0],
    root: 0,                 // which tree is the current one
    trees: ["current"],      // "current", "retired", "draining", "freed"
    writer: {at: "swap", updates: 0},
    readers: kQueries.map((left) => ({at: "epoch", epoch: null, bank: null, tree: null, left})),
  };
}

const Other = (state) => (state.epoch + 1) % 2;

// A thread's way, in the words of the source.
function Lines({version}, t) {
  if (t === 0) {
    return [
      {at: "swap", code: "root_.store(next tree, release); Retire(old tree)"},
      {at: "look", code: "TryAdvance: banks_[(epoch + 1) % 2].load(seq_cst)"},
      {at: "advance", code: "TryAdvance: epoch_.store(epoch + 1, seq_cst)"},
      {at: "drained", code: "Drained: banks_[(epoch + 1) % 2].load(seq_cst)"},
    ];
  }
  const second = [{at: "second", code: "Pin: epoch_.load(seq_cst) == epoch"},
                  {at: "back", code: "Pin: banks_[epoch % 2].fetch_sub(1, relaxed)"}];
  return [
    {at: "epoch", code: "Pin: epoch = epoch_.load(relaxed)"},
    {at: "count", code: "Pin: banks_[epoch % 2].fetch_add(1, seq_cst)"},
    ...(version === "no-look" ? [] : second),
    {at: "root", code: "tree = root_.load(acquire)"},
    {at: "read", code: "reads the tree"},
    {at: "unpin", code: "Unpin: banks_[epoch % 2].fetch_sub(1, release)"},
  ];
}

function At(state, t) {
  const {at} = t === 0 ? state.writer : state.readers[t - 1];
  return at === "end" ? null : at;
}

function Free(state, what) {
  const freed = state.trees.flatMap((it, i) => (it === what ? [i] : []));
  state.trees = state.trees.map((it) => (it === what ? "freed" : it));
  return freed.length ? `; tree ${freed.join(" and tree ")} freed` : "";
}

function NextUpdate(state) {
  state.writer.updates += 1;
  state.writer.at = state.writer.updates === kUpdates ? "end" : "swap";
}

const kWriter = {
  swap(state) {
    state.trees[state.root] = "retired";
    state.root = state.trees.length;
    state.trees.push("current");
    state.writer.at = "look";
    const freed = state.version === "at-once" ? Free(state, "retired") : "";
    return `new queries go to tree ${state.root}${freed}`;
  },
  look(state) {
    const readers = state.banks[Other(state)];
    if (readers !== 0) {
      NextUpdate(state);
      return `bank ${Other(state)} still counts ${readers}: not now, and no thread waits`;
    }
    state.writer.at = "advance";
    return `bank ${Other(state)} is empty`;
  },
  advance(state) {
    state.epoch += 1;
    let freed = Free(state, "draining");
    if (state.version === "early") freed += Free(state, "retired");
    state.trees = state.trees.map((it) => (it === "retired" ? "draining" : it));
    state.writer.at = "drained";
    return `it is epoch ${state.epoch}${freed}`;
  },
  drained(state) {
    const readers = state.banks[Other(state)];
    const freed = readers === 0 ? Free(state, "draining") : "";
    NextUpdate(state);
    return readers === 0 ? `no reader is left of the epoch before${freed}`
        : `bank ${Other(state)} counts ${readers}: what drains has to wait`;
  },
};

const kReader = {
  epoch(state, reader) {
    reader.epoch = state.epoch;
    reader.bank = state.epoch % 2;
    reader.at = "count";
    return `it is epoch ${reader.epoch}, so bank ${reader.bank}`;
  },
  count(state, reader) {
    state.banks[reader.bank] += 1;
    reader.at = state.version === "no-look" ? "root" : "second";
    return `counted in bank ${reader.bank}`;
  },
  second(state, reader) {
    reader.at = state.epoch === reader.epoch ? "root" : "back";
    return state.epoch === reader.epoch ? `it is still epoch ${reader.epoch}: pinned`
        : `it is epoch ${state.epoch} by now`;
  },
  back(state, reader) {
    state.banks[reader.bank] -= 1;
    reader.at = "epoch";
    return "took its count back; it has read nothing under it";
  },
  root(state, reader) {
    reader.tree = state.root;
    reader.at = "read";
    return `goes into tree ${reader.tree}`;
  },
  read(state, reader) {
    reader.at = "unpin";
    if (state.trees[reader.tree] === "freed") {
      reader.broken = true;
      return `read tree ${reader.tree}, which had been freed!`;
    }
    return `read tree ${reader.tree} (${state.trees[reader.tree]})`;
  },
  unpin(state, reader) {
    state.banks[reader.bank] -= 1;
    reader.tree = null;
    reader.left -= 1;
    reader.at = reader.left === 0 ? "end" : "epoch";
    return `left bank ${reader.bank}`;
  },
};

const Step = (state, t) => (t === 0 ? kWriter[state.writer.at](state)
    : kReader[state.readers[t - 1].at](state, state.readers[t - 1]));

const InFreed = (state) => state.readers.flatMap((reader, i) =>
    ((reader.tree !== null && state.trees[reader.tree] === "freed") || reader.broken ? [kNames[i + 1]] : []));

function Picture(state) {
  const trees = state.trees.map((it, tree) => {
    const inside = state.readers.flatMap((reader, i) => (reader.tree === tree ? [kNames[i + 1]] : []));
    return {text: `tree ${tree}`, note: `${it}${inside.length ? `; ${inside.join(", ")} in it` : ""}`,
            kind: it === "current" ? "strong" : it === "freed" ? (inside.length ? "bad" : "") : "good"};
  });
  const Role = (bank) => (bank === state.epoch % 2 ? "of this epoch" : "of the one before");
  return h("div", {}, Cells(trees), h("p", {}), Cells([
    {text: state.epoch, note: "epoch_", kind: "strong"},
    ...state.banks.map((readers, bank) => ({text: readers, note: `bank ${bank}: ${Role(bank)}`})),
  ]));
}

function Facts(state) {
  const broken = InFreed(state);
  const waiting = state.trees.filter((it) => it === "retired" || it === "draining").length;
  return [{
    ok: broken.length === 0,
    text: broken.length ? `${broken.join(" and ")} in a tree that was freed` : "no reader is in a tree that was freed",
  }, {
    ok: null,
    text: `${waiting} old ${waiting === 1 ? "tree waits" : "trees wait"} for readers; `
        + `${state.trees.filter((it) => it === "freed").length} freed`,
  }];
}

function Report(state) {
  return {
    version: state.version, epoch: state.epoch, banks: state.banks, root: state.root, trees: state.trees,
    writer: state.writer.at, readers: state.readers.map((reader) => reader.at),
    ok: InFreed(state).length === 0,
  };
}

export const machine = {
  asked: "Is a reader ever in a tree that has been freed?",
  threads: kNames,
  options: [{
    name: "version",
    label: "the code",
    choices: [
      {value: "src", text: "as in src"},
      {value: "at-once", text: "old trees freed at once"},
      {value: "early", text: "freed one epoch early"},
      {value: "no-look", text: "readers without the second look"},
    ],
  }],
  Start, At, Lines, Step, Picture, Facts, Report,
};

export function mount(element, options) {
  MountMachine(element, machine, options);
}

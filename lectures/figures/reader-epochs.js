// The epochs of src/sync/reader_epochs.h, with the trees that src/broadphase/tree_storage.h reclaims: a
// writer that swaps in new trees, and two readers. Each operation on an atomic is one step. Three of its
// choices are versions that free a tree too early; the last of them only with a weaker memory than the
// figure's, in which every step sees the newest value.

import {h} from "./kit.js";
import {Cells, MountScheduler} from "./scheduler.js";

const kUpdates = 4;
const kQueries = 2;
const kNames = ["writer", "reader 1", "reader 2"];

function Start({version}) {
  return {
    version,
    epoch: 0,
    banks: [0, 0],
    root: 0,                 // which tree is the current one
    trees: ["current"],      // "current", "retired", "draining", "freed"
    writer: {at: "swap", updates: 0, refused: 0},
    readers: [1, 2].map(() => ({at: "epoch", epoch: null, bank: null, tree: null, queries: 0, again: 0})),
  };
}

const Other = (state) => (state.epoch + 1) % 2;

const kWriterCode = {
  swap: (state) => `root_.store(tree ${state.trees.length}, release); Retire(tree ${state.root});`,
  look: (state) => `TryAdvance: banks_[${Other(state)}].readers.load(seq_cst)`,
  advance: (state) => `TryAdvance: epoch_.store(${state.epoch + 1}, seq_cst)`,
  drained: (state) => `Drained: banks_[${Other(state)}].readers.load(seq_cst)`,
};
const kWriterWhere = {
  swap: "has built the next tree", look: "would like to advance", advance: "the old bank is empty",
  drained: "has advanced",
};
const kReaderCode = {
  epoch: () => "Pin: epoch_.load(relaxed)",
  count: (reader) => `Pin: banks_[${reader.bank}].readers.fetch_add(1, seq_cst)`,
  second: () => "Pin: epoch_.load(seq_cst)",
  back: (reader) => `Pin: banks_[${reader.bank}].readers.fetch_sub(1, relaxed)`,
  root: () => "root_.load(acquire)",
  read: (reader) => `reads tree ${reader.tree}`,
  unpin: (reader) => `Unpin: banks_[${reader.bank}].readers.fetch_sub(1, release)`,
};
const kReaderWhere = {
  epoch: "begins a query", count: "knows an epoch", second: "is counted", back: "was counted in the past",
  root: "has a pin", read: "is in a tree", unpin: "has read what it wanted",
};

function Next(state, t) {
  if (t === 0) {
    if (state.writer.at === "end") return null;
    return {where: `update ${state.writer.updates + 1}: ${kWriterWhere[state.writer.at]}`,
            code: kWriterCode[state.writer.at](state)};
  }
  const reader = state.readers[t - 1];
  if (reader.at === "end") return null;
  return {where: kReaderWhere[reader.at], code: kReaderCode[reader.at](reader)};
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
      state.writer.refused += 1;
      NextUpdate(state);
      return `bank ${Other(state)} still counts ${readers}: not now, and nobody waits`;
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
    return readers === 0 ? `nobody is left of the epoch before${freed}`
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
    reader.again += 1;
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
    reader.queries += 1;
    reader.at = reader.queries === kQueries ? "end" : "epoch";
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
    text: broken.length ? `${broken.join(" and ")} in a tree that was freed` : "nobody is in a tree that was freed",
  }, {
    ok: null,
    text: `${waiting} old ${waiting === 1 ? "tree waits" : "trees wait"} for readers; `
        + `${state.trees.filter((it) => it === "freed").length} freed`,
  }];
}

function Report(state) {
  return {
    version: state.version, epoch: state.epoch, banks: state.banks, root: state.root, trees: state.trees,
    writer: state.writer.at, refused: state.writer.refused, readers: state.readers.map((reader) => reader.at),
    ok: InFreed(state).length === 0,
  };
}

export const machine = {
  label: "a writer and two readers of trees, whose steps you choose",
  threads: kNames,
  options: [{
    name: "version",
    label: "The code",
    choices: [
      {value: "src", text: "as in src"},
      {value: "at-once", text: "old trees freed at once"},
      {value: "early", text: "freed one epoch early"},
      {value: "no-look", text: "readers without the second look"},
    ],
  }],
  Start, Next, Step, Picture, Facts, Report,
};

export function mount(element, options) {
  MountScheduler(element, machine, options);
}

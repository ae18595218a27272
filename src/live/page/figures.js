// The same as text: the figures of the frame, the body that is picked, a table of bodies.

import {IsBox} from "./boxes.js";
import {ChangeText} from "./change.js";
import {h, Replace} from "./dom.js";
import {Length, Sub} from "./vectors.js";
import {kShapes} from "./wire.js";

const kRows = 40;  // of the table

const Metres = (place) => place.map((x) => x.toFixed(2)).join(", ");
const StateOf = (body) => !body.inSight ? "out of sight" : !body.dynamic ? "static" : body.asleep ? "asleep" : "awake";
const IslandOf = (body) => body.island < 0 ? "no island" : `island ${body.island}`;

export class Figures {
  constructor(pick) {
    this.list = h("dl", {class: "figures"});
    this.values = new Map();  // the elements, by the figure's name
    this.picked = h("div", {class: "picked", role: "status"});
    this.table = h("tbody", {});
    this.threads = h("ul", {});
    this.number = h("input", {type: "number", min: 0, step: 1, id: "number", inputmode: "numeric"});
    this.all = h("details", {class: "all"}, h("summary", {}, "As text"),
        h("h3", {}, "Threads"), this.threads, h("h3", {}, "Bodies"),
        h("table", {}, h("thead", {}, h("tr", {},
            ["body", "shape", "state", "island", "place (m)"].map((name) => h("th", {scope: "col"}, name)))),
          this.table));
    this.element = h("section", {class: "text", "aria-label": "Figures"}, this.list,
        h("form", {class: "line", onsubmit: (event) => {
          event.preventDefault();
          if (this.number.value !== "") pick(Number(this.number.value));
        }}, h("label", {for: "number"}, "Body"), this.number, h("button", {type: "submit", class: "small"}, "Look at it")),
        this.picked, this.all);
  }

  Show(scene, timeline, picked) {
    const frame = scene.frame;
    const phases = ["begin", "collide", "finalise", "solve", "finish"];
    const busy = frame.phases.map((us, i) => `${phases[i]} ${(us / 1000).toFixed(2)}`).join(", ");
    const rows = [
      ["frame", frame.step], ["seed", frame.seed], ["bodies", frame.bodies], ["in sight", InSight(scene)], ["awake", frame.awake],
      ...(scene.lightsOfScene > 0 ? [["lamps", `${scene.lights.length} of ${scene.lightsOfScene} shine on what is in sight`]] : []),
      ["pairs", frame.pairs], ["contacts", frame.contacts], ["islands", frame.islands],
      ["largest island", frame.largestIsland],
      ["work of the frame", `${((frame.end - frame.begin) / 1e6).toFixed(2)} ms`],
      ["of it (ms)", busy],
      ["body locks", scene.locks ? Locks(scene.locks) : "unknown"],
      ["old tree nodes", scene.locks ? Held(scene.locks) : "unknown"],
      ["frames missed", frame.dropped], ["spans lost", frame.lostSpans],
    ];
    if (this.values.size !== rows.length) this.MakeRows(rows);
    for (const [name, value] of rows) {
      ChangeText(this.values.get(name), `${value}`);
    }
    this.ShowPicked(scene, picked);
    if (!this.all.open) return;
    Replace(this.threads, timeline.Sentences().map((sentence) => h("li", {}, sentence)));
    Replace(this.table, [...scene.bodies.values()].slice(0, kRows).map((body) => h("tr", {},
        h("td", {}, `${body.slot}`), h("td", {}, kShapes[body.shape] ?? "other"), h("td", {}, StateOf(body)),
        h("td", {}, body.island < 0 ? "" : `${body.island}`), h("td", {}, Metres(body.now.position)))));
  }

  // Where other figures are there than before; mostly only values change.
  MakeRows(rows) {
    this.values = new Map(rows.map(([name]) => [name, h("dd", {"data-figure": name})]));
    Replace(this.list, rows.map(([name]) => h("div", {}, h("dt", {}, name), this.values.get(name))));
  }

  ShowPicked(scene, picked) {
    const body = scene.bodies.get(picked);
    const text = picked === null ? "" : !body ? `There is no body ${picked}.` : Words(scene, body);
    ChangeText(this.picked, text);
  }
}

const InSight = (scene) => [...scene.bodies.values()].reduce((sum, body) => sum + (body.inSight ? 1 : 0), 0);
const Locks = (locks) =>
  `${locks.acquisitions} taken, ${locks.contended} waited for (${(locks.waited / 1e6).toFixed(3)} ms)`;
const Held = (locks) => locks.waitingNodes === 0 ? "0 wait for readers" :
  `${locks.waitingNodes} wait for readers, for ${locks.stepsHeld} steps`;

// Known where the source tells its structures.
function LinksOf(scene, body) {
  const links = [...scene.links.values()].filter(({a, b}) => a === body.slot || b === body.slot);
  const others = (byJoint) => links.filter(({joint}) => joint === byJoint)
      .map(({a, b}) => a === body.slot ? b : a).sort((a, b) => a - b);
  const words = (name, slots) => slots.length === 0 ? "" : `, linked ${name} with ${slots.join(", ")}`;
  return words("by contact", others(false)) + words("by a joint", others(true));
}

// Likewise: the boxes of its tree that its place is in, from the root down.
function NodesOf(scene, body) {
  const boxes = [...scene.boxes.values()].filter((box) => box.layer === body.layer && IsBox(box) &&
      body.now.position.every((x, axis) => x >= box.low[axis] && x <= box.high[axis]));
  if (boxes.length === 0) return "";
  const named = boxes.sort((a, b) => a.level - b.level || a.node - b.node).map(({node, level}) => `${node} (level ${level})`);
  return `in the tree ${scene.layers[body.layer] ?? body.layer} within the boxes of nodes ${named.join(", ")}; `;
}

function MoverOf(scene, body) {
  const mover = body.lane < 0 ? "" : `moved last by ${scene.lanes[body.lane] ?? `lane ${body.lane}`}; `;
  return scene.bodyLocks === 0 ? mover : `${mover}body lock ${scene.LockOf(body)}; `;
}

function Words(scene, body) {
  const shape = kShapes[body.shape] ?? "other shape";
  const size = body.shape === 0 ? `, radius ${body.size[0].toFixed(2)} m` :
    body.shape === 1 ? `, ${body.size.map((half) => (2 * half).toFixed(2)).join(" x ")} m` :
    body.shape === 3 ? `, radius ${body.size[0].toFixed(2)} m, ${(2 * body.size[1]).toFixed(2)} m high` : "";
  const speed = Length(Sub(body.now.position, body.before.position)) / scene.frameSeconds;
  return `Body ${body.slot}, generation ${body.generation}: ${shape}${size}; ${StateOf(body)}; ${IslandOf(body)}${LinksOf(scene, body)}; ${NodesOf(scene, body)}${MoverOf(scene, body)}` +
    `at ${Metres(body.now.position)} m; ${speed.toFixed(2)} m/s from the last two frames.`;
}

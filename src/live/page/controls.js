// The controls: buttons, keys, and the pointer over the picture.

import {ChangeText} from "./change.js";
import {kModes} from "./colours.js";
import {h} from "./dom.js";
import {kLinks, kRay, kTree} from "./structures.js";

const kSpeeds = [1 / 16, 1 / 8, 1 / 4, 1 / 2, 1];
const kKeys = [
  ["Space", "pause, go on"], [".", "one frame"], ["[ and ]", "slower, faster"], ["R", "from the beginning"],
  ["T", "throw a body where you look"], ["C", "other colours"], ["B", "boxes of the trees"],
  ["L", "links of the islands"], ["Q", "the query of the ray by which you pick"], ["H", "shadows"], ["Drag the picked body", "pull it through a running scene"], ["F", "follow the picked body"],
  ["G", "lift the picked body, or let it go"],
  ["Arrows", "turn"], ["+ and \u2212", "nearer, farther"], ["W A S D", "move"], ["E and X", "up, down"],
  ["V", "fly: turn about yourself, and move where you look"], ["Home", "all in sight"],
  ["Escape", "pick no body"], ["P", "the proofs, or the scene again"],
  ["Space . [ ] R", "in the proofs the same for steps"], ["Arrows, Home, End", "in the proofs a step, the first, the last"],
];

export class Controls {
  // does: what the page does, by name.
  constructor(does, live) {
    this.does = does;
    const button = (name, words, key, click, extra = {}) =>
      h("button", {type: "button", class: name, title: key, onclick: click, ...extra}, words);
    this.pause = button("pause", "Pause", "Space", () => does.Pause());
    this.speed = h("select", {class: "speed", "aria-label": "Speed", onchange: () => does.Speed(Number(this.speed.value))},
        kSpeeds.map((speed) => h("option", {value: speed, selected: speed === 1}, speed === 1 ? "real time" : `1/${1 / speed}`)));
    this.mode = h("select", {class: "mode", "aria-label": "Colours", onchange: () => does.Mode(this.mode.value)},
        kModes.map((mode) => h("option", {value: mode}, `by ${mode}`)));
    this.shadows = button("shadows", "Shadows", "H", () => does.Shadows(), {"aria-pressed": "false"});
    this.flight = button("flight", "Fly", "V", () => does.Fly(), {"aria-pressed": "false"});
    this.seed = h("input", {type: "number", class: "seed", min: 0, step: 1, value: 1, "aria-label": "Seed of the scene"});
    this.scrubber = h("input", {type: "range", class: "scrubber", min: 0, max: 0, step: 1, value: 0,
                                "aria-label": "Frame or step", oninput: () => does.Seek(Number(this.scrubber.value))});
    this.reset = button("reset", "", "R", () => does.Reset());
    this.live = live;
    this.ofTheScene = h("span", {class: "of-the-scene"},
        live ? [this.seed, button("throw", "Throw", "T", () => does.Throw())] : [], this.mode, this.shadows, this.flight, does.structures.buttons);
    this.legend = h("p", {class: "hint mode-legend"});
    this.element = h("div", {class: "controls", role: "group", "aria-label": "Controls"},
        this.pause, button("step", "Step", ".", () => does.Step(1)), this.speed,
        this.reset, this.scrubber, this.ofTheScene,
        h("details", {class: "keys"}, h("summary", {}, "Keys"),
          h("dl", {}, kKeys.map(([key, words]) => h("div", {}, h("dt", {}, key), h("dd", {}, words))))));
    addEventListener("keydown", (event) => this.Key(event));
    this.ShowView(false);
  }

  // Of the scene, or of the steps of a proof.
  ShowView(proving) {
    this.proving = proving;
    const steps = proving || !this.live;
    this.reset.textContent = steps ? "From the beginning" : "Reset";
    this.scrubber.hidden = !steps;
    this.ofTheScene.hidden = proving;
  }

  Show(source) {
    const words = source.paused ? "Go on" : "Pause";
    ChangeText(this.pause, words);
    const nearest = kSpeeds.reduce((a, b) => Math.abs(b - source.speed) < Math.abs(a - source.speed) ? b : a);
    if (document.activeElement !== this.speed) this.speed.value = `${nearest}`;
    if (!source.live) {
      this.scrubber.max = `${source.last}`;
      this.scrubber.value = `${source.at}`;
    }
  }

  ShowMode(mode) { this.mode.value = mode; }
  ShowLegend(words) { ChangeText(this.legend, words); }

  ShowShadows(on) { this.shadows.setAttribute("aria-pressed", `${on}`); }

  ShowFlight(on) { this.flight.setAttribute("aria-pressed", `${on}`); }

  Key(event) {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    const element = event.target;  // in this page, or in that of a proof
    const typing = element.matches("input, select");
    const pressing = event.key === " " && element.matches("button, summary");
    if (typing || pressing) return;
    const does = this.does;
    const faster = (by) => {
      const at = kSpeeds.indexOf(Number(this.speed.value)) + by;
      if (at >= 0 && at < kSpeeds.length) does.Speed(kSpeeds[at]);
    };
    const both = {
      " ": () => does.Pause(), ".": () => does.Step(1), "r": () => does.Reset(), "[": () => faster(-1), "]": () => faster(1),
      "p": () => does.Prove(!this.proving),
    };
    const ofProofs = {
      "ArrowLeft": () => does.Step(-1), "ArrowUp": () => does.Step(-1), "ArrowRight": () => does.Step(1), "ArrowDown": () => does.Step(1),
      "Home": () => does.Step(-Infinity), "End": () => does.Step(Infinity),
    };
    const ofTheScene = {
      "t": () => does.Throw(),
      "c": () => does.Mode(kModes[(kModes.indexOf(this.mode.value) + 1) % kModes.length]), "f": () => does.Follow(), "g": () => does.Lift(),
      "b": () => does.structures.Toggle(kTree), "l": () => does.structures.Toggle(kLinks), "q": () => does.structures.Toggle(kRay),
      "h": () => does.Shadows(), "v": () => does.Fly(), "e": () => does.Rise(0.05), "x": () => does.Rise(-0.05),
      "Home": () => does.Home(), "Escape": () => does.Unpick(),
      "ArrowLeft": () => does.Turn(-0.08, 0), "ArrowRight": () => does.Turn(0.08, 0),
      "ArrowUp": () => does.Turn(0, 0.06), "ArrowDown": () => does.Turn(0, -0.06),
      "+": () => does.Zoom(0.9), "=": () => does.Zoom(0.9), "-": () => does.Zoom(1.1),
      "w": () => does.Pan(0, 0.05), "s": () => does.Pan(0, -0.05), "a": () => does.Pan(-0.05, 0), "d": () => does.Pan(0.05, 0),
    };
    const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
    const action = both[key] ?? (this.proving ? ofProofs : ofTheScene)[key];
    if (!action) return;
    event.preventDefault();
    action();
  }
}

// A pointer turns the camera, with Shift or the right button it moves it; two fingers come nearer; a
// press without a move picks. On the picked body of a running scene it drags that body. What begins on
// the canvas goes on outside of it, and ends where the pointer is released.
export function Point(canvas, does) {
  const pointers = new Map();  // those that were pressed on the canvas
  let moved = 0;
  let pulling = false;
  // Pixels from the corner of the canvas.
  const place = (event) => {
    const {left, top} = canvas.getBoundingClientRect();
    return {x: event.clientX - left, y: event.clientY - top};
  };
  const at = (event) => {
    const {x, y} = place(event);
    return [2 * x / canvas.clientWidth - 1, 1 - 2 * y / canvas.clientHeight];
  };
  const apart = () => {
    const [a, b] = [...pointers.values()];
    return Math.hypot(a.x - b.x, a.y - b.y);
  };
  canvas.addEventListener("pointerdown", (event) => {
    canvas.setPointerCapture(event.pointerId);
    pointers.set(event.pointerId, place(event));
    moved = pointers.size > 1 ? Infinity : 0;
    if (pulling) does.LetGo();
    pulling = pointers.size === 1 && event.button === 0 && !event.shiftKey && does.Grab(...at(event));
  });
  addEventListener("pointermove", (event) => {
    const before = pointers.get(event.pointerId);
    if (!before) return;
    const distance = pointers.size === 2 ? apart() : 0;
    const now = place(event);
    const [dx, dy] = [now.x - before.x, now.y - before.y];
    pointers.set(event.pointerId, now);
    moved += Math.abs(dx) + Math.abs(dy);
    if (pulling) {
      does.PullTo(...at(event));
    } else if (pointers.size === 2) {
      does.Zoom(distance / Math.max(1, apart()));
    } else if (event.shiftKey || (event.buttons & 2) !== 0) {
      does.Pan(-dx / canvas.clientHeight, dy / canvas.clientHeight);
    } else {
      does.Turn(-dx / 150, dy / 150);
    }
  });
  const up = (event) => {
    if (!pointers.delete(event.pointerId)) return;
    if (pulling) does.LetGo();
    pulling = false;
    if (event.type === "pointerup" && moved < 5) does.PickAt(...at(event));
  };
  addEventListener("pointerup", up);
  addEventListener("pointercancel", up);
  canvas.addEventListener("contextmenu", (event) => event.preventDefault());
  canvas.addEventListener("wheel", (event) => {
    event.preventDefault();
    does.Zoom(1.001 ** event.deltaY);
  }, {passive: false});
}

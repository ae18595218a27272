// The engine's structures: which of them are shown, as segments for the picture, and as text.

import {IsBox} from "./boxes.js";
import {ColourOf, ColourOfLevel} from "./colours.js";
import {h, Replace} from "./dom.js";
import {RaySentence} from "./ray.js";
import {Mix} from "./vectors.js";
import {ForEachEdge} from "./segments.js";

export const kTree = 1;
export const kLinks = 2;
export const kThreads = 4;
export const kRay = 8;
const kDashes = 12;

export class Structures {
  // on: called after a change of what is shown.
  constructor(on) {
    this.on = on;
    this.parts = 0;  // kTree, kLinks, kRay
    this.layer = -1;
    this.level = -1;
    const toggle = (name, words, key, part) => h("button", {type: "button", class: name, title: key, "aria-pressed": "false",
                                                            onclick: () => this.Toggle(part)}, words);
    const choice = (label, change) => h("select", {"aria-label": label, onchange: change});
    this.tree = toggle("tree", "Tree boxes", "B", kTree);
    this.links = toggle("links", "Island links", "L", kLinks);
    this.ray = toggle("ray", "Query", "Q", kRay);
    this.layers = choice("Which tree's boxes", () => { this.layer = Number(this.layers.value); this.on(); });
    this.levels = choice("Which level's boxes", () => { this.level = Number(this.levels.value); this.on(); });
    this.choices = h("span", {class: "line", hidden: true}, this.layers, this.levels);
    this.buttons = [this.tree, this.links, this.ray, this.choices];
    this.legend = h("ul", {class: "legend"});
    this.text = h("ul", {class: "sentences"});
    this.element = h("div", {class: "structures", hidden: true}, this.legend, this.text);
    this.offered = "";
  }

  Toggle(part) {
    this.parts ^= part;
    this.tree.setAttribute("aria-pressed", `${(this.parts & kTree) !== 0}`);
    this.links.setAttribute("aria-pressed", `${(this.parts & kLinks) !== 0}`);
    this.ray.setAttribute("aria-pressed", `${this.hasRay}`);
    this.choices.hidden = (this.parts & kTree) === 0;
    this.element.hidden = this.parts === 0;
    this.on();
  }

  get hasRay() { return (this.parts & kRay) !== 0; }

  // The boxes that are seen.
  Boxes(scene) {
    if ((this.parts & kTree) === 0) return [];
    return [...scene.boxes.values()].filter((box) => IsBox(box) && (this.layer < 0 || box.layer === this.layer) &&
      (this.level < 0 || box.level === this.level));
  }

  // Boxes as segments. What the last message has changed is drawn thick; an open node is dashed.
  PutBoxes(boxes, sky, segments, list) {
    segments.Begin(list, 12 * boxes.length);
    for (const box of boxes) {
      const full = ColourOfLevel(box.level);
      const colour = box.fresh ? full : Mix(full, sky, 0.4);
      const width = box.fresh ? 3 : 1.4;
      ForEachEdge(box.low, box.high, (from, to) => segments.Put(list, from, to, colour, width, box.open ? kDashes : 0, false));
    }
    segments.End(list);
  }

  Links(scene) { return (this.parts & kLinks) === 0 ? [] : [...scene.links.values()]; }

  // Links as segments between the places that are drawn; dashed for a joint.
  PutLinks(links, scene, places, segments, list) {
    const colours = new Map();  // by island
    segments.Begin(list, links.length);
    for (const {a, b, joint} of links) {
      const [from, to] = [places.get(a), places.get(b)];
      if (!from || !to) continue;
      const body = scene.bodies.get(a);
      const key = 2 * body.island + Number(body.asleep);
      if (!colours.has(key)) colours.set(key, Mix(ColourOf(body, "island"), [1, 1, 1], 0.35));
      segments.Put(list, from, to, colours.get(key), 5, joint ? kDashes : 0, true);
    }
    segments.End(list);
  }

  Show(scene) {
    if (this.parts === 0) return;
    this.Offer(scene);
    Replace(this.text, this.Sentences(scene).map((sentence) => h("li", {}, sentence)));
  }

  // What can be chosen, and what the colours mean.
  Offer(scene) {
    const levels = [...scene.boxes.values()].reduce((most, box) => Math.max(most, box.level + 1), 0);
    const offered = `${this.parts} ${scene.layers.join()} ${levels}`;
    if (offered === this.offered) return;
    this.offered = offered;
    const options = (all, words, chosen) => [all, ...words].map((word, i) => h("option", {value: i - 1, selected: i - 1 === chosen}, word));
    Replace(this.layers, options("all trees", scene.layers, this.layer));
    Replace(this.levels, options("all levels", Array.from({length: levels}, (_, level) => `level ${level}`), this.level));
    const item = (style, words) => h("li", {}, style, words);
    const sample = (level) => {
      const element = h("span", {class: "sample"});
      element.style.background = `rgb(${ColourOfLevel(level).map((part) => Math.round(255 * part)).join()})`;
      return element;
    };
    const tree = [...Array.from({length: Math.min(levels, 8)}, (_, level) => item(sample(level), `level ${level}`)),
                  item(null, "thick: changed since the last frame; dashed: open to inserts (a root, a staging tree)")];
    Replace(this.legend, (this.parts & kTree) !== 0 ? tree : [],
            (this.parts & kLinks) !== 0 ? item(null, "lines: bodies that touch, in the colour of their island; dashed: a joint") : [],
            this.hasRay ? item(null, "white line: the ray; boxes: the nodes that its query visits, the later, the redder") : []);
  }

  // The same as text.
  Sentences(scene) {
    const sentences = [];
    if ((this.parts & kTree) !== 0) {
      if (scene.trees.length === 0) sentences.push("There are no boxes: a recording has them with --structures.");
      for (const tree of scene.trees) sentences.push(this.TreeSentence(scene, tree));
    }
    if ((this.parts & kLinks) !== 0) {
      const joints = [...scene.links.values()].filter((link) => link.joint).length;
      sentences.push(`islands: ${scene.links.size - joints} links by contact, ${joints} by joints` +
        (scene.linksLeftOut > 0 ? `; ${scene.linksLeftOut} more are left out` : ""));
    }
    if (this.hasRay) sentences.push(RaySentence(scene));
    return sentences;
  }

  TreeSentence(scene, tree) {
    const boxes = [...scene.boxes.values()].filter((box) => box.layer === tree.layer);
    const levels = boxes.reduce((most, box) => Math.max(most, box.level + 1), 0);
    const fresh = boxes.filter((box) => box.fresh).length;
    const built = [tree.rebuilds > 0 ? `rebuilt ${Times(tree.rebuilds)}` : "", tree.refits > 0 ? `refitted ${Times(tree.refits)}` : ""]
      .filter((words) => words !== "").join(" and ");
    return `tree ${scene.layers[tree.layer] ?? tree.layer}: ${Counted(boxes.length, "box", "boxes")} on ` +
      `${Counted(levels, "level", "levels")}, ${fresh} changed since ` +
      `the last frame; ${built === "" ? "not rebuilt" : built} in the last update; ${Counted(tree.staged, "staged body", "staged bodies")}` +
      (tree.leftOut > 0 ? `; at least ${tree.leftOut} boxes are left out` : "");
  }
}

const Counted = (count, one, many) => `${count} ${count === 1 ? one : many}`;
const Times = (count) => count === 1 ? "once" : count === 2 ? "twice" : `${count} times`;

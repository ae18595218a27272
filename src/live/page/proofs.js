// The proofs: the list of counterexamples, the one that is open, and the progress of a check.

import {CheckProgress} from "./check.js";
import {h, Replace} from "./dom.js";
import {Proof} from "./proof.js";

const kAskEvery = 500;  // milliseconds, while the proofs are shown
const kFolders = {gallery: "Defects that the models kill", counterexamples: "What a check has found"};
const kNone = "There is no counterexample here yet. ./nowait gallery writes those of known defects; a check that fails writes its own.";

export class Proofs {
  // key: for a key that the page in the frame has not taken.
  constructor(key) {
    this.shown = false;
    this.ended = false;
    this.text = "";    // the list, as it came
    this.open = null;  // the path of the page in the frame
    this.token = new URLSearchParams(location.search).get("token") ?? "";
    this.check = new CheckProgress();
    this.hint = h("p", {class: "hint", role: "status"});
    this.list = h("div", {class: "proof-list"});
    this.frame = h("iframe", {class: "proof", title: "The counterexample"});
    this.proof = new Proof(this.frame, {key, load: () => this.Loaded()});
    this.stage = h("section", {class: "scene", "aria-label": "Counterexample", hidden: true}, this.hint, this.frame);
    this.side = h("section", {class: "text", "aria-label": "Proofs", hidden: true}, this.check.element, this.list);
  }

  Show(on) {
    this.shown = on;
    this.stage.hidden = this.side.hidden = !on;
    if (!on) this.proof.Pause(true);
    if (on) this.Ask();
  }

  // The program has: what is open stays usable.
  End() {
    this.ended = true;
    clearTimeout(this.timer);
  }

  AddressOf(path) { return `${path}?token=${encodeURIComponent(this.token)}`; }

  async Ask() {
    clearTimeout(this.timer);
    if (!this.shown || this.ended) return;
    const text = await fetch(this.AddressOf("/proofs")).then((answer) => answer.text(), () => null);
    if (text === null || this.ended) return;  // the page's notice says so
    this.Take(text);
    this.timer = setTimeout(() => this.Ask(), kAskEvery);
  }

  Take(text) {
    const {pages, left_out, check, check_error} = JSON.parse(text);
    this.check.Show(check, check_error, Date.now());
    const key = JSON.stringify([pages, left_out, this.open]);
    if (key === this.text) return;
    this.text = key;
    if (pages.length === 0) this.hint.textContent = kNone;
    else if (!this.open) this.Open(pages[0].path);
    if (!this.open) this.hint.hidden = false;
    Replace(this.list, Object.entries(kFolders).map(([folder, heading]) => this.ListOf(pages.filter((page) => page.folder === folder), heading)),
            left_out > 0 ? h("p", {class: "hint"}, `${left_out} more are not listed.`) : null);
    this.frame.hidden = !this.open;
  }

  ListOf(pages, heading) {
    return pages.length === 0 ? null : [h("h2", {}, heading), h("ul", {}, pages.map(({path, title}) =>
      h("li", {}, h("button", {type: "button", class: "small", "data-key": path, "aria-current": path === this.open ? "true" : null,
                               onclick: () => this.Choose(path)}, title))))];
  }

  Choose(path) {
    this.Open(path);
    this.Ask();  // marks it in the list
  }

  Open(path) {
    this.open = path;
    this.proof.Open(this.AddressOf(path));
  }

  Loaded() {
    this.hint.hidden = this.proof.inside !== null || !this.open;
    if (!this.hint.hidden) this.hint.textContent = "This file is no counterexample, or it is gone.";
  }
}

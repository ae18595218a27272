// The page: a source of scenes (a running program or a recording), the picture, the threads, the text.

import {Camera} from "./camera.js";
import {ChannelsOf, kModes, LegendOf} from "./colours.js";
import {Connection} from "./connection.js";
import {Controls, Point} from "./controls.js";
import {h} from "./dom.js";
import {Figures} from "./figures.js";
import {BodyLocks} from "./locks.js";
import {Pick} from "./pick.js";
import {Picture} from "./picture.js";
import {Proofs} from "./proofs.js";
import {Inflated} from "./recording.js";
import {Replay} from "./replay.js";
import {kPriorityChoices} from "./schedule.js";
import {kShade} from "./shadow.js";
import {kLinks, kThreads, kTree, Structures} from "./structures.js";
import {Timeline} from "./timeline.js";
import {Add, Conjugate, Dot, Rotate, Scale, Sub} from "./vectors.js";

const kFarthest = 1000;  // metres, of a ray
const kThrown = 25;     // metres a second
const kLifted = 3;       // metres
const kTextEvery = 250;  // milliseconds
const kLookEvery = 50;   // likewise
const kSlow = 100;       // likewise, of a picture

class Page {
  constructor(live) {
    this.camera = new Camera();
    this.mode = "island";
    this.picked = null;
    this.following = false;
    this.pulled = null;  // the body that is held, its grip, and the place that the grip is pulled to
    this.framed = false;
    this.stale = true;   // the picture: something that it shows has changed
    this.sky = null;     // the background, three channels; null: to be asked for
    this.came = 0;       // when the last message came
    this.texted = -Infinity;
    this.slices = [];    // of the text that is being renewed
    this.sliced = 0;     // when the last ones came
    this.looked = -Infinity;  // when the camera was sent
    this.view = "";           // as it was sent
    this.ticked = performance.now();
    this.timeline = new Timeline();
    this.structures = new Structures(() => this.Show());
    this.locks = new BodyLocks();
    this.figures = new Figures((slot) => this.PickBody(slot));
    this.controls = new Controls(this, live);
    this.proofs = new Proofs((event) => this.controls.Key(event));
    this.notice = h("p", {class: "notice", role: "status"}, live ? "Connecting." : "Opening the recording.");
    this.title = h("h1", {}, "nowait");
    this.canvas = h("canvas", {class: "picture", tabindex: 0, role: "application",
                               "aria-label": "The scene; the arrows turn it, the figures are below"});
    this.picture = new Picture(this.canvas);
    this.controls.ShowShadows(this.shadows = this.picture.works && !this.picture.isSlow);
    document.getElementById("page").append(
        h("header", {}, this.title, this.notice, this.views = live ? this.Views() : null),
        h("main", {}, this.scenery = h("div", {class: "scene"}, this.canvas, this.controls.legend, this.locks.element, this.structures.element),
          this.proofs.stage, this.controls.element, this.timeline.element, this.figures.element, this.proofs.side));
    if (!this.picture.works) this.canvas.replaceWith(h("p", {class: "hint"}, "This browser has no WebGL 2: the figures below are the scene."));
    Point(this.canvas, this);
    new ResizeObserver(() => this.Resize()).observe(this.canvas);
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => {
      this.sky = null;
      this.stale = true;
    });
  }

  get on() { return {message: () => this.OnMessage(), end: (words) => this.OnEnd(words)}; }

  OnEnd(words) {
    this.notice.textContent = words;
    this.proofs.End();
  }

  // Only a running program has proofs: they are files beside it.
  Views() {
    const view = (words, proving) => h("button", {type: "button", class: "view", title: "P", "aria-pressed": `${!proving}`,
                                                  onclick: () => this.Prove(proving)}, words);
    return h("nav", {class: "views", "aria-label": "Views"}, view("Scene", false), view("Proofs", true));
  }

  Prove(on) {
    if (!this.source.live) return;
    this.LetGo();
    this.proofs.Show(on);
    for (const element of [this.scenery, this.timeline.element, this.figures.element]) element.hidden = on;
    [...this.views.children].forEach((button, i) => button.setAttribute("aria-pressed", `${on === (i === 1)}`));
    this.controls.ShowView(on);
    this.stale = true;
  }

  // What the controls move: a scene, or the steps of a proof.
  get driven() { return this.proofs.shown ? this.proofs.proof : this.source; }

  Begin(source) {
    this.source = source;
    requestAnimationFrame((now) => this.Tick(now));
  }

  OnMessage() {
    const scene = this.source?.scene;
    if (!scene?.frame) return;
    // A program that rests, or is paused, goes on sending; its picture stays.
    if (!this.source.live || scene.changed || this.mode === "lock") {
      this.came = performance.now();
      this.stale = true;
    }
    if (!this.framed) {
      this.framed = true;
      this.camera.Frame(scene);
      this.title.textContent = scene.name;
      document.title = `${scene.name} - nowait`;
      this.notice.textContent = this.source.live ? "Live." : "A recording.";
      this.controls.seed.value = `${scene.frame.seed}`;
    }
    if (!scene.bodies.has(this.picked)) this.following = false;
    if (this.pulled && scene.bodies.get(this.pulled.body.slot) !== this.pulled.body) {
      this.pulled = null;
      this.source.LetGo();  // a pull on its way may have taken the slot's next body
    }
    if (this.pulled?.moved) this.SendPull();
    this.timeline.Add(scene);
  }

  Tick(now) {
    const started = performance.now();
    const source = this.source;
    source.Tick((now - this.ticked) / 1000);
    this.ticked = now;
    if (source.scene.frame) this.Draw(now);
    this.took = performance.now() - started;
    requestAnimationFrame((next) => this.Tick(next));
  }

  Draw(now) {
    const source = this.source;
    const scene = source.scene;
    this.controls.Show(this.driven);
    if (this.proofs.shown) return;
    this.Look(now);
    if (this.following) this.camera.target = [...scene.bodies.get(this.picked).now.position];
    const between = source.live ? (now - this.came) / (1000 * scene.frameSeconds) : source.time - source.at;
    const t = source.paused || source.ended ? 1 : Math.max(0, Math.min(1, between));
    // A picture between two messages is followed by another one.
    if (this.stale || this.drawn < 1) {
      this.picture.Draw(scene, this.camera, {t, mode: this.mode, picked: this.picked, sky: this.sky ??= this.Sky(),
                                             structures: this.structures, shadows: this.shadows});
      this.stale = false;
      this.drawn = t;
    }
    if (this.texted === -Infinity || (this.slices.length === 0 && now - this.texted >= kTextEvery)) {
      this.texted = now;
      this.slices = this.TextSlices();
    }
    // Where pictures take long, all slices at once: the text does not wait for pictures.
    const isSlow = now - this.sliced > kSlow;
    this.sliced = now;
    do {
      if (!this.slices[0]?.(source.scene)) this.slices.shift();
    } while (isSlow && this.slices.length > 0);
  }

  // The text and the timeline anew, a slice a frame: all of them at once take longer than a frame may. A slice that
  // returns true goes on in the next one.
  TextSlices() {
    return [
      (scene) => {
        this.controls.ShowLegend(LegendOf(this.mode, scene));
        this.locks.Show(scene, this.mode === "lock");
        this.structures.Show(scene);
      },
      () => this.timeline.Prepare(),
      () => this.timeline.PrepareGraph(),
      () => this.timeline.PreparePath(),
      ...kPriorityChoices.map((priorities) => () => this.timeline.PrepareTimes(priorities)),
      () => this.timeline.DrawPrepared(),
      () => this.timeline.SayPrepared(),
      (scene) => this.figures.Show(scene, this.timeline, this.picked),
    ];
  }

  // Tells the program where the camera is, for it to send what is in sight.
  Look(now) {
    if (now - this.looked < kLookEvery) return;
    const view = this.camera.View(this.shadows ? kShade : [0, 0, 0]);
    const words = `${view}`;
    if (words === this.view) return;
    [this.looked, this.view] = [now, words];
    this.source.Look(view);
  }

  Sky() { return ChannelsOf(getComputedStyle(document.documentElement).getPropertyValue("--sky").trim()); }

  Resize() {
    const scale = Math.min(2, devicePixelRatio || 1);
    this.canvas.width = Math.max(1, Math.round(this.canvas.clientWidth * scale));
    this.canvas.height = Math.max(1, Math.round(this.canvas.clientHeight * scale));
    this.camera.aspect = this.canvas.width / this.canvas.height;
    this.stale = true;
  }

  // What a link asks for behind its #, of a recording: frame=NUMBER, at which it stands; show=tree,links; colour=MODE.
  Ask(asked) {
    const frame = asked.get("frame") ?? "";
    if (/^\d{1,9}$/.test(frame)) {
      this.source.Pause(true);
      this.source.Seek(Number(frame));
    }
    const shown = new Set((asked.get("show") ?? "").split(","));
    if (shown.has("tree")) this.structures.Toggle(kTree);
    if (shown.has("links")) this.structures.Toggle(kLinks);
    if (kModes.includes(asked.get("colour"))) this.Mode(asked.get("colour"));
  }

  // --- What the controls do.
  Pause() { this.driven.Pause(!this.driven.paused); }
  Step(steps) { this.driven.Step(steps); }
  Speed(speed) { this.driven.Speed(speed); }
  Seek(frame) { this.driven.Seek(frame); }
  Reset() {
    if (this.proofs.shown) return this.proofs.proof.Reset();
    const text = this.controls.seed.value;
    const seed = /^\d{1,20}$/.test(text) ? BigInt(text) : 1n;
    this.timeline.Clear();
    this.source.Reset(seed === BigInt.asUintN(64, seed) ? seed : 1n);
  }
  Throw() {
    if (!this.source.live) return;
    const ahead = this.camera.forward;
    this.source.Throw(Add(this.camera.eye, Scale(ahead, 1.5)), Scale(ahead, kThrown));
  }
  Mode(mode) {
    this.mode = mode;
    this.controls.ShowMode(mode);
    this.timeline.coloursLanes = mode === "thread";
    this.Show();
  }
  Show() {
    this.stale = true;
    this.texted = -Infinity;
    this.AskForParts();
  }
  // Of a body that is picked, the text says what it is linked with, and where it is in its tree.
  AskForParts() {
    const ofPicked = this.picked === null ? 0 : kTree | kLinks;
    this.source.Show(this.structures.parts | ofPicked | (this.mode === "thread" ? kThreads : 0));
  }
  Shadows() {
    this.shadows = !this.shadows;
    this.stale = true;
    this.controls.ShowShadows(this.shadows);
  }
  Turn(yaw, pitch) {
    this.camera.Turn(yaw, pitch);
    this.stale = true;
  }
  Zoom(factor) {
    this.camera.Zoom(factor);
    this.stale = true;
  }
  Pan(right, ahead) {
    this.following = false;
    this.stale = true;
    this.camera.Pan(right, ahead);
  }
  Rise(up) {
    this.following = false;
    this.stale = true;
    this.camera.Rise(up);
  }
  // Either it flies or it follows a body: both move the point that the camera looks at.
  Fly() {
    this.following = false;
    this.SetFlight(!this.camera.flies);
  }
  SetFlight(on) {
    this.camera.flies = on;
    this.controls.ShowFlight(on);
  }
  Home() {
    this.following = false;
    this.stale = true;
    this.camera.Frame(this.source.scene);
  }
  PickAt(x, y) {
    const ray = this.camera.Ray(x, y);
    const {body} = Pick(this.source.scene, ray);
    this.source.Ray(ray.from, Scale(ray.direction, kFarthest));
    this.PickBody(body ? body.slot : null);
  }
  PickBody(slot) {
    if (slot !== this.pulled?.body.slot) this.LetGo();
    this.picked = slot;
    this.following = false;
    this.stale = true;
    this.AskForParts();
    this.figures.ShowPicked(this.source.scene, slot);
  }
  // Holds the picked body where the ray of a point of the picture meets it. False: it does not, and
  // the pointer is the camera's.
  Grab(x, y) {
    const picked = this.source.scene.bodies.get(this.picked);
    if (!this.source.live || !picked?.dynamic) return false;
    const ray = this.camera.Ray(x, y);
    const {body, distance} = Pick(this.source.scene, ray);
    if (body !== picked) return false;
    const place = Add(ray.from, Scale(ray.direction, distance));
    const grip = Rotate(Conjugate(body.now.rotation), Sub(place, body.now.position));
    this.pulled = {body, grip, place, depth: distance * Dot(ray.direction, this.camera.forward)};
    this.SendPull();
    return true;
  }
  // As far away as the grip was when it was taken.
  PullTo(x, y) {
    if (!this.pulled) return;
    const ray = this.camera.Ray(x, y);
    const far = this.pulled.depth / Dot(ray.direction, this.camera.forward);
    this.pulled.place = Add(ray.from, Scale(ray.direction, far));
    this.pulled.moved = true;
    if (this.source.paused) this.SendPull();  // no message will come
  }
  SendPull() {
    const {body, grip, place} = this.pulled;
    this.pulled.moved = false;
    this.source.Pull(body, grip, place);
  }
  LetGo() {
    if (!this.pulled) return;
    if (this.pulled.moved) this.SendPull();
    this.pulled = null;
    this.source.LetGo();
  }
  // For keys: holds the picked body above its place, or lets it go.
  Lift() {
    if (this.pulled) return this.LetGo();
    const body = this.source.scene.bodies.get(this.picked);
    if (!this.source.live || !body?.dynamic) return;
    this.pulled = {body, grip: [0, 0, 0], place: Add(body.now.position, [0, kLifted, 0])};
    this.SendPull();
  }
  Unpick() { this.PickBody(null); }
  Follow() {
    this.following = !this.following && this.source.scene.bodies.has(this.picked);
    if (this.following) this.SetFlight(false);
    this.stale = true;
  }
}

async function Main() {
  const recorded = document.getElementById("recording").textContent.trim();
  const page = new Page(recorded === "");
  globalThis.nowait = page;  // for the console, and for the tests
  if (recorded === "") {
    page.Begin(new Connection(page.on));
    return;
  }
  try {
    page.Begin(new Replay(await Inflated(recorded), page.on));
    page.OnMessage();
    page.Ask(new URLSearchParams(location.hash.slice(1)));
  } catch (error) {
    page.notice.textContent = `The recording cannot be read: ${error.message}.`;
  }
}

Main();

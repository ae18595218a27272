// The wire (docs/live-wire.md): a scene, from messages.

import {Below, Cursor, EventsOf, TypeOf, WireError} from "./cursor.js";
import {kLockWait} from "./marks.js";
import {kMostTexts, MessageSpans} from "./message_spans.js";
import {kKinds} from "./work_graph.js";

const kVersion = 7;
const kOldestVersion = 1;
const kSlots = 2 ** 21;  // of bodies, in a link
// The limits of src/live/reader.cc.
const kMostLocks = 1024;    // of bodies
const kMostVisits = 1024;   // of a ray
export const kMostLights = 32;  // of a scene
const kNoTask = 2 ** 32 - 1;
const kPriorities = 3;     // of tasks
export const kShapes = ["sphere", "box", "ground", "cylinder", "hull", "capsule", "mesh", "compound", "plane"];
const kNoIsland = -1;

// A list's next text.
function ReadText(list, cursor) { list[Below(kMostTexts, cursor.U32(), "the number of a name")] = cursor.Text(); }

export class Scene {
  constructor() { this.Clear(); }

  Clear() {
    this.name = "";
    this.frameSeconds = 1 / 30;
    this.placeUnit = 1 / 512;
    this.rotationUnit = 1 / 1448;
    this.lanes = [];
    this.names = [];
    this.layers = [];
    this.bodies = new Map();   // by slot
    this.grounds = new Map();  // by slot
    this.meshes = new Map();   // by slot
    this.hulls = new Map();    // by number
    this.compounds = new Map();  // likewise
    this.moved = [];           // bodies that the last message has moved
    this.spans = new MessageSpans();  // of the last message
    this.tasks = [];           // that threads have made, likewise; work_graph.js says what is in one
    this.trees = [];           // {layer, rebuilds, refits, staged, leftOut}
    this.boxes = new Map();    // of the trees, by node
    this.freshBoxes = [];      // that the last message has changed
    this.links = new Map();    // of the islands, by key
    this.linksLeftOut = 0;
    this.changed = false;      // by the last message, in what the picture shows
    this.ray = null;           // of the last message: {origin, translation, fraction, hit, bodies, leftOut, visits}
    this.lights = [];          // that shine on what is in sight: {position, reach, colour}
    this.lightsOfScene = 0;    // how many there are
    this.locks = null;         // of the last update
    this.bodyLocks = 0;        // how many there are; 0: unknown
    this.lockWaits = new Map();  // so far: {waits, time} by lock
    this.mostLockWaits = 0;      // for one lock
    this.frame = null;
    this.shapes = 0;           // rises when a ground or a mesh comes or goes, or a hull comes
  }

  Read(bytes) {
    for (const body of this.moved) body.before = body.now;
    this.moved = [];
    this.spans = new MessageSpans();
    this.tasks = [];
    this.changed = this.freshBoxes.length > 0 || this.ray !== null;
    this.ray = null;
    for (const box of this.freshBoxes) box.fresh = false;
    this.freshBoxes = [];
    for (const {type, content} of EventsOf(bytes)) {
      const read = kReaders.get(type);
      if (read) read(this, new Cursor(content));
      this.changed ||= !kOfTheText.has(type);
    }
  }

  BodyAt(slot) {
    const body = this.bodies.get(slot);
    if (!body) throw new WireError(`there is no body ${slot}`);
    return body;
  }

  // The waits for a lock, as a part of those for the lock with the most.
  HeatOfLock(lock) { return (this.lockWaits.get(lock)?.waits ?? 0) / Math.max(1, this.mostLockWaits); }
  LockOf(body) { return body.slot % this.bodyLocks; }

  // As it is now; what is never changed in place is shared.
  Copy() {
    const copy = Object.assign(new Scene(), this);
    copy.lanes = [...this.lanes];
    copy.names = [...this.names];
    copy.layers = [...this.layers];
    copy.links = new Map(this.links);
    copy.lockWaits = new Map([...this.lockWaits].map(([lock, sums]) => [lock, {...sums}]));
    copy.boxes = new Map([...this.boxes].map(([node, box]) => [node, {...box, numbers: [...box.numbers]}]));
    copy.freshBoxes = [...copy.boxes.values()].filter((box) => box.fresh);
    copy.grounds = new Map(this.grounds);
    copy.meshes = new Map(this.meshes);
    copy.hulls = new Map(this.hulls);
    copy.compounds = new Map(this.compounds);
    copy.bodies = new Map();
    for (const [slot, body] of this.bodies) {
      const now = {position: [...body.now.position], rotation: [...body.now.rotation]};
      copy.bodies.set(slot, {...body, now, before: now, spare: null, numbers: [...body.numbers]});
    }
    copy.moved = [];
    return copy;
  }
}

// Of a body now and before, both of which are written anew while it moves. Objects that are made for each message live
// until the next one, and such are dear to the collector of garbage.
const NewPlace = () => ({position: [0, 0, 0], rotation: [0, 0, 0, 1]});

function ReadRotation(numbers, largest, unit, parts) {
  let squares = 0;
  let next = 3;
  for (let i = 0; i < 4; ++i) {
    if (i === largest) continue;
    parts[i] = numbers[next++] * unit;
    squares += parts[i] * parts[i];
  }
  parts[largest] = Math.sqrt(Math.max(0, 1 - squares));
  if (squares > 1) {  // the three leave no room for the fourth
    const scale = 1 / Math.sqrt(squares);
    for (let i = 0; i < 4; ++i) parts[i] *= scale;
  }
}

function ReadHello(scene, cursor) {
  const version = cursor.U32();
  if (version < kOldestVersion || version > kVersion) {
    throw new WireError(`the wire has version ${version}, this page ${kVersion}`);
  }
  scene.Clear();
  scene.version = version;
  scene.frameSeconds = cursor.F32();
  scene.placeUnit = cursor.F32();
  scene.rotationUnit = cursor.F32();
  scene.name = cursor.Text();
}

function ReadGround(scene, cursor) {
  const slot = cursor.U32();
  scene.BodyAt(slot);
  const ground = {columns: cursor.U32(), rows: cursor.U32(), spacing: cursor.F32()};
  const low = cursor.F32();
  const unit = cursor.F32();
  if (cursor.left !== ground.columns * ground.rows * 2) throw new WireError("a ground has other samples");
  ground.heights = Float32Array.from({length: ground.columns * ground.rows}, () => low + unit * cursor.U16());
  scene.grounds.set(slot, ground);
  ++scene.shapes;
}

function ReadHoles(scene, cursor) {
  const ground = scene.grounds.get(cursor.U32());
  if (ground === undefined) throw new WireError("holes of no ground");
  ground.holes = new Uint8Array((ground.columns - 1) * (ground.rows - 1));
  for (let end = 0; cursor.left > 0;) {
    const first = end + cursor.Varint();
    end = first + cursor.Varint();
    if (end === first || end > ground.holes.length) throw new WireError("a ground has no such cells");
    ground.holes.fill(1, first, end);
  }
}

function ReadMesh(scene, cursor) {
  const slot = cursor.U32();
  scene.BodyAt(slot);
  const [vertices, triangles] = [cursor.U32(), cursor.U32()];
  if (cursor.left !== 12 * (vertices + triangles)) throw new WireError("a mesh has another size");
  const mesh = {
    vertices: Float32Array.from({length: 3 * vertices}, () => cursor.F32()),
    corners: Uint32Array.from({length: 3 * triangles}, () => cursor.U32()),
  };
  if (mesh.corners.some((corner) => corner >= vertices)) throw new WireError("a mesh has no such vertex");
  scene.meshes.set(slot, mesh);
  ++scene.shapes;
}

function ReadHull(scene, cursor) {
  const number = cursor.U32();
  const count = cursor.U32();
  const hull = {vertices: [], faces: []};
  for (let i = 0; i < count; ++i) hull.vertices.push([cursor.F32(), cursor.F32(), cursor.F32()]);
  while (cursor.left > 0) {
    const face = Array.from({length: cursor.Varint()}, () => cursor.U8());
    if (face.some((corner) => corner >= count)) throw new WireError("a hull has no such vertex");
    hull.faces.push(face);
  }
  hull.half = [0, 1, 2].map((axis) => Math.max(...hull.vertices.map((vertex) => Math.abs(vertex[axis]))));
  scene.hulls.set(number, hull);
  ++scene.shapes;
}

function ReadCompound(scene, cursor) {
  const number = cursor.U32();
  const children = [];
  const floats = (count) => Array.from({length: count}, () => cursor.F32());
  while (cursor.left > 0) {
    children.push({shape: cursor.U32(), size: floats(3), position: floats(3), rotation: floats(4)});
  }
  scene.compounds.set(number, children);
}

function ReadGone(scene, cursor) {
  while (cursor.left > 0) {
    const slot = cursor.U32();
    scene.BodyAt(slot).gone = true;
    scene.bodies.delete(slot);
    if (scene.grounds.delete(slot) || scene.meshes.delete(slot)) ++scene.shapes;
  }
}

function ReadBodies(scene, cursor) {
  while (cursor.left > 0) {
    const slot = cursor.U32();
    const body = {
      slot, generation: cursor.U32(), shape: cursor.U32(), dynamic: cursor.U32() === 1,
      size: [cursor.F32(), cursor.F32(), cursor.F32()],
      numbers: [0, 0, 0, 0, 0, 0], largest: 3, island: kNoIsland, asleep: false, lane: -1, gone: false,
      inSight: true,  // otherwise the rest is as it was when it was seen last
    };
    const layer = cursor.U32();
    body.layer = scene.version === kOldestVersion ? Number(body.dynamic) : layer;
    body.now = body.before = NewPlace();
    body.spare = null;  // a place for the next one
    body.isNew = true;
    scene.bodies.set(slot, body);
  }
}

function ReadPlaces(scene, cursor) {
  let next = 0;
  while (cursor.left > 0) {
    const word = cursor.Varint();
    const body = scene.BodyAt(next + Math.floor(word / 2));
    if (word % 2 === 1) body.largest = cursor.U8();
    for (let i = 0; i < 6; ++i) body.numbers[i] += cursor.Signed();
    const {numbers} = body;
    const place = body.spare ?? NewPlace();
    for (let i = 0; i < 3; ++i) place.position[i] = numbers[i] * scene.placeUnit;
    ReadRotation(numbers, body.largest, scene.rotationUnit, place.rotation);
    body.spare = body.now;
    body.now = place;
    if (body.isNew) body.before = body.now;
    body.isNew = false;
    scene.moved.push(body);
    next = body.slot + 1;
  }
}

function ReadStates(scene, cursor) {
  let next = 0;
  while (cursor.left > 0) {
    const body = scene.BodyAt(next + cursor.Varint());
    const state = cursor.Varint();
    body.asleep = state % 2 === 1;
    body.island = Math.floor(state / 2) - 1;
    next = body.slot + 1;
  }
}

function ReadSpans(scene, cursor) {
  scene.spans.Add(scene.version, cursor.bytes, (span) => {
    if (span.about !== null && scene.names[span.name] === kLockWait) NoteLockWait(scene, span);
  });
}

function ReadTasks(scene, cursor) {
  let time = cursor.U64();
  const number = () => Below(kNoTask, cursor.Varint(), "a task's number");
  while (cursor.left > 0) {
    const lane = Below(kMostTexts, cursor.Varint(), "a lane");
    const word = Below(kPriorities * 64, cursor.Varint(), "the word of a task");
    const record = {lane, task: number(), parent: (word & 1) === 0 ? null : number(), dependency: (word & 2) === 0 ? null : number(),
                    kind: kKinds[Below(kKinds.length, word >> 3 & 7, "the kind of a task")], priority: word >> 6, bound: (word & 4) !== 0};
    time += cursor.Signed();
    scene.tasks.push({...record, time});
  }
}

function NoteLockWait(scene, {about, begin, end}) {
  const sums = scene.lockWaits.get(about) ?? {waits: 0, time: 0};
  scene.lockWaits.set(about, sums);
  scene.mostLockWaits = Math.max(scene.mostLockWaits, ++sums.waits);
  sums.time += end - begin;
}

function ReadThreads(scene, cursor) {
  let next = 0;
  while (cursor.left > 0) {
    const body = scene.BodyAt(next + cursor.Varint());
    body.lane = Below(kMostTexts + 1, cursor.Varint(), "a lane") - 1;
    next = body.slot + 1;
  }
}

function ReadSight(scene, cursor, inSight) {
  let next = 0;
  while (cursor.left > 0) {
    const body = scene.BodyAt(next + cursor.Varint());
    if (body.inSight === inSight) throw new WireError(`body ${body.slot} is ${inSight ? "in" : "out of"} sight already`);
    body.inSight = inSight;
    body.isNew = inSight;  // it comes from nowhere: no picture is between its places
    next = body.slot + 1;
  }
}

function ReadTree(scene, cursor) {
  scene.trees = Array.from({length: cursor.Varint()}, () => ({
    layer: cursor.Varint(), rebuilds: cursor.Varint(), refits: cursor.Varint(), staged: cursor.Varint(),
    leftOut: cursor.Varint(),
  }));
  let next = 0;
  while (cursor.left > 0) {
    const node = next + cursor.Varint();
    const word = cursor.Varint();
    next = node + 1;
    scene.changed = true;
    if (word === 0) {
      scene.boxes.delete(node);
      continue;
    }
    const numbers = scene.boxes.get(node)?.numbers ?? [0, 0, 0, 0, 0, 0];
    const box = {
      node, layer: word >> 1 & 15, open: (word >> 5 & 1) === 1, changed: (word >> 6 & 1) === 1,
      bodies: word >> 7 & 7, level: Math.floor(word / 1024),
      numbers: numbers.map((number) => number + cursor.Signed()), fresh: true,
    };
    box.low = box.numbers.slice(0, 3).map((number) => number * scene.placeUnit);
    box.high = box.numbers.slice(3).map((number) => number * scene.placeUnit);
    scene.boxes.set(node, box);
    scene.freshBoxes.push(box);
  }
}

function ReadLinks(scene, cursor) {
  scene.linksLeftOut = cursor.Varint();
  let key = 0;
  while (cursor.left > 0) {
    key += cursor.Varint();
    scene.changed = true;
    const pair = Math.floor(key / 2);
    if (!scene.links.delete(key)) {
      scene.links.set(key, {a: Math.floor(pair / kSlots), b: pair % kSlots, joint: key % 2 === 1});
    }
  }
}

function ReadRay(scene, cursor) {
  const vector = () => [cursor.F32(), cursor.F32(), cursor.F32()];
  const ray = {origin: vector(), translation: vector(), fraction: cursor.F32(), hit: cursor.Varint() - 1,
               bodies: cursor.Varint(), leftOut: cursor.Varint(), visits: []};
  if (![...ray.origin, ...ray.translation].every(Number.isFinite) || !(ray.fraction >= 0 && ray.fraction <= 1)) {
    throw new WireError("the way of a ray is no way");
  }
  Below(kSlots, ray.hit, "a body");
  let numbers = [0, 0, 0, 0, 0, 0];
  while (cursor.left > 0) {
    Below(kMostVisits, ray.visits.length, "the number of a visit");
    numbers = numbers.map((number) => number + cursor.Signed());
    if (numbers.some((number) => number !== (number | 0))) throw new WireError("a box is too far away");
    const [low, high] = [numbers.slice(0, 3), numbers.slice(3)].map((half) => half.map((number) => number * scene.placeUnit));
    ray.visits.push({low, high});
  }
  scene.ray = ray;
}

function ReadLights(scene, cursor) {
  const ofScene = Below(kMostLights + 1, cursor.U32(), "the number of lights");
  const vector = () => [cursor.F32(), cursor.F32(), cursor.F32()];
  const lights = [];
  while (cursor.left > 0) {
    const light = {position: vector(), reach: cursor.F32(), colour: vector()};
    if (![...light.position, light.reach, ...light.colour].every(Number.isFinite) || light.reach < 0) {
      throw new WireError("a light shines nowhere");
    }
    lights.push(light);
  }
  Below(ofScene + 1, lights.length, "the number of lights");
  [scene.lights, scene.lightsOfScene] = [lights, ofScene];
}

function ReadBodyLocks(scene, cursor) {
  const locks = cursor.U32();
  if (locks < 1 || locks > kMostLocks || cursor.left > 0) throw new WireError(`there are ${locks} body locks`);
  scene.bodyLocks = locks;
}

function ReadLocks(scene, cursor) {
  scene.locks = {acquisitions: cursor.Varint(), contended: cursor.Varint(), waited: cursor.Varint(),
                 waitingNodes: cursor.Varint(), stepsHeld: cursor.Varint()};
}

function ReadFrame(scene, cursor) {
  scene.frame = {
    number: cursor.U64(), step: cursor.U64(), begin: cursor.U64(), end: cursor.U64(), seed: cursor.BigU64(),
    paused: cursor.U32() === 1, speed: cursor.U32() / 1000, bodies: cursor.U32(), awake: cursor.U32(),
    pairs: cursor.U32(), contacts: cursor.U32(), islands: cursor.U32(), largestIsland: cursor.U32(),
    phases: [cursor.U32(), cursor.U32(), cursor.U32(), cursor.U32(), cursor.U32()],
    dropped: cursor.U32(), lostSpans: cursor.U32(),
  };
}

const kReaders = new Map([
  ["LvHi", ReadHello],
  ["LvLn", (scene, cursor) => ReadText(scene.lanes, cursor)],
  ["LvNm", (scene, cursor) => ReadText(scene.names, cursor)],
  ["LvGd", ReadGround], ["LvHl", ReadHoles], ["LvMe", ReadMesh], ["LvHu", ReadHull], ["LvCo", ReadCompound], ["LvGo", ReadGone], ["LvBo", ReadBodies], ["LvPl", ReadPlaces],
  ["LvOu", (scene, cursor) => ReadSight(scene, cursor, false)], ["LvIn", (scene, cursor) => ReadSight(scene, cursor, true)],
  ["LvSt", ReadStates], ["LvTh", ReadThreads], ["LvSp", ReadSpans], ["LvTk", ReadTasks], ["LvTr", ReadTree], ["LvLk", ReadLinks], ["LvRa", ReadRay], ["LvLo", ReadLocks], ["LvLi", ReadLights],
  ["LvLy", (scene, cursor) => ReadText(scene.layers, cursor)],
  ["LvBl", ReadBodyLocks],
  ["LvFr", ReadFrame],
].map(([name, read]) => [TypeOf(name), read]));

// Events that change the figures and the timeline alone, LvTr and LvLk where they have no box and no link; only the
// colours of locks show spans.
const kOfTheText = new Set(["LvNm", "LvSp", "LvTk", "LvTr", "LvLk", "LvLo", "LvFr"].map(TypeOf));

// A message of one command. parts: "u32", "u64" or "f32", and the value, in turn.
export function CommandOf(name, ...parts) {
  const sizes = {u32: 4, f32: 4, u64: 8};
  let size = 0;
  for (let i = 0; i < parts.length; i += 2) size += sizes[parts[i]];
  const view = new DataView(new ArrayBuffer(8 + Math.ceil(size / 8) * 8));
  view.setUint32(0, TypeOf(name), true);
  view.setUint32(4, size, true);
  let at = 8;
  for (let i = 0; i < parts.length; i += 2) {
    const [kind, value] = [parts[i], parts[i + 1]];
    if (kind === "u32") view.setUint32(at, value, true);
    if (kind === "f32") view.setFloat32(at, value, true);
    if (kind === "u64") view.setBigUint64(at, BigInt(value), true);
    at += sizes[kind];
  }
  return view.buffer;
}

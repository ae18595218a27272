// The picture: bodies and grounds, drawn by WebGL 2. One program draws every shape: a mesh, and for each
// instance a place, a rotation, a size and a colour. Over them come the structures, as segments.

import {ColourOf} from "./colours.js";
import {Box, Cylinder, Ground, Hull, Mesh, Sphere} from "./meshes.js";
import {PutRay} from "./ray.js";
import {Segments} from "./segments.js";
import {kSun, Shadow} from "./shadow.js";
import {kMostLights} from "./wire.js";
import {Add, Compose, FromUp, MixInto, MixRotationsInto, Rotate, Sub} from "./vectors.js";

const kVertex = `#version 300 es
layout(location = 0) in vec3 point;
layout(location = 1) in vec3 normal;
layout(location = 2) in vec3 place;
layout(location = 3) in vec4 rotation;
layout(location = 4) in vec3 size;
layout(location = 5) in vec3 colour;
uniform mat4 view;
uniform mat4 sunView;
out vec3 facing;
out vec3 paint;
out vec3 inSun;  // in the map of the shadow, each 0 .. 1
out vec3 where;
vec3 turned(vec3 v) {
  vec3 t = 2.0 * cross(rotation.xyz, v);
  return v + rotation.w * t + cross(rotation.xyz, t);
}
void main() {
  vec4 at = vec4(turned(point * size) + place, 1.0);
  gl_Position = view * at;
  inSun = (sunView * at).xyz * 0.5 + 0.5;
  where = at.xyz;
  facing = turned(normal);
  paint = colour;
}`;
const kFragment = `#version 300 es
precision highp float;
precision highp sampler2DShadow;
in vec3 facing;
in vec3 paint;
in vec3 inSun;
in vec3 where;
uniform vec3 sunAt;
uniform float day;  // 1; less where there are lamps
uniform int lamps;
uniform vec4 lampAt[${kMostLights}];  // the place, and how far it reaches
uniform vec3 lampColour[${kMostLights}];
uniform bool shadows;
uniform sampler2DShadow map;
out vec4 colour;
float lit() {
  bool outside = any(lessThan(inSun, vec3(0.0))) || any(greaterThan(inSun, vec3(1.0)));
  return !shadows || outside ? 1.0 : texture(map, inSun);
}
vec3 shine(vec3 normal) {
  vec3 sum = vec3(0.0);
  for (int i = 0; i < lamps; ++i) {
    vec3 way = lampAt[i].xyz - where;
    float near = max(0.0, 1.0 - length(way) / lampAt[i].w);
    sum += lampColour[i] * near * near * max(dot(normal, normalize(way)), 0.0);
  }
  return sum;
}
void main() {
  vec3 normal = normalize(facing);
  float sun = max(dot(normal, sunAt), 0.0) * lit();
  float sky = 0.5 + 0.5 * normal.y;
  colour = vec4(paint * (day * (0.22 + 0.28 * sky + 0.62 * sun) + 1.5 * shine(normal)), 1.0);
}`;
const kDusk = 0.35;  // of the day's light
const kLamp = 0.12;  // metres, the radius of what is drawn of a lamp
const kNumbers = 13;  // of an instance
const kGround = [0.50, 0.53, 0.46];
const kPicked = [1, 1, 1];
const kPlane = 500;  // metres: a plane has no end, and a part of it is drawn; half its extent

export class Picture {
  constructor(canvas) {
    this.canvas = canvas;
    this.gl = canvas.getContext("webgl2", {antialias: true});
    this.places = new Map();  // of a body as drawn last: what a test and the pick look at
    this.boxes = [];          // of the trees, likewise
    this.links = [];          // of the islands, likewise
    this.rotation = [0, 0, 0, 1];  // of the body that is drawn
    if (this.gl) this.Start();
  }

  get works() { return this.gl !== null; }

  Start() {
    const gl = this.gl;
    const program = (vertex, fragment) => this.MakeProgram(vertex, fragment);
    this.program = program(kVertex, kFragment);
    this.segments = new Segments(gl, program);
    this.shadow = new Shadow(gl, program, this.isSlow);
    if (!this.program || !this.segments.program || !this.shadow.program) {
      this.gl = null;
      return;
    }
    this.at = Object.fromEntries(["view", "sunView", "sunAt", "shadows", "map", "day", "lamps", "lampAt", "lampColour"].map((name) => [name, gl.getUniformLocation(this.program, name)]));
    this.boxLines = this.segments.Make();
    this.linkLines = this.segments.Make();
    this.rayLines = this.segments.Make();
    this.sphere = this.MakeBatch(Sphere());
    this.box = this.MakeBatch(Box());
    this.cylinder = this.MakeBatch(Cylinder());
    this.grounds = new Map();  // by slot
    this.meshes = new Map();   // by slot
    this.hulls = new Map();    // by number
    gl.enable(gl.DEPTH_TEST);
    gl.enable(gl.CULL_FACE);
  }

  // Whether the processor draws, and not a graphics card.
  get isSlow() {
    const named = this.gl.getExtension("WEBGL_debug_renderer_info");
    return /swiftshader|llvmpipe|software/i.test(named ? this.gl.getParameter(named.UNMASKED_RENDERER_WEBGL) : "");
  }

  MakeProgram(vertex, fragment) {
    const gl = this.gl;
    const program = gl.createProgram();
    for (const [kind, text] of [[gl.VERTEX_SHADER, vertex], [gl.FRAGMENT_SHADER, fragment]]) {
      const shader = gl.createShader(kind);
      gl.shaderSource(shader, text);
      gl.compileShader(shader);
      gl.attachShader(program, shader);
    }
    gl.linkProgram(program);
    return gl.getProgramParameter(program, gl.LINK_STATUS) ? program : null;
  }

  MakeBatch(mesh) {
    const gl = this.gl;
    const batch = {array: gl.createVertexArray(), mesh: gl.createBuffer(), instances: gl.createBuffer(),
                   vertices: mesh.length / 6, numbers: new Float32Array(0), count: 0};
    gl.bindVertexArray(batch.array);
    gl.bindBuffer(gl.ARRAY_BUFFER, batch.mesh);
    gl.bufferData(gl.ARRAY_BUFFER, mesh, gl.STATIC_DRAW);
    this.Attribute(0, 3, 24, 0, 0);
    this.Attribute(1, 3, 24, 12, 0);
    gl.bindBuffer(gl.ARRAY_BUFFER, batch.instances);
    let at = 0;
    for (const [location, parts] of [[2, 3], [3, 4], [4, 3], [5, 3]]) {
      this.Attribute(location, parts, 4 * kNumbers, 4 * at, 1);
      at += parts;
    }
    return batch;
  }

  Attribute(location, parts, stride, offset, divisor) {
    const gl = this.gl;
    gl.enableVertexAttribArray(location);
    gl.vertexAttribPointer(location, parts, gl.FLOAT, false, stride, offset);
    gl.vertexAttribDivisor(location, divisor);
  }

  UpdateMeshes(scene) {
    if (this.drawnScene === scene && this.drawnShapes === scene.shapes) return;
    [this.drawnScene, this.drawnShapes] = [scene, scene.shapes];
    this.Renew(this.grounds, scene.grounds, Ground);
    this.Renew(this.meshes, scene.meshes, Mesh);
    this.Renew(this.hulls, scene.hulls, Hull);
  }

  // Makes the batches of shapes that have none yet. Copies of a scene share their shapes, and so the batches.
  Renew(batches, shapes, meshOf) {
    for (const [key, batch] of batches) {
      if (shapes.get(key) === batch.shape) continue;
      this.gl.deleteVertexArray(batch.array);
      this.gl.deleteBuffer(batch.mesh);
      this.gl.deleteBuffer(batch.instances);
      batches.delete(key);
    }
    for (const [key, shape] of shapes) {
      if (!batches.has(key)) batches.set(key, Object.assign(this.MakeBatch(meshOf(shape)), {shape}));
    }
  }

  // t: how far from the message before (0) to the last one (1). sky: the background, three channels.
  Draw(scene, camera, {t, mode, picked, sky, structures, shadows}) {
    if (this.gl) {
      this.UpdateMeshes(scene);
      for (const batch of this.Batches()) batch.count = 0;
    }
    let drawn = 0;
    for (const body of scene.bodies.values()) {
      if (!body.inSight) continue;
      ++drawn;
      const still = t >= 1 || body.before === body.now;
      const before = still ? body.now : body.before;
      const place = MixInto(this.PlaceOf(body.slot), before.position, body.now.position, t);
      if (!this.gl) continue;
      const rotation = still ? body.now.rotation : MixRotationsInto(this.rotation, before.rotation, body.now.rotation, t);
      const colour = body.slot === picked ? kPicked : ColourOf(body, mode, scene);
      if (body.shape === 6 && this.meshes.has(body.slot)) {
        Put(this.meshes.get(body.slot), place, rotation, 1, 1, 1, body.slot === picked ? kPicked : kGround);
        continue;
      }
      const children = ChildrenOf(scene, body);
      if (children) {
        for (const child of children) {
          this.PutShape(child, Add(place, Rotate(rotation, child.position)), Compose(rotation, child.rotation), colour);
        }
      } else if (body.shape === 8) {
        Put(this.box, place, Compose(rotation, FromUp(body.size)), kPlane, 0, kPlane, body.slot === picked ? kPicked : kGround);
      } else if (body.shape !== 2) {
        this.PutShape(body, place, rotation, colour);
      }
    }
    if (this.places.size > drawn) this.ForgetPlaces(scene);
    // Boxes do not move between two messages.
    const seen = `${scene.frame.number} ${structures.parts} ${structures.layer} ${structures.level} ${sky}`;
    const sameBoxes = this.seenBoxes === seen && this.seenScene === scene;
    if (!sameBoxes) this.boxes = structures.Boxes(scene);
    this.links = structures.Links(scene);
    if (!this.gl) return;
    if (!sameBoxes) {
      structures.PutBoxes(this.boxes, sky, this.segments, this.boxLines);
      PutRay(structures.hasRay ? scene : {ray: null}, this.segments, this.rayLines);
    }
    [this.seenBoxes, this.seenScene] = [seen, scene];
    structures.PutLinks(this.links, scene, this.places, this.segments, this.linkLines);
    for (const [slot, batch] of this.grounds) {
      if (scene.bodies.get(slot).inSight) Put(batch, scene.bodies.get(slot).now.position, [0, 0, 0, 1], 1, 1, 1, kGround);
    }
    for (const {position, colour} of scene.lights) Put(this.sphere, position, [0, 0, 0, 1], kLamp, kLamp, kLamp, colour);
    const day = scene.lightsOfScene > 0 ? kDusk : 1;
    this.Paint(camera, sky.map((part) => part * day), {lights: scene.lights, day, shadows: shadows && this.shadow.works});
  }

  // The place of a body as it is drawn, to be written.
  PlaceOf(slot) {
    let place = this.places.get(slot);
    if (!place) this.places.set(slot, place = [0, 0, 0]);
    return place;
  }
  ForgetPlaces(scene) {
    for (const slot of this.places.keys()) {
      if (!scene.bodies.get(slot)?.inSight) this.places.delete(slot);
    }
  }

  Batches() { return [...this.grounds.values(), ...this.meshes.values(), ...this.hulls.values(), this.box, this.sphere, this.cylinder]; }

  // A convex shape; a small box marks the place of one that is not drawn yet.
  PutShape({shape, size}, place, rotation, colour) {
    if (shape === 0) {
      Put(this.sphere, place, rotation, size[0], size[0], size[0], colour);
    } else if (shape === 1) {
      Put(this.box, place, rotation, size[0], size[1], size[2], colour);
    } else if (shape === 3 || shape === 5) {
      const radius = size[0];
      Put(this.cylinder, place, rotation, radius, size[1], radius, colour);
      if (shape === 3) return;
      const end = Rotate(rotation, [0, size[1], 0]);
      Put(this.sphere, Sub(place, end), rotation, radius, radius, radius, colour);
      Put(this.sphere, Add(place, end), rotation, radius, radius, radius, colour);
    } else if (shape === 4 && this.hulls.has(size[0])) {
      Put(this.hulls.get(size[0]), place, rotation, 1, 1, 1, colour);
    } else {
      Put(this.box, place, rotation, 0.1, 0.1, 0.1, colour);
    }
  }

  Paint(camera, sky, {lights, day, shadows}) {
    const gl = this.gl;
    const batches = this.Batches().filter((batch) => batch.count > 0);
    for (const batch of batches) {
      gl.bindBuffer(gl.ARRAY_BUFFER, batch.instances);
      gl.bufferData(gl.ARRAY_BUFFER, batch.numbers.subarray(0, batch.count * kNumbers), gl.DYNAMIC_DRAW);
    }
    const paint = () => {
      for (const batch of batches) {
        gl.bindVertexArray(batch.array);
        gl.drawArraysInstanced(gl.TRIANGLES, 0, batch.vertices, batch.count);
      }
    };
    const sunView = this.shadow.Matrix(camera);
    if (shadows) this.shadow.Fill(sunView, paint);
    gl.viewport(0, 0, this.canvas.width, this.canvas.height);
    gl.clearColor(...sky, 1);
    gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT);
    gl.useProgram(this.program);
    const view = camera.Matrix();
    gl.uniformMatrix4fv(this.at.view, false, view);
    gl.uniformMatrix4fv(this.at.sunView, false, sunView);
    gl.uniform3fv(this.at.sunAt, kSun);
    gl.uniform1i(this.at.shadows, shadows ? 1 : 0);
    gl.uniform1i(this.at.map, 0);
    gl.uniform1f(this.at.day, day);
    gl.uniform1i(this.at.lamps, lights.length);
    if (lights.length > 0) {
      gl.uniform4fv(this.at.lampAt, lights.flatMap(({position, reach}) => [...position, reach]));
      gl.uniform3fv(this.at.lampColour, lights.flatMap(({colour}) => colour));
    }
    gl.bindTexture(gl.TEXTURE_2D, this.shadow.map);
    paint();
    this.segments.Paint(this.boxLines, view, this.canvas.width, this.canvas.height, false);
    this.segments.Paint(this.linkLines, view, this.canvas.width, this.canvas.height, true);
    this.segments.Paint(this.rayLines, view, this.canvas.width, this.canvas.height, true);
  }
}

const ChildrenOf = (scene, body) => body.shape === 7 ? scene.compounds.get(body.size[0]) : undefined;

// Adds an instance. The size as three numbers: an array for each instance would be garbage.
function Put(batch, place, rotation, x, y, z, colour) {
  const at = batch.count++ * kNumbers;
  if (at === batch.numbers.length) Grow(batch);
  const numbers = batch.numbers;
  for (let i = 0; i < 3; ++i) {
    numbers[at + i] = place[i];
    numbers[at + 10 + i] = colour[i];
  }
  for (let i = 0; i < 4; ++i) numbers[at + 3 + i] = rotation[i];
  numbers[at + 7] = x;
  numbers[at + 8] = y;
  numbers[at + 9] = z;
}

function Grow(batch) {
  const before = batch.numbers;
  batch.numbers = new Float32Array(Math.max(kNumbers, 2 * before.length));
  batch.numbers.set(before);
}

// The camera: it goes round a point, nearer and farther, and moves that point over the ground. Or it flies: it turns
// about itself, and goes where it looks.

import {Add, Cross, LookAt, Multiply, Perspective, Scale, Sub, Unit} from "./vectors.js";
import {kShapes} from "./wire.js";

const kAngle = 0.9;  // of view, in radians
const kSteepest = 1.5;
const kLowest = -0.2;  // round a point: from a little below it
const kMargin = 1.2;  // of what the program is asked for, round what is seen: a camera turns before the answer comes
const kFarthestSent = 1e5;  // metres, of a place in a command
const kSmall = 2;     // metres, of a size
const kPlainShapes = ["sphere", "box", "cylinder", "capsule"];  // whose sizes are lengths

// A fixed body that is small may be a character's, or a part of the course on which it walks.
const IsFramed = ({dynamic, shape, size}) => dynamic || (kPlainShapes.includes(kShapes[shape]) && Math.max(...size) < kSmall);

export class Camera {
  constructor() {
    this.target = [0, 0, 0];
    this.yaw = 0.7;
    this.pitch = 0.45;
    this.distance = 30;  // from the point; of a flight its steps are parts of it
    this.aspect = 1;
    this.flies = false;
  }

  // So that the bodies that can move are in sight, and stay there when they fall; and small ones.
  Frame(scene) {
    const places = [...scene.bodies.values()].filter(IsFramed).map((body) => body.now.position);
    if (places.length === 0) return;
    const low = [0, 1, 2].map((i) => Math.min(...places.map((p) => p[i])));
    const high = [0, 1, 2].map((i) => Math.max(...places.map((p) => p[i])));
    this.target = Scale(Add(low, high), 0.5);
    this.target[1] = low[1] + 0.25 * (high[1] - low[1]);
    const size = Math.hypot(...Sub(high, low));
    this.distance = Math.max(6, 0.85 * size / Math.min(1, this.aspect) + 4);
    this.yaw = 0.7;
    this.pitch = 0.45;
  }

  get forward() {
    return [-Math.sin(this.yaw) * Math.cos(this.pitch), -Math.sin(this.pitch),
            -Math.cos(this.yaw) * Math.cos(this.pitch)];
  }
  get right() { return Unit(Cross(this.forward, [0, 1, 0])); }
  get up() { return Cross(this.right, this.forward); }
  get eye() { return Sub(this.target, Scale(this.forward, this.distance)); }

  Turn(yaw, pitch) {
    const eye = this.eye;
    this.yaw += yaw;
    this.pitch = Math.max(this.flies ? -kSteepest : kLowest, Math.min(kSteepest, this.pitch + pitch));
    if (this.flies) this.target = Add(eye, Scale(this.forward, this.distance));
  }
  Zoom(factor) { this.distance = Math.max(1, Math.min(2000, this.distance * factor)); }
  // By parts of the height of what is seen. ahead: over the ground, or along the view of a flight.
  Pan(right, ahead) {
    const along = this.flies ? this.forward : Unit([this.forward[0], 0, this.forward[2]]);
    this.Move(Add(Scale(this.right, right), Scale(along, ahead)));
  }
  Rise(up) { this.Move([0, up, 0]); }
  Move(step) { this.target = Add(this.target, Scale(step, this.distance)); }

  get far() { return this.distance * 8 + 200; }

  Matrix() {
    const projection = Perspective(kAngle, this.aspect, Math.max(0.05, this.distance / 200), this.far);
    return Multiply(projection, LookAt(this.eye, this.forward, this.right, this.up));
  }

  // The numbers of a command that asks for what is in sight, and for what comes there on its way along `reach`. Null:
  // the camera is too far away for one.
  View(reach) {
    const up = kMargin * Math.tan(kAngle / 2);
    const side = Math.min(100, up * this.aspect);
    const eye = this.eye;
    if (eye.some((number) => Math.abs(number) > kFarthestSent)) return null;
    return [...eye, ...this.forward, ...this.up, -side, side, -up, up, this.far, ...reach];
  }

  // The ray through a point of the picture; x and y from -1 to 1.
  Ray(x, y) {
    const half = Math.tan(kAngle / 2);
    const across = Add(Scale(this.right, x * half * this.aspect), Scale(this.up, y * half));
    return {from: this.eye, direction: Unit(Add(this.forward, across))};
  }
}

// Which body a ray meets first.

import {Conjugate, Dot, Rotate, Sub} from "./vectors.js";

export function Pick(scene, ray) {
  let nearest = null;
  let distance = Infinity;
  for (const body of scene.bodies.values()) {
    const at = DistanceTo(body, ray);
    if (at < distance) [nearest, distance] = [body, at];
  }
  return nearest;
}

function DistanceTo(body, ray) {
  const from = Sub(ray.from, body.now.position);
  if (body.shape === 0) return ToSphere(from, ray.direction, body.size[0]);
  if (body.shape !== 1) return Infinity;
  const back = Conjugate(body.now.rotation);
  return ToBox(Rotate(back, from), Rotate(back, ray.direction), body.size);
}

function ToSphere(from, direction, radius) {
  const b = Dot(from, direction);
  const root = b * b - Dot(from, from) + radius * radius;
  if (root < 0) return Infinity;
  const at = -b - Math.sqrt(root);
  return at > 0 ? at : Infinity;
}

function ToBox(from, direction, half) {
  let enter = 0;
  let leave = Infinity;
  for (let i = 0; i < 3; ++i) {
    const a = (-half[i] - from[i]) / direction[i];
    const b = (half[i] - from[i]) / direction[i];
    enter = Math.max(enter, Math.min(a, b));
    leave = Math.min(leave, Math.max(a, b));
  }
  return enter <= leave && enter > 0 ? enter : Infinity;
}

// Which body a ray meets first, and how far away.

import {Conjugate, Dot, Length, Rotate, Sub} from "./vectors.js";

export function Pick(scene, ray) {
  let nearest = null;
  let distance = Infinity;
  for (const body of scene.bodies.values()) {
    if (!body.inSight) continue;
    const at = DistanceTo(scene, body, ray);
    if (at < distance) [nearest, distance] = [body, at];
  }
  return {body: nearest, distance};
}

// Of a cylinder, a hull, a capsule and a compound to a box around it.
function HalfOf(scene, body) {
  const [radius, half] = body.size;
  if (body.shape === 0) return [radius, radius, radius];
  if (body.shape === 7) return HalfOfCompound(scene, scene.compounds.get(radius) ?? []);
  if (body.shape === 1) return body.size;
  if (body.shape === 3) return [radius, half, radius];
  if (body.shape === 5) return [radius, half + radius, radius];
  return body.shape === 4 ? scene.hulls.get(body.size[0])?.half : undefined;
}

function HalfOfCompound(scene, children) {
  const reaches = children.map((child) => Length(HalfOf(scene, child) ?? [0, 0, 0]));
  return [0, 1, 2].map((axis) => Math.max(0, ...children.map((child, i) => Math.abs(child.position[axis]) + reaches[i])));
}

function DistanceTo(scene, body, ray) {
  const from = Sub(ray.from, body.now.position);
  if (body.shape === 0) return ToSphere(from, ray.direction, body.size[0]);
  if (body.shape === 8) return ToPlane(from, ray.direction, Rotate(body.now.rotation, body.size));
  const half = HalfOf(scene, body);
  if (!half) return Infinity;
  const back = Conjugate(body.now.rotation);
  return ToBox(Rotate(back, from), Rotate(back, ray.direction), half);
}

function ToSphere(from, direction, radius) {
  const b = Dot(from, direction);
  const root = b * b - Dot(from, from) + radius * radius;
  if (root < 0) return Infinity;
  const at = -b - Math.sqrt(root);
  return at > 0 ? at : Infinity;
}

function ToPlane(from, direction, normal) {
  const at = -Dot(from, normal) / Dot(direction, normal);
  return Dot(direction, normal) < 0 && at > 0 ? at : Infinity;
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

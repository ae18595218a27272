// Vectors and rotations as arrays, and matrices as WebGL takes them: column by column.

export const Add = (a, b) => [a[0] + b[0], a[1] + b[1], a[2] + b[2]];
export const Sub = (a, b) => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
export const Scale = (a, s) => [a[0] * s, a[1] * s, a[2] * s];
export const Dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
export const Cross = (a, b) =>
  [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
export const Length = (a) => Math.hypot(a[0], a[1], a[2]);
export const Unit = (a) => Scale(a, 1 / (Length(a) || 1));
export const Mix = (a, b, t) => MixInto([0, 0, 0], a, b, t);
// Thousands of places and rotations are mixed in a frame: into an array that is there.
export function MixInto(mixed, a, b, t) {
  for (let i = 0; i < 3; ++i) mixed[i] = a[i] + (b[i] - a[i]) * t;
  return mixed;
}

export function Rotate(q, v) {
  const axis = [q[0], q[1], q[2]];
  const t = Scale(Cross(axis, v), 2);
  return Add(Add(v, Scale(t, q[3])), Cross(axis, t));
}

// The rotation b and then a.
export const Compose = (a, b) => [
  a[3] * b[0] + a[0] * b[3] + a[1] * b[2] - a[2] * b[1],
  a[3] * b[1] - a[0] * b[2] + a[1] * b[3] + a[2] * b[0],
  a[3] * b[2] + a[0] * b[1] - a[1] * b[0] + a[2] * b[3],
  a[3] * b[3] - a[0] * b[0] - a[1] * b[1] - a[2] * b[2]];

// The shortest rotation of the y axis to a unit vector.
export function FromUp(to) {
  const q = to[1] > -1 ? [to[2], 0, -to[0], 1 + to[1]] : [1, 0, 0, 0];
  const length = Math.hypot(...q);
  return q.map((x) => x / length);
}

export const Conjugate = (q) => [-q[0], -q[1], -q[2], q[3]];

// Between two rotations, the short way.
export function MixRotationsInto(mixed, a, b, t) {
  const to = a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3] < 0 ? -t : t;
  const from = 1 - t;
  const x = a[0] * from + b[0] * to;
  const y = a[1] * from + b[1] * to;
  const z = a[2] * from + b[2] * to;
  const w = a[3] * from + b[3] * to;
  const scale = 1 / (Math.sqrt(x * x + y * y + z * z + w * w) || 1);
  mixed[0] = x * scale;
  mixed[1] = y * scale;
  mixed[2] = z * scale;
  mixed[3] = w * scale;
  return mixed;
}

export function Multiply(a, b) {
  const product = new Float32Array(16);
  for (let column = 0; column < 4; ++column) {
    for (let row = 0; row < 4; ++row) {
      let sum = 0;
      for (let i = 0; i < 4; ++i) sum += a[4 * i + row] * b[4 * column + i];
      product[4 * column + row] = sum;
    }
  }
  return product;
}

export function Perspective(angle, aspect, near, far) {
  const f = 1 / Math.tan(angle / 2);
  const depth = near - far;
  return new Float32Array([f / aspect, 0, 0, 0, 0, f, 0, 0,
                           0, 0, (far + near) / depth, -1, 0, 0, 2 * far * near / depth, 0]);
}

export function LookAt(eye, forward, right, up) {
  return new Float32Array([right[0], up[0], -forward[0], 0, right[1], up[1], -forward[1], 0,
                           right[2], up[2], -forward[2], 0,
                           -Dot(right, eye), -Dot(up, eye), Dot(forward, eye), 1]);
}

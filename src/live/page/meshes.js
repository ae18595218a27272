// Triangles: points and normals, six numbers a vertex.

import {Cross, Sub} from "./vectors.js";

export function Sphere() {
  const kRings = 10;
  const kSectors = 16;
  const at = (ring, sector) => {
    const a = Math.PI * ring / kRings;
    const b = 2 * Math.PI * sector / kSectors;
    return [Math.sin(a) * Math.cos(b), Math.cos(a), Math.sin(a) * Math.sin(b)];
  };
  const mesh = [];
  const add = (...points) => points.forEach((p) => mesh.push(...p, ...p));
  for (let ring = 0; ring < kRings; ++ring) {
    for (let sector = 0; sector < kSectors; ++sector) {
      const [a, b] = [at(ring, sector), at(ring, sector + 1)];
      const [c, d] = [at(ring + 1, sector), at(ring + 1, sector + 1)];
      if (ring > 0) add(a, b, c);
      if (ring < kRings - 1) add(b, d, c);
    }
  }
  return new Float32Array(mesh);
}

export function Box() {
  const mesh = [];
  for (let axis = 0; axis < 3; ++axis) {
    for (const side of [-1, 1]) {
      const corner = (u, v) => {
        const point = [0, 0, 0];
        point[axis] = side;
        point[(axis + 1) % 3] = u;
        point[(axis + 2) % 3] = v;
        return point;
      };
      const normal = [0, 0, 0];
      normal[axis] = side;
      const [a, b, c, d] = [corner(-1, -1), corner(1, -1), corner(1, 1), corner(-1, 1)];
      for (const point of side > 0 ? [a, b, c, a, c, d] : [a, c, b, a, d, c]) mesh.push(...point, ...normal);
    }
  }
  return new Float32Array(mesh);
}

// Of radius one, from -1 to 1 along y.
export function Cylinder() {
  const kSectors = 24;
  const rim = (sector) => {
    const angle = 2 * Math.PI * sector / kSectors;
    return [Math.cos(angle), Math.sin(angle)];
  };
  const mesh = [];
  for (let sector = 0; sector < kSectors; ++sector) {
    const [[ax, az], [bx, bz]] = [rim(sector), rim(sector + 1)];
    const side = (x, y, z) => mesh.push(x, y, z, x, 0, z);
    side(ax, -1, az); side(ax, 1, az); side(bx, -1, bz);
    side(bx, -1, bz); side(ax, 1, az); side(bx, 1, bz);
    for (const [y, from, to] of [[1, [bx, bz], [ax, az]], [-1, [ax, az], [bx, bz]]]) {
      for (const [x, z] of [[0, 0], from, to]) mesh.push(x, y, z, 0, y, 0);
    }
  }
  return new Float32Array(mesh);
}

export function Hull({vertices, faces}) {
  const mesh = [];
  for (const face of faces) {
    const [a, b, c] = face.map((corner) => vertices[corner]);
    const [u, v] = [Sub(b, a), Sub(c, a)];
    const normal = [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]];
    const length = Math.hypot(...normal);
    for (let i = 2; i < face.length; ++i) {
      for (const corner of [face[0], face[i - 1], face[i]]) {
        mesh.push(...vertices[corner], ...normal.map((part) => part / length));
      }
    }
  }
  return new Float32Array(mesh);
}

// Each triangle with its own normal, as the engine has it.
export function Mesh({vertices, corners}) {
  const mesh = new Float32Array(6 * corners.length);
  const place = (corner) => vertices.subarray(3 * corner, 3 * corner + 3);
  for (let i = 0; i < corners.length; i += 3) {
    const [a, b, c] = [place(corners[i]), place(corners[i + 1]), place(corners[i + 2])];
    const normal = Cross(Sub(b, a), Sub(c, a));
    const length = Math.hypot(...normal);
    [a, b, c].forEach((vertex, corner) => mesh.set([...vertex, ...normal.map((part) => part / length)], 6 * (i + corner)));
  }
  return mesh;
}

export function Ground(ground) {
  const {columns, rows, spacing, heights, holes} = ground;
  const height = (i, k) =>
    heights[Math.max(0, Math.min(rows - 1, k)) * columns + Math.max(0, Math.min(columns - 1, i))];
  const vertex = (i, k) => {
    const normal = [height(i - 1, k) - height(i + 1, k), 2 * spacing, height(i, k - 1) - height(i, k + 1)];
    const length = Math.hypot(...normal);
    return [i * spacing, height(i, k), k * spacing, ...normal.map((part) => part / length)];
  };
  const cells = (columns - 1) * (rows - 1);
  const missing = holes === undefined ? 0 : holes.reduce((sum, hole) => sum + hole, 0);
  const mesh = new Float32Array((cells - missing) * 36);
  let at = 0;
  for (let k = 0; k + 1 < rows; ++k) {
    for (let i = 0; i + 1 < columns; ++i) {
      if (holes?.[k * (columns - 1) + i] === 1) continue;
      for (const [di, dk] of [[0, 0], [0, 1], [1, 1], [0, 0], [1, 1], [1, 0]]) {
        mesh.set(vertex(i + di, k + dk), at);
        at += 6;
      }
    }
  }
  return mesh;
}

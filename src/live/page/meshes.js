// Triangles: points and normals, six numbers a vertex.

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

export function Ground(ground) {
  const {columns, rows, spacing, heights} = ground;
  const height = (i, k) =>
    heights[Math.max(0, Math.min(rows - 1, k)) * columns + Math.max(0, Math.min(columns - 1, i))];
  const vertex = (i, k) => {
    const normal = [height(i - 1, k) - height(i + 1, k), 2 * spacing, height(i, k - 1) - height(i, k + 1)];
    const length = Math.hypot(...normal);
    return [i * spacing, height(i, k), k * spacing, ...normal.map((part) => part / length)];
  };
  const mesh = new Float32Array((columns - 1) * (rows - 1) * 36);
  let at = 0;
  for (let k = 0; k + 1 < rows; ++k) {
    for (let i = 0; i + 1 < columns; ++i) {
      for (const [di, dk] of [[0, 0], [0, 1], [1, 1], [0, 0], [1, 1], [1, 0]]) {
        mesh.set(vertex(i + di, k + dk), at);
        at += 6;
      }
    }
  }
  return mesh;
}

// Segments: straight lines of a width in pixels, of which a part may be left out (dashes).

const kSegmentVertex = `#version 300 es
layout(location = 0) in vec2 corner;  // along the segment 0 or 1, and across it -1 or 1
layout(location = 1) in vec3 from;
layout(location = 2) in vec3 to;
layout(location = 3) in vec3 colour;
layout(location = 4) in vec3 style;   // width, dashes, 1 for dark edges
uniform mat4 view;
uniform vec2 size;                    // of the picture, in pixels
out vec3 paint;
out float along;
out float across;
out float edges;
void main() {
  vec4 a = view * vec4(from, 1.0);
  vec4 b = view * vec4(to, 1.0);
  // A part behind the eye has no place in the picture: the segment ends before it.
  const float kNear = 0.01;
  vec4 c = a.w < kNear && b.w > kNear ? mix(a, b, (kNear - a.w) / (b.w - a.w)) : a;
  vec4 d = b.w < kNear && a.w > kNear ? mix(b, a, (kNear - b.w) / (a.w - b.w)) : b;
  vec2 way = (d.xy / d.w - c.xy / c.w) * size;
  vec2 sideways = length(way) > 0.0 ? normalize(vec2(-way.y, way.x)) : vec2(0.0);
  gl_Position = mix(c, d, corner.x);
  gl_Position.xy += sideways * corner.y * style.x / size * gl_Position.w;
  paint = colour;
  along = corner.x * style.y;
  across = corner.y;
  edges = style.z;
}`;
const kSegmentFragment = `#version 300 es
precision highp float;
in vec3 paint;
in float along;
in float across;
in float edges;
out vec4 colour;
void main() {
  if (fract(along) > 0.55) discard;
  colour = vec4(edges > 0.5 && abs(across) > 0.5 ? vec3(0.05) : paint, 1.0);
}`;
const kSegmentNumbers = 12;  // of a segment

export class Segments {
  constructor(gl, program) {
    this.gl = gl;
    this.program = program(kSegmentVertex, kSegmentFragment);
    if (!this.program) return;
    this.viewAt = gl.getUniformLocation(this.program, "view");
    this.sizeAt = gl.getUniformLocation(this.program, "size");
  }

  // A list of segments of its own on the graphics processor.
  Make() {
    const gl = this.gl;
    const list = {array: gl.createVertexArray(), corners: gl.createBuffer(), instances: gl.createBuffer(),
                  numbers: new Float32Array(0), count: 0};
    gl.bindVertexArray(list.array);
    gl.bindBuffer(gl.ARRAY_BUFFER, list.corners);
    gl.bufferData(gl.ARRAY_BUFFER, new Float32Array([0, -1, 1, -1, 0, 1, 1, 1]), gl.STATIC_DRAW);
    gl.enableVertexAttribArray(0);
    gl.vertexAttribPointer(0, 2, gl.FLOAT, false, 0, 0);
    gl.bindBuffer(gl.ARRAY_BUFFER, list.instances);
    let at = 0;
    for (const [location, parts] of [[1, 3], [2, 3], [3, 3], [4, 3]]) {
      gl.enableVertexAttribArray(location);
      gl.vertexAttribPointer(location, parts, gl.FLOAT, false, 4 * kSegmentNumbers, 4 * at);
      gl.vertexAttribDivisor(location, 1);
      at += parts;
    }
    return list;
  }

  // Room for so many segments, which Put adds from the first one on.
  Begin(list, most) {
    list.count = 0;
    if (list.numbers.length < most * kSegmentNumbers) list.numbers = new Float32Array(2 * most * kSegmentNumbers);
  }

  // No objects: there are thousands of segments in a frame.
  Put(list, from, to, colour, width, dashes, darkEdges) {
    const numbers = list.numbers;
    const at = list.count++ * kSegmentNumbers;
    for (let i = 0; i < 3; ++i) {
      numbers[at + i] = from[i];
      numbers[at + 3 + i] = to[i];
      numbers[at + 6 + i] = colour[i];
    }
    numbers[at + 9] = width;
    numbers[at + 10] = dashes;
    numbers[at + 11] = darkEdges ? 1 : 0;
  }

  End(list) {
    const gl = this.gl;
    gl.bindBuffer(gl.ARRAY_BUFFER, list.instances);
    gl.bufferData(gl.ARRAY_BUFFER, list.numbers.subarray(0, list.count * kSegmentNumbers), gl.DYNAMIC_DRAW);
  }

  // over: in front of everything.
  Paint(list, matrix, width, height, over) {
    if (list.count === 0) return;
    const gl = this.gl;
    gl.useProgram(this.program);
    gl.uniformMatrix4fv(this.viewAt, false, matrix);
    gl.uniform2f(this.sizeAt, width, height);
    gl.bindVertexArray(list.array);
    gl.disable(gl.CULL_FACE);
    if (over) gl.disable(gl.DEPTH_TEST);
    gl.drawArraysInstanced(gl.TRIANGLE_STRIP, 0, 4, list.count);
    gl.enable(gl.CULL_FACE);
    gl.enable(gl.DEPTH_TEST);
  }
}

// Calls edge(from, to) for the twelve edges of a box.
export function ForEachEdge(low, high, edge) {
  const corner = (bits) => [0, 1, 2].map((axis) => bits >> axis & 1 ? high[axis] : low[axis]);
  const corners = [0, 1, 2, 3, 4, 5, 6, 7].map(corner);
  for (let axis = 0; axis < 3; ++axis) {
    for (let bits = 0; bits < 8; ++bits) {
      if ((bits >> axis & 1) === 0) edge(corners[bits], corners[bits | 1 << axis]);
    }
  }
}

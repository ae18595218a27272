// The sun's shadow: one map of depths, seen from the sun, round the place that the camera looks at.

import {Cross, Dot, Multiply, LookAt, Scale, Unit} from "./vectors.js";

export const kSun = Unit([0.5, 0.9, 0.3]);  // towards it
const kDeep = 400;      // metres, along its rays
export const kShade = Scale(kSun, -kDeep / 2);  // from what shades to the farthest place that it may shade

const kShadowVertex = `#version 300 es
layout(location = 0) in vec3 point;
layout(location = 2) in vec3 place;
layout(location = 3) in vec4 rotation;
layout(location = 4) in vec3 size;
uniform mat4 view;
void main() {
  vec3 v = point * size;
  vec3 t = 2.0 * cross(rotation.xyz, v);
  gl_Position = view * vec4(v + rotation.w * t + cross(rotation.xyz, t) + place, 1.0);
}`;
const kShadowFragment = `#version 300 es
precision mediump float;
void main() {}`;

export class Shadow {
  constructor(gl, program, isSlow) {
    this.gl = gl;
    this.size = isSlow ? 1024 : 2048;
    this.program = program(kShadowVertex, kShadowFragment);
    if (!this.program) return;
    this.viewAt = gl.getUniformLocation(this.program, "view");
    this.map = gl.createTexture();
    gl.bindTexture(gl.TEXTURE_2D, this.map);
    gl.texStorage2D(gl.TEXTURE_2D, 1, gl.DEPTH_COMPONENT24, this.size, this.size);
    // Compared by the sampler, which mixes the four answers round a point.
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_COMPARE_MODE, gl.COMPARE_REF_TO_TEXTURE);
    for (const which of [gl.TEXTURE_MIN_FILTER, gl.TEXTURE_MAG_FILTER]) gl.texParameteri(gl.TEXTURE_2D, which, gl.LINEAR);
    for (const which of [gl.TEXTURE_WRAP_S, gl.TEXTURE_WRAP_T]) gl.texParameteri(gl.TEXTURE_2D, which, gl.CLAMP_TO_EDGE);
    this.buffer = gl.createFramebuffer();
    gl.bindFramebuffer(gl.FRAMEBUFFER, this.buffer);
    gl.framebufferTexture2D(gl.FRAMEBUFFER, gl.DEPTH_ATTACHMENT, gl.TEXTURE_2D, this.map, 0);
    gl.drawBuffers([gl.NONE]);
    gl.readBuffer(gl.NONE);
    this.works = gl.checkFramebufferStatus(gl.FRAMEBUFFER) === gl.FRAMEBUFFER_COMPLETE;
    gl.bindFramebuffer(gl.FRAMEBUFFER, null);
  }

  // From the world to the map's cube of -1 .. 1.
  Matrix(camera) {
    const radius = Math.max(8, Math.min(150, 1.1 * camera.distance));
    const forward = Scale(kSun, -1);
    const right = Unit(Cross(forward, [0, 1, 0]));
    const up = Cross(right, forward);
    // Whole points of the map: the shadows' edges stay where they are while the camera moves.
    const step = 2 * radius / this.size;
    const whole = (axis) => Math.round(Dot(camera.target, axis) / step) * step;
    const eye = [0, 1, 2].map((i) => right[i] * whole(right) + up[i] * whole(up) +
      forward[i] * (Dot(camera.target, forward) - kDeep / 2));
    const flat = new Float32Array([1 / radius, 0, 0, 0, 0, 1 / radius, 0, 0, 0, 0, -2 / kDeep, 0, 0, 0, -1, 1]);
    return Multiply(flat, LookAt(eye, forward, right, up));
  }

  // paint: draws all that has a shadow, with the program that is in use.
  Fill(matrix, paint) {
    const gl = this.gl;
    gl.bindFramebuffer(gl.FRAMEBUFFER, this.buffer);
    gl.viewport(0, 0, this.size, this.size);
    gl.clear(gl.DEPTH_BUFFER_BIT);
    gl.useProgram(this.program);
    gl.uniformMatrix4fv(this.viewAt, false, matrix);
    gl.enable(gl.POLYGON_OFFSET_FILL);
    gl.polygonOffset(2, 4);
    paint();
    gl.disable(gl.POLYGON_OFFSET_FILL);
    gl.bindFramebuffer(gl.FRAMEBUFFER, null);
  }
}

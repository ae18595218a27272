// A recording as if it were a running program: the same calls, but no throw and no pull.

import {Recording} from "./recording.js";

export class Replay {
  // on: message(), after each look at another frame; end(words).
  constructor(bytes, on) {
    this.recording = new Recording(bytes);
    this.on = on;
    this.live = false;
    this.paused = matchMedia("(prefers-reduced-motion: reduce)").matches;
    this.speed = 1;
    this.time = 0;  // in frames
  }

  get scene() { return this.recording.scene; }
  get last() { return this.recording.last; }
  get at() { return this.recording.at; }

  Seek(frame) {
    this.time = Math.max(0, Math.min(this.last, frame));
    const whole = Math.floor(this.time);
    if (whole === this.recording.at) return;
    try {
      this.recording.Seek(whole);
    } catch (error) {
      this.recording.EndHere();
      this.time = this.last;
      this.paused = true;
      this.on.end(`The recording cannot be read beyond frame ${this.last}: ${error.message}.`);
    }
    this.on.message();
  }

  Tick(seconds) {
    if (this.paused) return;
    this.Seek(this.time + seconds * this.speed / this.scene.frameSeconds);
    if (this.time >= this.last) this.paused = true;
  }

  Pause(on) {
    if (!on && this.time >= this.last) this.Seek(0);
    this.paused = on;
  }
  Step(frames) {
    this.paused = true;
    this.Seek(this.at + frames);
  }
  Speed(speed) { this.speed = speed; }
  Reset() { this.Seek(0); }
  Show() {}  // it has what was recorded
  Ray() {}
  Look() {}
}

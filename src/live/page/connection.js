// The connection to a running program: messages come, commands go.

import {CommandOf, Scene} from "./wire.js";

export class Connection {
  // on: message(), after each; end(words).
  constructor(on) {
    this.scene = new Scene();
    this.on = on;
    this.live = true;
    const token = new URLSearchParams(location.search).get("token") ?? "";
    this.socket = new WebSocket(`ws://${location.host}/live?token=${encodeURIComponent(token)}`);
    this.socket.binaryType = "arraybuffer";
    this.socket.onmessage = (event) => this.Read(new Uint8Array(event.data));
    this.socket.onclose = () => this.End("The program has ended, or has closed the connection.");
  }

  Read(bytes) {
    try {
      this.scene.Read(bytes);
    } catch (error) {
      this.End(`What the program sent cannot be read: ${error.message}.`);
      this.socket.close();
      return;
    }
    this.on.message();
  }

  End(words) {
    if (this.ended) return;
    this.ended = true;
    this.on.end(words);
  }

  Send(...command) {
    if (this.socket.readyState === WebSocket.OPEN) this.socket.send(CommandOf(...command));
  }

  Pause(on) { this.Send("CmPa", "u32", on ? 1 : 0); }
  Step(frames) { this.Send("CmSt", "u32", frames); }
  Speed(speed) { this.Send("CmSp", "f32", speed); }
  Reset(seed) { this.Send("CmRs", "u64", seed); }
  Show(parts) { this.Send("CmSh", "u32", parts); }
  // Its way through the trees is in the messages while queries are shown.
  Ray(position, translation) { this.Send("CmRa", ...[...position, ...translation].flatMap((number) => ["f32", number])); }
  // Of the bodies the next messages have those that this camera sees; null: all.
  Look(view) { this.Send("CmVi", ...(view ?? []).flatMap((number) => ["f32", number])); }
  Throw(position, velocity) {
    this.Send("CmTh", ...[...position, ...velocity].flatMap((number) => ["f32", number]));
  }

  Pull(body, grip, place) {
    this.Send("CmPu", "u32", body.slot, "u32", body.generation, ...[...grip, ...place].flatMap((number) => ["f32", number]));
  }
  LetGo() { this.Send("CmLe"); }

  get paused() { return this.scene.frame?.paused ?? false; }
  get speed() { return this.scene.frame?.speed ?? 1; }
  Tick() {}  // the program has the clock
}

// A recording: the messages of a run, any of which can be looked at.

import {WireError} from "./cursor.js";
import {Scene} from "./wire.js";

const kBlobMagic = "NOWAITBL";
const kApart = 60;  // messages between two scenes that are kept

// The bytes of a text in base 64 that were deflated.
export async function Inflated(text) {
  const packed = Uint8Array.from(atob(text.trim()), (c) => c.charCodeAt(0));
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("deflate"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

// The messages of a file: a blob (src/resource/blob.h) for each, which names the stream's place.
function MessagesOf(bytes) {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const messages = [];
  for (let at = 0; at < bytes.length;) {
    const magic = String.fromCharCode(...bytes.subarray(at, at + 8));
    if (magic !== kBlobMagic || bytes.length - at < 56) throw new WireError("the recording is damaged");
    const size = Number(view.getBigUint64(at + 24, true));
    const begin = at + view.getUint32(at + 48, true);
    const end = begin + 8 * view.getUint32(at + 52, true);
    if (size < 56 || end > at + size || at + size > bytes.length) throw new WireError("the recording is damaged");
    messages.push(bytes.subarray(begin, end));
    at += size;
  }
  return messages;
}

export class Recording {
  constructor(bytes) {
    this.messages = MessagesOf(bytes);
    this.kept = [];  // the scene after message i * kApart
    this.at = -1;
    this.scene = new Scene();
    this.Next();
  }

  get last() { return this.messages.length - 1; }

  Next() {
    this.scene.Read(this.messages[++this.at]);
    if (this.at % kApart === 0 && !this.kept[this.at / kApart]) this.kept[this.at / kApart] = this.scene.Copy();
  }

  // After a message that cannot be read: the one before it is the last one.
  EndHere() {
    this.messages.length = this.at;
    this.Seek(this.last);
  }

  // The scene after message `to`. From the nearest one kept, unless the way from here is shorter.
  Seek(to) {
    const from = Math.min(Math.floor(to / kApart), this.kept.length - 1);
    if (to < this.at || from * kApart > this.at) {
      this.scene = this.kept[from].Copy();
      this.at = from * kApart;
    }
    while (this.at < to) this.Next();
  }
}

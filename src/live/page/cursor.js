// The numbers and texts of an event, and the events of a message (docs/live-wire.md).

export class WireError extends Error {}

// Four characters as the number whose bytes they are.
export function TypeOf(name) {
  return [...name].reduce((number, c, i) => number + c.charCodeAt(0) * 2 ** (8 * i), 0);
}

export class Cursor {
  constructor(bytes) {
    this.bytes = bytes;
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.at = 0;
  }
  get left() { return this.bytes.length - this.at; }
  Take(size) {
    if (this.left < size) throw new WireError("an event is shorter than its content");
    this.at += size;
    return this.at - size;
  }
  U8() { return this.view.getUint8(this.Take(1)); }
  U16() { return this.view.getUint16(this.Take(2), true); }
  U32() { return this.view.getUint32(this.Take(4), true); }
  F32() { return this.view.getFloat32(this.Take(4), true); }
  U64() { return Number(this.view.getBigUint64(this.Take(8), true)); }
  BigU64() { return this.view.getBigUint64(this.Take(8), true); }
  // No bit operations: these are numbers of more than 32 bits.
  Varint() {
    const first = this.at < this.bytes.length ? this.bytes[this.at] : 128;
    if (first < 128) {  // nearly all
      ++this.at;
      return first;
    }
    let value = 0;
    for (let scale = 1; scale <= 2 ** 63; scale *= 128) {
      const byte = this.U8();
      value += (byte & 127) * scale;
      if (byte < 128) return value;
    }
    throw new WireError("a number has more than 64 bits");
  }
  Signed() {
    const value = this.Varint();
    return value % 2 === 0 ? value / 2 : -(value + 1) / 2;
  }
  Text() { return new TextDecoder().decode(this.bytes.subarray(this.Take(this.left))); }
}

// A number that is below `end`.
export function Below(end, number, what) {
  if (number < end) return number;
  throw new WireError(`${what} is ${number}, the most is ${end - 1}`);
}

// The events of a stream: {type, content}.
export function* EventsOf(bytes) {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  for (let at = 0; at < bytes.length;) {
    if (bytes.length - at < 8) throw new WireError("a message ends within a header");
    const size = view.getUint32(at + 4, true);
    const next = at + 8 + Math.ceil(size / 8) * 8;
    if (next > bytes.length) throw new WireError("a message ends within an event");
    yield {type: view.getUint32(at, true), content: bytes.subarray(at + 8, at + 8 + size)};
    at = next;
  }
}

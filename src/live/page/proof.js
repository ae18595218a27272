// A counterexample in a frame, with the calls of a recording: its steps are the frames.

export class Proof {
  // element: an iframe. on: key(event), for a key that the page within has not taken; load().
  constructor(element, on) {
    this.element = element;
    this.inside = null;  // the page within, once it is there
    this.speed = 1;
    element.addEventListener("load", () => {
      this.inside = InsideOf(element);
      this.inside?.player?.Pace(this.speed);
      if (this.inside) element.contentWindow.addEventListener("keydown", (event) => { if (!event.defaultPrevented) on.key(event); });
      on.load();
    });
  }

  Open(address) {
    this.inside = null;
    this.element.src = address;
  }

  // A view without steps has no player.
  get player() { return this.inside?.player ?? null; }
  get live() { return false; }
  get paused() { return !this.player?.Playing(); }
  get last() { return Math.max(0, (this.player?.stops().length ?? 0) - 1); }
  get at() { return Math.max(0, this.player?.stops().findLastIndex((stop) => stop <= this.player.step) ?? 0); }

  Pause(on) { on ? this.player?.Pause() : this.player?.Play(); }
  Step(steps) { this.player?.Move(steps); }
  Seek(step) {
    this.Pause(true);
    this.player?.go(this.player.stops()[step]);
  }
  Speed(speed) {
    this.speed = speed;
    this.player?.Pace(speed);
  }
  Reset() { this.player?.Move(-Infinity); }
}

// Another page than a counterexample has no such object, and the browser's own page for an error lets nobody look.
function InsideOf(element) {
  try {
    return element.contentWindow.nowait ?? null;
  } catch {
    return null;
  }
}

// Slides: each heading with what belongs to it, one at a time, as large as fits. The text stays the
// same document; the style hides what is for reading.
const kSmallest = 0.55;
const kSmallestCode = 10;  // pixels

export function slides() {
  const all = [...document.querySelectorAll("section.unit")];
  const bar = document.getElementById("slide-bar");
  if (!bar) return null;
  const root = document.documentElement;
  const button = document.getElementById("mode-button");
  const number = document.getElementById("slide-number");
  // A heading without bullets or anything else to show has nothing to say on a wall.
  const shown = all.filter((unit) => unit.matches(".title, .exercise") ||
    unit.querySelector(":scope > :is(.slide, figure, .table)"));
  let at = 0;

  const name = (unit) => unit.querySelector("h1, h2, h3, h4").id;
  const on = () => root.dataset.mode === "slides";

  // Lines of code are as small as the widest one wants, and below what can be read they scroll.
  function fitLines(unit) {
    for (const block of unit.querySelectorAll("pre")) {
      block.style.fontSize = "";
      const size = parseFloat(getComputedStyle(block).fontSize);
      if (block.scrollWidth <= block.clientWidth) continue;
      const fits = Math.floor(size * 10 * block.clientWidth / block.scrollWidth) / 10 - 0.2;
      block.style.fontSize = `${Math.max(kSmallestCode, fits)}px`;
    }
  }

  // A slide that is too long is made smaller, down to what can still be read; then it scrolls.
  function fit() {
    const unit = shown[at];
    let scale = 1;
    do {
      root.style.setProperty("--slide-scale", scale.toFixed(2));
      unit.classList.toggle("scrolls", false);
      fitLines(unit);
      if (unit.scrollHeight <= unit.clientHeight + 1) return;
      scale -= 0.05;
    } while (scale >= kSmallest);
    unit.classList.toggle("scrolls", true);
  }

  function show(i, focus = true) {
    at = Math.max(0, Math.min(shown.length - 1, i));
    all.forEach((unit) => unit.classList.toggle("current", unit === shown[at]));
    number.textContent = `${at + 1} / ${shown.length}`;
    history.replaceState(null, "", `#${name(shown[at])}`);
    shown[at].scrollTop = 0;
    if (focus) {
      shown[at].tabIndex = -1;
      shown[at].focus({preventScroll: true});
    }
    fit();
  }

  // The last slide whose heading is not below the given place of the document.
  function of(unit) {
    const index = all.indexOf(unit);
    return Math.max(0, shown.findLastIndex((it) => all.indexOf(it) <= index));
  }

  function seen() {
    const here = document.getElementById(decodeURIComponent(location.hash.slice(1)))?.closest("section.unit");
    // What the address names, if it is still to be seen; else what is at the top.
    const place = here?.getBoundingClientRect();
    if (on() || (place && place.top > -innerHeight / 2 && place.top < innerHeight)) return of(here ?? all[0]);
    const top = all.findLast((unit) => unit.getBoundingClientRect().top < innerHeight / 3);
    return of(top ?? all[0]);
  }

  function set(mode, i) {
    const unit = shown[i];
    for (const block of document.querySelectorAll("section pre")) block.style.fontSize = "";
    if (mode) {
      root.dataset.mode = "slides";
    } else {
      delete root.dataset.mode;
    }
    bar.hidden = !mode;
    button.setAttribute("aria-pressed", String(mode));
    button.querySelector(".word").textContent = mode ? "Text" : "Slides";
    try {
      sessionStorage.setItem("nowait-mode", mode ? "slides" : "text");
    } catch { /* the next lecture begins with the text, then */ }
    if (mode) {
      show(i);
    } else {
      unit.scrollIntoView();
    }
  }

  const toggle = () => set(!on(), on() ? at : seen());
  button.addEventListener("click", toggle);
  document.getElementById("slide-before").addEventListener("click", () => show(at - 1, false));
  document.getElementById("slide-after").addEventListener("click", () => show(at + 1, false));
  addEventListener("resize", () => on() && fit());
  addEventListener("hashchange", () => {
    const target = document.getElementById(decodeURIComponent(location.hash.slice(1)))?.closest("section.unit");
    if (on() && target) show(of(target));
  });
  // Whatever a figure does, its slide still fits.
  new ResizeObserver(() => on() && fit()).observe(document.getElementById("main"));

  let wanted = null;
  try {
    wanted = sessionStorage.getItem("nowait-mode");
  } catch { /* the text */ }
  if (wanted === "slides") {
    const target = document.getElementById(decodeURIComponent(location.hash.slice(1)))?.closest("section.unit");
    set(true, target ? of(target) : 0);
  }
  return {
    on, toggle,
    after: () => show(at + 1),
    before: () => show(at - 1),
    first: () => show(0),
    last: () => show(shown.length - 1),
  };
}

// One place for all keys, so that no two mean the same. A reader who types into a field types, and a
// figure that has the focus has its own arrows.
const kInside = "input, textarea, select, [contenteditable], dialog[open]";
const kPressed = "button, a, summary";

export function keys(slides, search, theme, help) {
  const everywhere = {
    "/": search,
    t: theme,
    "?": help,
    n: () => document.querySelector("a[rel=next]")?.click(),
    p: () => document.querySelector("a[rel=prev]")?.click(),
  };
  const shown = slides && {
    ArrowRight: slides.after, ArrowDown: slides.after, PageDown: slides.after, " ": slides.after,
    ArrowLeft: slides.before, ArrowUp: slides.before, PageUp: slides.before,
    Home: slides.first, End: slides.last, Escape: slides.toggle,
  };
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
    if (event.target.closest(kInside) || document.querySelector("dialog[open]")) return;
    const figure = event.target.closest("figure.living");
    let act = everywhere[event.key];
    if (event.key === "s" && slides) act = slides.toggle;
    if (slides?.on() && event.key in shown) {
      const taken = (event.key === " " && event.target.closest(kPressed)) ||
        (figure && event.key !== "Escape" && !event.key.startsWith("Page"));
      if (!taken) act = shown[event.key];
    }
    if (!act) return;
    event.preventDefault();
    act();
  });
}

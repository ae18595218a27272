// Elements. They are made here and nowhere else, and never from a string of markup: nothing that a
// record says can become part of the page's structure.

const kSvg = "http://www.w3.org/2000/svg";

// h("button", {class: "step", onclick: f, "aria-label": "..."}, "text", child, null, [more])
export function h(tag, attributes = {}, ...children) {
  return Fill(document.createElement(tag), attributes, children);
}

export function svg(tag, attributes = {}, ...children) {
  return Fill(document.createElementNS(kSvg, tag), attributes, children);
}

function Fill(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) {
      element.addEventListener(name.slice(2), value);
    } else {
      element.setAttribute(name, value === true ? "" : value);
    }
  }
  element.append(...children.flat(Infinity).filter((child) => child !== null && child !== false));
  return element;
}

// Replaces the children. If the focused element is replaced by a like element (the same data-key),
// that one gets the focus. Otherwise a keyboard's user would be thrown to the page's top.
export function Replace(element, ...children) {
  const focused = element.contains(document.activeElement) ? document.activeElement : null;
  const key = focused ? focused.dataset.key : undefined;
  element.replaceChildren(...children.flat(Infinity).filter((child) => child));
  if (key === undefined) return;
  const heir = [...element.querySelectorAll("[data-key]")].find((it) => it.dataset.key === key);
  if (heir) heir.focus({preventScroll: true});
}

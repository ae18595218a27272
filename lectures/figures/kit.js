// Shared by the living figures: elements, and a line that is read out.

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

// Puts these children where others were. An element that has the focus and is replaced by a like one
// (the same data-key) passes the focus on, so that a keyboard's user is not thrown to the page's
// top.
export function Replace(element, ...children) {
  const focused = element.contains(document.activeElement) ? document.activeElement : null;
  const key = focused ? focused.dataset.key : undefined;
  element.replaceChildren(...children.flat(Infinity).filter((child) => child));
  if (key === undefined) return;
  const heir = [...element.querySelectorAll("[data-key]")].find((it) => it.dataset.key === key);
  if (heir) heir.focus({preventScroll: true});
}

// The address: #step=12&view=compare. A reader can send the view to another one, and a lecture can
// link to it.

export function ReadAddress(hash = location.hash) {
  const fields = new URLSearchParams(hash.slice(1));
  const step = Number(fields.get("step"));
  return {step: Number.isInteger(step) && step > 0 ? step : null, view: fields.get("view")};
}

export function Address({step, view}) {
  return view === "steps" ? `#step=${step}` : `#step=${step}&view=${view}`;
}

// Without a new entry in the browser's history: going back leaves the page.
export function WriteAddress(place) {
  const hash = Address(place);
  if (hash !== location.hash) history.replaceState(null, "", hash);
}

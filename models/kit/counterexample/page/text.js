// The execution as text: for paper, and for readers who prefer text.
import {h} from "./dom.js";
import {Capital, Linked, Place, Remarks, Sentence, ThreadName} from "./words.js";

export class Text {
  constructor(x) {
    const items = [];
    let call = undefined, thread = undefined;
    for (const event of x.events) {
      if (event.thread !== thread || event.call !== call) {
        thread = event.thread;
        call = event.call;
        const words = x.CallOf(event);
        items.push(h("li", {class: "call"}, h("b", {}, Capital(ThreadName(thread))),
          words ? `, in ${words.name}${words.notes.length ? ` (${words.notes.join("; ")})` : ""}` : ""));
      }
      items.push(h("li", {class: x.blamed.has(event.number) ? "blamed" : ""},
        h("span", {class: "number"}, `${event.number}. `),
        Linked(Sentence(x, event.number)), " ",
        Remarks(x, event.number).map((remark) => [h("em", {}, Linked(remark)), " "]),
        h("code", {class: "where"}, Place(event.site))));
    }
    this.element = h("section", {class: "text", "aria-label": "All steps as text"},
      h("h2", {}, "All steps"), h("ol", {}, items),
      h("p", {class: "broken"}, h("b", {}, "Broken: "), x.failure.words));
  }
  Show() {}
}

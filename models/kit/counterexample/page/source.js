// The source beside the lanes: the whole file of the step at hand, its line marked, and each
// thread's place. Where the right source is known as well, both sides of each difference are there:
// the lines of the defect with their numbers, the right ones without.
import {h} from "./dom.js";
import {Place} from "./words.js";

export class Source {
  // repaired: files as they should be, [] where nothing is known of that.
  constructor(sources, repaired = []) {
    this.sources = new Map(sources.map((source) => [source.file, source.lines]));
    this.repaired = new Map(repaired.map((source) => [source.file, source.lines]));
    this.listings = new Map();  // of each file that was opened: its lines
    this.lists = new Map();     // and the element that has them, with the right lines among them
    this.chooser = h("select", {"aria-label": "File", onchange: () => this.Open(this.chooser.value)},
      [...this.sources.keys()].map((file) => h("option", {value: file}, file)));
    this.listing = h("div", {class: "listing", tabindex: "0", role: "group",
                             "aria-label": "Source text"});
    this.note = h("p", {class: "hint"});
    this.element = h("section", {class: "panel source", "aria-label": "Source"},
      h("h2", {}, "Source ", this.chooser), this.note, this.listing);
  }

  Show(x, step) {
    const site = x.Event(step).site;
    for (const lines of this.listings.values()) lines.forEach(Unmark);
    if (!site || !this.sources.has(site.file)) {
      this.note.textContent = site ? `The text of ${Place(site)} is not in this record.`
        : "This step stands nowhere in the source.";
      return;
    }
    this.note.textContent = "";
    this.Open(site.file);
    for (const [thread, event] of LastOfThreads(x, step)) {
      if (!event.site || event.site.file !== site.file) continue;
      const line = this.Line(event.site.line);
      if (!line) continue;
      line.querySelector(".here").append(
        h("span", {class: `who t${thread % 6}`, title: `thread ${thread}`}, String(thread)));
    }
    const line = this.Line(site.line);
    if (!line) return;
    line.classList.add("current");
    line.setAttribute("aria-current", "true");
    // Within the listing alone: the page stays where it is.
    const middle = line.offsetTop - this.listing.clientHeight / 2;
    this.listing.scrollTop = Math.max(0, middle);
  }

  Line(number) { return this.listings.get(this.chooser.value)[number - 1]; }

  Open(file) {
    this.chooser.value = file;
    if (!this.listings.has(file)) this.Make(file);
    if (this.open === file) return;
    this.open = file;
    this.listing.replaceChildren(this.lists.get(file));
  }

  Make(file) {
    const text = this.sources.get(file);
    const right = this.repaired.get(file);
    const lines = Highlighted(text).map((parts, i) => h("li", {"data-line": i + 1},
      h("span", {class: "here"}), h("code", {}, parts)));
    this.listings.set(file, lines);
    if (!right) {
      this.lists.set(file, h("ol", {}, lines));
      return;
    }
    const right_parts = Highlighted(right);
    this.lists.set(file, h("ol", {}, Merged(text, right).map(({left, other}) => {
      if (left === null) {
        return h("li", {class: "repaired", role: "note"}, h("span", {class: "which"}, "right: "),
                 h("code", {}, right_parts[other]));
      }
      if (other === null) {
        lines[left].classList.add("differs");
        lines[left].append(h("span", {class: "which"}, " defect"));
      }
      return lines[left];
    })));
  }
}

function Unmark(line) {
  line.classList.remove("current");
  line.removeAttribute("aria-current");
  line.querySelector(".here").replaceChildren();
}

// The last step of each thread, up to this one.
function LastOfThreads(x, step) {
  const last = new Map();
  for (const event of x.events) {
    if (event.number > step) break;
    if (event.thread >= 0) last.set(event.thread, event);
  }
  return last;
}

const kTokens = new RegExp([
  /(?<comment>\/\/.*|\/\*.*?(?:\*\/|$))/, /(?<string>"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')/,
  /(?<order>memory_order::\w+)/,
  /(?<word>\b(?:auto|bool|break|case|class|const|constexpr|continue|default|delete|do|else|enum|explicit|false|for|if|inline|int|namespace|new|noexcept|nullptr|private|public|return|static|struct|switch|template|this|true|typename|using|void|while)\b)/,
].map((it) => it.source).join("|"), "g");

function Highlighted(text) {
  let in_comment = false;
  return text.map((line) => {
    const {parts, open} = Coloured(line, in_comment);
    in_comment = open;
    return parts;
  });
}

function Coloured(line, in_comment) {
  const parts = [];
  let at = 0;
  if (in_comment) {
    const end = line.indexOf("*/");
    if (end < 0) return {parts: [h("span", {class: "comment"}, line)], open: true};
    parts.push(h("span", {class: "comment"}, line.slice(0, end + 2)));
    at = end + 2;
  }
  let open = false;
  for (const match of line.slice(at).matchAll(kTokens)) {
    const [kind, text] = Object.entries(match.groups).find(([, it]) => it !== undefined);
    const begin = match.index + (in_comment ? line.indexOf("*/") + 2 : 0);
    parts.push(line.slice(at, begin), h("span", {class: kind}, text));
    at = begin + text.length;
    open = kind === "comment" && text.startsWith("/*") && !text.endsWith("*/");
  }
  parts.push(line.slice(at) || (parts.length === 0 ? " " : ""));
  return {parts, open};
}

// The lines of both texts in one order: {left, other}, indices, null where a text has no such line.
// By the longest common subsequence; where they differ, the defect comes before the right lines.
function Merged(a, b) {
  const longest = Array.from({length: a.length + 1}, () => new Uint16Array(b.length + 1));
  for (let i = a.length - 1; i >= 0; --i) {
    for (let j = b.length - 1; j >= 0; --j) {
      longest[i][j] = a[i] === b[j] ? longest[i + 1][j + 1] + 1
        : Math.max(longest[i + 1][j], longest[i][j + 1]);
    }
  }
  const lines = [];
  for (let i = 0, j = 0; i < a.length || j < b.length;) {
    if (i < a.length && j < b.length && a[i] === b[j]) {
      lines.push({left: i++, other: j++});
    } else if (i < a.length && (j === b.length || longest[i + 1][j] >= longest[i][j + 1])) {
      lines.push({left: i++, other: null});
    } else {
      lines.push({left: null, other: j++});
    }
  }
  return lines;
}

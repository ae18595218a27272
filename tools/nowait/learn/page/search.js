// The search: lunr over what the builder has written down. Both are fetched when first asked for,
// as scripts, which pages from disk may load too.
const kMost = 20;
const kBetweenWords = /[^\p{L}\p{N}_]+/u;

function load(name) {
  return new Promise((resolve, reject) => {
    const script = document.createElement("script");
    script.src = window.nowaitUp + name;
    script.onload = resolve;
    script.onerror = () => reject(new Error(`${name} cannot be loaded`));
    document.head.append(script);
  });
}

async function index() {
  await Promise.all([load("lunr.js"), load("search.js")]);
  const entries = window.nowaitSearch;
  window.lunr.tokenizer.separator = kBetweenWords;  // also at :: and the dots of C++
  const made = window.lunr(function () {
    this.ref("number");
    this.field("title", {boost: 5});
    this.field("words");
    this.field("code", {boost: 0.5});
    entries.forEach((entry, number) => this.add({...entry, number}));
  });
  return {entries, made};
}

// EventCount is event_count too: where the class is not named its header is.
function wordsOf(text) {
  const words = text.split(kBetweenWords).filter(Boolean);
  const files = words.map((word) => word.replace(/([a-z0-9])(?=[A-Z])/g, "$1_"));
  return [...new Set([...files, ...words].map((word) => word.toLowerCase()))];
}

// All words, the last one as the beginning of one: who types is not finished.
function find({entries, made}, text) {
  const words = wordsOf(text);
  if (words.length === 0) return [];
  const found = made.query((query) => {
    words.forEach((word, i) => {
      query.term(word, {boost: 10, usePipeline: true});
      if (i === words.length - 1) {
        query.term(word, {wildcard: window.lunr.Query.wildcard.TRAILING, usePipeline: false});
      }
    });
  });
  return found.slice(0, kMost).map(({ref}) => entries[Number(ref)]);
}

// The words around the first one that was looked for.
function excerpt(entry, text) {
  const all = entry.words.toLowerCase();
  const at = wordsOf(text).map((word) => all.indexOf(word)).find((found) => found >= 0) ?? 0;
  const begin = Math.max(0, at - 60);
  const end = begin + 160;
  return (begin > 0 ? "…" : "") + entry.words.slice(begin, end).trim() + (end < entry.words.length ? "…" : "");
}

export function search() {
  const dialog = document.getElementById("search");
  const field = document.getElementById("search-words");
  const said = document.getElementById("search-found");
  const list = document.getElementById("search-results");
  let ready = null;

  function item(entry) {
    const link = document.createElement("a");
    link.href = window.nowaitUp + entry.at;
    link.textContent = entry.title;
    link.addEventListener("click", () => dialog.close());
    const of = document.createElement("span");
    of.className = "facts";
    of.textContent = ` ${entry.of}`;
    const words = document.createElement("p");
    words.textContent = excerpt(entry, field.value);
    const element = document.createElement("li");
    element.append(link, of, words);
    return element;
  }

  async function update() {
    ready ??= index();
    const found = find(await ready, field.value);
    list.replaceChildren(...found.map(item));
    said.textContent = field.value.trim() === "" ? "" :
      found.length === 0 ? "Nothing found." : `${found.length === kMost ? "The first " : ""}${found.length} found.`;
  }

  field.addEventListener("input", update);
  field.addEventListener("keydown", (event) => {
    if (event.key === "Enter") {
      event.preventDefault();
      list.querySelector("a")?.click();
    } else if (event.key === "ArrowDown") {
      event.preventDefault();
      list.querySelector("a")?.focus();
    }
  });
  list.addEventListener("keydown", (event) => {
    const step = {ArrowDown: 1, ArrowUp: -1}[event.key];
    if (!step) return;
    event.preventDefault();
    const links = [...list.querySelectorAll("a")];
    (links[links.indexOf(document.activeElement) + step] ?? field).focus();
  });
  const show = () => {
    dialog.showModal();
    field.select();
  };
  document.getElementById("search-button").addEventListener("click", show);
  return show;
}

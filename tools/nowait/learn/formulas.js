// Reads a list of [tex, display] and answers, for each, [html, null] or [null, what is wrong].
const katex = require("/usr/share/nodejs/katex/dist/katex.js");

let given = "";
process.stdin.on("data", (piece) => { given += piece; });
process.stdin.on("end", () => {
  const answers = JSON.parse(given).map(([tex, displayMode]) => {
    try {
      return [katex.renderToString(tex, {displayMode, throwOnError: true, strict: "error"}), null];
    } catch (error) {
      return [null, error.message];
    }
  });
  process.stdout.write(JSON.stringify(answers));
});

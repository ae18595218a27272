// Light or dark: what the system says, until the reader says otherwise; that is remembered.
export function theme() {
  const root = document.documentElement;
  const dark = () => (root.dataset.theme ? root.dataset.theme === "dark" :
    matchMedia("(prefers-color-scheme: dark)").matches);
  const toggle = () => {
    root.dataset.theme = dark() ? "light" : "dark";
    try {
      localStorage.setItem("nowait-theme", root.dataset.theme);
    } catch { /* not remembered, then */ }
  };
  // What was said in another tab; or on the page before, when this one came up before that was known.
  const follow = () => {
    try {
      const said = localStorage.getItem("nowait-theme");
      if (said) root.dataset.theme = said;
    } catch { /* as the system says, then */ }
  };
  follow();
  addEventListener("storage", follow);
  document.getElementById("theme-button").addEventListener("click", toggle);
  return toggle;
}

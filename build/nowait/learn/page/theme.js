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
  document.getElementById("theme-button").addEventListener("click", toggle);
  return toggle;
}

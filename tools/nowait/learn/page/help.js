// The list of keys.
export function help() {
  const dialog = document.getElementById("help");
  const show = () => dialog.showModal();
  document.getElementById("help-button").addEventListener("click", show);
  return show;
}

// Changes of the page where something has changed. Any other would make the browser lay the page out anew, and a
// reader of the screen would say the words again.

export function Change(object, name, value) {
  if (object[name] !== value) object[name] = value;
}
export const ChangeText = (element, words) => Change(element, "textContent", words);

// Elements of the page. Values are only ever inserted as text.

export const find = (id) => document.getElementById(id);

/** Makes an element with properties and children; strings become text. */
export function make(name, properties = {}, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(properties)) {
    if (key in element && !key.startsWith("aria-")) element[key] = value; else element.setAttribute(key, value);
  }
  element.append(...children);
  return element;
}

/** Sets a text only if it differs, so that screen readers hear of changes only. */
export function setText(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

export const sentences = (error) => [error.message, ...(error.details ?? [])].join("\n");

import { Connection } from "./connection.js";
import { find, setText } from "./dom.js";
import { Picker } from "./picker.js";
import { People } from "./people.js";
import { Editor } from "./editor.js";
import { Table } from "./table.js";
import { Outline } from "./outline.js";
import { Inspector } from "./inspector.js";

// The window has the token: it is not needed in the address, nor in the history.
history.replaceState(null, "", location.pathname + location.hash);

const connection = new Connection(
  (state, sentence) => {
    find("status").dataset.state = state;
    setText(find("status"), sentence);
  },
  (states, isNewRun) => {
    for (const part of Object.values(parts)) part.open(states[part.name], isNewRun);
    parts[current]?.show();
  });

const parts = {
  picker: new Picker(connection), editor: new Editor(connection), people: new People(connection), table: new Table(connection),
  outline: new Outline(connection), inspector: new Inspector(connection),
};
const tabs = [...document.querySelectorAll("[role=tab]")];
let current = null;

function select(name, movesFocus = false) {
  if (!parts[name]) name = "picker";
  const isNew = current !== name;
  const isFirst = current === null;
  if (isNew && !isFirst) parts[current].hide();
  current = name;
  for (const tab of tabs) {
    const isSelected = tab.dataset.part === name;
    tab.setAttribute("aria-selected", String(isSelected));
    tab.tabIndex = isSelected ? 0 : -1;
    find(tab.dataset.part).hidden = !isSelected;
    if (isSelected && movesFocus) tab.focus();
  }
  document.title = `${tabs.find((tab) => tab.dataset.part === name).textContent} – KV Studio`;
  // While the page loads, a fragment would move the start of the keyboard's way into the panel.
  if (!isFirst && location.hash !== `#${name}`) history.replaceState(null, "", `#${name}`);
  if (isNew && find("status").dataset.state === "connected") parts[name].show();
}

for (const [index, tab] of tabs.entries()) {
  tab.addEventListener("click", () => select(tab.dataset.part));
  tab.addEventListener("keydown", (event) => {
    const steps = { ArrowRight: index + 1, ArrowLeft: index - 1, Home: 0, End: tabs.length - 1 };
    if (!(event.key in steps)) return;
    event.preventDefault();
    select(tabs[(steps[event.key] + tabs.length) % tabs.length].dataset.part, true);
  });
}
window.addEventListener("hashchange", () => {
  if (parts[location.hash.slice(1)]) select(location.hash.slice(1));
});

select(location.hash.slice(1));
connection.open();

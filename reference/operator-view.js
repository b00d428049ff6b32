// The tables of the operator's page. What the service answers is shown as text, never as HTML.
import { element } from "./elements.js";
import { call } from "./operator-api.js";

const pageSize = 25;

/** The name of a field in words: `lastSeenAt` is "Last seen at". */
const wordsOf = (key) => {
  const words = key.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  return words.charAt(0).toUpperCase() + words.slice(1);
};

/** A value of the API as text, or as elements. */
function shown(value, key = "") {
  if (value === null || value === undefined || value === "") return "none";
  if (typeof value === "boolean") return value ? "yes" : "no";
  if (typeof value === "number") {
    const number = value.toLocaleString("en");
    return /bytes$/i.test(key) ? `${number} (${(value / 2 ** 20).toFixed(1)} MiB)` : number;
  }
  if (Array.isArray(value)) {
    const items = value.map((one) => element("li", {}, shown(one)));
    return items.length === 0 ? "none" : element("ul", {}, ...items);
  }
  if (typeof value === "object") return fieldsOf(value);
  const isTime = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(value);
  return isTime ? value.replace("T", " ").replace(/\.\d+Z$/, " UTC") : value;
}

/** All fields of an object with their names. */
export const fieldsOf = (object) =>
  element(
    "dl",
    {},
    ...Object.entries(object).flatMap(([key, value]) => [
      element("dt", {}, wordsOf(key)),
      element("dd", {}, shown(value, key)),
    ]),
  );

/** An input with its label. */
export const labelled = (label, input) => element("label", {}, element("span", {}, label), input);

/** A paragraph whose text a screen reader says when it changes; and what sets it. */
export function status() {
  const line = element("p", { role: "status", class: "status" });
  const say = (text, isError = false) => {
    line.textContent = text;
    line.classList.toggle("error", isError);
  };
  return { line, say };
}

const filterField = (name, { label, options }) =>
  labelled(
    label,
    options === undefined
      ? element("input", { name, type: "search", maxlength: 255 })
      : element(
          "select",
          { name },
          ...Object.entries(options).map(([value, text]) => element("option", { value }, text)),
        ),
  );

function tableOf({ caption, columns }, body) {
  const heads = Object.keys(columns).map((name) => element("th", { scope: "col" }, name));
  const head = element("thead", {}, element("tr", {}, ...heads));
  return element(
    "div",
    { class: "table", role: "region", tabindex: 0, "aria-label": caption },
    element("table", {}, element("caption", {}, caption), head, body),
  );
}

function filterForm({ caption, filters }, find) {
  const fields = Object.entries(filters).map(([name, filter]) => filterField(name, filter));
  const submit = (event) => {
    event.preventDefault();
    find();
  };
  const change = ({ target }) => target.localName === "select" && find();
  const button = element("button", { type: "submit" }, "Find");
  const attributes = { role: "search", "aria-label": `Filter: ${caption}`, submit, change };
  return element("form", fields.length === 0 ? { hidden: "" } : attributes, ...fields, button);
}

/** A list of the service as a table with filters and pages. `failed` gets what a read throws. */
export function listView(list, { failed, signal, openDetails }) {
  const { line, say } = status();
  const body = element("tbody");
  const region = tableOf(list, body);
  let cursors = [""];
  let nextCursor = null;
  let reading = new AbortController();
  const goTo = (pages) => {
    cursors = pages;
    return read();
  };
  const form = filterForm(list, () => void goTo([""]));

  async function read() {
    reading.abort();
    reading = new AbortController();
    const stop = AbortSignal.any([reading.signal, signal]);
    const waits = (seconds) =>
      say(`${list.caption}: too many calls; this continues in ${seconds} s.`);
    const filter = Object.fromEntries(new FormData(form));
    const input = { ...list.input, ...filter, limit: pageSize, cursor: cursors.at(-1) };
    try {
      const { items, nextCursor: cursor } = await call(list.read, input, { signal: stop, waits });
      nextCursor = cursor;
      body.replaceChildren(...items.map((row) => rowOf(list, row, open)));
      previous.disabled = cursors.length === 1;
      next.disabled = nextCursor === null;
      say(
        `${list.caption}: ${items.length === 0 ? "none found" : `${items.length} on this page`}.`,
      );
      return items;
    } catch (error) {
      if (!stop.aborted) failed(error, say);
      return undefined;
    }
  }
  const turn = (text, pages) => {
    const click = () => {
      region.focus();
      void goTo(pages());
    };
    return element("button", { type: "button", disabled: true, click }, text);
  };
  const previous = turn("Previous page", () => cursors.slice(0, -1));
  const next = turn("Next page", () => [...cursors, nextCursor]);
  const closed = (row) => {
    const buttons = [...body.querySelectorAll("button")];
    (buttons.find(({ dataset }) => dataset.key === keyOf(list, row)) ?? region).focus();
  };
  const open = (row) => openDetails(list, row, { again: read, closed: () => closed(row) });
  const pager = element("p", { class: "pager" }, previous, next);
  return { element: element("section", {}, form, region, line, pager), read };
}

/** What a row is found by after it was read again. */
export const keyOf = (list, row) => JSON.stringify(list.ids(row));

function rowOf(list, row, open) {
  const [first, ...others] = Object.values(list.columns).map((column) =>
    typeof column === "function" ? column(row) : shown(row[column], column),
  );
  const button = element("button", { type: "button", click: () => void open(row) }, first);
  button.dataset.key = keyOf(list, row);
  return element(
    "tr",
    {},
    element("th", { scope: "row" }, button),
    ...others.map((text) => element("td", {}, text)),
  );
}

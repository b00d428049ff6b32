// The dialog of the operator's page with all fields of a row, and what an operator can do with it.
import { element } from "./elements.js";
import { call } from "./operator-api.js";
import { fieldsOf, keyOf, labelled, status } from "./operator-view.js";

/** A secret that is shown until the dialog is closed, with a button that copies it. */
function secretOf({ text, until }) {
  const field = element("input", { readonly: "", value: text });
  const copy = async ({ currentTarget: button }) => {
    field.select();
    await navigator.clipboard?.writeText(text).then(
      () => (button.textContent = "Copied"),
      () => (button.textContent = "Not allowed: copy the selected text"),
    );
  };
  return element(
    "div",
    { class: "secret" },
    labelled(`Shown once. It works once, until ${until}.`, field),
    element("button", { type: "button", click: copy }, "Copy"),
  );
}

/** The form of an action: its fields, what has to be typed to confirm it, and its button. */
function formOf(action, run) {
  const { label, text, fields = {}, confirm } = action;
  const inputs = Object.entries(fields).map(([name, { label: words, type, value }]) =>
    labelled(
      words,
      element("input", { name, type, value, required: type === "email" || type === "text" }),
    ),
  );
  if (confirm !== undefined) {
    const input = element("input", { name: "confirm", autocomplete: "off", required: "" });
    inputs.push(labelled(`Type ${confirm} to confirm`, input));
  }
  const submit = (event) => {
    event.preventDefault();
    void run(action, event.currentTarget);
  };
  const isDangerous = confirm !== undefined;
  return element(
    "form",
    { submit },
    ...inputs,
    element("button", { type: "submit", class: isDangerous && "danger" }, label),
    text,
  );
}

const valueOf = ({ type, value, checked, valueAsNumber }) => {
  if (type === "checkbox") return checked;
  if (type === "number") return value === "" ? null : valueAsNumber;
  return value.trim();
};

/** The input that the fields of a form have. */
async function inputOf({ fields = {}, prepare = (given) => given }, { elements }) {
  return prepare(
    Object.fromEntries(Object.keys(fields).map((name) => [name, valueOf(elements[name])])),
  );
}

/** Calls the operation of an action on a row; throws unless what confirms it is typed. */
async function perform(list, row, action, form) {
  const { operation, confirm, input } = action;
  if (confirm !== undefined && form.elements.confirm.value.trim() !== confirm) {
    throw new Error(`Not done: type ${confirm} to confirm.`);
  }
  return call(operation, { ...list.ids(row), ...input, ...(await inputOf(action, form)) });
}

const headingOf = (list, row) =>
  element("h2", { id: "details-title", tabindex: -1 }, list.nameOf(row));

/** What the dialog shows of a row: its name, its fields and its actions. */
function contentOf(list, row, { run, leave }) {
  const [href, text] = list.link?.(row) ?? [];
  const forms = list.actions(row).flatMap((action) => (action ? [formOf(action, run)] : []));
  return [
    headingOf(list, row),
    ...(href === undefined ? [] : [element("a", { href, click: leave }, text)]),
    fieldsOf(row),
    ...forms,
  ];
}

/**
 * Returns a function that opens the dialog for a row of a list. `again` reads the list again;
 * `failed` gets what a call throws; `sayOutside` is heard when the dialog is closed.
 */
export function detailsDialog(dialog, failed, sayOutside) {
  const { line, say } = status();
  const content = element("div");
  const leave = () => dialog.close();
  dialog.replaceChildren(
    element("button", { type: "button", click: leave }, "Close"),
    line,
    content,
  );
  let opened = 0;

  return function openDetails(list, row, { again, closed }) {
    const id = ++opened;
    const isOpen = () => dialog.open && id === opened;
    const report = (...said) => (isOpen() ? say : sayOutside)(...said);
    let isBusy = false;
    const show = async (known) => {
      const { details } = list;
      const waits = (seconds) => say(`Too many calls; this continues in ${seconds} s.`);
      const whole = details === undefined ? known : await call(details, list.ids(known), { waits });
      if (!isOpen()) return;
      content.replaceChildren(...contentOf(list, whole, { run, leave }));
      content.firstChild.focus();
    };
    /** Shows the row as it is now, or closes the dialog if the page of the list lacks it. */
    const refresh = async () => {
      const rows = await again();
      if (rows === undefined || !isOpen()) return;
      const now = rows.find((one) => keyOf(list, one) === keyOf(list, row));
      if (now === undefined) dialog.close();
      else await show(now);
    };
    const run = async (action, form) => {
      const { label, secret } = action;
      if (isBusy) return;
      isBusy = true;
      let done = "";
      say(`${label} …`);
      try {
        const answer = await perform(list, row, action, form);
        done = `${label}: done.`;
        if (secret === undefined) await refresh();
        else form.append(secretOf(secret(answer)));
        report(done);
      } catch (error) {
        // What comes after it may fail: the action itself was done.
        failed(error, (text) => report(`${done} ${text}`, true));
      }
      isBusy = false;
    };
    say("");
    content.replaceChildren(headingOf(list, row));
    dialog.addEventListener("close", closed, { once: true });
    dialog.showModal();
    show(row).catch((error) => failed(error, report));
  };
}

/** Makes an element: `element("a", { href }, "text", child)`. Functions are event listeners. */
export function element(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (typeof value === "function") made.addEventListener(key, value);
    else if (value !== undefined && value !== false) made.setAttribute(key, String(value));
  }
  made.append(...children.filter((child) => child !== undefined && child !== ""));
  return made;
}

/** Elements of a text with `code`. */
export const prose = (text = "") =>
  text
    .split("`")
    .map((part, index) => (index % 2 === 1 ? element("code", {}, part) : part))
    .filter((part) => part !== "");

/** Elements of words as `code`. */
export const codes = (words, separator = " ") =>
  prose(words.map((one) => `\`${one}\``).join(separator));

/** Copies a text, and says so on the button. */
const copier =
  (text) =>
  async ({ currentTarget: button }) => {
    const isCopied = await navigator.clipboard?.writeText(text).then(
      () => true,
      () => false,
    );
    button.textContent = isCopied ? "Copied" : "Not allowed";
    setTimeout(() => (button.textContent = "Copy"), 1_500);
  };

/** A block of code with a button that copies it. */
export const codeBlock = (text) =>
  element(
    "div",
    { class: "code" },
    element("button", { type: "button", class: "copy", click: copier(text) }, "Copy"),
    element("pre", { tabindex: "0" }, element("code", {}, text)),
  );

/** Folded content, which is made when it is opened. */
export function folded(summary, make, attributes = {}) {
  const details = element("details", attributes, element("summary", {}, ...[summary].flat()));
  details.addEventListener("toggle", () => {
    if (details.open && details.children.length === 1) details.append(...[make()].flat());
  });
  return details;
}

/** Moves the focus to the neighbour of the focused element, by one of two keys. */
export function moveFocus(event, elements, [back, forth]) {
  const step = event.key === back ? -1 : event.key === forth ? 1 : 0;
  const next = elements[elements.indexOf(document.activeElement) + step];
  if (step === 0 || next === undefined) return;
  event.preventDefault();
  next.focus();
}

/** Buttons that each show one content, which is made when it is shown. */
export function tabs(choices) {
  const content = element("div", { class: "tab" });
  const buttons = Object.entries(choices).map(([name, make]) =>
    element(
      "button",
      {
        type: "button",
        role: "tab",
        click: ({ currentTarget }) => {
          for (const one of buttons) one.setAttribute("aria-selected", one === currentTarget);
          content.replaceChildren(make());
        },
      },
      name,
    ),
  );
  buttons[0]?.click();
  return element(
    "div",
    { class: "tabs" },
    element(
      "div",
      {
        role: "tablist",
        keydown: (event) => moveFocus(event, buttons, ["ArrowLeft", "ArrowRight"]),
      },
      ...buttons,
    ),
    content,
  );
}

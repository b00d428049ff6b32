// The operator's page: sign-in, and the sections. docs/operator.md describes it.
import { element } from "./elements.js";
import { call, readiness, signIn, signOut } from "./operator-api.js";
import { detailsDialog } from "./operator-details.js";
import { sections } from "./operator-lists.js";
import { fieldsOf, labelled, listView, status } from "./operator-view.js";

const content = document.querySelector("main");
const nav = document.querySelector("nav");
const dialog = document.querySelector("dialog");
const { line, say } = status();
const links = [...nav.querySelectorAll("a")];
let isSignedIn = false;
let leaving = new AbortController();

/** Shows a title with what is below it, and moves the focus there. */
function showPage(title, ...parts) {
  dialog.close();
  leaving.abort();
  leaving = new AbortController();
  const heading = element("h1", { tabindex: -1 }, title);
  document.title = `${title} – Operator`;
  say("");
  content.replaceChildren(heading, line, ...parts);
  heading.focus();
  return leaving.signal;
}

/** Says why a call failed. If the service does not know the caller any more, asks who it is. */
function failed(error, report) {
  if (error.status !== 401 || !isSignedIn) return report(error.message, true);
  void leave();
  return say(`You are signed out. ${error.message}`, true);
}

async function leave() {
  isSignedIn = false;
  showSignIn();
  await signOut();
}

function signInForm(title, fields, button) {
  const submit = async (event) => {
    event.preventDefault();
    const form = event.currentTarget;
    if (form.ariaBusy === "true") return;
    form.ariaBusy = "true";
    say("Signing in …");
    try {
      await signIn(Object.fromEntries(new FormData(form)));
      isSignedIn = true;
      showSection();
    } catch (error) {
      say(error.message, true);
    } finally {
      form.ariaBusy = "false";
    }
  };
  const inputs = Object.entries(fields).map(([name, [label, type, autocomplete]]) =>
    labelled(label, element("input", { name, type, autocomplete, required: "" })),
  );
  const send = element("button", { type: "submit" }, button);
  return element("form", { class: "sign-in", submit }, element("h2", {}, title), ...inputs, send);
}

function showSignIn() {
  nav.hidden = true;
  const account = {
    email: ["Email", "email", "username"],
    password: ["Password", "password", "current-password"],
  };
  const key = { adminKey: ["ADMIN_KEY", "password", "off"] };
  showPage(
    "Sign in",
    signInForm("With an operator's account", account, "Sign in"),
    signInForm("With the service's key", key, "Use the key"),
    element("p", {}, "Neither is stored: a reload of this page signs you out."),
  );
}

function showHealth() {
  const waits = (seconds) => say(`Too many calls; this continues in ${seconds} s.`);
  const parts = {
    Readiness: readiness,
    Health: (signal) => call("GET /health", {}, { signal, waits }),
    Statistics: (signal) => call("GET /stats", {}, { signal, waits }),
  };
  const places = Object.entries(parts).map(([title, read]) => {
    const place = element("div");
    return { read, place, element: element("section", {}, element("h2", {}, title), place) };
  });
  const refresh = element("button", { type: "button", click: () => void readAll() }, "Read again");
  const signal = showPage("Health", refresh, ...places.map((one) => one.element));
  const readAll = async () => {
    say("Reading …");
    const reads = places.map(async ({ read, place }) => {
      try {
        place.replaceChildren(fieldsOf(await read(signal)));
      } catch (error) {
        const report = (text) => place.replaceChildren(element("p", { class: "error" }, text));
        if (!signal.aborted) failed(error, report);
      }
    });
    await Promise.all(reads);
    if (!signal.aborted) say("Read.");
  };
  void readAll();
}

const openDetails = detailsDialog(dialog, failed, (...said) => say(...said));

/** Shows the section that the address names: `#work`, or `#deliveries/<webhook>`. */
function showSection() {
  if (!isSignedIn) return showSignIn();
  const [name, id] = location.hash.slice(1).split("/");
  nav.hidden = false;
  const known = name === "health" || Object.hasOwn(sections, name) ? name : "users";
  const current = known === "deliveries" ? "work" : known;
  for (const link of links) {
    if (link.hash === `#${current}`) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
  if (known === "health") return showHealth();
  const { title, lists } = sections[known];
  const signal = showPage(title);
  for (const list of lists(id)) {
    const view = listView(list, { failed, signal, openDetails });
    content.append(view.element);
    void view.read();
  }
  return undefined;
}

document.querySelector("#sign-out").addEventListener("click", () => void leave());
addEventListener("hashchange", showSection);
showSignIn();

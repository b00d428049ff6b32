import { codeBlock, element, moveFocus } from "./elements.js";
import { eventPage, operationPage, schemaPage } from "./operation.js";
import { find, indexOf } from "./search.js";

const root = new URL("api/v1", document.baseURI).href;
const base = root.slice(0, -"/api/v1".length);
const get = (id) => document.getElementById(id);
const siteTitle = document.title;
const load = async (url) => (await fetch(url)).json();

/** The document with what the page looks up in it. */
function read(openapi) {
  const resolve = (value) =>
    value?.$ref === undefined
      ? value
      : resolve(
          value.$ref
            .split("/")
            .slice(1)
            .reduce((inside, step) => inside[step], openapi),
        );
  const operations = Object.entries(openapi.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => {
      const id = operation.operationId;
      return { id, hash: `#/operation/${id}`, method: method.toUpperCase(), path, operation };
    }),
  );
  const events = Object.entries(openapi.webhooks ?? {}).map(([id, { post }]) => ({
    id,
    hash: `#/event/${id}`,
    operation: post,
  }));
  return { resolve, operations, events, schemas: openapi.components.schemas, tags: openapi.tags };
}

const link = (hash, text, badge) =>
  element(
    "a",
    { href: hash },
    badge === undefined
      ? undefined
      : element("span", { class: `method ${badge.toLowerCase()}` }, badge),
    element("span", {}, text),
  );

const group = (title, links, attributes = {}) =>
  element("details", attributes, element("summary", {}, title), ...links);

/** How many guides stand above the operations; the others are folded. */
const shownGuides = 6;

/** The links of the sidebar: guides first, then operations by resource, then events. */
function sidebar({ operations, events, tags }, guides) {
  const ofGuides = guides.map(({ id, title, sections }) =>
    group(
      title,
      sections.map((section) =>
        link(
          `#/guide/${id}${section.anchor === "" ? "" : `/${section.anchor}`}`,
          section.title === title ? "Overview" : section.title,
        ),
      ),
      { "data-guide": id },
    ),
  );
  const [first, others] = [ofGuides.slice(0, shownGuides), ofGuides.slice(shownGuides)];
  const ofTags = tags.flatMap(({ name }) => {
    const links = operations
      .filter(({ operation }) => operation.tags.includes(name))
      .map(({ hash, method, operation }) => link(hash, operation.summary, method));
    return links.length === 0 ? [] : [group(name, links, { "data-tag": name })];
  });
  const ofEvents = events.map(({ hash, id }) => link(hash, id));
  return [
    element("h2", {}, "Guides"),
    ...first,
    group("More guides", [element("div", { class: "more" }, ...others)]),
    element("h2", {}, "Operations"),
    ...ofTags,
    element("h2", {}, "Events"),
    group("Sent to webhooks", ofEvents, { "data-tag": "Events" }),
  ];
}

function guidePage(guides, id, anchor) {
  const guide = guides.find((one) => one.id === id);
  if (guide === undefined) return undefined;
  const article = element("article", { class: "guide" });
  // The build renders the guides of this repository, with the address of a service on this machine.
  article.innerHTML = guide.html.replaceAll("http://127.0.0.1:3000", base);
  for (const block of article.querySelectorAll("pre")) {
    block.replaceWith(codeBlock(block.textContent.trimEnd()));
  }
  if (anchor !== undefined) {
    requestAnimationFrame(() => get(anchor)?.scrollIntoView());
  }
  return [article];
}

/** The page for an address that names nothing here, with what resembles it. */
function unknownPage(index) {
  const name = decodeURIComponent(location.hash);
  const similar = find(index, name.replace(/^#(?:\/(?:operation|event|schema|guide)\/)?/, ""));
  return [
    element("h1", {}, "Not found"),
    element("p", {}, "Nothing on this page has the address ", element("code", {}, name), "."),
    ...(similar.length === 0 ? [] : [element("p", {}, "Did you mean one of these?")]),
    element(
      "ul",
      {},
      ...similar.slice(0, 5).map(({ hash, title }) => element("li", {}, link(hash, title))),
    ),
    element("p", {}, element("a", { href: "#/guide/quick-start" }, "Quick start")),
  ];
}

function pageAt(contents, guides, index) {
  if (location.hash === "" || location.hash === "#") return guidePage(guides, guides[0].id);
  const [, kind, name = "", anchor] = decodeURIComponent(location.hash).split("/");
  const entryOf = (all) => all.find(({ id }) => id === name);
  const operation = kind === "operation" ? entryOf(contents.operations) : undefined;
  const event = kind === "event" ? entryOf(contents.events) : undefined;
  return (
    (operation && operationPage(operation, contents, root)) ??
    (event && eventPage(event, contents)) ??
    (kind === "schema" ? schemaPage(name, contents) : undefined) ??
    (kind === "guide" ? guidePage(guides, name, anchor) : undefined) ??
    unknownPage(index)
  );
}

function show(contents, guides, index) {
  const anchor = location.hash.split("/")[3];
  get("content").replaceChildren(...pageAt(contents, guides, index));
  document.title = `${get("content").querySelector("h1").textContent} – ${siteTitle}`;
  if (anchor === undefined) scrollTo(0, 0);
  for (const one of document.querySelectorAll("nav a")) {
    const isCurrent = one.getAttribute("href") === (location.hash || "#/guide/quick-start");
    one.removeAttribute("aria-current");
    if (!isCurrent) continue;
    one.setAttribute("aria-current", "page");
    for (let at = one.closest("details"); at; at = at.parentElement.closest("details")) {
      at.setAttribute("open", "");
    }
    one.scrollIntoView({ block: "nearest" });
  }
  closeMenu();
}

function closeMenu() {
  document.body.classList.remove("menu-open");
  get("menu").setAttribute("aria-expanded", "false");
}

function listen(contents, guides, index) {
  const input = get("search");
  const results = get("results");
  const search = () => {
    const query = input.value.trim();
    const found = query === "" ? [] : find(index, query);
    results.hidden = query === "";
    get("links").hidden = query !== "";
    get("sidebar").scrollTop = 0;
    const links = found.map(({ hash, title, kind }) => link(hash, title, kind));
    results.replaceChildren(...(links.length > 0 ? links : [element("p", {}, "No result.")]));
  };
  input.addEventListener("input", search);
  input.addEventListener("keydown", ({ key }) => {
    if (key === "Enter") results.querySelector("a")?.click();
    if (key === "ArrowDown") results.querySelector("a")?.focus();
  });
  results.addEventListener("keydown", (event) => {
    moveFocus(event, [input, ...results.querySelectorAll("a")], ["ArrowUp", "ArrowDown"]);
  });
  addEventListener("keydown", (event) => {
    const isTyping = /^(?:input|textarea)$/i.test(event.target.tagName);
    if (event.key === "/" && !isTyping) {
      event.preventDefault();
      input.focus();
    }
    if (event.key === "Escape") closeMenu();
  });
  get("menu").addEventListener("click", () => {
    const isOpen = document.body.classList.toggle("menu-open");
    get("menu").setAttribute("aria-expanded", String(isOpen));
  });
  addEventListener("hashchange", () => show(contents, guides, index));
}

const [openapi, guides] = await Promise.all([
  load(`${root}/openapi.json?webhooks=true`),
  load(new URL("docs/guides.json", document.baseURI)),
]);
const contents = read(openapi);
get("links").replaceChildren(...sidebar(contents, guides));
const index = indexOf(contents, guides);
listen(contents, guides, index);
show(contents, guides, index);
